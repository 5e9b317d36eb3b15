"""Whatever a diagnostic says, other programs can read it."""

import json
import re
from collections import Counter
from xml.etree import ElementTree

from hypothesis import given

from rulelang.report import (
    render_github,
    render_gitlab,
    render_junit,
    render_markdown,
    render_sarif,
)
from tests.report.anything import LISTS, SOURCES

NOT_TEXT = re.compile("[\ud800-\udfff]")


@given(LISTS, SOURCES)
def test_sarif_has_a_result_each_that_points_at_its_rule_and_into_text(found, sources) -> None:
    text = render_sarif(found, sources, "1.0")
    (run,) = json.loads(text)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert text.isascii()
    assert Counter(d.code for d in found) == Counter(r["ruleId"] for r in run["results"])
    assert rules == sorted(set(rules))
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        start, end = (region[f"{at}Line"] for at in ("start", "end"))
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert min(region.values()) >= 1
        assert (start, region["startColumn"]) <= (end, region["endColumn"])
        assert not NOT_TEXT.search(json.dumps(result, ensure_ascii=False))


@given(LISTS, SOURCES)
def test_gitlab_has_an_issue_each_with_a_fingerprint_of_its_own(found, sources) -> None:
    issues = json.loads(render_gitlab(found, sources))
    assert len({issue["fingerprint"] for issue in issues}) == len(found) == len(issues)
    assert not NOT_TEXT.search(json.dumps(issues, ensure_ascii=False))


@given(LISTS, SOURCES)
def test_junit_is_xml_with_a_failure_each(found, sources) -> None:
    text = render_junit(found, sources)
    root = ElementTree.fromstring(text)
    assert text.isascii()
    assert len(root.findall("./testsuite/testcase/failure")) == len(found)
    assert root.get("failures") == str(len(found))
    quiet = set(sources) - {diagnostic.file for diagnostic in found}
    assert len(root.findall("./testsuite/testcase[@name='no problems']")) == len(quiet)


@given(LISTS)
def test_github_has_a_line_each(found) -> None:
    lines = render_github(found).splitlines()
    assert len(lines) == len(found)
    for line in lines:
        properties, message = re.fullmatch(
            r"::(?:error|warning|notice) ([^:]*)::(.*)", line
        ).groups()
        named = [each.partition("=")[0] for each in properties.split(",")]
        assert named[0] == "file"
        assert named[-1] == "title"
        assert not re.search(r"%(?!25|0A|0D)", message)


@given(LISTS)
def test_markdown_has_a_row_of_three_cells_each(found) -> None:
    rows = render_markdown(found).splitlines()[2:]
    assert len(rows) == (len(found) + 2 if found else 0)
    for row in rows:
        bare = re.sub(r"\\.", "", row)
        assert bare.count("|") == 4
        assert "`" not in bare
        assert not re.search(r"<(?!/?code>|br>|!-- -->)", bare)

"""What the formats for other programs look like."""

import json
from xml.etree import ElementTree

import pytest

from rulelang.diagnostic import Diagnostic, Edit, Fix, Note, Span, make
from rulelang.report import (
    render_github,
    render_gitlab,
    render_junit,
    render_markdown,
    render_sarif,
)
from rulelang.report.fingerprints import fingerprints
from rulelang.report.junit import Case, render_cases
from rulelang.report.markdown import MOST_CHARACTERS

SOURCE = "rule dig\n  gain gld 1\n  gain gld 2\n"
SOURCES = {"toy.rules": SOURCE}
UNKNOWN = make(
    "N201", "there is no `gld`", Span("toy.rules", 2, 8, 2, 11),
    help="did you mean gold?",
    notes=[Note(Span("toy.rules", 3, 8, 3, 11), "and here"), Note(Span("b.rules", 1, 1, 1, 2), "")],
    fix=Fix("write gold", (Edit(Span("toy.rules", 2, 8, 2, 11), "gold"),), safe=False),
)  # fmt: skip
UNUSED = make("N204", "nothing uses this", Span("b.rules", 1, 1, 3, 2))
TO_DO = make("C512", "to do", Span.point("b.rules", 5, 1))


def run(*found: Diagnostic) -> dict:
    log = json.loads(render_sarif(found, SOURCES, "1.2.3"))
    assert log["version"] == "2.1.0"
    return log["runs"][0]


# ---------------------------------------------------------------- sarif


def test_sarif_names_the_tool_and_the_rules_that_were_broken() -> None:
    driver = run(UNKNOWN, UNUSED, UNKNOWN)["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("rulelang", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["N201", "N204"]
    rule = driver["rules"][0]
    assert rule["shortDescription"] == {"text": "Unknown name"}
    assert rule["helpUri"] == UNKNOWN.url
    assert rule["defaultConfiguration"] == {"level": "error"}


def test_sarif_levels() -> None:
    assert [r["level"] for r in run(UNKNOWN, UNUSED, TO_DO)["results"]] == [
        "warning", "note", "error",
    ]  # fmt: skip


def test_sarif_places() -> None:
    (result,) = run(UNKNOWN)["results"]
    region = {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 11}
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "toy.rules"}, "region": region}}
    ]
    assert run(UNKNOWN)["columnKind"] == "unicodeCodePoints"
    assert [r["message"]["text"] for r in result["relatedLocations"]] == ["and here", "see also"]
    assert result["message"]["text"] == "there is no `gld`\ndid you mean gold?"


def test_sarif_fixes() -> None:
    (fix,) = run(UNKNOWN)["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"] == {"text": "gold"}
    assert replacement["deletedRegion"]["startColumn"] == 8
    assert fix["properties"] == {"safe": False}


def test_sarif_escapes_what_an_address_cannot_hold() -> None:
    (result,) = run(make("N201", "", Span.point("a b/ü%.rules", 1, 1)))["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "a%20b/%C3%BC%25.rules"}


def test_sarif_of_nothing_is_a_run_without_results() -> None:
    assert run()["results"] == []


# ---------------------------------------------------------------- fingerprints


def at(line: int, text: str) -> list[str]:
    span = Span("toy.rules", line, 8, line, 11)
    return fingerprints([make("N201", "there is no `gld`", span)], {"toy.rules": text})


def test_a_fingerprint_stays_when_lines_are_put_in_above() -> None:
    assert at(2, SOURCE) == at(4, "# one\n# two\n" + SOURCE)


def test_a_fingerprint_stays_when_blanks_change() -> None:
    assert at(2, SOURCE) == at(2, SOURCE.replace("gld 1", "gld   1"))


def test_another_line_another_fingerprint() -> None:
    assert at(2, SOURCE) != at(3, SOURCE)


def test_the_same_twice_has_two_fingerprints() -> None:
    one, two = fingerprints([UNKNOWN, UNKNOWN], SOURCES)
    assert one != two


# ---------------------------------------------------------------- gitlab


def test_gitlab_is_a_list_of_issues() -> None:
    first, second = json.loads(render_gitlab([UNKNOWN, UNUSED], SOURCES))
    assert first["location"] == {"path": "b.rules", "lines": {"begin": 1, "end": 3}}
    assert (first["severity"], second["severity"]) == ("minor", "major")
    assert second["check_name"] == "N201"
    assert second["description"] == "there is no `gld`\ndid you mean gold?"


def test_gitlab_of_nothing_is_an_empty_list() -> None:
    assert json.loads(render_gitlab([], {})) == []


# ---------------------------------------------------------------- github


def test_github_is_a_command_each() -> None:
    assert render_github([UNKNOWN, UNUSED]).split("\n") == [
        "::warning file=b.rules,line=1,endLine=3,title=N204 unused-name::nothing uses this",
        "::error file=toy.rules,line=2,col=8,endLine=2,endColumn=11,title=N201 unknown-name"
        "::there is no `gld`%0Adid you mean gold?%0Aand here (toy.rules:3:8)"
        "%0Asee also (b.rules:1:1)",
    ]


def test_github_escapes() -> None:
    found = make("C512", "50%: a, b\nc", Span.point("a,b:c%.rules", 1, 1))
    assert render_github([found]) == (
        "::notice file=a%2Cb%3Ac%25.rules,line=1,col=1,endLine=1,endColumn=1,title=C512 to-do"
        "::50%25: a, b c"
    )


def test_github_of_nothing_is_empty() -> None:
    assert render_github([]) == ""


# ---------------------------------------------------------------- junit


def test_junit_has_a_suite_for_each_file_in_order() -> None:
    root = ElementTree.fromstring(render_junit([UNKNOWN, UNUSED], ["toy.rules", "a.rules"]))
    assert [suite.get("name") for suite in root] == ["a.rules", "b.rules", "toy.rules"]
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    (failure,) = root.findall("./testsuite[@name='toy.rules']/testcase/failure")
    assert failure.get("message") == "there is no `gld`"
    assert (failure.text or "").startswith("toy.rules:2:8: error[N201] there is no `gld`\n")


def test_junit_passes_what_is_below_the_fail_level() -> None:
    root = ElementTree.fromstring(render_junit([UNUSED], [], ["error"]))
    assert root.get("failures") == "0"
    assert "nothing uses this" in (root.findtext("./testsuite/testcase/system-out") or "")


def test_junit_replaces_what_xml_cannot_hold() -> None:
    root = ElementTree.fromstring(render_cases([Case("a\0", "b\x1b\n")], "x\ty"))
    (case,) = root.findall("./testsuite/testcase")
    assert (case.get("classname"), case.get("name")) == ("a\ufffd", "b\ufffd\n")


def test_junit_tells_what_could_not_be_run() -> None:
    text = render_cases([Case("a", "b", problem="no", broken=True)], "x")
    root = ElementTree.fromstring(text)
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    assert root.find("./testsuite/testcase/error") is not None


# ---------------------------------------------------------------- markdown


def test_markdown_is_a_table() -> None:
    assert render_markdown([UNKNOWN, UNUSED]).split("\n") == [
        "**1 error, 1 warning, in 2 files**",
        "",
        "| | Place | Problem |",
        "|---|---|---|",
        f"| warning | <code>b.rules:1:1</code> | [N204]({UNUSED.url}) nothing uses this |",
        f"| error | <code>toy.rules:2:8</code> | [N201]({UNKNOWN.url}) there is no \\`gld\\`"
        "<br>did you mean gold? |",
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b", "a\\|b"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~"),
        ("[a](b)", "\\[a\\](b)"),
        ("a\\|", "a\\\\\\|"),
        ("@ann #12", "@<!-- -->ann #<!-- -->12"),
        ("a\n| b", "a \\| b"),
    ],
)
def test_markdown_escapes(text: str, written: str) -> None:
    row = render_markdown([make("N201", text, Span.point("a", 1, 1))]).split("\n")[-1]
    assert row.endswith(f") {written} |")


def test_markdown_of_nothing_is_a_line() -> None:
    assert render_markdown([]) == "**no problems**"


def test_markdown_of_very_many_is_cut() -> None:
    text = render_markdown([UNKNOWN] * 2_000)
    assert len(text) < MOST_CHARACTERS + 100
    assert text.endswith(" more.")
    shown = text.count("| error |")
    assert text.endswith(f"… and {2_000 - shown:,} more.")

"""Single faults seeded into sound games: the check finds them, where they are, in a few words.

A small fixed sample; ``python -m rulelang.testing.faults GAME`` measures a whole game.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from attrs import evolve

from rulelang.errors import UsageError
from rulelang.loader import Sources, read, shipped_root
from rulelang.testing.faults.__main__ import main
from rulelang.testing.faults.fault import misspelt
from rulelang.testing.faults.kinds import CERTAIN, CONTENT, KINDS, RULES, STRUCTURAL
from rulelang.testing.faults.measure import Finding, measure
from rulelang.testing.faults.tally import as_json, as_markdown, as_text, listed, survivors

FERRY = shipped_root().parent / "docs" / "examples" / "ferry"
PER_KIND = {"ferry": 4, "lost_expedition": 2}
SOUND = """\
game toy "Toy"
  mode alone "Alone" players 1
ending done "Done"
state
  coins: number = 3
rule play
  coins += 2
  if coins > 4: end done
"""


def sources(name: str) -> Sources:
    """A game without scenarios, which only take time where nothing is played."""
    whole = read(FERRY if name == "ferry" else name)
    return evolve(
        whole, rules={n: text for n, text in whole.rules.items() if not n.startswith("scenarios/")}
    )


@cache
def findings(name: str) -> tuple[Finding, ...]:
    kinds = [kind for kind in KINDS if kind.group in STRUCTURAL]
    found = measure(sources(name), seed=1, per_kind=PER_KIND[name], kinds=kinds)
    return tuple(finding for finding in found if not finding.same)


@pytest.mark.parametrize("name", PER_KIND)
@pytest.mark.parametrize("group", CERTAIN)
def test_every_fault_of_these_groups_is_found(name: str, group: str) -> None:
    seeded = [finding for finding in findings(name) if finding.group == group]
    assert len(seeded) >= 10
    assert listed(seeded) == "everything was found"
    assert all(finding.by_check for finding in seeded)


@pytest.mark.parametrize("name", PER_KIND)
def test_most_faults_of_structure_are_found_in_few_words_and_where_they_are(name: str) -> None:
    found = [finding for finding in findings(name) if finding.by_check]
    assert len(found) >= 0.9 * len(findings(name)) > 0
    assert sum(finding.placed for finding in found) >= 0.9 * len(found)
    assert sum(finding.diagnostics for finding in found) <= 2 * len(found)


def toy(text: str = SOUND) -> Sources:
    return Sources("toy", {"game.rules": text}, {})


def only(title: str, group: str, text: str = SOUND, per_kind: int = 20) -> list[Finding]:
    kinds = [kind for kind in KINDS if (kind.title, kind.group) == (title, group)]
    return measure(toy(text), kinds=kinds, per_kind=per_kind)


def test_a_scenario_finds_what_the_check_cannot_see() -> None:
    text = SOUND + 'scenario "all is counted"\n  when play\n  then coins == 5\n'
    (alone,) = only("sign changed", RULES)
    (proved,) = only("sign changed", RULES, text)
    assert (alone.by_check, alone.scenario, alone.found) == (False, False, False)
    assert (proved.by_check, proved.scenario, proved.found) == (False, True, True)


def test_checks_of_the_game_are_told_from_the_rest() -> None:
    text = SOUND + 'check "it begins with three": coins == 3\n'
    found = [each for each in only("number one off", RULES, text) if each.line == 5]
    assert [(each.by_check, each.claims) for each in found] == [(True, True)]


def test_a_fault_that_changes_nothing_is_told_apart() -> None:
    found = only("a blank more or less before a line", "form", per_kind=100)
    same = {finding.line for finding in found if finding.same}
    assert same == {2, 5}  # lines that stand alone in their block
    assert all(finding.by_check for finding in found if not finding.same)


def test_a_survivor_says_what_stood_there_and_what_stands_there_now() -> None:
    found = only("sign changed", RULES)
    (left,) = survivors(found)
    assert (left.file, left.line) == ("game.rules", 7)
    assert (left.before, left.after) == ("  coins += 2", "  coins -= 2")
    assert "game.rules:7:   coins += 2\n    ->   coins -= 2" in listed(found)


def test_processes_find_the_same_as_one() -> None:
    kinds = [kind for kind in KINDS if kind.group == CONTENT]
    assert measure(FERRY, per_kind=2, jobs=2, kinds=kinds) == measure(
        FERRY, per_kind=2, kinds=kinds
    )


def test_a_seed_decides_which_faults_are_drawn() -> None:
    kinds = [kind for kind in KINDS if kind.title == "misspelt local name"]
    one, same, other = (measure(FERRY, seed=n, per_kind=3, kinds=kinds) for n in (1, 1, 2))
    assert one == same != other


def test_a_game_that_is_not_sound_is_refused() -> None:
    with pytest.raises(UsageError, match=r"not: game\.rules:7:3"):
        measure(toy(SOUND.replace("coins +=", "cions +=")))


def test_a_slip_makes_a_word_that_nobody_knows() -> None:
    slips = {misspelt("pear", frozenset(("ear", "peear")), Random(n)) for n in range(60)}
    assert slips <= {"par", "per", "pea", "ppear", "peaar", "pearr", "epar", "paer", "pera"}
    assert len(slips) > 4
    assert misspelt("a", frozenset(("aa",)), Random(1)) is None


def test_the_command_prints_a_table_and_what_survives(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(FERRY), "--per-kind", "1", "--only", "meaning of content"]
    assert main([*arguments, "--survivors"]) == 0
    printed = capsys.readouterr().out
    assert "effects swapped" in printed
    assert "not found" in printed
    assert "misspelt" not in printed
    assert main([*arguments, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [group["group"] for group in made["groups"]] == [CONTENT]
    assert main(["no_such_game"]) == 2


def test_the_figures_add_up() -> None:
    found = list(findings("ferry"))
    made = as_json(found)
    assert made["all"]["seeded"] == sum(group["all"]["seeded"] for group in made["groups"])
    assert made["all"]["seeded"] == len(found)
    lines = as_text(found).split("\n")
    assert any(line.startswith("misspelt value") and "100 %" in line for line in lines)
    assert (
        as_markdown(found).count("\n")
        == len(made["groups"])
        + len([kind for group in made["groups"] for kind in group["kinds"]])
        + 2
    )

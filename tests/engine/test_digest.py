"""Digests and meanings: what they depend on, and what not."""

from __future__ import annotations

import pytest

from rulelang.analysis import analyse_sources
from rulelang.loader import Sources
from tests.engine.helper import HEAD, game, play

GAME = """
setting pace "How fast?" = slow
  slow, fast
state
  deck: pile of Card, hidden = Card
  row_:  row of Card
rule play
  repeat while size(trail) < 3
    choose c from Colour by players[1] "Which?" else return
    let m = c
    note m
    if m is red: trail += [5]
rule note(c: Colour)
  trail += [1]
  may choose d from Colour by players[1] "Another?"
    if d is c: trail += [2]
"""


def test_a_digest_is_32_hexadecimal_digits() -> None:
    digest = play(GAME).digest()
    assert len(digest) == 32
    assert int(digest, 16) >= 0


def test_equal_states_by_other_ways_have_equal_digests() -> None:
    one = play(GAME, "green", "blue")
    other = play(GAME, "blue", "red")
    assert one.ledger != other.ledger
    assert one.log != other.log
    assert one.digest() == other.digest()


def test_a_local_that_nothing_reads_again_is_no_part_of_it() -> None:
    # Behind `note` only whether the colour was red is asked.
    assert play(GAME, "green").digest() != play(GAME, "blue").digest()
    assert play(GAME, "green", "decline").digest() == play(GAME, "blue", "decline").digest()


@pytest.mark.parametrize("options", [{"seed": 5}, {"script": ["green"]}, {"chance": "explicit"}])
def test_neither_seed_nor_script_nor_the_way_of_running_counts(options: dict[str, object]) -> None:
    answers = () if "script" in options else ("green",)
    assert play(GAME, *answers, **options).digest() == play(GAME, "green").digest()


def test_undone_choices_leave_no_trace() -> None:
    session = play(GAME)
    before = session.digest()
    session.choose("red")
    session.undo()
    assert session.digest() == before


def test_options_count() -> None:
    assert play(GAME, settings={"pace": "fast"}).digest() != play(GAME).digest()


def test_the_mode_and_the_seats_count() -> None:
    assert len({play(GAME, players=n).digest() for n in (1, 2, 3)}) == 3


def test_the_open_question_counts() -> None:
    text = 'rule play\n  choose c from Colour{} by players[1] "Which?" else return\n'
    assert play(text.format("")).digest() != play(text.format(" where c is not red")).digest()


def test_the_order_of_a_row_counts_and_that_of_a_mixed_pile_does_not() -> None:
    text = GAME.replace("rule play\n", "rule play\n  {}\n")
    lines = [
        f"move {a} to right(row_)\n  move {b} to right(row_)"
        for a, b in (("Card[1]", "Card[2]"), ("Card[2]", "Card[1]"))
    ]
    one, other = (play(text.format(each)) for each in lines)
    assert one.digest() != other.digest()
    mixed = [each.replace("right(row_)", "top(deck)") + "\n  mix deck" for each in lines]
    assert play(text.format(mixed[0])).digest() == play(text.format(mixed[1])).digest()


# ---------------------------------------------------------------- meaning

TITLED = (
    GAME
    + """
kind Chest by number
  label: text
  worth: 0 to 9
chest 1
  label: "Oak"
  worth: 3
"""
)


def meaning(text: str, head: str = HEAD) -> str:
    return game(text, head).program.meaning


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"Which?"', '"Pick one"'),
        ('"How fast?"', '"At which pace?"'),
        ('"Oak"', '"Elm"'),
        ("  trail += [1]\n", "  trail   +=   [1]   # one\n\n\n"),
        ("    let m = c\n    note m\n    if m is", "    let n = c\n    note n\n    if n is"),
        ("note(c: Colour)", "note(k: Colour)"),
    ],
)
def test_texts_layout_and_the_names_of_locals_do_not_change_the_meaning(
    before: str, after: str
) -> None:
    changed = TITLED.replace(before, after)
    if "k: Colour" in after:
        changed = changed.replace("if d is c", "if d is k")
    assert changed != TITLED
    assert meaning(changed) == meaning(TITLED)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("trail += [1]", "trail += [2]"),
        ("< 3", "< 4"),
        ("  may choose", "  choose"),
        ("= slow", "= fast"),
        ("worth: 3", "worth: 4"),
        ("row_:  row of Card", "row_:  set of Card"),
        ("hidden = Card", "hidden = [1]"),
    ],
)
def test_what_plays_differently_has_another_meaning(before: str, after: str) -> None:
    changed = TITLED.replace(before, after, 1)
    assert changed != TITLED
    assert meaning(changed) != meaning(TITLED)


def test_a_text_that_a_rule_reads_belongs_to_the_meaning() -> None:
    rule = 'define oaken = count(c in Chest where c.label is "Oak")\nafter note: trail += [oaken]\n'
    assert meaning(TITLED + rule) != meaning(TITLED.replace('"Oak"\n', '"Elm"\n') + rule)


def test_titles_do_not_change_digests_or_labels() -> None:
    head = HEAD.replace('"Ash"', '"Aspen"')
    text = 'rule play\n  choose c from Card by players[1] "Which?" else return\n'
    text += "  trail += [c.number]\n"
    one, other = game(text).start(), game(text, head).start()
    assert one.legal == other.legal
    assert one.digest() == other.digest()


def test_the_names_of_scopes_and_offers_belong_to_the_meaning() -> None:
    text = """
rule play
  scope outer
    scope inner
      leave {}
    trail += [1]
  choose by players[1] "Which?"
    offer {} "A": trail += [1]
"""
    assert meaning(text.format("outer", "coin")) != meaning(text.format("inner", "coin"))
    assert meaning(text.format("outer", "coin")) != meaning(text.format("outer", "card"))


def test_the_order_of_files_and_their_names_do_not_matter() -> None:
    parts = {"game.rules": HEAD, "rules/more.rules": GAME}
    catalogue = {
        "clauses.toml": '[[clause]]\nid = "TOY-1"\nsection = "a"\nkind = "rule"\ntext = "b"\n'
    }
    meanings = set()
    for names in (("game.rules", "rules/more.rules"), ("z.rules", "a.rules")):
        rules = dict(zip(names, parts.values(), strict=True))
        for order in (rules, dict(sorted(rules.items()))):
            program = analyse_sources(Sources("toy", order, catalogue)).program
            assert program is not None
            meanings.add(program.meaning)
    assert len(meanings) == 1

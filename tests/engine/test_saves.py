"""Saves: what is in them, and that nothing but a whole and fitting one is taken."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.errors import SaveError
from rulelang.hashing import hashed
from rulelang.session import Session
from tests.engine.helper import game, play

GAME = """
setting pace "How fast?" = slow
  slow, fast
ruling ties "Who wins?" = nobody
  nobody, first_one
state
  deck: pile of Card, hidden = Card
state per p: Player
  hand: set of Card, seen by p
rule play
  for p in players
    draw from deck to p.hand else return
  reveal players[1].hand to players[2]
  repeat while size(trail) < 4
    one_round
rule one_round
  for p in players
    choose c from Colour by p "Which?" else return
    let n = size(trail)
    roll m from d6
    if c is not red: trail += [m + n]
"""
SESSION = play(GAME, "red", "green", "blue", players=2, seed=11)
SAVE = json.loads(json.dumps(SESSION.save()))


def resealed(save: dict[str, Any]) -> dict[str, Any]:
    """The save with a seal that fits: as a forger would write it."""
    body = {name: value for name, value in save.items() if name != "seal"}
    return {**body, "seal": hashed(body)}


def refused(save: Any) -> str:
    with pytest.raises(SaveError) as caught:
        SESSION.game.resume(save)
    return str(caught.value)


def test_a_save_is_json() -> None:
    assert json.loads(json.dumps(SESSION.save())) == SESSION.save()


def test_the_session_comes_back() -> None:
    again = SESSION.game.resume(SAVE)
    assert again.save() == SESSION.save()
    assert (again.view(1), again.log, again.legal) == (SESSION.view(1), SESSION.log, SESSION.legal)


def test_it_comes_back_in_another_loaded_game() -> None:
    assert game(GAME).resume(SAVE).digest() == SESSION.digest()


def test_it_goes_on_with_the_same_chance() -> None:
    again, session = SESSION.game.resume(SAVE), SESSION.clone()
    for each in (again, session):
        each.choose("green")
        each.choose("green")
    assert again.ledger == session.ledger


@pytest.mark.parametrize("chance", ["sample", "explicit"])
def test_every_state_of_a_game_comes_back(chance: str) -> None:
    session = play(GAME, players=2, seed=2, chance=chance)
    step = 0
    while not session.over:
        assert session.game.resume(session.save()).save() == session.save()
        session.choose(step % len(session.legal))
        step += 1
    assert session.game.resume(session.save()).over


def test_options_are_saved() -> None:
    session = play(GAME, players=2, settings={"pace": "fast"}, rulings={"ties": "first_one"})
    save = session.save()
    assert (save["settings"], save["rulings"]) == ({"pace": "fast"}, {"ties": "first_one"})
    assert session.game.resume(save).digest() == session.digest()


# ---------------------------------------------------------------- what is refused


def test_a_save_of_another_game_is_refused() -> None:
    other = game("rule play: nothing\n", "game other\n  mode alone players 1\n")
    with pytest.raises(SaveError, match="a save of 'toy', not of 'other'"):
        other.resume(SAVE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "has format 2, and this version reads 1"),
        ({"mode": "chess"}, "no mode 'chess'"),
        ({"mode": "alone"}, "is for 1 players"),
        ({"players": 9}, "2 to 4 players"),
        ({"settings": {"speed": "fast"}}, "no setting 'speed'"),
        ({"settings": {"pace": ["fast"]}}, "cannot be"),
        ({"rulings": {"ties": "all"}}, "cannot be 'all'"),
        ({"chance": "rigged"}, "chance is"),
        ({"ledger": [["0", "red"]]}, "number 1 of the script"),
        ({"ledger": [1]}, "no list of pairs"),
        ({"counters": {"die:d6": 99}}, "counters"),
        ({"snapshot": {}}, "snapshot"),
        ({"digest": "0" * 32}, "digest"),
        ({"extra": 1}, "`extra` is no part of a save"),
    ],
    ids=lambda v: str(v)[:30],
)
def test_a_forged_save_is_refused(change: dict[str, Any], message: str) -> None:
    assert message in refused(resealed({**SAVE, **change}))


@pytest.mark.parametrize("name", sorted(SAVE))
@pytest.mark.parametrize("value", [None, [], {}, True, 1.5, "x", -1])
def test_a_part_of_the_wrong_form_is_refused(name: str, value: object) -> None:
    # Another seed, version or meaning fits: that is no damage.
    fits = isinstance(value, type(SAVE[name])) and not isinstance(value, bool)
    if (name in ("seed", "rulelang", "meaning") and fits) or value == SAVE[name]:
        return
    assert refused(resealed({**SAVE, name: value}) if name != "seal" else {**SAVE, name: value})


@pytest.mark.parametrize("name", sorted(SAVE))
def test_a_missing_part_is_refused(name: str) -> None:
    assert f"`{name}` is missing" in refused({n: v for n, v in SAVE.items() if n != name})


@pytest.mark.parametrize("save", [None, 5, "text", [], [SAVE], {}, {1: 2}, b"{}"])
def test_what_is_no_save_is_refused(save: object) -> None:
    assert "no save" in refused(save)


def test_an_asker_that_was_not_asked_is_refused() -> None:
    ledger = copy.deepcopy(SAVE["ledger"])
    place = next(n for n, (asker, _) in enumerate(ledger) if asker == "1")
    ledger[place][0] = "0"
    assert "not possible here" in refused(resealed({**SAVE, "ledger": ledger}))


def test_values_that_json_does_not_have_are_refused() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    for value in (float("nan"), {1, 2}, cycle, object()):
        assert "damaged" in refused({**SAVE, "snapshot": {"state": value}})


TEXT = json.dumps(SAVE, ensure_ascii=True)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.characters(min_codepoint=32, max_codepoint=126))
def test_a_save_with_one_character_changed_is_refused(place: int, character: str) -> None:
    changed = TEXT[:place] + character + TEXT[place + 1 :]
    try:
        save = json.loads(changed)
    except ValueError:
        return
    if save != SAVE:
        assert refused(save)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in JSON data, as paths."""
    found = [path] if path else []
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        found += places(item, (*path, key))
    return found


PLACES = [path for path in places(SAVE) if path[0] not in ("seal", "rulelang", "seed")]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PLACES), JSON)
def test_a_forged_value_is_refused_or_changes_nothing(path: tuple[Any, ...], value: Any) -> None:
    forged = copy.deepcopy(SAVE)
    inner = forged
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        session = SESSION.game.resume(resealed(forged))
    except SaveError:
        return
    # What was taken is a session that the ledger leads to.
    same = {**forged, "packs": SAVE["packs"]} == SAVE  # a pack may change nothing in play
    assert forged["meaning"] != SAVE["meaning"] or same
    assert session.save()["digest"] == session.digest()


# ---------------------------------------------------------------- other versions of the rules


def test_texts_may_change() -> None:
    changed = GAME.replace('"Which?"', '"Pick one"').replace("How fast?", "At which pace?")
    again = game(changed).resume(SAVE)
    assert again.digest() == SESSION.digest()


def test_a_game_that_has_changed_replays_the_ledger() -> None:
    changed = game(GAME.replace("trail += [m + n]", "trail += [m]"))
    assert changed.program.meaning != SESSION.game.program.meaning
    again = changed.resume(SAVE)
    assert again.ledger == SESSION.ledger
    assert again.state["trail"] != SESSION.state["trail"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "choose c from Colour by p",
            "choose c from Colour where c is red by p",
            "'green', is not",
        ),
        (
            "  repeat while size(trail) < 4",
            "  repeat while size(trail) < 0",
            "is not possible|left",
        ),
        ("trail += [m + n]", "trail += [m / n - m / n + 1 / n]", "division by zero"),
    ],
)
def test_the_first_entry_that_is_no_longer_legal_is_named(
    before: str, after: str, message: str
) -> None:
    with pytest.raises(SaveError, match=message):
        game(GAME.replace(before, after)).resume(SAVE)


def test_a_setting_that_is_gone_is_named() -> None:
    changed = game(GAME.replace('setting pace "How fast?"', 'setting tempo "How fast?"'))
    with pytest.raises(SaveError, match="no setting 'pace'"):
        changed.resume(SAVE)


def test_what_is_resumed_is_a_session_like_any_other() -> None:
    again: Session = SESSION.game.resume(SAVE)
    assert again.game.resume(again.save()).save() == SAVE

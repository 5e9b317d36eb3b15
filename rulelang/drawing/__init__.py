"""Boards, maps, strips and cards of a game as pictures: SVG, readable on light and on dark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.diagnostic import suggest
from rulelang.drawing.board import draw_board, has_board
from rulelang.drawing.ground import known_as
from rulelang.drawing.strip import draw_card, draw_strip, is_card, is_strip
from rulelang.errors import UsageError, shown
from rulelang.finding import Finder
from rulelang.program.program import Program
from rulelang.program.values import Entry
from rulelang.session import Session

if TYPE_CHECKING:
    from rulelang.game import Game

State = Mapping[str, Any]


def draw(game: Game, state: Session | State | None = None, entry: str | Entry | None = None) -> str:
    """A picture as SVG: of the game's board, or of one entry.

    ``state`` is a session, or what its `Session.state` gives: the pieces are drawn where they are.
    What one seat may see is drawn from ``session.view(seat)["state"]``. ``entry`` is written as in
    the files, ``"chart M"``: a strip of the numbered entries inside it, or a card. Raises
    `UsageError` if there is nothing to draw, or if the state is not of this game.
    """
    if entry is not None:
        return _drawn(game.program, _entry(game.program, entry))
    return draw_board(game.program, None if state is None else _state(game, state))


def _state(game: Game, state: object) -> State:
    """The state by field. UsageError if it is none of this game."""
    if isinstance(state, Session):
        if state.game.name != game.name:
            raise UsageError(f"the session is one of {state.game.name}, not of {game.name}")
        state = state.state
    if not isinstance(state, Mapping):
        raise UsageError(f"a state is a session, or its `state`, not {shown(state)}")
    if "state" in state and "log" in state:
        raise UsageError('this is a whole view; its state is view["state"]')
    fields = game.program.state
    for key, value in state.items():
        if key not in fields:
            near = suggest(str(key), list(fields))
            raise UsageError(f"{game.name} has no field {shown(key)} in its state", near)
        if fields[key].per and not isinstance(value, Mapping):
            raise UsageError(f"the state of {key} is a mapping from owners, not {shown(value)}")
        owners = value if fields[key].per else ()
        wrong = next((owner for owner in owners if not isinstance(owner, str)), None)
        if wrong is not None:
            raise UsageError(f"the owners of {key} are texts, as in a session, not {shown(wrong)}")
    return state


def _entry(program: Program, entry: object) -> Entry:
    """The one entry that is meant."""
    if isinstance(entry, Entry):
        domain = program.domains.get(entry.domain)
        found = None if domain is None else domain.by_key.get(entry.key)
        if found is None:
            raise UsageError(f"{known_as(entry)} is no entry of this game")
        return found
    if not isinstance(entry, str):
        raise UsageError(f'an entry is written as in the files, "chart M", not {shown(entry)}')
    found_all = Finder(program).find(entry) if entry.strip() else []
    if len(found_all) != 1:
        names = ", ".join(each.label for each in found_all[:6])
        more = ", …" if len(found_all) > 6 else ""
        raise UsageError(
            f"{shown(entry)} is {len(found_all)} entries; draw one of them ({names}{more})"
            if found_all
            else 'name an entry as the files do, "chart M"'
        )
    return found_all[0]


def _drawn(program: Program, entry: Entry) -> str:
    if is_strip(program, entry):
        return draw_strip(program, entry)
    if is_card(program, entry):
        return draw_card(program, entry)
    way_out = "; draw the board, without an entry" if has_board(program) else ""
    raise UsageError(
        f"{known_as(entry)} cannot be drawn: it holds no story, no instructions and no numbered "
        f"entries{way_out}"
    )


__all__ = ["draw", "has_board"]

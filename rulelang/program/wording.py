"""How players say a rule or a question: a text with gaps for its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from rulelang.program.values import Value


@frozen
class Gap:
    """Where the value of a parameter stands; ``place`` is the parameter's, ``name`` its name.

    ``forms`` are what follows a number: the form for one, and the form for all others.
    """

    place: int
    name: str
    forms: tuple[str, str] | None = None


@frozen
class Wording:
    """A text in pieces: ``gain {n|coin|coins}`` is "gain " and a gap."""

    parts: tuple[str | Gap, ...]

    def filled(self, values: Sequence[Value], say: Callable[[Value], str]) -> str:
        """The text for these values; a gap beyond them shows the name of its parameter."""
        return "".join(_piece(part, values, say) for part in self.parts)

    def open(self) -> str:
        """The text with its gaps left open: ``gain <n> coins``."""
        return "".join(part if isinstance(part, str) else _blank(part) for part in self.parts)


def _piece(part: str | Gap, values: Sequence[Value], say: Callable[[Value], str]) -> str:
    if isinstance(part, str):
        return part
    if part.place >= len(values):
        return part.name
    value = values[part.place]
    if part.forms is None:
        return say(value)
    return f"{say(value)} {part.forms[value != 1]}"


def _blank(gap: Gap) -> str:
    return f"<{gap.name}>" if gap.forms is None else f"<{gap.name}> {gap.forms[1]}"

"""Where the functions of rules begin."""

from __future__ import annotations

from attrs import frozen


@frozen
class Root:
    """Where a function of a rule begins.

    ``kind``: start; after (a call), answer (to a choice), settle (a chance event), end (of a scope
    that was left), head (of a loop), here (wherever all games go alike up to it).
    """

    kind: str
    place: int

    @property
    def suffix(self) -> str:
        """What the function's name has behind the rule's."""
        return "" if self.kind == "start" else f"_{self.place}{self.kind}"


START = Root("start", 0)

"""A small declarative language for adventure board games, with its checker and its interpreter.

`load` a game, `start` a session, `choose` among the options of its open decision until it is over.
Everything named in ``__all__`` is public; names are imported when they are first used.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
IMPORTED_AT = time.time_ns()
"""From when on a changed file of this package may not be what runs."""

if TYPE_CHECKING:
    from rulelang.content.export import from_json
    from rulelang.diagnostic import Diagnostic, Edit, Fix, Note, Span
    from rulelang.drawing import draw
    from rulelang.errors import ChoiceError, Error, GameFault, RuleError, SaveError, UsageError
    from rulelang.game import Game, check, load
    from rulelang.judging import Outcome
    from rulelang.session import CHANCE, Decision, LogLine, Option, Session
    from rulelang.simulation import Report, simulate

_HOME = {
    "content.export": "from_json",
    "diagnostic": "Diagnostic Edit Fix Note Span",
    "drawing": "draw",
    "errors": "ChoiceError Error GameFault RuleError SaveError UsageError",
    "game": "Game check load",
    "judging": "Outcome",
    "session": "CHANCE Decision LogLine Option Session",
    "simulation": "Report simulate",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [  # noqa: RUF022 - by what a reader needs first
    "load", "check", "simulate", "draw", "from_json",
    "Game", "Session", "Decision", "Option", "Outcome", "LogLine", "CHANCE", "Report",
    "Diagnostic", "Span", "Note", "Edit", "Fix",
    "Error", "RuleError", "ChoiceError", "SaveError", "GameFault", "UsageError",
    "__version__",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"rulelang.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

"""The checked game as data: everything that an engine, a tool or a reader needs of it.

It is made by `rulelang.checker` from the syntax trees and holds no tree. Names of rules are
resolved when a game is started, for its mode: a rule may stand in several versions, each for modes
of its own.
"""

from __future__ import annotations

from attrs import Factory, define, field, frozen

from rulelang.diagnostic import Span
from rulelang.program.expressions import Expr
from rulelang.program.instructions import Code
from rulelang.program.types import Type
from rulelang.program.values import Domain, Entry

Cites = tuple[str, ...]


@frozen
class Mode:
    """A way to play: its name, its title, and for how many players it is."""

    name: str
    text: str
    low: int
    high: int


@frozen
class Setting:
    """A setting or ruling: a choice that is made before the game starts."""

    name: str
    text: str
    ruling: bool
    modes: Cites
    default: Entry
    domain: str
    texts: dict[str, str]
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class KindField:
    """A field of a kind."""

    name: str
    type: Type
    default: Expr | None
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class Kind:
    """The schema of entries; ``key`` is number, name or letter, empty for entries inside others."""

    name: str
    key: str
    base: tuple[int, int | None] | None
    subject: tuple[str, Type] | None
    variants: Cites
    fields: tuple[KindField, ...]
    span: Span = field(repr=False)
    cites: Cites = ()

    def place(self, name: str) -> int | None:
        """The place of a field among the fields, -1 for the key."""
        if name == self.key and self.key:
            return -1
        return next((place for place, known in enumerate(self.fields) if known.name == name), None)


@frozen
class StateField:
    """A field of the state: one value, or one for each of a domain (``per``)."""

    name: str
    per: str
    type: Type
    hidden: bool
    seen_by: Expr | None
    clamped: bool
    default: Expr | None
    modes: Cites
    span: Span = field(repr=False)
    cites: Cites = ()

    @property
    def key(self) -> str:
        """Unique among all fields: fields of two owners may share a name."""
        return f"{self.per}.{self.name}" if self.per else self.name


@frozen
class Question:
    """A define: pairs of condition and value, tried in order; the last may lack a condition."""

    name: str
    parameters: Cites
    types: tuple[Type, ...]
    type: Type
    branches: tuple[tuple[Expr | None, Expr], ...]
    slots: int
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class Signature:
    """How a rule is called: the same for all its versions."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    subject: tuple[str, Type] | None
    gives: Type | None


@frozen
class Rule:
    """One version of a rule (or of a hook), lowered, with the modes that it is for."""

    code: Code
    modes: Cites
    gives: bool = False


@frozen
class Hook:
    """What happens before, after or instead of a rule."""

    name: str
    moment: str
    rule: str
    condition: Expr | None
    condition_slots: int
    ahead_of: Cites
    code: Code
    modes: Cites


@frozen
class Ending:
    """A way in which the game ends: at once, or when the scope that it completes is done."""

    name: str
    text: str
    completes: str
    modes: Cites
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class Verdict:
    """Who has won and lost if the condition holds; None for both: nobody."""

    condition: Expr | None
    won: Expr | None
    lost: Expr | None
    cites: Cites = ()


@frozen
class Outcome:
    """How a finished game is judged."""

    modes: Cites
    verdicts: tuple[Verdict, ...]
    scores: tuple[tuple[Expr, int, Cites], ...]
    """Expressions of a player's score, each with its number of slots; slot 0 is the player."""
    slots: int = 0
    cites: Cites = ()


@frozen
class Check:
    """Statements about the content that are proved when the game is loaded."""

    text: str
    claims: tuple[Expr, ...]
    slots: int
    modes: Cites
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class Step:
    """One line of a scenario.

    ``word`` is given, when, chance, answer, offers or then. The expressions of ``given`` are run as
    code; ``labels`` are the outcomes of chance, answers and offers.
    """

    word: str
    span: Span = field(repr=False)
    code: Code | None = None
    labels: tuple[str, ...] = ()
    claim: Expr | None = None
    slots: int = 0
    by: Expr | None = None


@frozen
class Scenario:
    """A test in the language: how its game is started, and its lines."""

    text: str
    modes: Cites
    mode: str
    players: int
    options: dict[str, str]
    steps: tuple[Step, ...]
    span: Span = field(repr=False)
    cites: Cites = ()


@frozen
class Clause:
    """One clause of a rulebook, as the game's catalogue restates it."""

    id: str
    section: str
    kind: str
    text: str
    modes: Cites = ()
    ruling: str = ""


@frozen
class Citation:
    """Something in the files cites a clause.

    ``what`` is rule, hook, define, entry, check, scenario or declaration.
    """

    clause: str
    what: str
    name: str
    span: Span = field(repr=False)


@define
class Program:
    """A whole game, checked."""

    name: str = ""
    text: str = ""
    modes: dict[str, Mode] = Factory(dict)
    settings: dict[str, Setting] = Factory(dict)
    domains: dict[str, Domain] = Factory(dict)
    kinds: dict[str, Kind] = Factory(dict)
    state: dict[str, StateField] = Factory(dict)
    dice: dict[str, tuple[object, ...]] = Factory(dict)
    questions: dict[str, Question] = Factory(dict)
    signatures: dict[str, Signature] = Factory(dict)
    rules: dict[str, list[Rule]] = Factory(dict)
    hooks: dict[str, list[Hook]] = Factory(dict)
    endings: dict[str, Ending] = Factory(dict)
    outcomes: list[Outcome] = Factory(list)
    checks: list[Check] = Factory(list)
    scenarios: list[Scenario] = Factory(list)
    clauses: dict[str, Clause] = Factory(dict)
    citations: list[Citation] = Factory(list)
    meaning: str = ""
    """A hash of everything but texts and layout."""

    def rule(self, name: str, mode: str) -> Rule | None:
        """The version of a rule for a mode."""
        for version in self.rules.get(name, ()):
            if not version.modes or mode in version.modes:
                return version
        return None

    def citing(self, cites: Cites, mode: str) -> Cites:
        """Those of some clauses that are about a mode."""
        modes = {c: self.clauses[c].modes for c in cites if c in self.clauses}
        return tuple(c for c in cites if not modes.get(c) or mode in modes[c])

    def outcome(self, mode: str) -> Outcome | None:
        """How a game of this mode is judged."""
        return next((o for o in self.outcomes if not o.modes or mode in o.modes), None)

"""The checked game as data: everything that an engine, a tool or a reader needs of it.

It is made by `rulelang.checker` from the syntax trees and holds no tree. Names of rules are
resolved when a game is started, for its mode: a rule may stand in several versions, each for modes
of its own.
"""

from __future__ import annotations

from attrs import Factory, define, field, frozen

from rulelang.diagnostic import Span
from rulelang.program.boards import ENDS, EdgeKind
from rulelang.program.expressions import Expr
from rulelang.program.instructions import Code
from rulelang.program.types import Num, Type
from rulelang.program.values import Domain, Entry
from rulelang.program.wording import Wording

Cites = tuple[str, ...]
PLACE = "place"
"""The field that holds the number of an entry inside another one."""
PLACES = Num(1, 10_000)
"""The numbers of such entries."""


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
    """The schema of entries.

    ``key`` is number, name or letter; ``joins`` for edges; empty for entries inside others.
    """

    name: str
    key: str
    base: tuple[int, int | None] | None
    subject: tuple[str, Type] | None
    variants: Cites
    fields: tuple[KindField, ...]
    span: Span = field(repr=False)
    cites: Cites = ()
    numbered: bool = False
    """Do the entries stand inside others in a numbered order, which the field `place` holds?"""

    def place(self, name: str) -> int | None:
        """The place of a field among the fields, -1 for the key."""
        if name == self.key != ENDS and self.key:
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
    wording: Wording | None = None
    """How players say it at the head of a branch."""


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
    wording: Wording | None = None
    """How players say it."""


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


Score = tuple[Expr, int, Cites]
"""An expression of a player's, with its number of slots; slot 0 is the player."""


@frozen
class Outcome:
    """How a finished game is judged."""

    modes: Cites
    verdicts: tuple[Verdict, ...]
    scores: tuple[Score, ...]
    slots: int = 0
    cites: Cites = ()
    worth: Score | None = None
    """How good a position is for a player, for bots; it has no part in the rules."""


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
class Trial:
    """A table on which any entry of a kind can be tried: how a game is started, and one rule.

    The rule's parameters are the entry and, for each of ``items``, the list of those that are given
    more. Its first ``given`` instructions set the table up.
    """

    kind: str
    modes: Cites
    players: int
    """How many; 0: the fewest."""
    options: dict[str, str]
    items: tuple[Type, ...]
    code: Code
    given: int
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

    ``what`` is rule, hook, define, entry, check, scenario, trial or declaration.
    """

    clause: str
    what: str
    name: str
    span: Span = field(repr=False)


@frozen
class Pack:
    """A pack that a game was checked with: what its folder is called, and its files."""

    name: str
    files: tuple[str, ...]


@define
class Program:
    """A whole game, checked."""

    name: str = ""
    text: str = ""
    modes: dict[str, Mode] = Factory(dict)
    settings: dict[str, Setting] = Factory(dict)
    domains: dict[str, Domain] = Factory(dict)
    kinds: dict[str, Kind] = Factory(dict)
    edges: dict[str, EdgeKind] = Factory(dict)
    maps: dict[str, str] = Factory(dict)
    """Kinds whose entries are hexes of a drawn map, with the kind of edges that join them."""
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
    trials: list[Trial] = Factory(list)
    clauses: dict[str, Clause] = Factory(dict)
    citations: list[Citation] = Factory(list)
    packs: tuple[Pack, ...] = ()
    """The packs, each of which extends the one before it, and the first one the game."""
    drafts: list[Entry] = Factory(list)
    """Entries of which only the key is written."""
    meaning: str = ""
    """A hash of everything but texts and layout."""

    def layer(self, file: str) -> int:
        """0 for a file of the game itself, 1 for one of the pack that extends it, and so on."""
        return next((n for n, pack in enumerate(self.packs, 1) if file in pack.files), 0)

    def places(self) -> frozenset[str]:
        """The kinds whose entries edges join."""
        return frozenset().union(*(edge.kinds for edge in self.edges.values()))

    def rule(self, name: str, mode: str) -> Rule | None:
        """The version of a rule for a mode."""
        for version in self.rules.get(name, ()):
            if not version.modes or mode in version.modes:
                return version
        return None

    def wording(self, name: str, mode: str) -> Wording | None:
        """How players say a rule: as its version for a mode does, or else the first that does."""
        own = self.rule(name, mode)
        versions = [*([own] if own is not None else []), *self.rules.get(name, ())]
        return next((v.wording for v in versions if v.wording is not None), None)

    def citing(self, cites: Cites, mode: str) -> Cites:
        """Those of some clauses that are about a mode."""
        modes = {c: self.clauses[c].modes for c in cites if c in self.clauses}
        return tuple(c for c in cites if not modes.get(c) or mode in modes[c])

    def trial(self, kind: str, mode: str) -> Trial | None:
        """How an entry of a kind is tried in a mode."""
        of_kind = (trial for trial in self.trials if trial.kind == kind)
        return next((t for t in of_kind if not t.modes or mode in t.modes), None)

    def outcome(self, mode: str) -> Outcome | None:
        """How a game of this mode is judged."""
        return next((o for o in self.outcomes if not o.modes or mode in o.modes), None)

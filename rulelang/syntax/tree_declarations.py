"""The nodes of the syntax tree: declarations, scenarios and content."""

from __future__ import annotations

from attrs import frozen

from rulelang.syntax.tree_expressions import (
    Cites,
    Expr,
    Name,
    Node,
    Param,
    RangeType,
    String,
    TypeExpr,
)
from rulelang.syntax.tree_statements import (
    Assign,
    Body,
    Do,
    Let,
    Offer,
    Perform,
)


@frozen
class FieldDecl(Node):
    """``name: T, hidden = e``"""

    name: Name
    type: TypeExpr
    hidden: bool
    seen_by: Expr | None
    clamped: bool
    default: Expr | None
    cites: Cites = ()


@frozen
class Kind(Node):
    """A kind of component, with its variants and fields."""

    name: Name
    key: Name | None
    base: RangeType | None
    subject: Param | None
    variants: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]
    cites: Cites = ()


@frozen
class State(Node):
    """Fields of the game, or of each ``per`` component."""

    per: Param | None
    modes: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]
    cites: Cites = ()


@frozen
class Reading(Node):
    """One value of a setting, with what players are told."""

    name: Name
    text: String | None
    cites: Cites = ()


@frozen
class Setting(Node):
    """A setting, or a ruling: a setting about how an unclear rule is read."""

    ruling: bool
    name: Name
    text: String | None
    modes: tuple[Name, ...]
    default: Name
    readings: tuple[Reading, ...]
    cites: Cites = ()


@frozen
class Rule(Node):
    """A rule, or a turn; ``text`` is how players say it."""

    turn: bool
    name: Name
    params: tuple[Param, ...]
    text: String | None
    subject: Param | None
    gives: TypeExpr | None
    modes: tuple[Name, ...]
    body: Body


@frozen
class Branch(Node):
    """``when c: e``; without a condition, ``else: e``."""

    condition: Expr | None
    value: Expr
    cites: Cites = ()


@frozen
class Define(Node):
    """A query; a plain one has one branch without a condition. ``text`` is how players say it."""

    name: Name
    params: tuple[Param, ...]
    text: String | None
    subject: Param | None
    gives: TypeExpr | None
    branches: tuple[Branch, ...]
    plain: bool
    cites: Cites = ()


@frozen
class Hook(Node):
    """What happens before, after or instead of a rule."""

    moment: str
    """``before``, ``after`` or ``instead``"""
    rule: Name
    params: tuple[Name, ...]
    subject: Name | None
    gives: Name | None
    label: Name | None
    ahead_of: tuple[Name, ...]
    condition: Expr | None
    modes: tuple[Name, ...]
    body: Body


@frozen
class Ending(Node):
    """A way in which the game ends."""

    name: Name
    text: String | None
    subject: Param | None
    completes: Name | None
    modes: tuple[Name, ...]
    cites: Cites = ()


@frozen
class Verdict(Node):
    """``when c: won by p``; without a condition, ``else: …``. Tied where nobody won or lost."""

    condition: Expr | None
    won: Expr | None
    lost: Expr | None
    cites: Cites = ()


@frozen
class Scores(Node):
    """``scores for p: Player = e``; or ``evaluate for p: Player = e``: how good a position is."""

    player: Param
    value: Expr
    cites: Cites = ()
    evaluates: bool = False


@frozen
class Outcome(Node):
    """Who won and with which score."""

    modes: tuple[Name, ...]
    verdicts: tuple[Verdict, ...]
    scores: tuple[Scores, ...]
    cites: Cites = ()


@frozen
class Moment(Node):
    """A point in play at which players may do something."""

    name: Name
    text: String | None
    subject: Param | None
    cites: Cites = ()


@frozen
class During(Node):
    """What is offered at a moment."""

    moment: Name
    player: Name | None
    condition: Expr | None
    modes: tuple[Name, ...]
    offers: tuple[Offer, ...]
    cites: Cites = ()


@frozen
class Edge(Node):
    """``edge Road between Town and Town or Inn``, or ``from Town to Town``, with its fields."""

    name: Name
    one_way: bool
    ends: tuple[tuple[Name, ...], tuple[Name, ...]]
    fields: tuple[FieldDecl, ...] = ()
    cites: Cites = ()


@frozen
class RouteLine(Node):
    """One line of a routes declaration; ``word`` is its first one, ``to`` the most steps."""

    word: str
    names: tuple[Name, ...]
    value: Expr | None
    cites: Cites = ()
    to: Expr | None = None


@frozen
class Routes(Node):
    """How something may travel over edges."""

    name: Name
    params: tuple[Param, ...]
    through: Param
    lines: tuple[RouteLine, ...]
    cites: Cites = ()


@frozen
class Check(Node):
    """Claims about the content that must hold."""

    text: String
    modes: tuple[Name, ...]
    claims: tuple[tuple[Expr, Cites], ...]
    on_line: bool
    cites: Cites = ()


# ---------------------------------------------------------------- scenarios


@frozen
class Label(Node):
    """Words that name an outcome, as a player would say them."""

    text: str
    quoted: bool


@frozen
class Given(Node):
    """What a scenario starts from."""

    facts: tuple[Perform | Assign | Let, ...]
    on_line: bool


@frozen
class Begin(Node):
    """``when walk for red``, or ``when do c.story for p``"""

    perform: Perform | Do


@frozen
class Scripted(Node):
    """``roll 3, 4`` or ``draw a``: what chance brings."""

    word: str
    """``roll`` or ``draw``"""
    outcomes: tuple[Label, ...]


@frozen
class Answer(Node):
    """``answer label by p``"""

    label: Label
    by: Expr | None


@frozen
class Offers(Node):
    """``offers a, b by p``: the labels that must be on offer."""

    labels: tuple[Label, ...]
    by: Expr | None


@frozen
class Then(Node):
    """``then claim``"""

    claim: Expr


Step = Given | Begin | Scripted | Answer | Offers | Then


@frozen
class Scenario(Node):
    """A scripted piece of play with claims about it."""

    text: String
    modes: tuple[Name, ...]
    steps: tuple[Step, ...]
    cites: Cites = ()


@frozen
class Kit(Node):
    """``given x: Tool: take x for p``: what is done for each item that a trial is given more."""

    item: Param
    body: Body


@frozen
class Trial(Node):
    """A table on which any entry of a kind can be tried by itself."""

    entry: Param
    modes: tuple[Name, ...]
    steps: tuple[Given | Kit | Begin, ...]
    cites: Cites = ()


# ---------------------------------------------------------------- content


@frozen
class Word(Node):
    """A token of a line of content: a name, number, string, comma, colon, bar or sign."""

    kind: str
    text: str


@frozen
class Line(Node):
    """A line of content and the block below it."""

    words: tuple[Word, ...]
    block: tuple[Content, ...]
    cites: Cites = ()


@frozen
class Story(Node):
    """Running text below a header: ``story: …``"""

    text: str


@frozen
class Drawn(Node):
    """One line of a drawing, blanks kept; the span starts at the first sign."""

    text: str


Content = Line | Story | Drawn

Declaration = (
    Kind
    | State
    | Setting
    | Rule
    | Define
    | Hook
    | Ending
    | Outcome
    | Moment
    | During
    | Edge
    | Routes
    | Check
    | Scenario
    | Trial
    | Line
)

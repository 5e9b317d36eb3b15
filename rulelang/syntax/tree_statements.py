"""The nodes of the syntax tree: statements."""

from __future__ import annotations

from attrs import frozen

from rulelang.syntax.tree_expressions import (
    Binder,
    Cites,
    Expr,
    Name,
    Node,
    String,
)


@frozen
class Call(Node):
    """``gain food for t``"""

    rule: Name
    arguments: tuple[Expr, ...]
    subject: Expr | None


@frozen
class Perform(Node):
    """Calls of rules, one after the other."""

    calls: tuple[Call, ...]
    cites: Cites = ()


@frozen
class Let(Node):
    """``let x = e``"""

    name: Name
    value: Expr
    cites: Cites = ()


@frozen
class LetFrom(Node):
    """``let x from walk for t``: what a rule gives."""

    name: Name
    call: Call | Proceed
    cites: Cites = ()


@frozen
class Assign(Node):
    """``x = e``, ``x += e`` or ``x -= e``."""

    target: Expr
    operator: str
    value: Expr
    cites: Cites = ()


@frozen
class Do(Node):
    """``do s for t``: carry out an effect that is held as a value."""

    effect: Expr
    subject: Expr | None
    cites: Cites = ()


@frozen
class Move(Node):
    """``move x from a to b``"""

    what: Expr
    source: Expr | None
    target: Expr
    cites: Cites = ()


@frozen
class Mix(Node):
    """``mix a into b``, or ``mix a`` by itself."""

    what: Expr
    into: Expr | None
    cites: Cites = ()


@frozen
class Throw(Node):
    """``n from die times k``"""

    name: Name
    die: Expr
    times: Expr | None


@frozen
class Roll(Node):
    """``roll n from die, m from die``"""

    throws: tuple[Throw, ...]
    cites: Cites = ()


@frozen
class Reveal(Node):
    """``reveal x to p``"""

    what: Expr
    to: Expr
    cites: Cites = ()


@frozen
class Open(Node):
    """``open moment for x``"""

    moment: Name
    subject: Expr | None
    cites: Cites = ()


@frozen
class End(Node):
    """``end x for t``"""

    ending: Name
    subject: Expr | None
    cites: Cites = ()


@frozen
class Leave(Node):
    """``leave scope(a)``"""

    scope: Name
    arguments: tuple[Expr, ...]
    cites: Cites = ()


@frozen
class Return(Node):
    """``return e``"""

    value: Expr | None
    cites: Cites = ()


@frozen
class Proceed(Node):
    """``proceed a``: go on with the rule that the hook replaced."""

    arguments: tuple[Expr, ...]
    cites: Cites = ()


@frozen
class Break(Node):
    """``break``"""

    cites: Cites = ()


@frozen
class Continue(Node):
    """``continue``"""

    cites: Cites = ()


@frozen
class Body(Node):
    """Statements: one behind a colon, or a block."""

    statements: tuple[Statement, ...]
    cites: Cites = ()
    on_line: bool = False


@frozen
class If(Node):
    """``if``, every ``else if``, and ``else``: conditions with their bodies, in order."""

    branches: tuple[tuple[Expr, Body], ...]
    otherwise: Body | None


@frozen
class Case(Node):
    """One line of a match or table: its values and what is done."""

    values: tuple[Expr, ...]
    body: Body


@frozen
class Match(Node):
    """``match e`` with its cases."""

    value: Expr
    cases: tuple[Case, ...]
    otherwise: Body | None


@frozen
class Table(Node):
    """``roll d6`` with a line for each outcome."""

    die: Expr
    cases: tuple[Case, ...]
    otherwise: Body | None


@frozen
class For(Node):
    """``for x in S where c``, and ``at once``."""

    binder: Binder
    at_once: bool
    body: Body


@frozen
class Repeat(Node):
    """``repeat while c``"""

    condition: Expr | None
    body: Body


@frozen
class Scope(Node):
    """``scope name(a)``: statements that ``leave`` gets out of."""

    label: Name
    arguments: tuple[Expr, ...]
    body: Body


@frozen
class Draw(Node):
    """``draw c from pile to zone``, what follows, and what happens when none is left."""

    name: Name | None
    source: Expr
    target: Expr
    body: Body | None
    otherwise: Body | None
    cites: Cites = ()


@frozen
class Choose(Node):
    """``choose x from S where c by p``, what follows, and what happens when nothing fits."""

    may: bool
    name: Name
    source: Expr
    condition: Expr | None
    by: Expr
    prompt: String | None
    body: Body | None
    otherwise: Body | None
    cites: Cites = ()


@frozen
class Offer(Node):
    """``offer label "text" for x in S when c``"""

    label: Name
    text: String | None
    binder: Binder | None
    condition: Expr | None
    body: Body


@frozen
class ChooseOffer(Node):
    """``choose by p`` with its offers."""

    may: bool
    by: Expr
    prompt: String | None
    offers: tuple[Offer, ...]
    otherwise: Body | None
    cites: Cites = ()


Statement = (
    Perform
    | Let
    | LetFrom
    | Assign
    | Do
    | Move
    | Mix
    | Roll
    | Reveal
    | Open
    | End
    | Leave
    | Return
    | Proceed
    | Break
    | Continue
    | If
    | Match
    | Table
    | For
    | Repeat
    | Scope
    | Draw
    | Choose
    | ChooseOffer
)

"""What rules are lowered to: a list of instructions a rule, jumps by index, numbered locals.

The points at which a game may be suspended are the instructions `Choose`, `Draw` and `Roll`: one
event each, asked of a seat or of chance. `Perform` and `Apply` open a frame for another rule.
Everything else runs through. A frame is (rule, the index of the instruction to go on with, its
slots); `docs/program.md` describes the form.
"""

from __future__ import annotations

from attrs import field, frozen

from rulelang.diagnostic import Span
from rulelang.program.expressions import Expr
from rulelang.program.types import Type


@frozen
class Place:
    """A field of the state: whose, and for a map at which key."""

    field: str
    owner: Expr | None
    owner_domain: str
    type: Type
    key: Expr | None = None
    key_domain: str = ""


@frozen
class Instruction:
    """One step."""

    span: Span = field(repr=False, eq=False)


@frozen
class Set(Instruction):
    """slot = value"""

    slot: int
    value: Expr


@frozen
class Store(Instruction):
    """place = value, within the bounds of the place's type; ``clamped`` clips instead of failing.

    With ``deferred`` the write waits in that slot until `Publish`.
    """

    place: Place
    value: Expr
    clamped: bool
    deferred: int | None = None


@frozen
class Publish(Instruction):
    """Carry out the writes that wait in the slot."""

    slot: int


@frozen
class Jump(Instruction):
    """Go on at ``to``; ``loop`` marks the way back of a loop."""

    to: int
    loop: bool = False


@frozen
class Branch(Instruction):
    """Go on if the condition holds, else at ``otherwise``."""

    condition: Expr
    otherwise: int


@frozen
class Perform(Instruction):
    """Call a rule; its result, if it is wanted, goes to ``slot``.

    The subject is the last argument.
    """

    rule: str
    arguments: tuple[Expr, ...]
    slot: int | None


@frozen
class Apply(Instruction):
    """Carry out an effect or script for a subject."""

    effect: Expr
    subject: Expr | None


@frozen
class Give(Instruction):
    """End of the rule, with its result or without."""

    value: Expr | None


@frozen
class Iterate(Instruction):
    """Take the first of what is left in ``rest`` into ``slot``; nothing left: go on at ``end``."""

    rest: int
    slot: int
    end: int


@frozen
class Offer:
    """One branch of a decision: an option for every value of ``source``, or a single one."""

    label: str
    text: str
    slot: int | None
    source: Expr | None
    condition: Expr | None
    to: int


@frozen
class Choose(Instruction):
    """A decision.

    ``decline`` is where a refusal goes on, ``none`` where it goes on without candidates.
    Where that is None, an empty choice is a fault.
    """

    by: Expr
    prompt: str
    offers: tuple[Offer, ...]
    decline: int | None
    none: int | None


@frozen
class Draw(Instruction):
    """A chance event: the card on top of ``source`` goes to ``target`` (and to ``slot``)."""

    slot: int | None
    source: Place
    target: Place
    end: str
    none: int | None


@frozen
class Roll(Instruction):
    """A chance event: one of the faces, equally likely, goes to ``slot``; ``die`` is its source."""

    slot: int
    faces: Expr
    die: str


@frozen
class Move(Instruction):
    """Move one card or several to ``target``, from wherever they lie or from ``source``.

    ``end`` is left, right, top, bottom, or empty for a place without order.
    """

    what: Expr
    source: Place | None
    target: Place
    end: str


@frozen
class Mix(Instruction):
    """All of ``source`` goes into ``target``, whose order is then unknown."""

    source: Place | None
    target: Place


@frozen
class Sort(Instruction):
    """Put a row in canonical order."""

    place: Place


@frozen
class Exchange(Instruction):
    """Two cards of one row change places."""

    first: Expr
    second: Expr


@frozen
class Arrange(Instruction):
    """Of a scenario: the zone holds exactly these cards, which leave wherever they lay."""

    place: Place
    value: Expr


@frozen
class Reveal(Instruction):
    """Players may see these cards from now on, until they are mixed."""

    what: Expr
    to: Expr


@frozen
class Enter(Instruction):
    """Open a scope; its arguments lie in ``slot`` while it is open."""

    label: str
    slot: int
    arguments: tuple[Expr, ...]
    end: int


@frozen
class Exit(Instruction):
    """The end of a scope, reached by running through or by leaving."""

    label: str
    slot: int


@frozen
class Leave(Instruction):
    """Go to the end of the innermost open scope of this label and these arguments, if any.

    Without arguments any scope of the label is meant.
    """

    label: str
    arguments: tuple[Expr, ...]


@frozen
class Finish(Instruction):
    """An ending has come for a subject."""

    ending: str
    subject: Expr | None


@frozen(eq=False)
class Code:
    """A rule, lowered. Slots ``0 .. parameters - 1`` hold the arguments, the subject last."""

    name: str
    parameters: tuple[str, ...]
    slots: int
    instructions: tuple[Instruction, ...]
    span: Span = field(repr=False, eq=False)
    cites: tuple[str, ...] = ()
    statement_cites: tuple[tuple[int, tuple[str, ...]], ...] = ()
    turn: bool = False
    subject: str = ""
    """The domain of the subject, or empty."""
    hook_of: str = ""

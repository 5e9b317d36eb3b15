"""A rule's instructions as text: ``python -m rulelang.program.listing GAME RULE [MODE]``.

For whoever wants to see what a rule is lowered to. Slots are written ``#0``, with a name where they
have one; behind an instruction at which a frame may wait stand the slots that are live there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import Linked, link
from rulelang.program.liveness import frame_locals, live_locals
from rulelang.program.program import Program
from rulelang.program.types import Named
from rulelang.program.values import label_of

_INFIX = frozenset(("and", "or", "has", "==", "<", "<=", ">", ">=", "+", "-", "*", "/"))


def list_rule(program: Program, rule: str, mode: str) -> str:
    """What a call of the rule does in a mode; its body and its hooks. KeyError if there is none."""
    chosen = program.modes[mode]
    options = {name: setting.default for name, setting in program.settings.items()}
    linked = link(program, mode, chosen.low, options)
    codes = [linked.codes[rule], *_behind(linked, rule)]
    return "\n\n".join("\n".join(list_code(program, code)) for code in codes)


def list_code(program: Program, code: i.Code) -> Iterator[str]:
    """A line for the rule, and one for each instruction."""
    names = ", ".join(f"{name}#{slot}" for slot, name in enumerate(code.parameters))
    yield f"{code.name}({names}), {code.slots} slots"
    writer = _Writer(program)
    live = live_locals(code)
    for place, instruction in enumerate(code.instructions):
        word = type(instruction).__name__.lower()
        line = f"{place:4}  {word:9}{writer.step(instruction)}".rstrip()
        if isinstance(instruction, i.Choose | i.Draw | i.Roll):
            yield f"{line}  {_live(sorted(live[place]))}"
        elif isinstance(instruction, i.Perform | i.Apply) and place + 1 < len(code.instructions):
            yield f"{line}  {_live(frame_locals(code, place + 1, called=True))}"
        else:
            yield line


def _behind(linked: Linked, rule: str) -> list[i.Code]:
    """The body and the hooks of a rule that has hooks."""
    return [code for code in linked.codes.values() if code.hook_of == rule]


def _live(slots: Sequence[int]) -> str:
    return "[live: " + (", ".join(f"#{slot}" for slot in slots) or "nothing") + "]"


class _Writer:
    """Instructions and expressions as text."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def step(self, n: i.Instruction) -> str:
        """What stands behind the name of an instruction."""
        match n:
            case i.Set():
                return f"#{n.slot} = {self.text(n.value)}"
            case i.Store():
                how = ", clamped" if n.clamped else ""
                later = f", deferred in #{n.deferred}" if n.deferred is not None else ""
                return f"{self.place(n.place)} = {self.text(n.value)}{how}{later}"
            case i.Jump():
                return f"to {n.to}" + (", a loop" if n.loop else "")
            case i.Branch():
                return f"{self.text(n.condition)}, else to {n.otherwise}"
            case i.Perform():
                result = f"#{n.slot} = " if n.slot is not None else ""
                return f"{result}{n.rule}({self.texts(n.arguments)})"
            case i.Apply():
                whom = f" for {self.text(n.subject)}" if n.subject is not None else ""
                return self.text(n.effect) + whom
            case i.Give():
                return self.text(n.value) if n.value is not None else ""
            case i.Iterate():
                return f"#{n.slot} from #{n.rest}, none left: to {n.end}"
            case i.Choose():
                return self.choose(n)
            case i.Draw():
                slot = f"#{n.slot} " if n.slot is not None else ""
                none = f", nothing there: to {n.none}" if n.none is not None else ""
                return f"{slot}from {self.place(n.source)} to {self.place(n.target, n.end)}{none}"
            case i.Roll():
                return f"#{n.slot} from {n.die}"
        return self.more(n)

    def more(self, n: i.Instruction) -> str:
        """The rarer instructions."""
        match n:
            case i.Move():
                source = f" from {self.place(n.source)}" if n.source is not None else ""
                return f"{self.text(n.what)}{source} to {self.place(n.target, n.end)}"
            case i.Mix():
                source = f"{self.place(n.source)} into " if n.source is not None else ""
                return source + self.place(n.target)
            case i.Sort():
                return self.place(n.place)
            case i.Exchange():
                return f"{self.text(n.first)} and {self.text(n.second)}"
            case i.Arrange():
                return f"{self.place(n.place)} = {self.text(n.value)}"
            case i.Reveal():
                return f"{self.text(n.what)} to {self.text(n.to)}"
            case i.Enter():
                return f"{n.label}({self.texts(n.arguments)}) in #{n.slot}, ends at {n.end}"
            case i.Exit():
                return f"{n.label} in #{n.slot}"
            case i.Leave():
                return f"{n.label}({self.texts(n.arguments)})"
            case i.Finish():
                return n.ending + (f" for {self.text(n.subject)}" if n.subject is not None else "")
            case i.Publish():
                return f"#{n.slot}"
        raise AssertionError(n)

    def choose(self, n: i.Choose) -> str:
        """Who is asked, the offers and where each goes on."""
        offers = "; ".join(self.offer(offer) for offer in n.offers)
        decline = f"; decline: to {n.decline}" if n.decline is not None else ""
        none = f"; nothing to choose: to {n.none}" if n.none is not None else ""
        return f"by {self.text(n.by)}: {offers}{decline}{none}"

    def offer(self, offer: i.Offer) -> str:
        """One branch of a decision."""
        label = f"{offer.label} " if offer.label else ""
        each = f"#{offer.slot} from {self.text(offer.source)} " if offer.source is not None else ""
        when = f"when {self.text(offer.condition)} " if offer.condition is not None else ""
        return f"{label}{each}{when}to {offer.to}"

    def place(self, place: i.Place, end: str = "") -> str:
        """A field of the state, and an end of it."""
        name = self.field(place.field, place.owner)
        if place.key is not None:
            name += f"[{self.text(place.key)}]"
        return f"{end}({name})" if end else name

    def field(self, key: str, owner: x.Expr | None) -> str:
        return key if owner is None else f"{self.text(owner)}.{key.rpartition('.')[2]}"

    def texts(self, exprs: Sequence[x.Expr]) -> str:
        return ", ".join(self.text(expr) for expr in exprs)

    def text(self, expr: x.Expr) -> str:
        """An expression, much as it was written."""
        match expr:
            case x.Const():
                return label_of(expr.value)
            case x.Local():
                return f"{expr.name}#{expr.slot}"
            case x.All():
                return expr.domain
            case x.FieldOf():
                return f"{self.text(expr.value)}.{self.field_name(expr)}"
            case x.Read():
                return self.field(expr.field, expr.owner)
            case x.MapItem():
                return f"{self.text(expr.map)}[{self.text(expr.key)}]"
            case x.Op():
                return self.operation(expr)
            case x.AskDefine():
                arguments = self.texts(expr.arguments)
                return f"{expr.define}({arguments})" if arguments else expr.define
            case x.If():
                condition, yes, no = map(self.text, (expr.condition, expr.yes, expr.no))
                return f"(if {condition} then {yes} else {no})"
            case x.Items():
                return f"[{self.texts(expr.items)}]"
            case x.Each():
                return self.each(expr)
            case x.IsEffect():
                wanted = ", ".join(map(self.pattern, expr.arguments))
                return f"{self.text(expr.value)} is {expr.rule}" + (f"({wanted})" if wanted else "")
            case x.IsVariant():
                return f"{self.text(expr.value)} is {expr.variant}"
            case x.InDomain():
                return f"{self.text(expr.value)} is {expr.domain}"
            case x.OnBoard():
                return (
                    f"{expr.question}({self.texts(expr.arguments)} along {', '.join(expr.edges)})"
                )
            case x.Ways():
                return self.ways(expr)
        raise AssertionError(expr)

    def ways(self, expr: x.Ways) -> str:
        """Ways over edges: their length, then the conditions on nodes."""
        steps = f"{self.text(expr.least)} to {self.text(expr.most)}"
        said = [f"ways(#{expr.slot} from {self.text(expr.start)}", f"steps {steps}"]
        said += ["once"] * expr.once
        for word in ("avoid", "halt", "through", "ends"):
            condition = getattr(expr, word)
            if condition is not None:
                said.append(f"{word} {self.text(condition)}")
        return f"{' '.join(said)} along {', '.join(expr.edges)})"

    def pattern(self, argument: x.Expr | str | None) -> str:
        """An argument that an effect is compared with."""
        if argument is None:
            return "any"
        return argument if isinstance(argument, str) else self.text(argument)

    def operation(self, expr: x.Op) -> str:
        if expr.name in _INFIX:
            left, right = map(self.text, expr.arguments)
            return f"({left} {expr.name} {right})"
        if expr.name == "all":
            return self.text(expr.arguments[0])
        return f"{expr.name}({self.texts(expr.arguments)})"

    def each(self, expr: x.Each) -> str:
        where = f" where {self.text(expr.condition)}" if expr.condition is not None else ""
        value = f": {self.text(expr.value)}" if expr.value is not None else ""
        orders = [f"{'most' if most else 'least'} {self.text(by)}" for most, by in expr.orders]
        by = f" by {', '.join(orders)}" if orders else ""
        return f"{expr.name}(#{expr.slot} in {self.text(expr.source)}{where}{value}{by})"

    def field_name(self, expr: x.FieldOf) -> str:
        if not isinstance(expr.value.type, Named):
            return f"field {expr.place}"
        kind = self.program.kinds[expr.value.type.domain]
        return kind.key if expr.place < 0 else kind.fields[expr.place].name


def main(words: Sequence[str] | None = None) -> int:
    """Print a rule of a game; 0, or 2 if there is no such game, rule or mode."""
    # A tool stands outside of the phases, and starts from the text.
    from rulelang.analysis import analyse
    from rulelang.errors import UsageError

    words = list(sys.argv[1:] if words is None else words)
    if not 2 <= len(words) <= 3:
        print("usage: python -m rulelang.program.listing GAME RULE [MODE]", file=sys.stderr)
        return 2
    try:
        program = analyse(words[0]).program
        if program is None:
            raise UsageError(f"{words[0]} has errors; `rulelang check` says which")
        mode = words[2] if len(words) == 3 else next(iter(program.modes))
        if mode not in program.modes or program.rule(words[1], mode) is None:
            raise UsageError(f"there is no rule {words[1]!r} in a mode {mode!r}")
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    print(list_rule(program, words[1], mode))
    return 0


if __name__ == "__main__":
    sys.exit(main())

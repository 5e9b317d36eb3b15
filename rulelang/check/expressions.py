"""Checking expressions: names are resolved and types inferred, from the outside in and back out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attrs import define, evolve

from rulelang.check.context import Context, plain
from rulelang.check.scope import Scope, bare
from rulelang.diagnostic import Span, did_you_mean, suggest
from rulelang.program import expressions as x
from rulelang.program.program import StateField
from rulelang.program.types import (
    ANY_NUM, BAD, EFFECT, FLAG, NONE, NOTHING, SCRIPT, TEXT, Many, Named, Num, Table, Type,
    add, comparable, either, fits, members, negated, without,
)  # fmt: skip
from rulelang.program.values import Entry
from rulelang.syntax import tree as t

CONSTANTS = {"yes": True, "no": False}
NEGATED = {"is not": "is", "!=": "=="}


@define
class Expressions:
    """The checker of expressions in one scope.

    ``referee`` lifts the ban on reading what lies face down: for scenarios, which see everything.
    ``claims`` allows the questions of a scenario's claims, as ``wins(p)``.
    """

    context: Context
    scope: Scope
    referee: bool = False
    claims: bool = False

    def check(self, node: t.Expr, expected: Type) -> x.Expr:
        """The checked expression; reports when its type does not fit."""
        expr = self.infer(node, expected)
        if not fits(expr.type, expected):
            self._mismatch(node, expr, expected)
            return self._bad(node.span)
        return expr

    def condition(self, node: t.Expr) -> x.Expr:
        """A checked condition."""
        return self.check(node, FLAG)

    def infer(self, node: t.Expr, expected: Type | None = None) -> x.Expr:
        """The checked expression; ``expected`` helps to find what a name or figure stands for."""
        match node:
            case t.Group():
                return self.infer(node.value, expected)
            case t.Number():
                return self._number(node, expected)
            case t.String():
                return self._text(node, expected)
            case t.NoneValue():
                return x.Const(NONE, node.span, None)
            case t.Ref():
                return self._narrowed(node, self._name(node, expected))
            case t.ListOf():
                return self._list(node, expected)
            case t.Attribute():
                return self._narrowed(node, self._attribute(node))
            case t.Index():
                return self._index(node)
            case t.Ask():
                from rulelang.check.questions import ask  # the two take turns down the tree

                return self._narrowed(node, ask(self, node, expected))
            case t.Unary():
                return self._unary(node)
            case t.Binary():
                return self._binary(node)
            case t.Conditional():
                return self._conditional(node, expected)

    # ------------------------------------------------------------ literals

    def _number(self, node: t.Number, expected: Type | None) -> x.Expr:
        for kind in members(expected) if expected is not None else ():
            if isinstance(kind, Named):
                entry = self.context.program.domains[kind.domain].by_key.get(node.value)
                if entry is not None:
                    self.context.use("entry", entry.label)
                    return x.Const(kind, node.span, entry)
        if isinstance(node.value, Fraction):
            return x.Const(ANY_NUM, node.span, node.value)
        return x.Const(Num(node.value, node.value), node.span, node.value)

    def _text(self, node: t.String, expected: Type | None) -> x.Expr:
        """A text; where a name is expected, the name as printed: so reserved words can be values."""
        for kind in members(expected) if expected is not None else ():
            if isinstance(kind, Named) and TEXT not in members(expected or kind):
                for entry in self.context.program.domains[kind.domain].entries:
                    if plain(node.value) in (plain(str(entry.key)), plain(entry.text)):
                        self.context.use("entry", entry.label)
                        self.context.use("value", f"{entry.domain}.{entry.key}")
                        return x.Const(kind, node.span, entry)
        return x.Const(TEXT, node.span, node.value)

    def _list(self, node: t.ListOf, expected: Type | None) -> x.Expr:
        wanted = [kind.item for kind in members(expected) if isinstance(kind, Many)] if expected else []
        items = tuple(self.infer(item, wanted[0] if wanted else None) for item in node.items)
        item: Type = NOTHING
        for position, checked in enumerate(items):
            item = checked.type if position == 0 else either(item, checked.type)
        return x.Items(Many("list", item), node.span, items)

    def _conditional(self, node: t.Conditional, expected: Type | None) -> x.Expr:
        condition = self.condition(node.condition)
        with self.scope.block():
            self.scope.learn(node.condition)
            yes = self.infer(node.yes, expected)
        with self.scope.block():
            self.scope.learn(node.condition, False)
            no = self.infer(node.no, expected)
        return x.If(either(yes.type, no.type), node.span, condition, yes, no)

    # ------------------------------------------------------------ names

    def _name(self, node: t.Ref, expected: Type | None) -> x.Expr:
        name, program = node.name, self.context.program
        variable = self.scope.find(name)
        if variable is not None:
            return x.Local(variable.type, node.span, variable.slot, name)
        value = self._value(name, expected)
        if value is not None:
            return self._entry(node, value)
        question = program.questions.get(name)
        if question is not None:
            from rulelang.check.questions import ask_define

            return ask_define(self, question, (), node)
        field = program.state.get(name)
        if field is not None:
            self.context.use("state", field.key)
            return x.Read(field.type, node.span, field.key, None, "")
        special = self._special(node)
        if special is not None:
            return special
        if name in program.domains:
            self.context.use("type", name)
            return x.All(Many("list", Named(name)), node.span, name)
        candidates = self.context.values.get(name, [])
        if len(candidates) == 1:
            return self._entry(node, candidates[0])
        if candidates:
            domains = ", ".join(sorted(entry.domain for entry in candidates))
            self.context.report(
                "N211", f"`{name}` could be a value of several types: {domains}", node.span,
                help="Use it where one of them is expected, or compare with something of that type.",
            )  # fmt: skip
        else:
            self._unknown(node, expected)
        return self._bad(node.span)

    def _special(self, node: t.Ref) -> x.Expr | None:
        """The names that every game has."""
        name, program = node.name, self.context.program
        if name in CONSTANTS:
            return x.Const(FLAG, node.span, CONSTANTS[name])
        if name == "players":
            return x.Read(Many("list", Named("Player")), node.span, "players", None, "")
        if name == "mode":
            return x.Read(Named("Mode"), node.span, "mode", None, "")
        if name in program.settings:
            self.context.use("setting", name)
            return x.Read(Named(program.settings[name].domain), node.span, name, None, "")
        if name in program.dice:
            self.context.use("die", name)
            faces = program.dice[name]
            item = either(*(Named(f.domain) if isinstance(f, Entry) else Num(f, f) for f in faces))  # type: ignore[arg-type]
            return x.Const(Many("list", item), node.span, faces)
        if name == "outcome" and self.referee:
            return x.Op(either(Named("Ending"), NONE), node.span, "outcome", ())
        return None

    def _value(self, name: str, expected: Type | None) -> Entry | None:
        """A value of this name in an expected domain."""
        wanted = {kind.domain for kind in members(expected) if isinstance(kind, Named)} if expected else ()
        return next((entry for entry in self.context.values.get(name, ()) if entry.domain in wanted), None)

    def _entry(self, node: t.Ref, entry: Entry) -> x.Expr:
        self.context.use("entry", entry.label)
        self.context.use("value", f"{entry.domain}.{entry.key}")
        return x.Const(Named(entry.domain), node.span, entry)

    def _unknown(self, node: t.Ref, expected: Type | None) -> None:
        program = self.context.program
        wanted = [kind.domain for kind in members(expected) if isinstance(kind, Named)] if expected else []
        if wanted:
            names = [str(e.key) for domain in wanted for e in program.domains[domain].entries]
            near = suggest(node.name, names)
            if near or len(names) <= 8:
                help = did_you_mean(near) or "One of: " + ", ".join(names) + "."
                what = " or ".join(wanted)
                self.context.report_unknown(node.name, node.span, what, names, help=help)
                return
        candidates = [*self.scope.names, *program.questions, *(n for n, f in program.state.items() if not f.per)]
        candidates += [*program.settings, *program.domains, *self.context.values, "players", "mode", "yes", "no"]
        help = None
        if node.name in program.signatures:
            help = f"`{node.name}` is a rule: a rule is performed on a line of its own, never asked."
        self.context.report_unknown(node.name, node.span, "value", candidates, help=help)

    # ------------------------------------------------------------ parts

    def _attribute(self, node: t.Attribute) -> x.Expr:
        value = self.infer(node.value)
        if value.type == BAD:
            return self._bad(node.span)
        name = node.name.text
        if isinstance(value.type, Named):
            found = self.attribute_of(value, value.type, name, node.span)
            if found is not None:
                return found
            self.context.report_unknown(
                name, node.name.span, f"field of {value.type.domain}", self._fields_of(value.type.domain)
            )
            return self._bad(node.span)
        help = None
        if NONE in members(value.type):
            help = f"It may be none: ask `{_source(node.value)} is not none` first."
        self.context.report("T301", f"`{name}` is asked of {_a(value.type)}", node.name.span, help=help)
        return self._bad(node.span)

    def attribute_of(self, value: x.Expr, kind: Named, name: str, span: Span) -> x.Expr | None:
        """A field of the state or of the kind, of a value."""
        program = self.context.program
        state = program.state.get(f"{kind.domain}.{name}")
        if state is not None:
            self.context.use("state", state.key)
            return x.Read(state.type, span, state.key, value, kind.domain)
        schema = program.kinds.get(kind.domain)
        if schema is None:
            return None
        place = schema.place(name)
        if place is None:
            return None
        self.context.use("field", f"{schema.name}.{name}")
        if place < 0:
            return x.FieldOf(ANY_NUM if schema.key == "number" else TEXT, span, value, place)
        return x.FieldOf(schema.fields[place].type, span, value, place)

    def _fields_of(self, domain: str) -> list[str]:
        program = self.context.program
        names = [field.name for field in program.state.values() if field.per == domain]
        kind = program.kinds.get(domain)
        return names + ([field.name for field in kind.fields] + [kind.key] if kind is not None else [])

    def _index(self, node: t.Index) -> x.Expr:
        if isinstance(node.value, t.Ref) and node.value.name in self.context.program.domains:
            return self._by_key(node, node.value.name)
        value = self.infer(node.value)
        if isinstance(value.type, Table):
            key = self.check(node.index, value.type.key)
            return x.MapItem(value.type.value, node.span, value, key, value.type.key.domain)
        index = self.check(node.index, Num(1, None))
        if not isinstance(value.type, Many):
            if value.type != BAD:
                self.context.report("T301", f"{_a(value.type)} has no items to count", node.value.span)
            return self._bad(node.span)
        self.readable(value)
        return x.Op(value.type.item, node.span, "item", (value, index))

    def _by_key(self, node: t.Index, domain: str) -> x.Expr:
        entries = self.context.program.domains[domain]
        key = bare(node.index)
        wanted = key.value if isinstance(key, t.Number) else key.name if isinstance(key, t.Ref) else None
        entry = entries.by_key.get(wanted) if wanted is not None else None
        if entry is not None:
            self.context.use("entry", entry.label)
            return x.Const(Named(domain), node.span, entry)
        if isinstance(key, t.Number) and any(isinstance(known, int) for known in entries.by_key):
            self.context.report("N201", f"there is no {domain} {key.value}", key.span)
            return self._bad(node.span)
        index = self.check(node.index, Num(1, None))
        everything = x.All(Many("list", Named(domain)), node.span, domain)
        return x.Op(Named(domain), node.span, "item", (everything, index))

    # ------------------------------------------------------------ operators

    def _unary(self, node: t.Unary) -> x.Expr:
        if node.operator == "not":
            return x.Op(FLAG, node.span, "not", (self.condition(node.value),))
        value = self.check(node.value, ANY_NUM)
        kind = negated(value.type) if isinstance(value.type, Num) else value.type
        if isinstance(value, x.Const) and isinstance(value.value, int):
            return x.Const(kind, node.span, -value.value)
        return x.Op(kind, node.span, "negative", (value,))

    def _binary(self, node: t.Binary) -> x.Expr:
        match node.operator:
            case "and" | "or":
                return self._logical(node)
            case "is" | "is not":
                return self._is(node)
            case "==" | "!=":
                return self._equal(node, node.operator)
            case "<" | "<=" | ">" | ">=":
                left, right = self.check(node.left, ANY_NUM), self.check(node.right, ANY_NUM)
                return x.Op(FLAG, node.span, node.operator, (left, right))
            case "has":
                return self._has(node)
            case _:
                return self._arithmetic(node)

    def _logical(self, node: t.Binary) -> x.Expr:
        left = self.condition(node.left)
        with self.scope.block():
            self.scope.learn(node.left, node.operator == "and")
            right = self.condition(node.right)
        return x.Op(FLAG, node.span, node.operator, (left, right))

    def _is(self, node: t.Binary) -> x.Expr:
        from rulelang.check.patterns import pattern

        left = self.infer(node.left)
        if isinstance(left.type, Named) and left.type.domain not in self.context.program.domains:
            return self._bad(node.span)
        found = pattern(self, left, node.right, node.span)
        if found is None:
            return self._equal(node, node.operator)
        return found if node.operator == "is" else x.Op(FLAG, node.span, "not", (found,))

    def _equal(self, node: t.Binary, operator: str) -> x.Expr:
        left = self.infer(node.left)
        if left.type == BAD and isinstance(node.left, t.Ref):
            right = self.infer(node.right)
        else:
            right = self.infer(node.right, left.type)
        if not comparable(left.type, right.type):
            self.context.report(
                "T309", f"{_a(left.type)} is never equal to {_a(right.type)}", node.span,
                label="so this is always the same",
            )  # fmt: skip
        for side in (left, right):
            self.readable(side)
        equal = x.Op(FLAG, node.span, "==", (left, right))
        return equal if operator in ("is", "==") else x.Op(FLAG, node.span, "not", (equal,))

    def _has(self, node: t.Binary) -> x.Expr:
        left = self.infer(node.left)
        if not isinstance(left.type, Many):
            if left.type != BAD:
                self.context.report("T301", f"`has` is asked of {_a(left.type)}, not of a collection", node.left.span)
            self.infer(node.right)
            return self._bad(node.span)
        self.readable(left)
        right = self.check(node.right, left.type.item if left.type.item != NOTHING else BAD)
        return x.Op(FLAG, node.span, "has", (left, right))

    def _arithmetic(self, node: t.Binary) -> x.Expr:
        left = self.infer(node.left)
        if isinstance(left.type, Many) and node.operator in "+-":
            self.readable(left)
            right = self.check(node.right, Many("list", left.type.item if left.type.item != NOTHING else BAD))
            item = left.type.item if left.type.item != NOTHING or not isinstance(right.type, Many) else right.type.item
            return x.Op(Many("list", item), node.span, "join" if node.operator == "+" else "less", (left, right))
        left = self._as_number(node.left, left)
        right = self.check(node.right, ANY_NUM)
        kind: Type = ANY_NUM
        if isinstance(left.type, Num) and isinstance(right.type, Num):
            if node.operator == "+":
                kind = add(left.type, right.type)
            elif node.operator == "-":
                kind = add(left.type, negated(right.type))
        return x.Op(kind, node.span, node.operator, (left, right))

    def _as_number(self, node: t.Expr, expr: x.Expr) -> x.Expr:
        if fits(expr.type, ANY_NUM):
            return expr
        self._mismatch(node, expr, ANY_NUM)
        return self._bad(node.span)

    # ------------------------------------------------------------ helpers

    def _narrowed(self, node: t.Expr, expr: x.Expr) -> x.Expr:
        if NONE in members(expr.type) and expr.type != NONE and self.scope.known(node, "not none"):
            return evolve(expr, type=without(expr.type, NONE))
        return expr

    def readable(self, expr: x.Expr) -> None:
        """Report the reading of cards whose order or identity nobody has determined."""
        if self.referee or not isinstance(expr, x.Read):
            return
        field: StateField | None = self.context.program.state.get(expr.field)
        if field is not None and field.hidden and isinstance(field.type, Many):
            self.context.report(
                "R409", f"`{field.name}` lies face down: nothing may depend on what is in it", expr.span,
                help="Only `size` and `is empty` may be asked of it; `draw` a card to see it.",
            )  # fmt: skip

    def nonempty(self, node: t.Expr, expr: x.Expr) -> bool:
        """Is it certain that a collection has an item?"""
        node = bare(node)
        if isinstance(expr, x.All | x.Const) or (isinstance(expr, x.Read) and expr.field == "players"):
            return True
        if isinstance(expr, x.Items) and expr.items:
            return True
        if isinstance(node, t.Ask) and isinstance(node.function, t.Ref) and node.function.name == "ring":
            return True
        return expr.type == BAD or self.scope.known(node, "not empty")

    def _mismatch(self, node: t.Expr, expr: x.Expr, expected: Type) -> None:
        if isinstance(expr.type, Num) and any(isinstance(kind, Num) for kind in members(expected)):
            self.context.report("T303", f"{_figure(expr)} lies outside {_a(expected)}", node.span)
            return
        help = None
        if NONE in members(expr.type) and fits(without(expr.type, NONE), expected):
            help = f"It may be none: ask `{_source(node)} is not none` first."
        elif isinstance(expr.type, Many) and fits(expr.type.item, expected):
            help = "This is a whole collection; take one of it, for instance with `first(…)` or `choose`."
        self.context.report("T301", f"{_a(expected)} is needed here, and this is {_a(expr.type)}", node.span, help=help)

    def _bad(self, span: Span) -> x.Expr:
        return x.Const(BAD, span, None)


def _figure(expr: x.Expr) -> str:
    return str(expr.value) if isinstance(expr, x.Const) else f"this ({expr.type})"


def _a(kind: Type) -> str:
    """The type with its article, for a sentence."""
    words = {FLAG: "a yes or no", TEXT: "a text", NONE: "none", EFFECT: "an effect", SCRIPT: "a script"}
    if kind in words:
        return words[kind]  # type: ignore[index]
    if isinstance(kind, Num):
        return "a number" if kind == ANY_NUM else f"a number ({kind})"
    text = str(kind)
    if isinstance(kind, Many) and kind.item == NOTHING:
        text = "list"
    return ("an " if text[0].lower() in "aeio" else "a ") + text


def _source(node: t.Expr) -> str:
    """The expression as written, for the short ones that messages quote."""
    match node:
        case t.Ref():
            return node.name
        case t.Attribute():
            return f"{_source(node.value)}.{node.name.text}"
        case t.Group():
            return _source(node.value)
    return "it"


describe: Callable[[Type], str] = _a
source: Callable[[t.Expr], str] = _source

"""Checking expressions: names are resolved and types inferred, outside in and back out."""

from __future__ import annotations

from fractions import Fraction

from attrs import define, evolve

from rulelang.checker import names, patterns, questions
from rulelang.checker.context import Context, plain
from rulelang.checker.facts import bare
from rulelang.checker.scope import Scope
from rulelang.checker.typing import item_of, widened
from rulelang.checker.wording import describe, source
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program.types import (
    ANY_NUM,
    BAD,
    FLAG,
    NONE,
    NOTHING,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
    add,
    comparable,
    either,
    fits,
    members,
    negated,
    without,
)
from rulelang.program.values import Domain, figures
from rulelang.syntax import tree as t

UNORDERED = ("set", "pile")


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
        expr = self.value(node, expected)
        if not fits(expr.type, expected):
            self._mismatch(node, expr, expected)
            return self.bad(node.span)
        return expr

    def condition(self, node: t.Expr) -> x.Expr:
        """A checked condition."""
        return self.check(node, FLAG)

    def value(self, node: t.Expr, expected: Type | None = None) -> x.Expr:
        """An expression whose value is kept or passed on: of a pile, the list of its cards."""
        expr = self.infer(node, expected)
        self.readable(expr)
        if isinstance(expr.type, Many) and expr.type.form == "pile":
            return x.Op(Many("list", expr.type.item), expr.span, "all", (expr,))
        return expr

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
                return self._narrowed(node, names.name(self, node, expected))
            case t.ListOf():
                return self._list(node, expected)
            case t.Attribute():
                return self._narrowed(node, self._attribute(node))
            case t.Index():
                return self._narrowed(node, self._index(node))
            case t.Ask():
                return self._narrowed(node, questions.ask(self, node))
            case t.Unary():
                return self._unary(node)
            case t.Binary():
                return self._binary(node)
            case t.Conditional():
                return self._conditional(node, expected)

    # ------------------------------------------------------------ literals

    def _number(self, node: t.Number, expected: Type | None) -> x.Expr:
        kinds = members(expected) if expected is not None else ()
        for kind in kinds:
            domain = names.domain(self, kind)
            if domain is None or domain.name == "Player":
                continue
            entry = domain.by_key.get(node.value)
            if entry is not None:
                return names.entry(self, node.span, entry)
            plain_number = any(isinstance(other, Num) for other in kinds)
            if self._is_numbered(domain) and not plain_number:
                if domain.name not in self.context.incomplete:
                    self.context.report_unknown(figures(node.value), node.span, domain.name, ())
                return self.bad(node.span)
        if isinstance(node.value, Fraction):
            self.context.report("T301", "only whole numbers are counted with", node.span)
            return self.bad(node.span)
        return x.Const(Num(node.value, node.value), node.span, node.value)

    def _is_numbered(self, domain: Domain) -> bool:
        kind = self.context.program.kinds.get(domain.name)
        if kind is not None:
            return kind.key == "number"
        return any(isinstance(key, int) for key in domain.by_key)

    def _text(self, node: t.String, expected: Type | None) -> x.Expr:
        """A text; where a name is expected, the name as printed: reserved words can be values."""
        if expected is None or TEXT in members(expected):
            return x.Const(TEXT, node.span, node.value)
        for kind in members(expected):
            domain = names.domain(self, kind)
            for entry in domain.entries if domain is not None else ():
                if plain(node.value) in (plain(str(entry.key)), plain(entry.text)):
                    return names.entry(self, node.span, entry)
        return x.Const(TEXT, node.span, node.value)

    def _list(self, node: t.ListOf, expected: Type | None) -> x.Expr:
        wanted = None
        for kind in members(expected) if expected is not None else ():
            wanted = wanted or (kind.item if isinstance(kind, Many) else None)
        items = tuple(self.value(item, wanted) for item in node.items)
        item = either(*(checked.type for checked in items)) if items else NOTHING
        return x.Items(Many("list", item), node.span, items)

    def _conditional(self, node: t.Conditional, expected: Type | None) -> x.Expr:
        condition = self.condition(node.condition)
        with self.scope.block():
            self.scope.learn(node.condition)
            yes = self.value(node.yes, expected)
        with self.scope.block():
            self.scope.learn(node.condition, False)
            no = self.value(node.no, expected)
        kind = either(yes.type, no.type)
        if expected is None and _is_odd(kind):
            message = f"this is {describe(yes.type)} or {describe(no.type)}, by the condition"
            self.context.report("T301", message, node.no.span, label="should be alike")
            return self.bad(node.span)
        return x.If(kind, node.span, condition, yes, no)

    # ------------------------------------------------------------ parts

    def _attribute(self, node: t.Attribute) -> x.Expr:
        value = self.infer(node.value)
        if value.type == BAD:
            return self.bad(node.span)
        name = node.name.text
        if isinstance(value.type, Named):
            found = names.attribute(self, value, value.type, node.name)
            if found is not None:
                return found
            self.context.report_unknown(
                name,
                node.name.span,
                f"field of {value.type.domain}",
                names.fields_of(self, value.type.domain),
            )
            return self.bad(node.span)
        help = None
        if NONE in members(value.type):
            help = f"It may be none: ask `{source(node.value)} is not none` first."
        message = f"`{name}` is asked of {describe(value.type)}"
        self.context.report("T301", message, node.name.span, help=help)
        return self.bad(node.span)

    def _index(self, node: t.Index) -> x.Expr:
        if isinstance(node.value, t.Ref) and node.value.name in self.context.program.domains:
            return names.by_key(self, node, node.value.name)
        value = self.infer(node.value)
        if isinstance(value.type, Table):
            key = self.check(node.index, value.type.key)
            domain = value.type.key.domain
            return x.MapItem(value.type.value, node.span, value, key, domain)
        index = self.check(node.index, Num(1, None))
        if not isinstance(value.type, Many):
            if value.type != BAD:
                message = f"{describe(value.type)} has no items to count"
                self.context.report("T301", message, node.value.span)
            return self.bad(node.span)
        self.readable(value)
        return x.Op(item_of(value.type), node.span, "item", (value, index))

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
                left, right = self._compared(node.left), self._compared(node.right)
                self._oversteps(left, right)
                self._oversteps(right, left)
                return x.Op(FLAG, node.span, node.operator, (left, right))
            case "has":
                return self._has(node)
            case _:
                return self._arithmetic(node)

    def _compared(self, node: t.Expr) -> x.Expr:
        """A number that is only compared: entries may be numbered with decimals."""
        node = bare(node)
        if isinstance(node, t.Number) and isinstance(node.value, Fraction):
            return x.Const(ANY_NUM, node.span, node.value)
        return self.check(node, ANY_NUM)

    def _oversteps(self, one: x.Expr, other: x.Expr) -> None:
        """Report a figure that lies outside of what it is compared with."""
        kind = other.type
        if not isinstance(one, x.Const) or not isinstance(one.value, int):
            return
        if isinstance(other, x.Const) or not isinstance(kind, Num) or kind.low == kind.high:
            return
        if not fits(Num(one.value, one.value), kind):
            self.context.report(
                "T303",
                f"{one.value} lies outside {kind}, so this is always the same",
                one.span,
                help="Compare with a number that can come up.",
            )

    def _logical(self, node: t.Binary) -> x.Expr:
        left = self.condition(node.left)
        with self.scope.block():
            self.scope.learn(node.left, node.operator == "and")
            right = self.condition(node.right)
        return x.Op(FLAG, node.span, node.operator, (left, right))

    def _is(self, node: t.Binary) -> x.Expr:
        left = self.infer(node.left, names.looks_ahead(self, node))
        found = patterns.pattern(self, left, node.right, node.span)
        if found is None:
            return self._equal(node, node.operator, left)
        return found if node.operator == "is" else x.Op(FLAG, node.span, "not", (found,))

    def _equal(self, node: t.Binary, operator: str, left: x.Expr | None = None) -> x.Expr:
        if left is None:
            left = self.infer(node.left, names.looks_ahead(self, node))
        right = self._right(node.right, left.type)
        self._comparable(node, left, right)
        self._oversteps(left, right)
        self._oversteps(right, left)
        for side in (left, right):
            self.readable(side)
        equal = x.Op(FLAG, node.span, "==", (left, right))
        return equal if operator in ("is", "==") else x.Op(FLAG, node.span, "not", (equal,))

    def _right(self, node: t.Expr, expected: Type) -> x.Expr:
        node = bare(node)
        is_decimal = isinstance(node, t.Number) and isinstance(node.value, Fraction)
        is_number = all(isinstance(kind, Num) for kind in members(expected))
        return self._compared(node) if is_decimal and is_number else self.infer(node, expected)

    def _comparable(self, node: t.Binary, left: x.Expr, right: x.Expr) -> None:
        if not comparable(left.type, right.type):
            self.context.report(
                "T309",
                f"{describe(left.type)} is never equal to {describe(right.type)}",
                node.span,
                label="so this is always the same",
            )
            return
        for one, written, other in ((left, node.right, right), (right, node.left, left)):
            self._items_comparable(one.type, bare(written), other.type)
        for one, other, written in ((left, right, node.right), (right, left, node.left)):
            unordered = isinstance(one.type, Many) and one.type.form in UNORDERED
            if unordered and isinstance(other.type, Either):
                help = f"Ask `{source(written)} is not none` first."
                message = f"{describe(other.type)} is compared with {describe(one.type)}"
                self.context.report("T301", message, node.span, help=help)

    def _items_comparable(self, kind: Type, written: t.Expr, listed: Type) -> None:
        """Can each item of a list that is written out be in a collection of this type?"""
        if not isinstance(written, t.ListOf):
            return
        if isinstance(kind, Many) and isinstance(listed, Many) and kind.item != NOTHING:
            odd = [m for m in members(listed.item) if not comparable(kind.item, m)]
            if odd:
                message = f"{describe(kind)} never has {describe(odd[0])} in it"
                self.context.report("T309", message, written.span)

    def _has(self, node: t.Binary) -> x.Expr:
        left = self.infer(node.left)
        if not isinstance(left.type, Many):
            if left.type != BAD:
                message = f"`has` is asked of {describe(left.type)}, not of a collection"
                self.context.report("T301", message, node.left.span)
            self.infer(node.right)
            return self.bad(node.span)
        self.readable(left)
        right = self.check(node.right, item_of(left.type))
        return x.Op(FLAG, node.span, "has", (left, right))

    def _arithmetic(self, node: t.Binary) -> x.Expr:
        left = self.infer(node.left)
        if isinstance(left.type, Many) and node.operator in ("+", "-"):
            return self._collections(node, left, left.type)
        if not fits(left.type, ANY_NUM):
            self._mismatch(node.left, left, ANY_NUM)
            left = self.bad(node.left.span)
        right = self.check(node.right, ANY_NUM)
        kind: Type = ANY_NUM
        if isinstance(left.type, Num) and isinstance(right.type, Num):
            if node.operator == "+":
                kind = add(left.type, right.type)
            elif node.operator == "-":
                kind = add(left.type, negated(right.type))
        return x.Op(kind, node.span, node.operator, (left, right))

    def _collections(self, node: t.Binary, left: x.Expr, kind: Many) -> x.Expr:
        self.readable(left)
        right = self.check(node.right, Many("list", item_of(widened(kind))))
        item = kind.item
        if isinstance(right.type, Many) and right.type.item != NOTHING:
            item = right.type.item if item == NOTHING else either(item, right.type.item)
        name = "join" if node.operator == "+" else "less"
        return x.Op(Many("list", item), node.span, name, (left, right))

    # ------------------------------------------------------------ helpers

    def _narrowed(self, node: t.Expr, expr: x.Expr) -> x.Expr:
        if not isinstance(expr.type, Either):
            return expr
        kinds = expr.type.members
        left = [kind for kind in kinds if not self._ruled_out(node, kind)]
        is_one = [kind for kind in left if self._is_known(node, kind)]
        left = is_one or left
        return evolve(expr, type=either(*left)) if 0 < len(left) < len(kinds) else expr

    def _is_known(self, node: t.Expr, kind: Type) -> bool:
        """Is it known that the expression is of this type, or of one of its variants?"""
        schema = self.context.program.kinds.get(kind.domain) if isinstance(kind, Named) else None
        names = (str(kind), *(schema.variants if schema is not None else ()))
        return any(self.scope.known(node, f"is {name}") for name in names)

    def _ruled_out(self, node: t.Expr, kind: Type) -> bool:
        """Is it known that the expression is not of one of its types?"""
        if self.scope.known(node, f"not {kind}"):
            return True
        domain = names.domain(self, kind) if isinstance(kind, Named) else None
        only = domain.entries if domain is not None and len(domain.entries) == 1 else ()
        return any(self.scope.known(node, f"not {entry.key}") for entry in only)

    def readable(self, expr: x.Expr) -> None:
        """Report the reading of cards whose order or identity nobody has determined."""
        if self.referee or not self.is_hidden(expr):
            return
        assert isinstance(expr, x.Read)
        name = self.context.program.state[expr.field].name
        self.context.report(
            "R409",
            f"`{name}` lies face down: nothing may depend on what is in it",
            expr.span,
            help="Only `size` and `is empty` may be asked of it; `draw` a card to see it.",
        )

    def is_hidden(self, expr: x.Expr) -> bool:
        """Is this a zone whose cards lie face down?"""
        field = self.context.program.state.get(expr.field) if isinstance(expr, x.Read) else None
        return field is not None and field.hidden and isinstance(field.type, Many)

    def nonempty(self, node: t.Expr, expr: x.Expr) -> bool:
        """Is it certain that a collection has an item?"""
        node = bare(node)
        if isinstance(expr, x.All | x.Const) or _is_seats(expr):
            return True
        if (isinstance(expr, x.Items) and expr.items) or _is_range(expr):
            return True
        if isinstance(node, t.Ask) and isinstance(node.function, t.Ref):
            if node.function.name == "ring":
                return True
            if node.function.name in ("sorted", "reversed", "distinct") and node.arguments:
                assert isinstance(expr, x.Op)
                return self.nonempty(node.arguments[0], expr.arguments[0])
        return expr.type == BAD or self.scope.known(node, "not empty")

    def _mismatch(self, node: t.Expr, expr: x.Expr, expected: Type) -> None:
        kind = expr.type
        ranges = [member for member in members(expected) if isinstance(member, Num)]
        if isinstance(kind, Num) and ranges:
            figure = str(expr.value) if isinstance(expr, x.Const) else f"this ({kind})"
            message = f"{figure} lies outside {ranges[0]}"
            self.context.report("T303", message, node.span)
            return
        help = None
        if NONE in members(kind) and fits(without(kind, NONE), expected):
            help = f"It may be none: ask `{source(node)} is not none` first."
        elif isinstance(kind, Many) and fits(kind.item, expected):
            help = "This is a whole collection; take one of it, with `first(…)` or `choose`."
        elif isinstance(expected, Many) and fits(kind, expected.item):
            help = f"Write `[{source(node)}]` for a list of one." if source(node) != "it" else None
        elif Named("Player") in members(expected) and isinstance(kind, Num):
            help = "`players[1]` is the first seat."
        message = f"{describe(expected)} is needed here, and this is {describe(kind)}"
        self.context.report("T301", message, node.span, help=help)

    def bad(self, span: Span) -> x.Expr:
        """What stands for an expression that was reported: it fits everywhere."""
        return x.Const(BAD, span, None)


def _is_seats(expr: x.Expr) -> bool:
    return isinstance(expr, x.Read) and expr.field == "players"


def _is_range(expr: x.Expr) -> bool:
    """Are these numbers from one that is never above the last?"""
    if not isinstance(expr, x.Op) or expr.name != "numbers":
        return False
    first, last = (argument.type for argument in expr.arguments)
    if not (isinstance(first, Num) and isinstance(last, Num)):
        return False
    return first.high is not None and last.low is not None and first.high <= last.low


def _is_odd(kind: Type) -> bool:
    """Are numbers, flags or texts mixed with each other, or with entries?"""
    sorts = {
        Num if isinstance(member, Num) else member if member in (FLAG, TEXT) else Named
        for member in members(kind)
        if member not in (NONE, BAD)
    }
    return len(sorts) > 1

"""What expressions read that not everybody may see, and whose it is.

Seats are compared by how they are written: an expression becomes a text, its key, in which a local
is ``#3;`` and what ranges over all values of a type is ``*total.1;``. Equal keys are equal values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from attrs import Factory, define, evolve, frozen

from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program.program import Program, StateField
from rulelang.program.types import Many
from rulelang.program.values import Entry, label_of

Pair = frozenset[str]
"""The keys of two expressions that are the same seat."""
Facts = frozenset[Pair]
Env = Mapping[int, str]
"""What stands for locals."""

LONGEST_KEY = 300
UNKNOWN = "!"
"""In the key of what cannot be compared."""
_LOCAL = re.compile(r"#(\d+);")
SIZES = ("size", "empty")
"""What may be asked of a collection by those who do not see it."""


@frozen
class Reading:
    """A field that not everybody sees is read: whose it is, and what is known at that moment."""

    field: str
    owner: str
    facts: Facts
    span: Span
    question: str = ""
    """The question of the game that reads it, if it is not read where the expression stands."""

    def put(self, env: Env) -> Reading:
        """The reading with other keys in the place of locals."""
        facts = frozenset(frozenset(put(key, env) for key in pair) for pair in self.facts)
        return evolve(self, owner=put(self.owner, env), facts=facts)


def put(key: str, env: Env) -> str:
    """A key with other keys in the place of locals."""
    made = _LOCAL.sub(lambda found: env.get(int(found[1]), found[0]), key)
    return made if len(made) <= LONGEST_KEY else UNKNOWN


def key_of(expr: x.Expr | None, env: Env) -> str:
    """The key of an expression."""
    match expr:
        case None:
            return ""
        case x.Local():
            return env.get(expr.slot, f"#{expr.slot};")
        case x.Const(value=Entry()):
            return f"={expr.value.domain}.{expr.value.key}"
        case x.Const():
            return f"={label_of(expr.value)}"
        case x.All():
            return f"all {expr.domain}"
        case x.Read():
            return f"{expr.field}[{key_of(expr.owner, env)}]"
        case x.FieldOf():
            return f"{key_of(expr.value, env)}.{expr.place}"
        case x.AskDefine():
            return _joined(f"?{expr.define}", expr.arguments, env)
        case x.Items():
            return _joined("items", expr.items, env)
        case x.Op(name="first"):
            return _joined("item", (*expr.arguments, x.Const(expr.type, expr.span, 1)), env)
        case x.Op():
            return _joined(expr.name, expr.arguments, env)
    return UNKNOWN


def _joined(name: str, parts: tuple[x.Expr, ...], env: Env) -> str:
    text = f"{name}({', '.join(key_of(part, env) for part in parts)})"
    return text if len(text) <= LONGEST_KEY else UNKNOWN


def same(one: str, other: str, facts: Facts) -> bool:
    """Are two keys known to be of the same value?"""
    if UNKNOWN in one + other:
        return False
    reached, todo = {one}, [one]
    while todo:
        key = todo.pop()
        for pair in facts:
            if key in pair:
                new = pair - reached
                reached |= new
                todo += new
    return other in reached


def facts_of(expr: x.Expr | None, holds: bool, env: Env) -> Facts:
    """The seats that are the same where a condition holds, or where it does not."""
    match expr:
        case x.Op(name="not"):
            return facts_of(expr.arguments[0], not holds, env)
        case x.Op(name="and" | "or") if holds == (expr.name == "and"):
            left, right = (facts_of(argument, holds, env) for argument in expr.arguments)
            return left | right
        case x.Op(name="==") if holds:
            keys = [key_of(argument, env) for argument in expr.arguments]
            if not any(UNKNOWN in key for key in keys):
                return frozenset((frozenset(keys),))
    return frozenset()


@define
class Sight:
    """Finds what is read; ``holds`` says of a condition whether the mode settles it."""

    program: Program
    holds: Callable[[x.Expr], bool | None] = lambda condition: None
    _questions: dict[str, tuple[Reading, ...]] = Factory(dict)

    def readings(self, expr: object, env: Env, facts: Facts, where: str) -> list[Reading]:
        """What an expression, or a tuple of them, reads that not everybody sees, in that order.

        ``where`` is the name of the rule or question that it stands in.
        """
        return list(self._readings(expr, env, facts, where))

    def _readings(self, expr: object, env: Env, facts: Facts, where: str) -> Iterator[Reading]:
        match expr:
            case x.Read():
                yield from self._readings(expr.owner, env, facts, where)
                if self._is_secret(expr):
                    yield Reading(expr.field, key_of(expr.owner, env), facts, expr.span)
            case x.Op(name="size" | "empty", arguments=(x.Read() as zone,)):
                yield from self._readings(zone.owner, env, facts, where)
            case x.Op(name="and" | "or"):
                left, right = expr.arguments
                yield from self._readings(left, env, facts, where)
                if self.holds(left) is not (expr.name == "or"):
                    facts |= facts_of(left, expr.name == "and", env)
                    yield from self._readings(right, env, facts, where)
            case x.If():
                yield from self._readings(expr.condition, env, facts, where)
                yield from self._branch(expr.condition, True, expr.yes, env, facts, where)
                yield from self._branch(expr.condition, False, expr.no, env, facts, where)
            case x.Each():
                yield from self._each(expr, env, facts, where)
            case x.AskDefine():
                yield from self._readings(expr.arguments, env, facts, where)
                given = {n: key_of(a, env) for n, a in enumerate(expr.arguments)}
                for reading in self.question(expr.define):
                    made = reading.put(given)
                    yield evolve(
                        made, facts=made.facts | facts, span=expr.span, question=expr.define
                    )
            case tuple():
                for item in expr:
                    yield from self._readings(item, env, facts, where)
            case x.Expr():
                yield from self._readings(tuple(x.parts(expr)), env, facts, where)

    def _branch(
        self, condition: x.Expr, holds: bool, expr: x.Expr, env: Env, facts: Facts, where: str
    ) -> Iterator[Reading]:
        if self.holds(condition) is not (not holds):
            yield from self._readings(expr, env, facts | facts_of(condition, holds, env), where)

    def _each(self, expr: x.Each, env: Env, facts: Facts, where: str) -> Iterator[Reading]:
        if is_count(expr) and isinstance(expr.source, x.Read):
            yield from self._readings(expr.source.owner, env, facts, where)
            return
        yield from self._readings(expr.source, env, facts, where)
        inner = {**env, expr.slot: bound(expr, where)}
        yield from self._readings(expr.condition, inner, facts, where)
        facts |= facts_of(expr.condition, True, inner)
        rest = (expr.value, *(order for _, order in expr.orders))
        yield from self._readings(rest, inner, facts, where)

    def question(self, name: str) -> tuple[Reading, ...]:
        """What a question of the game reads; its arguments are its first locals."""
        if name not in self._questions:
            question = self.program.questions[name]
            found: list[Reading] = []
            facts: Facts = frozenset()
            for condition, value in question.branches:
                found += self._readings(condition, {}, facts, name)
                holds = True if condition is None else self.holds(condition)
                if holds is not False:
                    here = facts | facts_of(condition, True, {})
                    found += self._readings(value, {}, here, name)
                if holds is True:
                    break
                facts |= facts_of(condition, False, {})
            self._questions[name] = tuple(dict.fromkeys(found))
        return self._questions[name]

    def _is_secret(self, expr: x.Read) -> bool:
        field = self.program.state.get(expr.field)
        return field is not None and not is_open(field)


def is_open(field: StateField) -> bool:
    """May everybody see the field?"""
    return not field.hidden and field.seen_by is None


def is_count(expr: x.Each) -> bool:
    """Is nothing asked of a collection but how many items it has?"""
    return expr.name == "count" and expr.condition is None and expr.value is None


def bound(expr: x.Each, where: str) -> str:
    """The key of what a question over many goes through."""
    every = isinstance(expr.source, x.All) or (
        isinstance(expr.source, x.Read) and expr.source.field == "players"
    )
    return f"{'*' if every else '~'}{where}.{expr.slot};"


# ---------------------------------------------------------------- who sees it

SEEN, UNSURE, UNSEEN = "seen", "unsure", "unseen"


def seen(field: StateField, reading: Reading, by: str) -> str:
    """May the seat ``by`` see what is read: `SEEN`, `UNSEEN`, or `UNSURE` until it is played?"""
    if field.hidden or field.seen_by is None:
        return UNSEEN if field.hidden else SEEN
    return _is_among(field.seen_by, by, {0: reading.owner}, reading.facts)


def _is_among(whom: x.Expr, by: str, env: Env, facts: Facts) -> str:
    """Is a seat the one that is meant, or one of them?"""
    if not isinstance(whom.type, Many):
        return compared(key_of(whom, env), by, facts)
    match whom:
        case x.Read(field="players"):
            return SEEN
        case x.Items():
            found = [_is_among(item, by, env, facts) for item in whom.items]
            if SEEN in found:
                return SEEN
            return UNSURE if UNSURE in found else UNSEEN
        case x.Each(
            name="list", source=x.Read(field="players"), condition=x.Expr() as asked, value=None
        ):
            holds = _holds(asked, {**env, whom.slot: by}, facts)
            return UNSURE if holds is None else SEEN if holds else UNSEEN
    return UNSURE


def _holds(condition: x.Expr, env: Env, facts: Facts) -> bool | None:
    """Does a condition about seats hold? None where that is not known."""
    match condition:
        case x.Op(name="not"):
            holds = _holds(condition.arguments[0], env, facts)
            return None if holds is None else not holds
        case x.Op(name="=="):
            one, other = (key_of(argument, env) for argument in condition.arguments)
            return True if same(one, other, facts) else None
    return None


def compared(one: str, by: str, facts: Facts) -> str:
    """Are two seats the same? Where a question of the game says which, that is not known."""
    if same(one, by, facts):
        return SEEN
    ranges_over_all = one.startswith("*") and one.endswith(";")
    is_plain = not any(sign in one + by for sign in (UNKNOWN, "?", "~"))
    return UNSEEN if ranges_over_all or is_plain else UNSURE

"""What a name stands for: a local, a value, a question, state, a type; and fields by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.context import Key
from rulelang.checker.facts import bare
from rulelang.checker.questions import ask_define
from rulelang.diagnostic import Span, suggest
from rulelang.program import expressions as x
from rulelang.program.types import (
    ANY_NUM,
    BAD,
    FLAG,
    TEXT,
    Many,
    Named,
    Num,
    Type,
    either,
    members,
)
from rulelang.program.values import Domain, Entry, figures
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions

CONSTANTS = {"yes": True, "no": False}


def domain(checker: Expressions, kind: Type) -> Domain | None:
    """The values of a type that has names."""
    return checker.context.program.domains.get(kind.domain) if isinstance(kind, Named) else None


def entry(checker: Expressions, span: Span, found: Entry) -> x.Expr:
    """An entry as an expression; it counts as used."""
    checker.context.use("value", f"{found.domain}.{found.key}")
    return x.Const(Named(found.domain), span, found)


def name(checker: Expressions, node: t.Ref, expected: Type | None) -> x.Expr:
    """What a name stands for; reports unknown ones."""
    context = checker.context
    variable = checker.scope.find(node.name)
    if variable is not None:
        return x.Local(variable.type, node.span, variable.slot, node.name)
    value = _value(checker, node.name, expected)
    if value is not None:
        return entry(checker, node.span, value)
    question = context.program.questions.get(node.name)
    if question is not None:
        return ask_define(checker, question, (), node)
    field = context.program.state.get(node.name)
    if field is not None:
        context.use("state", field.key)
        return x.Read(field.type, node.span, field.key, None, "")
    special = _special(checker, node)
    if special is not None:
        return special
    if node.name in context.program.domains:
        context.use("type", node.name)
        context.use("all", node.name)
        return x.All(Many("list", Named(node.name)), node.span, node.name)
    return _bare_value(checker, node, expected)


def _bare_value(checker: Expressions, node: t.Ref, expected: Type | None) -> x.Expr:
    """A value by its name alone, where nothing says of which type it must be."""
    context = checker.context
    candidates = context.values.get(node.name, [])
    if len(candidates) == 1:
        return entry(checker, node.span, candidates[0])
    if candidates:
        domains = ", ".join(sorted(found.domain for found in candidates))
        for found in candidates:
            entry(checker, node.span, found)
        context.report(
            "N211",
            f"`{node.name}` could be a value of several types: {domains}",
            node.span,
            help="Use it where one of them is expected, or compare it with something of that type.",
        )
    elif not _may_be_missing(checker, expected):
        _unknown(checker, node, expected)
    return checker.bad(node.span)


def _may_be_missing(checker: Expressions, expected: Type | None) -> bool:
    """May the name be one of a type of which some values were reported?"""
    incomplete = checker.context.incomplete
    if expected is None or expected == BAD:
        return bool(incomplete)
    return any(isinstance(kind, Named) and kind.domain in incomplete for kind in members(expected))


def looks_ahead(checker: Expressions, node: t.Binary) -> Type | None:
    """The type of the right side of a comparison, where it may tell what the left one means."""
    left, right = bare(node.left), bare(node.right)
    if not isinstance(left, t.Ref) or len(checker.context.values.get(left.name, ())) < 2:
        return None
    with checker.context.trial():
        return checker.infer(right).type


def _special(checker: Expressions, node: t.Ref) -> x.Expr | None:
    """The names that every game has."""
    name, program = node.name, checker.context.program
    if name in CONSTANTS:
        return x.Const(FLAG, node.span, CONSTANTS[name])
    if name == "players":
        return x.Read(Many("list", Named("Player")), node.span, "players", None, "")
    if name == "mode":
        return x.Read(Named("Mode"), node.span, "mode", None, "")
    if name in program.settings:
        checker.context.use("setting", name)
        return x.Read(Named(program.settings[name].domain), node.span, name, None, "")
    if name in program.dice:
        checker.context.use("die", name)
        faces = program.dice[name]
        item = either(*(_face_type(face) for face in faces)) if faces else BAD
        return x.Const(Many("list", item), node.span, faces)
    return None


def _face_type(face: object) -> Type:
    if isinstance(face, Entry):
        return Named(face.domain)
    return Num(face, face) if isinstance(face, int) else BAD


def _value(checker: Expressions, name: str, expected: Type | None) -> Entry | None:
    """A value of this name in an expected domain."""
    if expected is None:
        return None
    wanted = {kind.domain for kind in members(expected) if isinstance(kind, Named)}
    known = checker.context.values.get(name, ())
    return next((found for found in known if found.domain in wanted), None)


def _unknown(checker: Expressions, node: t.Ref, expected: Type | None) -> None:
    context, program = checker.context, checker.context.program
    candidates = [*checker.scope.names, *program.questions]
    candidates += [key for key, field in program.state.items() if not field.per]
    candidates += [*program.settings, *program.dice, *program.domains, *context.values]
    candidates += ["players", "mode", "yes", "no"]
    help = None
    if node.name in program.signatures:
        help = f"`{node.name}` is a rule: it is performed on a line of its own, never asked."
        context.report("T308", f"`{node.name}` is a rule, and no value", node.span, help=help)
        return
    kept = next((f for f in program.state.values() if f.per and f.name == node.name), None)
    if kept is not None:  # also used, in its way: its declaration is not idle too
        context.use("state", kept.key)
        help = f"Each {kept.per} has its own: say whose, for instance `p.{node.name}`."
    wanted = [
        kind
        for kind in (members(expected) if expected is not None else ())
        if isinstance(kind, Named) and kind.domain != "Player"
    ]
    entries = [e for kind in wanted for e in getattr(domain(checker, kind), "entries", ())]
    keys = [str(found.key) for found in entries]
    if wanted and (suggest(node.name, keys) or not suggest(node.name, candidates)):
        candidates = keys
        if 0 < len(keys) <= 8:
            help = "One of: " + ", ".join(keys) + "."
        what = " or ".join(kind.domain for kind in wanted)
    else:
        what = "value"
    context.report_unknown(node.name, node.span, what, candidates, help=help)


# ---------------------------------------------------------------- fields


def attribute(checker: Expressions, value: x.Expr, kind: Named, name: t.Name) -> x.Expr | None:
    """A field of the state or of the kind, of a value; None if there is none."""
    context = checker.context
    span = value.span.to(name.span)
    state = context.program.state.get(f"{kind.domain}.{name.text}")
    if state is not None:
        context.use("state", state.key)
        return x.Read(state.type, span, state.key, value, kind.domain)
    if f".{name.text}" in context.broken or kind.domain in context.broken:
        return checker.bad(span)
    schema = context.program.kinds.get(kind.domain)
    place = schema.place(name.text) if schema is not None else None
    if schema is None or place is None:
        return None
    if place < 0:
        return x.FieldOf(ANY_NUM if schema.key == "number" else TEXT, span, value, -1)
    context.use("field", f"{schema.name}.{name.text}")
    return x.FieldOf(schema.fields[place].type, span, value, place)


def fields_of(checker: Expressions, domain: str) -> list[str]:
    """The fields that values of a domain have."""
    program = checker.context.program
    found = [field.name for field in program.state.values() if field.per == domain]
    kind = program.kinds.get(domain)
    if kind is not None:
        found += [field.name for field in kind.fields] + [kind.key] * bool(kind.key)
    return found


def _seat(node: t.Index, found: Entry) -> x.Expr:
    """A seat by its number: a game with fewer players stops at it."""
    kind = Named("Player")
    seats = x.Read(Many("list", kind), node.span, "players", None, "")
    place = x.Const(Num(1, None), node.span, found.index + 1)
    return x.Op(kind, node.span, "item", (seats, place))


def by_key(checker: Expressions, node: t.Index, domain: str) -> x.Expr:
    """``Card[4]``: an entry by its key; or by its place, where entries have names."""
    context = checker.context
    entries = context.program.domains[domain]
    key = bare(node.index)
    context.use("type", domain)
    wanted: object = None
    if isinstance(key, t.Number):
        wanted = key.value
    elif isinstance(key, t.Ref) and checker.scope.find(key.name) is None:
        wanted = key.name
    elif isinstance(key, t.String):
        wanted = key.value
    found = entries.by_key.get(wanted) if isinstance(wanted, Key) else None
    if found is not None and domain == "Player":
        return _seat(node, found)
    if found is not None:
        return entry(checker, node.span, found)
    if isinstance(key, t.Number) and any(isinstance(known, int) for known in entries.by_key):
        context.report_unknown(figures(key.value), key.span, domain, ())
        return checker.bad(node.span)
    index = checker.check(node.index, Num(1, None))
    context.use("all", domain)
    everything = x.All(Many("list", Named(domain)), node.span, domain)
    return x.Op(Named(domain), node.span, "item", (everything, index))

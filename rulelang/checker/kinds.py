"""Kinds: the schemas of the content."""

from __future__ import annotations

from attrs import evolve

from rulelang.checker.context import Context, plain
from rulelang.checker.expressions import Expressions
from rulelang.checker.scope import Scope
from rulelang.checker.typing import absent_of, declare_type, resolve
from rulelang.diagnostic import Note
from rulelang.program import expressions as x
from rulelang.program import program as p
from rulelang.program.program import PLACE, PLACES
from rulelang.program.types import BAD, NONE, Named, Table, Type, either, members
from rulelang.program.values import Domain, Value
from rulelang.syntax import tree as t

KEYS = ("number", "name", "letter", PLACE)
MOST_NUMBERS = 10_000


def kind_names(context: Context, kinds: list[t.Kind]) -> list[t.Kind]:
    """Enter the kinds' names, so that types may name them; the kinds whose names are new."""
    known: dict[str, t.Kind] = {}
    for kind in kinds:
        same = known.get(plain(kind.name.text))
        if same is not None and same.name.text != kind.name.text:
            context.report(
                "N202",
                f"`{kind.name.text}` and `{same.name.text}` are one name in content",
                kind.name.span,
                notes=[Note(same.name.span, "the first one")],
                help="Capitals, blanks and hyphens do not count there; rename one.",
            )
        elif declare_type(context, kind.name, "a kind"):
            context.program.domains[kind.name.text] = Domain(kind.name.text)
            known[plain(kind.name.text)] = kind
    return list(known.values())


def kind_schemas(context: Context, kinds: list[t.Kind]) -> None:
    """The fields of the kinds, without what they hold if nothing is said."""
    inner = frozenset(
        kind.name.text for kind in kinds if kind.key is None or kind.key.text == PLACE
    )
    for kind in kinds:
        name = kind.name.text
        cites = context.cite(kind.cites, "declaration", name)
        subject = None
        if kind.subject is not None:
            subject = kind.subject.name.text, resolve(context, kind.subject.type)
        context.program.kinds[name] = p.Kind(
            name,
            _key(context, kind),
            _base(context, kind),
            subject,
            _variants(context, kind),
            fields_of(context, kind, inner),
            kind.name.span,
            cites,
            kind.key is not None and kind.key.text == PLACE,
        )


def beginnings(context: Context, kinds: list[t.Kind]) -> None:
    """Report kinds and variants whose entries would begin with the same word in content."""
    known: dict[str, tuple[t.Name, str]] = {}
    for kind in kinds:
        if not context.program.kinds[kind.name.text].key:
            continue
        for name in kind.variants or (kind.name,):
            first, owner = known.setdefault(plain(name.text), (name, kind.name.text))
            if first is name or (first.text == name.text and owner == kind.name.text):
                continue
            context.report(
                "N202",
                f"`{name.text}` begins the entries of {owner} already",
                name.span,
                notes=[Note(first.span, "the first one")],
                help="Capitals, blanks and hyphens do not count in content; rename one.",
            )


def _key(context: Context, kind: t.Kind) -> str:
    if kind.key is None:
        return ""
    if kind.key.text not in KEYS:
        context.report_unknown(kind.key.text, kind.key.span, "key", KEYS)
        context.incomplete.add(kind.name.text)
        return "name"
    return "" if kind.key.text == PLACE else kind.key.text


def _base(context: Context, kind: t.Kind) -> tuple[int, int | None] | None:
    """The numbers that the entries must have."""
    if kind.base is None:
        return None
    low, high = kind.base.low, kind.base.high
    if kind.key is not None and kind.key.text != "number":
        message = "only entries that are known by a number have a range of them"
        context.report("T303", message, kind.base.span)
        return None
    if high is not None and not low <= high < low + MOST_NUMBERS:
        message = f"no number is {low} to {high}" if high < low else "these are too many"
        help = f"At most {MOST_NUMBERS:,} are allowed."
        context.report("T303", message, kind.base.span, help=help)
        return None
    return low, high


def _variants(context: Context, kind: t.Kind) -> tuple[str, ...]:
    seen: dict[str, t.Name] = {}
    for variant in kind.variants:
        known = seen.setdefault(variant.text, variant)
        if known is not variant:
            note = Note(known.span, "the first one")
            message = f"`{variant.text}` stands twice among the variants"
            context.report("N202", message, variant.span, notes=[note])
    return tuple(seen)


def fields_of(context: Context, kind: t.Kind, inner: frozenset[str]) -> tuple[p.KindField, ...]:
    """The fields that a kind declares, without what they hold if nothing is said.

    ``inner`` are the kinds whose entries stand inside others.
    """
    fields: dict[str, p.KindField] = {}
    if kind.key is not None and kind.key.text == PLACE:
        fields[PLACE] = p.KindField(PLACE, PLACES, None, kind.key.span)
    for written in kind.fields:
        name, span = written.name.text, written.name.span
        cites = context.cite(written.cites, "declaration", f"{kind.name.text}.{name}")
        if kind.key is not None and name == kind.key.text:
            message = f"`{name}` is what a {kind.name.text} is known by already"
            context.report("N202", message, span, notes=[Note(kind.key.span, "declared here")])
            continue
        if name in fields:
            note = Note(fields[name].span, "the first one")
            context.report("N202", f"`{name}` is declared twice", span, notes=[note])
            continue
        if written.hidden or written.clamped or written.seen_by is not None:
            message = "what stands on an entry is open to all, and never changes"
            context.report("T305", message, span, help="Keep what changes in the state.")
        type_ = _settled(context, written.type, resolve(context, written.type), inner)
        fields[name] = p.KindField(name, type_, None, span, cites)
    return tuple(fields.values())


def _settled(context: Context, node: t.TypeExpr, kind: Type, inner: frozenset[str]) -> Type:
    """The type of a field: a map has no value for keys that an entry does not name."""
    if any(isinstance(m, Named) and m.domain == "Player" for m in members(kind)):
        help = "Seats are known only in play."
        context.report("T301", "content cannot name a player", node.span, help=help)
        return BAD
    if not isinstance(kind, Table):
        return kind
    if kind.key.domain in inner:
        message = f"the entries of {kind.key} have no names to be keys"
        context.report("T301", message, node.span)
        return BAD
    if absent_of(kind.value) is None:
        return Table(kind.key, either(kind.value, NONE))
    return kind


def kind_defaults(context: Context, kinds: list[t.Kind]) -> None:
    """What fields hold if an entry says nothing of them."""
    for kind in kinds:
        schema = context.program.kinds[kind.name.text]
        written = {f.name.text: f.default for f in kind.fields if f.default is not None}
        fields = tuple(
            evolve(field, default=_default(context, written[field.name], field.type))
            if field.name in written
            else field
            for field in schema.fields
        )
        context.program.kinds[schema.name] = evolve(schema, fields=fields)


def _default(context: Context, node: t.Expr, kind: Type) -> x.Expr:
    expr = Expressions(context, Scope(context)).check(node, kind)
    if expr.type == BAD:
        return x.Const(BAD, node.span, None)
    try:
        value = _value(expr)
    except ValueError:
        help = "A number, a name, a text, `none`, or a list of these."
        context.report("T301", "a plain value is needed here", node.span, help=help)
        return x.Const(BAD, node.span, None)
    return x.Const(expr.type, node.span, value)


def _value(expr: x.Expr) -> Value:
    """The value of an expression that depends on nothing. ValueError if it depends on something."""
    if isinstance(expr, x.Const):
        return expr.value
    if isinstance(expr, x.Items):
        return tuple(_value(item) for item in expr.items)
    raise ValueError(expr)

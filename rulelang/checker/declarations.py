"""Settings, state, endings and outcomes."""

from __future__ import annotations

from attrs import evolve

from rulelang.checker.cards import SEATS
from rulelang.checker.context import Context, overlap
from rulelang.checker.expressions import Expressions
from rulelang.checker.headers import domain
from rulelang.checker.scope import Scope
from rulelang.checker.typing import resolve, resolve_place
from rulelang.checker.wording import quoted
from rulelang.diagnostic import Note
from rulelang.program import program as p
from rulelang.program.types import ANY_NUM, BAD, NONE, Many, Named, Table, Type, members
from rulelang.syntax import tree as t

MOST_LOCALS = 60
"""Names and values that a starting value may be worked out with."""


def settings(context: Context, nodes: list[t.Setting]) -> None:
    """Settings and rulings, each with a domain of its readings."""
    for node in nodes:
        if context.declare(node.name, "a ruling" if node.ruling else "a setting"):
            _setting(context, node)


def _setting(context: Context, node: t.Setting) -> None:
    name = node.name.text
    readings: dict[str, t.Reading] = {}
    for reading in node.readings:
        context.cite(reading.cites, "declaration", f"{name} {reading.name.text}")
        known = readings.setdefault(reading.name.text, reading)
        if known is not reading:
            note = Note(known.name.span, "the first one")
            message = f"`{reading.name.text}` stands twice among the readings"
            context.report("N202", message, reading.name.span, notes=[note])
    made = domain(context, name, [(key, key, r.name.span) for key, r in readings.items()])
    default = made.by_key.get(node.default.text)
    if default is None:
        what = f"reading of {name}"
        context.report_unknown(node.default.text, node.default.span, what, readings)
        default = made.entries[0]
    context.program.settings[name] = p.Setting(
        name,
        node.text.value if node.text is not None else name,
        node.ruling,
        context.modes(node.modes),
        default,
        name,
        {key: r.text.value if r.text is not None else key for key, r in readings.items()},
        node.name.span,
        context.cite(node.cites, "declaration", name),
    )


# ---------------------------------------------------------------- state

Fields = list[tuple[t.State, t.FieldDecl, p.StateField]]


def state(context: Context, nodes: list[t.State]) -> Fields:
    """The fields of the state, without their starting values (`state_defaults`)."""
    made: Fields = []
    for node in nodes:
        per = _owner(context, node)
        modes = context.modes(node.modes)
        cites = context.cite(node.cites, "declaration", "state")
        for written in node.fields:
            field = _field(context, written, per or "", modes, cites)
            if per is None:
                context.broken.add(f".{written.name.text}")
            elif _is_new(context, field, written):
                context.program.state[field.key] = field
                made.append((node, written, field))
    return made


def _owner(context: Context, node: t.State) -> str | None:
    """For each of which domain the fields are kept; None if that was reported."""
    if node.per is None:
        return ""
    owner = resolve(context, node.per.type)
    if isinstance(owner, Named):
        context.use("all", owner.domain)
        return owner.domain
    if owner != BAD:
        message = "state is kept per player, per name or per entry"
        context.report("T301", message, node.per.type.span)
    return None


def _field(
    context: Context, written: t.FieldDecl, per: str, modes: p.Cites, cites: p.Cites
) -> p.StateField:
    name, kind = written.name.text, resolve_place(context, written.type)
    own = context.cite(written.cites, "declaration", name)
    return p.StateField(
        name,
        per,
        kind,
        written.hidden,
        None,
        written.clamped,
        None,
        modes,
        written.name.span,
        cites + own,
    )


def _is_new(context: Context, field: p.StateField, written: t.FieldDecl) -> bool:
    known = context.program.state.get(field.key)
    if known is not None:
        note = Note(known.span, "the first one")
        context.report("N202", f"`{field.name}` is declared twice", field.span, notes=[note])
        return False
    kind = context.program.kinds.get(field.per)
    if kind is not None and kind.place(field.name) is not None:
        note = Note(kind.span, f"{kind.name} is declared here")
        message = f"a {kind.name} has a field `{field.name}` already"
        context.report("N202", message, field.span, notes=[note])
        return False
    return bool(field.per) or context.declare(written.name, "state")


def state_defaults(context: Context, made: Fields) -> None:
    """Starting values, and who may see."""
    for node, written, field in made:
        scope = Scope(context)
        if node.per is not None:
            scope.bind(node.per.name, Named(field.per))
        checker = Expressions(context, scope, referee=True)
        default = seen_by = None
        if written.default is not None:
            kind = field.type
            wanted = Many("list", kind.item) if isinstance(kind, Many) else kind
            default = checker.check(written.default, wanted)
        if written.seen_by is not None:
            seen_by = checker.check(written.seen_by, SEATS)
        if scope.slots > MOST_LOCALS:
            message = "this starting value is worked out in too many steps"
            help = "Set it in a rule instead."
            context.report("S108", message, field.span, help=help)
        made_field = evolve(field, default=default, seen_by=seen_by)
        context.program.state[field.key] = made_field


def starts(context: Context, made: Fields) -> None:
    """Report fields that cannot start, since their type has no value: when entries are known."""
    for _, written, field in made:
        if written.default is None:
            _has_start(context, field)


def _has_start(context: Context, field: p.StateField) -> None:
    kinds: list[Type] = [field.type.value if isinstance(field.type, Table) else field.type]
    if NONE in members(kinds[0]):
        return
    first = members(kinds[0])[0]
    if not isinstance(first, Named) or first.domain in context.incomplete:
        return
    made = context.program.domains.get(first.domain)
    if made is not None and not made.entries:
        context.report(
            "C501",
            f"`{field.name}` must be a {first.domain}, and there is none",
            field.span,
            help=f"Write an entry, or declare it as `{first.domain} or none`.",
        )


# ---------------------------------------------------------------- endings and outcomes


def endings(context: Context, nodes: list[t.Ending]) -> None:
    """How a game may end."""
    values = []
    for node in nodes:
        if not context.declare(node.name, "an ending"):
            continue
        name = node.name.text
        text = node.text.value if node.text is not None else name.replace("_", " ")
        values.append((name, text, node.name.span))
        context.program.endings[name] = p.Ending(
            name,
            text,
            node.completes.text if node.completes is not None else "",
            context.modes(node.modes),
            node.name.span,
            context.cite(node.cites, "declaration", name),
        )
    domain(context, "Ending", values)


def ending_subjects(context: Context, nodes: list[t.Ending]) -> None:
    """For whom endings come, and which scopes they complete: when types and scopes are known."""
    for node in nodes:
        if node.subject is not None:
            kind = resolve(context, node.subject.type)
            context.ending_subjects.setdefault(node.name.text, kind)
        if node.completes is not None:
            label = node.completes.text
            context.use("scope", label)
            if label not in context.scopes:
                span = node.completes.span
                context.report_unknown(label, span, "scope", context.scopes, code="R407")


def outcomes(context: Context, nodes: list[t.Outcome]) -> None:
    """Who has won and lost, and the scores."""
    for place, node in enumerate(nodes):
        for other in nodes[:place]:
            one, two = (tuple(m.text for m in n.modes) for n in (other, node))
            if overlap(one, two):
                shared = sorted(set(one) & set(two)) or sorted(one or two)
                where = f" for {quoted(shared)}" if shared else ""
                note = Note(other.span, "the first one")
                help = "Each mode has one outcome: `outcome in solo`."
                message = f"the outcome is declared twice{where}"
                context.report("N202", message, node.span, notes=[note], help=help)
        context.program.outcomes.append(_outcome(context, node))


def _outcome(context: Context, node: t.Outcome) -> p.Outcome:
    scope = Scope(context)
    checker = Expressions(context, scope, referee=True)
    cites = context.cite(node.cites, "declaration", "outcome")
    verdicts = []
    for verdict in node.verdicts:
        condition = won = lost = None
        if verdict.condition is not None:
            condition = checker.condition(verdict.condition)
        if verdict.won is not None:
            won = checker.check(verdict.won, SEATS)
        if verdict.lost is not None:
            lost = checker.check(verdict.lost, SEATS)
        own = context.cite(verdict.cites, "declaration", "outcome")
        verdicts.append(p.Verdict(condition, won, lost, own))
    modes = context.modes(node.modes)
    scores = tuple(_score(context, score) for score in node.scores if not score.evaluates)
    worth = _worth(context, [score for score in node.scores if score.evaluates])
    return p.Outcome(modes, tuple(verdicts), scores, scope.slots, cites, worth)


def _score(context: Context, node: t.Scores) -> p.Score:
    scope = Scope(context)
    scope.bind(node.player.name, _scorer(context, node))
    # Scores are counted when all is over, and then everything is open.
    value = Expressions(context, scope, referee=not node.evaluates).check(node.value, ANY_NUM)
    word = "evaluate" if node.evaluates else "scores"
    return value, scope.slots, context.cite(node.cites, "declaration", word)


def _worth(context: Context, nodes: list[t.Scores]) -> p.Score | None:
    """How good a position is for a player: for bots."""
    for node in nodes[1:]:
        note = Note(nodes[0].span, "the first one")
        message = "how good a position is stands here twice"
        context.report("N202", message, node.span, notes=[note])
    return _score(context, nodes[0]) if nodes else None


def _scorer(context: Context, node: t.Scores) -> Type:
    kind = resolve(context, node.player.type)
    if kind not in (BAD, Named("Player")):
        context.report("T301", "players have scores, and nothing else", node.player.type.span)
        return BAD
    return kind

"""The declarations of the rules book: first what they declare, then what they say."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from attrs import define, field

from rulelang.check.context import Context, Origin, overlap, plain
from rulelang.check.expressions import Expressions
from rulelang.check.headers import domain
from rulelang.check.scope import Scope
from rulelang.check.statements import Statements
from rulelang.check.typing import resolve
from rulelang.diagnostic import Note
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import (
    ANY_NUM, BAD, FLAG, Many, Named, Type, either,
)  # fmt: skip
from rulelang.program.values import Domain
from rulelang.syntax import tree as t


def kind_names(context: Context, kinds: list[t.Kind]) -> list[t.Kind]:
    """Enter the kinds' names, so that types may name them; the kinds whose names are new."""
    known = []
    for kind in kinds:
        if context.declare(kind.name, "a kind"):
            context.program.domains[kind.name.text] = Domain(kind.name.text)
            known.append(kind)
    return known


def kind_schemas(context: Context, kinds: list[t.Kind]) -> None:
    """The fields of the kinds."""
    for kind in kinds:
        name, key = kind.name.text, kind.key.text if kind.key is not None else ""
        cites = context.cite(kind.cites, "declaration", name)
        if key not in ("", "number", "name", "letter") and kind.key is not None:
            context.report_unknown(key, kind.key.span, "key", ["number", "name", "letter"])
        subject = (kind.subject.name.text, resolve(context, kind.subject.type)) if kind.subject else None
        base = (kind.base.low, kind.base.high) if kind.base is not None else None
        fields = []
        for written in kind.fields:
            if any(f.name == written.name.text for f in fields):
                context.report("N202", f"`{written.name.text}` is declared twice", written.name.span)
                continue
            type_ = resolve(context, written.type)
            default = None
            if written.default is not None:
                default = Expressions(context, Scope(context)).check(written.default, type_)
            cited = context.cite(written.cites, "declaration", f"{name}.{written.name.text}")
            fields.append(p.KindField(written.name.text, type_, default, written.name.span, cited))
        variants = tuple(variant.text for variant in kind.variants)
        context.program.kinds[name] = p.Kind(
            name, key, base, subject, variants, tuple(fields), kind.name.span, cites
        )


def settings(context: Context, nodes: list[t.Setting]) -> None:
    """Settings and rulings, each with a domain of its readings."""
    for node in nodes:
        what = "a ruling" if node.ruling else "a setting"
        if not context.declare(node.name, what):
            continue
        name = node.name.text
        made = domain(context, name, [(r.name.text, r.name.text, r.name.span) for r in node.readings])
        default = made.by_key.get(node.default.text)
        if default is None:
            context.report_unknown(node.default.text, node.default.span, f"reading of {name}", [r.name.text for r in node.readings])
            default = made.entries[0]
        context.use("value", f"{name}.{default.key}")
        for reading in node.readings:
            context.cite(reading.cites, "declaration", f"{name} {reading.name.text}")
        context.program.settings[name] = p.Setting(
            name, node.text.value if node.text is not None else name, node.ruling, context.modes(node.modes),
            default, name, {r.name.text: r.text.value if r.text else r.name.text for r in node.readings},
            node.name.span, context.cite(node.cites, "declaration", name),
        )  # fmt: skip


def state(context: Context, nodes: list[t.State]) -> list[tuple[t.State, t.FieldDecl, p.StateField]]:
    """The fields of the state, without their starting values; those are checked by `state_defaults`."""
    made = []
    for node in nodes:
        per = ""
        if node.per is not None:
            owner = resolve(context, node.per.type)
            if not isinstance(owner, Named):
                if owner != BAD:
                    context.report("T301", "state is kept per player, per name or per entry", node.per.type.span)
                continue
            per = owner.domain
        modes = context.modes(node.modes)
        block_cites = context.cite(node.cites, "declaration", "state")
        for written in node.fields:
            name, type_ = written.name.text, resolve(context, written.type)
            cites = block_cites + context.cite(written.cites, "declaration", name)
            new = p.StateField(
                name, per, type_, written.hidden, None, written.clamped, None, modes, written.name.span, cites
            )
            known = context.program.state.get(new.key)
            if known is not None:
                context.report(
                    "N202", f"`{name}` is declared twice", written.name.span, notes=[Note(known.span, "first here")]
                )
                continue
            if not per and not context.declare(written.name, "state"):
                continue
            context.program.state[new.key] = new
            made.append((node, written, new))
    return made


def state_defaults(context: Context, made: list[tuple[t.State, t.FieldDecl, p.StateField]]) -> None:
    """Starting values, and who may see."""
    from attrs import evolve

    for node, written, field in made:
        scope = Scope(context)
        if node.per is not None:
            scope.bind(node.per.name, Named(field.per))
        checker = Expressions(context, scope, referee=True)
        default = seen_by = None
        if written.default is not None:
            wanted = Many("list", field.type.item) if isinstance(field.type, Many) else field.type
            default = checker.check(written.default, wanted)
        if written.seen_by is not None:
            seen_by = checker.check(written.seen_by, either(Named("Player"), Many("list", Named("Player"))))
        context.program.state[field.key] = evolve(field, default=default, seen_by=seen_by)


def signatures(context: Context, nodes: list[t.Rule]) -> None:
    """How each rule is called; versions of a rule must agree and be for modes of their own."""
    for node in nodes:
        name = node.name.text
        subject = (node.subject.name.text, resolve(context, node.subject.type)) if node.subject else None
        parameters = tuple((param.name.text, resolve(context, param.type)) for param in node.params)
        gives = resolve(context, node.gives) if node.gives is not None else None
        signature = p.Signature(name, parameters, subject, gives)
        others = context.rule_nodes.setdefault(name, [])
        known = context.program.signatures.get(name)
        for other in others:
            if overlap(tuple(m.text for m in node.modes), tuple(m.text for m in other.modes)):
                context.report(
                    "N202", f"rule `{name}` is declared twice", node.name.span,
                    notes=[Note(other.name.span, "the first is here")],
                    help="Versions of a rule are for modes of their own: `rule … in solo`.",
                )  # fmt: skip
        if known is not None and _shape(known) != _shape(signature):
            context.report(
                "T302", f"this version of `{name}` is called differently from the first", node.name.span,
                notes=[Note(others[0].name.span, "the first is here")],
            )  # fmt: skip
        others.append(node)
        context.program.signatures.setdefault(name, signature)


def _shape(signature: p.Signature) -> object:
    subject = signature.subject[1] if signature.subject is not None else None
    return [kind for _, kind in signature.parameters], subject, signature.gives


def defines(context: Context, nodes: list[t.Define]) -> None:
    """Questions, each after those that it asks; their types are inferred."""
    for node in nodes:
        if context.declare(node.name, "a question"):
            context.define_nodes[node.name.text] = node
    asked = {
        name: {n.name for n in t.walk(node) if isinstance(n, t.Ref)} & context.define_nodes.keys()
        for name, node in context.define_nodes.items()
    }
    for name in _in_order(context, asked):
        _define(context, context.define_nodes[name])


def _in_order(context: Context, asked: dict[str, set[str]]) -> list[str]:
    while True:
        try:
            return list(TopologicalSorter({name: sorted(others) for name, others in asked.items()}).static_order())
        except CycleError as error:
            cycle: list[str] = error.args[1]
            first = context.define_nodes[cycle[0]]
            context.report(
                "R404", "this question asks itself: " + " asks ".join(f"`{n}`" for n in reversed(cycle)), first.name.span,
                help="A question must come to an end; count on with a rule and a loop instead.",
            )  # fmt: skip
            for name in cycle:
                asked[name] = set()


def _define(context: Context, node: t.Define) -> None:
    scope = Scope(context)
    types = []
    for param in node.params:
        kind = resolve(context, param.type)
        types.append(kind)
        scope.bind(param.name, kind)
    if node.subject is not None:
        kind = resolve(context, node.subject.type)
        types.append(kind)
        scope.bind(node.subject.name, kind)
    wanted = resolve(context, node.gives) if node.gives is not None else None
    checker = Expressions(context, scope)
    name = node.name.text
    cites = context.cite(node.cites, "define", name)
    branches: list[tuple[object, object]] = []
    result: Type | None = wanted
    for branch in node.branches:
        cites += context.cite(branch.cites, "define", name)
        with scope.block():
            condition = None
            if branch.condition is not None:
                condition = checker.condition(branch.condition)
                scope.learn(branch.condition)
            value = checker.check(branch.value, wanted) if wanted is not None else checker.infer(branch.value)
        if branch.condition is not None:
            scope.learn(branch.condition, False)
        branches.append((condition, value))
        if wanted is None:
            result = value.type if result is None else either(result, value.type)
    if node.branches[-1].condition is not None:
        context.report(
            "T306", f"`{name}` has no answer when none of its conditions holds", node.name.span, help="Add `else:`."
        )
    names = tuple(param.name.text for param in node.params) + ((node.subject.name.text,) if node.subject else ())
    context.program.questions[name] = p.Question(
        name, names, tuple(types), result or BAD, tuple(branches), scope.slots, node.name.span, cites  # type: ignore[arg-type]
    )
    _unused_names(context, scope, f"question `{name}`", keep=names)


def endings(context: Context, nodes: list[t.Ending]) -> None:
    """How a game may end."""
    values = []
    for node in nodes:
        if not context.declare(node.name, "an ending"):
            continue
        name = node.name.text
        values.append((name, node.text.value if node.text is not None else name, node.name.span))
        context.program.endings[name] = p.Ending(
            name, node.text.value if node.text is not None else name.replace("_", " "),
            node.completes.text if node.completes is not None else "", context.modes(node.modes),
            node.name.span, context.cite(node.cites, "declaration", name),
        )  # fmt: skip
    domain(context, "Ending", values)


def outcomes(context: Context, nodes: list[t.Outcome]) -> None:
    """Who has won and lost, and the scores."""
    winners = either(Named("Player"), Many("list", Named("Player")))
    for node in nodes:
        scope = Scope(context)
        checker = Expressions(context, scope, referee=True)
        cites = context.cite(node.cites, "declaration", "outcome")
        verdicts = []
        for verdict in node.verdicts:
            condition = checker.condition(verdict.condition) if verdict.condition is not None else None
            won = checker.check(verdict.won, winners) if verdict.won is not None else None
            lost = checker.check(verdict.lost, winners) if verdict.lost is not None else None
            verdicts.append(p.Verdict(condition, won, lost, context.cite(verdict.cites, "declaration", "outcome")))
        scores = []
        for score in node.scores:
            own = Scope(context)
            own.bind(score.player.name, resolve(context, score.player.type))
            value = Expressions(context, own, referee=True).check(score.value, ANY_NUM)
            scores.append((value, own.slots, context.cite(score.cites, "declaration", "scores")))
        context.program.outcomes.append(
            p.Outcome(context.modes(node.modes), tuple(verdicts), tuple(scores), scope.slots, cites)
        )


def moments(context: Context, nodes: list[t.Moment]) -> None:
    """Windows in which something may be played; each is opened like a rule."""
    for node in nodes:
        if not context.declare(node.name, "a moment"):
            continue
        name = node.name.text
        context.moments[name] = node
        context.cite(node.cites, "declaration", name)
        subject = (node.subject.name.text, resolve(context, node.subject.type)) if node.subject else None
        signature = p.Signature(f"moment {name}", (), subject, None)
        context.program.signatures[signature.name] = signature


@define
class Bodies:
    """Rules and hooks: their bodies, lowered."""

    context: Context
    hook_numbers: dict[str, int] = field(factory=dict)

    def rule(self, node: t.Rule) -> None:
        """One version of a rule."""
        signature = self.context.program.signatures[node.name.text]
        scope = Scope(self.context)
        for param in [*node.params, *([node.subject] if node.subject else [])]:
            scope.bind(param.name, resolve(self.context, param.type))
        code = self._code(node.name.text, node.body, scope, signature.gives, "rule", node, signature)
        modes = self.context.modes(node.modes)
        self.context.program.rules.setdefault(node.name.text, []).append(
            p.Rule(code, modes, signature.gives is not None)
        )

    def _code(
        self, name: str, body: t.Body, scope: Scope, gives: Type | None, what: str,
        node: t.Rule | t.Hook, signature: p.Signature, proceeds: p.Signature | None = None,
    ) -> Code:  # fmt: skip
        statements = Statements(self.context, scope, gives, what, name, proceeds)
        parameters = tuple(scope.names)
        header = self.context.cite(body.cites, what, name)
        reached = statements.block(body.statements)
        if reached and gives is not None:
            self.context.report(
                "T307", f"`{name}` may end without giving its result", node.span if isinstance(node, t.Hook) else node.name.span,
                help="Every way through it must end with `return …`.",
            )  # fmt: skip
        from rulelang.program.instructions import Give

        statements.out.emit(Give(body.span, None))
        _unused_names(self.context, scope, f"{what} `{name}`", keep=parameters)
        subject = signature.subject[1] if signature.subject is not None else None
        return Code(
            name, parameters, scope.slots, statements.out.finish(),
            node.name.span if isinstance(node, t.Rule) else node.rule.span, header, tuple(statements.out.cites),
            turn=isinstance(node, t.Rule) and node.turn,
            subject=subject.domain if isinstance(subject, Named) else "",
        )  # fmt: skip

    def hook(self, node: t.Hook) -> None:
        """What happens before, after or instead of a rule."""
        context, target = self.context, node.rule.text
        signature = context.program.signatures.get(target)
        if signature is None:
            context.report_unknown(target, node.rule.span, "rule", context.program.signatures)
            return
        context.use("rule", target)
        scope = Scope(context)
        if not self._bind(node, signature, scope):
            return
        if node.gives is not None and signature.gives is None:
            context.report("T307", f"`{target}` gives nothing", node.gives.span)
            return
        if node.gives is not None and node.moment != "after":
            context.report("R406", "only `after` sees the result", node.gives.span)
            return
        result = None
        if node.moment == "after" and signature.gives is not None:
            name = node.gives or t.Name(node.rule.span, f"{target}_result")
            result = scope.bind(name, signature.gives, fixed=False)
        condition, slots = self._condition(node, scope)
        number = self.hook_numbers.get(target, 0) + 1
        self.hook_numbers[target] = number
        label = node.label.text if node.label is not None else ""
        name = f"{node.moment} {target}" + (f" {label}" if label else f" {number}")
        gives = signature.gives if node.moment == "instead" else None
        proceeds = signature if node.moment == "instead" else None
        code = self._code(name, node.body, scope, gives, "hook", node, signature, proceeds)
        if result is not None:
            code = _giving(code, result, signature.gives)
        context.program.hooks.setdefault(target, []).append(
            p.Hook(
                label or name, node.moment, target, condition, slots, tuple(n.text for n in node.ahead_of), code,
                context.modes(node.modes),
            )
        )

    def _bind(self, node: t.Hook, signature: p.Signature, scope: Scope) -> bool:
        names = node.params
        if names and len(names) != len(signature.parameters):
            self.context.report(
                "T302", f"`{signature.name}` takes {len(signature.parameters)} arguments, and {len(names)} are named",
                node.rule.span,
            )  # fmt: skip
            return False
        for place, (name, kind) in enumerate(signature.parameters):
            scope.bind(names[place] if names else t.Name(node.rule.span, f"{name}#"), kind)
        if signature.subject is not None:
            scope.bind(node.subject or t.Name(node.rule.span, f"{signature.subject[0]}#"), signature.subject[1])
        elif node.subject is not None:
            self.context.report("T304", f"`{signature.name}` is done for nobody in particular", node.subject.span)
            return False
        return True

    def _condition(self, node: t.Hook, scope: Scope) -> tuple[object, int]:
        if node.condition is None:
            return None, scope.slots
        checked = Expressions(self.context, scope).condition(node.condition)
        scope.learn(node.condition)
        return checked, scope.slots


def _giving(code: Code, slot: int, kind: Type | None) -> Code:
    """A hook behind a rule gives the rule's result, changed or not, wherever it ends."""
    from attrs import evolve

    from rulelang.program.expressions import Local
    from rulelang.program.instructions import Give

    assert kind is not None
    instructions = tuple(
        evolve(instruction, value=Local(kind, instruction.span, slot, "")) if isinstance(instruction, Give) else instruction
        for instruction in code.instructions
    )
    return evolve(code, instructions=instructions)


def check_hook_order(context: Context) -> None:
    """Two hooks that may meet need an order."""
    for target, hooks in context.program.hooks.items():
        for place, one in enumerate(hooks):
            for name in one.ahead_of:
                if all(other.name != name for other in hooks):
                    context.report_unknown(name, one.code.span, f"hook of {target}", [h.name for h in hooks])
            for other in hooks[place + 1 :]:
                if one.moment != other.moment or not overlap(one.modes, other.modes):
                    continue
                if other.name in one.ahead_of or one.name in other.ahead_of:
                    continue
                context.report(
                    "R405", f"two hooks {_moment(one.moment)} `{target}` may meet, and have no order", other.code.span,
                    notes=[Note(one.code.span, "the other one")],
                    help=f"Name them, and say which goes first: `{_moment(one.moment)} {target} … as one before two`.",
                )  # fmt: skip


def _moment(word: str) -> str:
    return "instead of" if word == "instead" else word


def _unused_names(context: Context, scope: Scope, where: str, keep: tuple[str, ...] = ()) -> None:
    """Parameters that are never read (a rule's are its interface, and are kept)."""
    for name, variable in scope.names.items():
        if name not in scope.used and name not in keep and not name.endswith("#"):
            context.report("N204", f"`{name}` is never used in {where}", variable.span)


def unused(context: Context) -> None:
    """Names that nothing uses."""
    program, used = context.program, context.used
    for name, nodes in context.rule_nodes.items():
        if ("rule", name) not in used and name != "play":
            context.report(
                "N204", f"nothing uses rule `{name}`", nodes[0].name.span, help="Call it somewhere, or take it away."
            )
    for name, question in program.questions.items():
        if ("define", name) not in used:
            context.report("N204", f"nothing asks `{name}`", question.span)
    for key, field in program.state.items():
        if ("state", key) not in used:
            context.report("N204", f"nothing reads or changes `{field.name}`", field.span)
    for name, setting in program.settings.items():
        if ("setting", name) not in used:
            context.report("N204", f"nothing depends on `{name}`", setting.span)
    for name, ending in program.endings.items():
        if ("ending", name) not in used:
            context.report("N204", f"no rule ends the game by `{name}`", ending.span)


__all__ = ["FLAG", "Origin", "plain"]

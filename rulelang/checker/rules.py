"""Rules and hooks: how they are called, and their bodies."""

from __future__ import annotations

from attrs import define, evolve, field

from rulelang.checker.context import Context, overlap
from rulelang.checker.expressions import Expressions
from rulelang.checker.sayings import saying
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
from rulelang.checker.typing import resolve
from rulelang.checker.wording import counted
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import BAD, NOTHING, Many, Named, Num, Type
from rulelang.syntax import tree as t


def signatures(context: Context, nodes: list[t.Rule]) -> None:
    """How each rule is called; versions of a rule must agree and be for modes of their own."""
    for node in nodes:
        name = node.name.text
        subject = None
        if node.subject is not None:
            subject = node.subject.name.text, resolve(context, node.subject.type)
        parameters = tuple((p.name.text, resolve(context, p.type)) for p in node.params)
        gives = resolve(context, node.gives) if node.gives is not None else None
        signature = p.Signature(name, parameters, subject, gives)
        others = context.rule_nodes.setdefault(name, [])
        _compare(context, node, others, signature)
        others.append(node)
        context.program.signatures.setdefault(name, signature)


def _compare(context: Context, node: t.Rule, others: list[t.Rule], signature: p.Signature) -> None:
    """Does another version of the rule fit this one? Reports it once."""
    name = node.name.text
    mine = tuple(m.text for m in node.modes)
    for other in others:
        if overlap(mine, tuple(m.text for m in other.modes)):
            context.report(
                "N202",
                f"rule `{name}` is declared twice",
                node.name.span,
                notes=[Note(other.name.span, "the first is here")],
                help="Versions of a rule are for modes of their own: `rule … in solo`.",
            )
            return
    known = context.program.signatures.get(name)
    if known is not None and _shape(known) != _shape(signature):
        context.report(
            "T302",
            f"this version of `{name}` is called differently from the first",
            node.name.span,
            notes=[Note(others[0].name.span, "the first is here")],
        )


def _shape(signature: p.Signature) -> object:
    subject = signature.subject[1] if signature.subject is not None else None
    return [kind for _, kind in signature.parameters], subject, signature.gives


@define
class Bodies:
    """Rules and hooks: their bodies, lowered."""

    context: Context
    hook_numbers: dict[str, int] = field(factory=dict)

    def rule(self, node: t.Rule) -> None:
        """One version of a rule."""
        name = node.name.text
        scope = Scope(self.context)
        parameters = [*node.params, *([node.subject] if node.subject is not None else [])]
        with self.context.trial():  # the types were reported with the signature
            kinds = [resolve(self.context, parameter.type) for parameter in parameters]
        for parameter, kind in zip(parameters, kinds, strict=True):
            scope.bind(parameter.name, kind)
        signature = self.context.program.signatures[name]
        statements = Statements(self.context, scope, signature.gives, "rule", name)
        code = self._code(statements, node.body, node.name.span, signature)
        code = evolve(code, turn=node.turn)
        modes = self.context.modes(node.modes)
        said = saying(self.context, node.text, node.params, kinds, node.subject)
        made = p.Rule(code, modes, signature.gives is not None, said)
        self.context.program.rules.setdefault(name, []).append(made)

    def _code(
        self, statements: Statements, body: t.Body, span: Span, signature: p.Signature
    ) -> Code:
        context, scope, out = self.context, statements.scope, statements.out
        parameters = tuple(scope.names)
        cites = context.cite(body.cites, statements.what, statements.name)
        statements.prepare(body)
        if statements.block(body.statements) and statements.gives is not None:
            whose = f"`{statements.name}`"
            if statements.what == "hook":
                whose = f"this replacement of `{signature.name}`"
            context.report(
                "T307",
                f"{whose} may end without giving its result",
                span,
                help="Every way through it must end with `return …`.",
            )
        scope.report_unused()
        for place in range(len(signature.parameters)):
            if place in scope.used:
                context.use("parameter", f"{signature.name}.{place}")
        out.emit(i.Give(body.span, _no_result(statements.gives, body.span)))
        subject = signature.subject[1] if signature.subject is not None else None
        return Code(
            statements.name,
            parameters,
            scope.slots,
            out.finish(),
            span,
            cites,
            tuple(out.cites),
            subject=subject.domain if isinstance(subject, Named) else "",
        )

    # ------------------------------------------------------------ hooks

    def hook(self, node: t.Hook) -> None:
        """What happens before, after or instead of a rule."""
        context, target = self.context, node.rule.text
        signature = context.program.signatures.get(target)
        if signature is None:
            rules = [name for name in context.program.signatures if " " not in name]
            context.report_unknown(target, node.rule.span, "rule", rules)
            return
        scope = Scope(context)
        if not self._bind(node, signature, scope) or not self._result_fits(node, signature):
            return
        result = None
        if node.moment == "after" and signature.gives is not None:
            name = node.gives or t.Name(node.rule.span, "result#")
            result = scope.bind(name, signature.gives, fixed=False)
        condition = None
        if node.condition is not None:
            condition = Expressions(context, scope).condition(node.condition)
            scope.learn(node.condition)
        before = scope.slots
        name_of = self._name(node)
        instead = node.moment == "instead"
        statements = Statements(
            context,
            scope,
            signature.gives if instead else None,
            "hook",
            name_of,
            signature if instead else None,
        )
        code = self._code(statements, node.body, node.rule.span, signature)
        if result is not None:
            code = _giving(code, result, signature.gives or BAD)
        label = node.label.text if node.label is not None else name_of
        ahead_of = tuple(name.text for name in node.ahead_of)
        modes = context.modes(node.modes)
        hook = p.Hook(label, node.moment, target, condition, before, ahead_of, code, modes)
        context.program.hooks.setdefault(target, []).append(hook)

    def _name(self, node: t.Hook) -> str:
        target = node.rule.text
        number = self.hook_numbers[target] = self.hook_numbers.get(target, 0) + 1
        label = node.label.text if node.label is not None else str(number)
        return f"{node.moment} {target} {label}"

    def _result_fits(self, node: t.Hook, signature: p.Signature) -> bool:
        if node.gives is None:
            return True
        if signature.gives is None:
            message = f"`{signature.name}` gives nothing"
            self.context.report("T307", message, node.gives.span)
        elif node.moment != "after":
            message = "only `after` sees the result"
            self.context.report("R406", message, node.gives.span)
        else:
            return True
        return False

    def _bind(self, node: t.Hook, signature: p.Signature, scope: Scope) -> bool:
        """Give names to the arguments of the rule; those that are not named cannot be read."""
        names = node.params
        if names and len(names) != len(signature.parameters):
            takes = counted(len(signature.parameters), "argument")
            are = "is" if len(names) == 1 else "are"
            message = f"`{signature.name}` takes {takes}, and {len(names)} {are} named"
            self.context.report("T302", message, node.rule.span)
            return False
        for place, (name, kind) in enumerate(signature.parameters):
            unread = t.Name(node.rule.span, f"{name}#")
            scope.bind(names[place] if names else unread, kind)
        if signature.subject is not None:
            unread = t.Name(node.rule.span, f"{signature.subject[0]}#")
            scope.bind(node.subject or unread, signature.subject[1])
        elif node.subject is not None:
            message = f"`{signature.name}` is done for nobody in particular"
            self.context.report("T304", message, node.subject.span)
            return False
        return True


def _no_result(kind: Type | None, span: Span) -> x.Expr | None:
    """What a rule gives whose end is never meant to be reached: the run stops there.

    The end can be reached where an argument lies outside the numbers that its rule declares.
    """
    if kind is None:
        return None
    nothing = x.Items(Many("list", NOTHING), span, ())
    return x.Op(kind, span, "item", (nothing, x.Const(Num(1, 1), span, 1)))


def _giving(code: Code, slot: int, kind: Type) -> Code:
    """A hook behind a rule gives the rule's result, changed or not, wherever it ends."""
    instructions = tuple(
        evolve(n, value=x.Local(kind, n.span, slot, "")) if isinstance(n, i.Give) else n
        for n in code.instructions
    )
    return evolve(code, instructions=instructions)

"""The end of a game, judged by generated code: who has won and lost, the scores, the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from types import CodeType
from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler.given import known
from rulelang.engine.compiler.parts import has_ended
from rulelang.engine.compiler.pool import Pool
from rulelang.engine.compiler.support import Memo
from rulelang.engine.evaluate import Evaluators
from rulelang.program import expressions as x
from rulelang.program.linking import ENDINGS
from rulelang.program.types import is_pile
from rulelang.program.values import Entry, Value

if TYPE_CHECKING:  # what writes expressions is loaded when any is written
    from rulelang.engine.compiler.simplify import Bound

SHARED = 5_000
"""The first slot of what is worked out once for several verdicts and scores."""

Seats = tuple[int, ...]
Verdict = tuple[int, tuple[str, ...], Seats, Seats, tuple[Any, ...]]
"""The number of the verdict that holds (-1: none), the endings that came, who has won and lost, and
the score of each seat in turn."""

Kept = Callable[[Pool], tuple[CodeType, ...]]
"""Finds the functions that were kept, and all that they refer to."""


def seats_of(value: Value) -> Seats:
    """The seats that a verdict names."""
    if isinstance(value, Entry):
        return (value.index,)
    if not isinstance(value, tuple):
        return ()
    seats = [seat.index for seat in value if isinstance(seat, Entry)]
    return tuple(seats) if len(seats) < 2 else tuple(sorted(seats))


def names_of(endings: tuple[tuple[str, Value], ...]) -> tuple[str, ...]:
    """The names of the endings that came."""
    return tuple([name for name, _ in endings])


class Judging:
    """Generated functions of one linked program; all raise what Python raises where it is odd."""

    def __init__(
        self, evaluators: Evaluators, kept: Kept | None = None, *, in_place: bool = False
    ) -> None:
        self.linked = evaluators.linked
        self.pool = Pool(known())
        self.pool.names["seats_of"] = seats_of
        self.pool.names["names_of"] = names_of
        self.pool.names["seats"] = Memo(seats_of, single=True)
        self.pool.names["others"] = Memo(self._others, single=True)
        self.codes = kept(self.pool) if kept else self._all(evaluators, in_place=in_place)
        """The functions, compiled."""
        made = [self._made(code) for code in self.codes]
        self.outcome: Callable[[list[Any]], Verdict] = made[0]
        self.value: Callable[[list[Any], Entry], int] | None = made[1] if made[1:] else None

    def _all(self, evaluators: Evaluators, *, in_place: bool) -> tuple[CodeType, ...]:
        from rulelang.engine.compiler.expressions import Expressions

        self.expressions = Expressions(evaluators, self.pool)
        self.expressions.in_place = in_place
        self._shared: dict[int, x.Local | None] = {}
        """The expressions that are worked out beforehand, and their parts, by identity."""
        linked = self.linked
        rules = linked.program.outcome(linked.mode)
        outcome = self._compiled(self._outcome(linked.players, rules))
        if rules is None or rules.worth is None:
            return (outcome,)
        return outcome, self._compiled([f"    return {self._text(rules.worth[0])}"], "s, l0")

    def _others(self, seats: Seats) -> Seats:
        """All seats but some."""
        return tuple([p.index for p in self.linked.players if p.index not in seats])

    def _simple(self, expr: x.Expr, bound: Bound | None = None) -> x.Expr:
        return self.expressions.simplifier.simple(expr, bound)

    def _text(self, expr: x.Expr) -> str:
        return self.expressions.text(self._simple(expr))

    def _outcome(self, players: tuple[Entry, ...], rules: Any) -> list[str]:
        """Lines that find the recorded endings, the verdict, who won and lost, and the scores."""
        if rules is None:
            return [f"    return -1, tuple([name for name, _ in s[{ENDINGS}]]), (), (), ()"]
        scores = [
            self._simple(expr, {0: x.Const(expr.type, expr.span, seat)})
            for expr, _, _ in rules.scores[-1:]
            for seat in players
        ]
        verdicts = [
            [None if e is None else self._simple(e) for e in (v.condition, v.won, v.lost)]
            for v in rules.verdicts
        ]
        rests = [self._is_rest(won, lost) for _, won, lost in verdicts]
        verdicts = [v[:2] if rest else v for v, rest in zip(verdicts, rests, strict=True)]
        parts = (*scores, *chain.from_iterable(verdicts))
        sources = self._repeated([e for e in parts if e is not None])
        sure = frozenset(self._named_surely(scores or verdicts[0][:1]))
        text = self._written
        lines = [f"    scores = ({''.join(f'{text(score)}, ' for score in scores)})"]
        for number, (condition, *seats) in enumerate(verdicts):
            named = ", ".join(map(self._seats, seats))
            if rests[number]:
                named = f"(won := {named}), others[won]"
            answer = f"return {number}, names, {named}, scores"
            if condition is None:
                lines.append(f"    {answer}")
                break
            lines += [f"    if {text(condition)}:", f"        {answer}"]
        else:
            lines.append("    return -1, names, (), (), scores")
        before = []
        for name, source in sources.items():
            if name in sure:
                before.append(f"    {name} = {source}")
                continue
            before.append(f"    {name} = None")
            once = f"({name} if {name} is not None else ({name} := {source}))"
            lines = [line.replace(name, once) for line in lines]
        came = f"s[{ENDINGS}]"
        begun = f"    names = ({came}[0][0],) if len({came}) == 1 else names_of({came})"
        return [begun, *[self._by_name(line) for line in (*before, *lines)]]

    def _by_name(self, line: str) -> str:
        """A line that asks for the names of the endings, not for the endings themselves."""
        for ending in self.linked.program.domains["Ending"].by_key:
            line = line.replace(has_ended(str(ending)), f"({ending!r} in names)")
        return line

    def _named_surely(self, asked: Iterable[x.Expr | None]) -> Iterator[str]:
        """The names of what is worked out whatever happens."""
        for part in chain.from_iterable(_surely(e) for e in asked if e is not None):
            local = self._shared.get(id(part))
            if local is not None:
                yield f"l{local.slot}"

    def _seats(self, expr: x.Expr | None) -> str:
        """The source of the seats that a verdict names."""
        if expr is None:
            return "()"
        text = self._written(expr)
        return f"seats_of({text})" if is_pile(expr.type) else f"seats[{text}]"

    def _is_rest(self, won: x.Expr | None, lost: x.Expr | None) -> bool:
        """Have all lost who have not won?"""
        if won is None or not isinstance(lost, x.Op) or lost.name != "less":
            return False
        everybody, less = map(self.expressions.collection, lost.arguments)
        return everybody == self.pool.constant(
            self.linked.players
        ) and less == self.expressions.collection(won)

    def _repeated(self, asked: list[x.Expr]) -> dict[str, str]:
        """The locals for what is asked for more than once, with what is worked out once for all."""
        found: dict[str, list[x.Expr]] = {}
        for part in chain.from_iterable(map(_outside, asked)):
            if self._is_shareable(part):
                found.setdefault(self.expressions.text(part), []).append(part)
        sources: dict[str, str] = {}
        often = sorted(found.items(), key=lambda each: -len(each[1]))  # stable: wholes before parts
        for source, parts in often:
            if len(parts) > 1 and not any(id(part) in self._shared for part in parts):
                slot = SHARED + len(sources)
                sources[f"l{slot}"] = source
                self.expressions.shapes.sizes[slot] = self.expressions.shapes.size(parts[0])
                for part in parts:
                    self._shared |= {id(inner): None for inner in x.walk(part)}
                    self._shared[id(part)] = x.Local(part.type, part.span, slot, "shared")
        return sources

    def _is_shareable(self, expr: x.Expr) -> bool:
        writer = self.expressions
        costs = any(isinstance(part, x.Each | x.AskDefine) for part in x.walk(expr))
        return costs and not writer.shapes.locals(expr) and not is_pile(expr.type)

    def _written(self, expr: x.Expr) -> str:
        """The source of an expression in which what is shared is named."""
        return self.expressions.text(self._with_names(expr))

    def _with_names(self, expr: x.Expr) -> x.Expr:
        from rulelang.engine.compiler.simplify import rebuilt

        local = self._shared.get(id(expr))
        if local is not None:
            return local
        made: x.Expr = rebuilt(expr, self._with_names)
        return made

    def _compiled(self, lines: list[str], parameters: str = "s") -> CodeType:
        functions = self.expressions.functions
        source = "\n".join([*functions, f"def judged({parameters}):", *lines, ""])
        functions.clear()
        return compile(source, "<rulelang outcome>", "exec")

    def _made(self, code: CodeType) -> Callable[..., Any]:
        names = self.pool.names
        exec(code, names)
        made: Callable[..., Any] = names["judged"]
        return made


def _surely(expr: x.Expr) -> Iterator[x.Expr]:
    """An expression and those parts that are worked out at least once."""
    yield expr
    match expr:
        case x.If():
            yield from _surely(expr.condition)
        case x.Op(name="and" | "or"):
            yield from _surely(expr.arguments[0])
        case x.Op() | x.Items():
            from rulelang.engine.compiler.work import direct

            for part in direct(x.parts(expr)):
                yield from _surely(part)


def _outside(expr: x.Expr) -> Iterator[x.Expr]:
    """An expression and its parts that are worked out once: those inside comprehensions are not."""
    from rulelang.engine.compiler.work import direct

    yield expr
    if not isinstance(expr, x.Each | x.Ways):
        for part in direct(x.parts(expr)):
            yield from _outside(part)

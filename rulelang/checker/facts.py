"""What conditions say: ``x is not none`` holds inside an `if`, until something changes ``x``."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import Factory, define, frozen

from rulelang.syntax import tree as t


@frozen(eq=False)
class Fact:
    """Something known: an expression is "none", "not none", "not empty", "is Tool", "not saw"."""

    about: t.Expr
    what: str
    names: frozenset[str]
    """The names that the expression is made of; fields begin with a dot."""


@define
class Change:
    """What statements may change: some names, where cards lie, or anything at all."""

    names: set[str] = Factory(set)
    zones: bool = False
    order: bool = False
    everything: bool = False

    def ends(
        self, fact: Fact, is_steady: Callable[[str], bool], asks: Callable[[str], bool]
    ) -> bool:
        """Is the fact no longer certain?

        ``is_steady`` says whether a name stands for what only an assignment to it can change,
        ``asks`` whether it is a question of the game.
        """
        if self.names & fact.names:
            return True
        if not (self.everything or self.zones or self.order or self.names):
            return False
        if any(asks(name) for name in fact.names):
            return True
        steady = all(is_steady(name) for name in fact.names)
        if steady:
            return False
        inside = (self.zones or self.order) and _looks_inside(fact.about)
        return self.everything or inside or (self.zones and fact.what == "not empty")


def _looks_inside(about: t.Expr) -> bool:
    """Does an expression depend on which cards lie where, or in which order?"""
    return any(isinstance(node, t.Ask | t.Index) for node in t.walk(about))


def bare(node: t.Expr) -> t.Expr:
    """The expression without parentheses around it."""
    while isinstance(node, t.Group):
        node = node.value
    return node


# ---------------------------------------------------------------- what conditions say


def facts_of(node: t.Expr, holds: bool) -> list[Fact]:
    """What follows from a condition that holds, or from one that does not."""
    node = bare(node)
    match node:
        case t.Unary(operator="not"):
            return facts_of(node.value, not holds)
        case t.Binary(operator="and") if holds:
            return facts_of(node.left, True) + facts_of(node.right, True)
        case t.Binary(operator="or") if not holds:
            return facts_of(node.left, False) + facts_of(node.right, False)
        case t.Binary(operator="is" | "is not"):
            return _is_facts(node, (node.operator == "is") == holds)
        case t.Binary(operator=">" | ">=" | "==" | "!=" | "<" | "<="):
            return _size_facts(node, holds)
    return []


def _fact(about: t.Expr, what: str) -> Fact:
    names = {n.name for n in t.walk(about) if isinstance(n, t.Ref)}
    names |= {f".{n.name.text}" for n in t.walk(about) if isinstance(n, t.Attribute)}
    return Fact(bare(about), what, frozenset(names))


def not_none(about: t.Expr) -> Fact:
    """The fact that an expression is not none."""
    return _fact(about, "not none")


def _is_facts(node: t.Binary, positive: bool) -> list[Fact]:
    right = bare(node.right)
    if isinstance(right, t.NoneValue):
        return [_fact(node.left, "none" if positive else "not none")]
    if isinstance(right, t.Ref):
        return [_fact(node.left, f"is {right.name}" if positive else f"not {right.name}")]
    return []


_PROVES: dict[tuple[str, bool], Callable[[int], bool]] = {
    (">", True): lambda n: n >= 0,
    (">=", True): lambda n: n >= 1,
    ("==", True): lambda n: n >= 1,
    ("!=", True): lambda n: n == 0,
    ("<", False): lambda n: n >= 1,
    ("<=", False): lambda n: n >= 0,
    ("==", False): lambda n: n == 0,
}


def _size_facts(node: t.Binary, holds: bool) -> list[Fact]:
    """``size(x) >= 1`` and its kin say that x is not empty."""
    left, right = bare(node.left), bare(node.right)
    if not (isinstance(left, t.Ask) and isinstance(left.function, t.Ref)):
        return []
    if left.function.name != "size" or not left.arguments:
        return []
    proves = _PROVES.get((node.operator, holds))
    if proves is None or not isinstance(right, t.Number) or not isinstance(right.value, int):
        return []
    return [_fact(left.arguments[0], "not empty")] if proves(right.value) else []


# ---------------------------------------------------------------- what statements change


def change_of(node: t.Node) -> Change:
    """What one statement changes by itself, apart from the statements inside it."""
    change = Change()
    _note(node, change)
    return change


def changes_in(nodes: Iterable[t.Node]) -> Change:
    """What the statements below the nodes may change."""
    change = Change()
    for node in nodes:
        for inner in t.walk(node):
            _note(inner, change)
    return change


def _note(node: t.Node, change: Change) -> None:
    match node:
        case t.Perform():
            change.everything |= any(call.rule.text not in _HARMLESS for call in node.calls)
            change.order |= any(call.rule.text in ("sort", "exchange") for call in node.calls)
        case t.LetFrom() | t.Do() | t.Open() | t.Proceed():
            change.everything = True
        case t.Move() | t.Mix() | t.Draw():
            change.zones = True
        case t.Assign():
            change.names |= _target(node.target)
        case t.Roll():
            change.names |= {throw.name.text for throw in node.throws}


_HARMLESS = ("nothing", "sort", "exchange")
"""Built-in verbs that leave every zone as full as it was."""


def _target(node: t.Expr) -> set[str]:
    node = bare(node)
    match node:
        case t.Ref():
            return {node.name}
        case t.Attribute():
            return {f".{node.name.text}"}
        case t.Index():
            return _target(node.value)
    return set()

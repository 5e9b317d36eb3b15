"""The stack of the parser: what was read, with the state that each thing led to."""

from __future__ import annotations

from rulelang.syntax.concrete import Child, Token, Tree
from rulelang.syntax.tables import Rule, Tables

END = "$END"
"""The kind of token that comes last."""


class Stack:
    """Takes tokens one by one, and makes the tree by the rules of the grammar."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.states = [tables.start]
        self.values: list[Child] = []

    def take(self, token: Token) -> bool:
        """Put a token on the stack; False if it cannot stand here.

        What stands before it may be joined by rules even then. The last token is not put down: it
        leaves the whole tree on top.
        """
        actions, rules = self.tables.states, self.tables.rules
        states, values = self.states, self.values
        kind = token.type
        while True:
            action = actions[states[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                values.append(token)
                return True
            rule = rules[~action]
            size = rule.size
            matched: list[Child] = []
            if size:
                matched = values[-size:]
                del states[-size:], values[-size:]
            state = actions[states[-1]][rule.name]
            states.append(state)
            values.append(_joined(rule, matched))
            if kind == END and state == self.tables.end:
                return True

    def pop(self) -> str:
        """Drop the last thing read; what it was."""
        self.states.pop()
        return self.values.pop().type

    def accepts(self, states: list[int]) -> frozenset[str]:
        """The tokens that may come next when the states on the stack are ``states``."""
        return frozenset(
            kind for kind in self.tables.states[states[-1]] if self._puts_down(states, kind)
        )

    def _puts_down(self, states: list[int], kind: str) -> bool:
        actions = self.tables.states
        stack = states.copy()
        while (action := actions[stack[-1]].get(kind)) is not None:
            if action >= 0:
                return kind.isupper()  # rules are written small
            rule = self.tables.rules[~action]
            if rule.size:
                del stack[-rule.size :]
            stack.append(actions[stack[-1]][rule.name])
        return False


def _joined(rule: Rule, matched: list[Child]) -> Child:
    """What a rule makes of the things that it consists of.

    The list that a repetition grows by one is not copied each time.
    """
    if rule.kept is None:
        if rule.single and len(matched) == 1:
            return matched[0]
        return Tree(rule.type, matched, matched)
    children: list[Child] = []
    for place, inline in rule.kept:
        child = matched[place]
        if not inline:
            children.append(child)
        elif children:
            children += child.children  # type: ignore[union-attr]
        else:
            children = child.children  # type: ignore[union-attr]
    if rule.single and len(children) == 1:
        return children[0]
    return Tree(rule.type, children, matched)

"""From the grammar to its tables, by lark: `python -m rulelang.syntax.lalr` keeps them.

Nothing else knows of lark, and a program that finds the tables at hand never loads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule as LarkRule
from lark.grammar import Terminal as LarkTerminal
from lark.parsers.lalr_analysis import Shift

from rulelang.syntax.tables import GRAMMAR, TABLES, Rule, Tables, Terminal, read, to_json
from rulelang.writing import write_files


def lark_of(grammar: str) -> Lark:
    """The grammar as lark reads it."""
    return Lark(
        grammar, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False
    )


def make(grammar: str) -> Tables:
    """Work out the tables of a grammar: the same ones however lark numbers its states."""
    lark = lark_of(grammar)
    table = lark.parser.parser._parse_table
    rules = sorted(lark.rules, key=_order)
    place_of = {rule: place for place, rule in enumerate(rules)}
    numbers = _numbered(table.states, table.start_states["start"])
    states = tuple(
        {
            symbol: numbers[argument] if action is Shift else ~place_of[argument]
            for symbol, (action, argument) in sorted(table.states[state].items())
        }
        for state in numbers
    )
    return Tables(
        tuple(
            Terminal(t.name, t.pattern.value, True)
            if t.pattern.type == "str" and t.pattern.value.isalpha()
            else Terminal(t.name, t.pattern.to_regexp(), False)
            for t in lark.terminals
        ),
        tuple(map(_rule, rules)),
        states,
        numbers[table.start_states["start"]],
        numbers[table.end_states["start"]],
    )


def _order(rule: LarkRule) -> tuple[str, int, list[str]]:
    return rule.origin.name, rule.order, [symbol.name for symbol in rule.expansion]


def _numbered(states: dict[int, dict[str, tuple[Any, Any]]], start: int) -> dict[int, int]:
    """The states in the order in which they are met from the first one, with their numbers."""
    numbers = {start: 0}
    waiting = [start]
    for state in waiting:
        for _, (action, argument) in sorted(states[state].items(), key=lambda item: item[0]):
            if action is Shift and argument not in numbers:
                numbers[argument] = len(numbers)
                waiting.append(argument)
    return numbers


def _rule(rule: LarkRule) -> Rule:
    """A rule with what lark's own builder of trees would make of it."""
    whole = rule.options.keep_all_tokens
    kept = tuple(
        (place, not symbol.is_term and symbol.name.startswith("_"))
        for place, symbol in enumerate(rule.expansion)
        if whole or not (isinstance(symbol, LarkTerminal) and symbol.filter_out)
    )
    plain = len(kept) == len(rule.expansion) and not any(inline for _, inline in kept)
    return Rule(
        str(rule.origin.name),
        len(rule.expansion),
        str(rule.alias or rule.origin.name),
        bool(rule.options.expand1 and not rule.alias),
        None if plain else kept,
    )


def text_of(tables: Tables, grammar: str) -> str:
    """What is kept of the tables: one part, or one state, to a line."""
    parts = [f"{json.dumps(k)}: {_lines(v)}" for k, v in to_json(tables, grammar).items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join(_filled(map(_compact, value))) + "\n]"


def _filled(items: Iterable[str], width: int = 4_000) -> list[str]:
    """The items, as many to a line as fit."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > width:
            lines.append("")
        lines[-1] += f",{item}" if lines[-1] else item
    return lines


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def main() -> None:
    """Write the tables of the grammar beside it."""
    grammar = read(GRAMMAR)
    path = Path(__file__).with_name(TABLES)
    write_files({path: text_of(make(grammar), grammar).encode()})


if __name__ == "__main__":
    main()

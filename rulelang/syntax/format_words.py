"""The words of a logical line: what stands between them, and where a long line is broken."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulelang.syntax.concrete import Token
from rulelang.syntax.vocabulary import CARRIES_ON

WIDTH = 100
_OPENING = frozenset(("LPAR", "CALL_LPAR", "LSQB", "INDEX_LSQB"))
_OPERANDS = frozenset(("NAME", "NUMBER", "STRING", "NONE", "RPAR", "RSQB"))
_BREAK = 10  # what a further line costs, and what is added for the place of the break:
_PLACES = {"CITES": -6, "EQUAL": -1, "WHERE": 1, "BY": 2, "COMMA": 5, "OR": 13, "AND": 14}
_DEEPER = 16  # for each bracket around it
_ARGUMENT = 40  # between the arguments of a question
_UNWANTED = 80  # where the words belong together
_OVERFULL = 1000  # for each character beyond the width


@frozen
class Word:
    """A token as it is printed."""

    text: str
    gap: str
    """What stands before it when no line begins here."""
    penalty: int | None
    """What a line that begins here costs; None where none may."""


def words(tokens: Sequence[Token], *, rules_book: bool) -> list[Word]:
    """The words of a logical line of the rules book, or of content."""
    built: list[Word] = []
    brackets: list[str] = []  # that are open
    labelled = False  # has the first colon been met?
    for index, token in enumerate(tokens):
        previous = tokens[index - 1] if index else None
        before = tokens[index - 2] if index > 1 else None
        if token.type in ("RPAR", "RSQB") and brackets:
            brackets.pop()
        if previous is None:
            built.append(Word(word_text(token), "", None))
        elif rules_book:
            penalty = _penalty(previous, token, brackets)
            built.append(Word(word_text(token), _gap(before, previous, token), penalty))
        else:
            alone = index == 1 and str(previous) == "rows"  # by itself it would announce a drawing
            penalty = None if alone else _penalty(previous, token, ())
            built.append(Word(word_text(token), _content_gap(previous, token, labelled), penalty))
            labelled = labelled or previous.type == "COLON"
        if token.type in _OPENING:
            brackets.append(token.type)
    return built


def word_text(token: Token) -> str:
    """A token as it is written: a text stands in straight quotes unless it contains them."""
    if token.type == "STRING":
        return f"“{token}”" if '"' in token.text else f'"{token}"'
    return str(token)


def line_text(line: Sequence[Word]) -> str:
    """The words on one physical line."""
    return "".join(word.gap * (index > 0) + word.text for index, word in enumerate(line))


def fill(line: Sequence[Word], first: int, further: int) -> list[list[Word]]:
    """Break a line so that it fits, where it costs least; ``first`` and ``further`` are indents."""
    count = len(line)
    starts = [i for i in range(count) if i == 0 or line[i].penalty is not None]
    ends = [*starts, count]
    best: dict[int, tuple[int, int]] = {count: (0, count)}  # cost from here on, end of this line
    for place in range(len(starts) - 1, -1, -1):
        start = starts[place]
        width = further if start else first
        choice: tuple[int, int] | None = None
        reached = start
        for end in (ends[at] for at in range(place + 1, len(ends))):
            for index in range(reached, end):
                width += len(line[index].text) + len(line[index].gap) * (index > start)
            reached = end
            overfull = max(0, width - WIDTH)
            cost = overfull * _OVERFULL + best[end][0]
            if end < count:
                cost += _BREAK + (line[end].penalty or 0)
            if choice is None or cost <= choice[0]:
                choice = (cost, end)
            if overfull:
                break
        assert choice is not None
        best[start] = choice
    broken: list[list[Word]] = []
    start = 0
    while start < count:
        end = best[start][1]
        broken.append(list(line[start:end]))
        start = end
    return broken


def _penalty(previous: Token, token: Token, brackets: Sequence[str]) -> int | None:
    """What it costs to begin a line with ``token``; None where the language does not allow it."""
    deeper = _DEEPER * len(brackets)
    if previous.type in ("COMMA", "EQUAL"):
        argument = brackets[-1:] == ["CALL_LPAR"]
        return _PLACES[previous.type] + deeper + _ARGUMENT * argument
    if token.type not in _PLACES or str(token) not in CARRIES_ON:
        return None
    belongs = previous.type == "SEEN"
    return _PLACES[token.type] + deeper + _UNWANTED * belongs


def _gap(before: Token | None, previous: Token, token: Token) -> str:
    """What stands between two tokens of the rules book."""
    if token.type == "CITES":
        return "  "
    if token.type in ("COMMA", "COLON", "RPAR", "RSQB", "CALL_LPAR", "INDEX_LSQB", "DOT"):
        return ""
    if previous.type in _OPENING or previous.type == "DOT":
        return ""
    if previous.type == "MINUS" and (before is None or before.type not in _OPERANDS):
        return ""
    return " "


def _content_gap(previous: Token, token: Token, labelled: bool) -> str:
    """What stands between two tokens of content: signs touch where the author wrote them so."""
    if token.type == "CITES":
        return "  "
    if token.type == "COMMA" or (token.type == "COLON" and not labelled):
        return ""
    if "BAR" in (previous.type, token.type) or previous.type == "COMMA":
        return " "
    if previous.type == "COLON" and not labelled:
        return " "
    touches = (previous.end_line, previous.end_column) == (token.line, token.column)
    return "" if touches else " "

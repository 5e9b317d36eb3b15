"""The texts of a game, cut into its entries and the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import Factory, define

from rulelang.checker.context import plain
from rulelang.diagnostic import Span
from rulelang.program.program import Program
from rulelang.syntax import tree as t
from rulelang.syntax.parser import parse


@define
class Cut:
    """The texts without the entries, and where each entry of a game stands."""

    rest: dict[str, str] = Factory(dict)
    """By file, those files left out in which nothing but entries stood."""
    lines: dict[Span, t.Line] = Factory(dict)
    """The line of an entry, by the entry's span."""
    headings: dict[Span, t.Line] = Factory(dict)
    """The heading of the table in which an entry is a row, likewise."""
    comments: dict[Span, tuple[str, ...]] = Factory(dict)
    """The comments within and right above an entry that stands by itself, likewise."""
    kinds: list[str] = Factory(list)
    """The kinds in the order in which their first entries stand."""
    catalogue: str | None = None
    """The file of clauses that the game names."""


def cut(texts: Mapping[str, str], program: Program) -> Cut:
    """Take the entries out of the texts that ``program`` was made from."""
    made = Cut()
    spans = {
        entry.span: kind.name
        for kind in program.kinds.values()
        if kind.key
        for entry in program.domains[kind.name].entries
        if entry.span is not None
    }
    for name, text in texts.items():
        rest = _File(made, spans, name, text).run()
        if rest.strip():
            made.rest[name] = rest
    return made


class _File:
    def __init__(self, made: Cut, spans: Mapping[Span, str], name: str, text: str) -> None:
        self.made = made
        self.spans = spans
        self.text = text
        self.lines = text.split("\n")
        self.tree = parse(text, name).file
        self.own_lines = {c.span.line for c in self.tree.comments if c.own_line}
        self.gone: set[int] = set()

    def run(self) -> str:
        for node in self.tree.declarations:
            if not isinstance(node, t.Line):
                continue
            if node.words[0].text == "game":
                self._catalogue(node)
            rows = dict(self._rows(node))
            if rows:
                self._take(node, rows)
        return _without(self.lines, self.gone) if self.gone else self.text

    def _catalogue(self, node: t.Line) -> None:
        for item in node.block:
            if (
                isinstance(item, t.Line)
                and len(item.words) == 2
                and item.words[0].text == "clauses"
            ):
                self.made.catalogue = item.words[1].text

    def _rows(self, node: t.Line) -> Iterator[tuple[Span, t.Line]]:
        """The entries that the declaration makes: itself, or the rows of a table."""
        word = plain(node.words[0].text)
        if len(node.words) > 1 and self._makes(node.words[1], word):
            yield node.words[1].span, node
            return
        for item in node.block:
            if isinstance(item, t.Line):
                for cell in item.words:
                    if self._makes(cell, word.removesuffix("s")):
                        yield cell.span, item

    def _makes(self, word: t.Word, kind: str) -> bool:
        return word.span in self.spans and plain(self.spans[word.span]) == kind

    def _take(self, node: t.Line, rows: Mapping[Span, t.Line]) -> None:
        first, last = self._extent(node)
        self.gone.update(range(first, last + 1))
        heading = next((item for item in node.block if isinstance(item, t.Line)), node)
        for span, line in rows.items():
            kind = self.spans[span]
            if kind not in self.made.kinds:
                self.made.kinds.append(kind)
            for inner in t.walk(line):
                if isinstance(inner, t.Line):
                    self.made.lines[inner.span] = inner
            self.made.lines[span] = line
            if line is not node:
                self.made.headings[span] = heading
        ends = [(max(_last_line(line), line.span.line), span) for span, line in rows.items()]
        for comment in self.tree.comments:
            text, line_number = comment.text.strip(), comment.span.line
            if text and first <= line_number <= last:
                following = [span for end, span in ends if end >= line_number]
                owner = following[0] if following else ends[-1][1]
                self.made.comments[owner] = (*self.made.comments.get(owner, ()), text)

    def _extent(self, node: t.Line) -> tuple[int, int]:
        """The first and last physical lines: with comments right above, and indented ones below."""
        first, last = node.span.line, _last_line(node)
        while first - 1 in self.own_lines and self.lines[first - 2][:1] == "#":
            first -= 1
        ahead = last
        while ahead < len(self.lines):
            ahead += 1
            line = self.lines[ahead - 1]
            if line.strip() and not (ahead in self.own_lines and line[:1].isspace()):
                break
            if line.strip():
                last = ahead
        return first, last


def _last_line(node: t.Line) -> int:
    return max(inner.span.end_line for inner in t.walk(node))


def _without(lines: list[str], gone: set[int]) -> str:
    """The other lines; where some are gone, one blank line at most is left."""
    kept: list[str] = []
    after_gap = False
    for number, line in enumerate(lines, 1):
        if number in gone:
            after_gap = True
        elif line.strip():
            kept.append(line)
            after_gap = False
        elif not after_gap or (kept and kept[-1].strip()):
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"

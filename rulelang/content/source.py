"""The texts of a game, cut into its entries and the rest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define

from rulelang.checker.edges import SIGNS, is_chains
from rulelang.checker.maps import is_map
from rulelang.diagnostic import Span
from rulelang.program.boards import ENDS
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
    comments: dict[Span, tuple[str, ...]] = Factory(dict)
    """The comments within and right above an entry that stands by itself, likewise."""
    kinds: list[str] = Factory(list)
    """The kinds in the order in which their first entries stand."""
    catalogue: str | None = None
    """The file of clauses that the game names."""


def cut(texts: Mapping[str, str], program: Program) -> Cut:
    """Take the entries out of the texts that ``program`` was made from."""
    made = Cut()
    spans: dict[str, dict[Span, str]] = {}
    for kind in program.kinds.values():
        for entry in program.domains[kind.name].entries if kind.key else ():
            if entry.span is not None:
                spans.setdefault(entry.span.file, {})[entry.span] = kind.name
    for name, text in texts.items():
        rest = _File(made, spans.get(name, {}), program, name, text).run()
        if rest.strip():
            made.rest[name] = rest
    return made


class _File:
    def __init__(
        self, made: Cut, spans: Mapping[Span, str], program: Program, name: str, text: str
    ) -> None:
        self.made = made
        self.spans = spans
        self.program = program
        self.in_order = sorted(spans, key=lambda span: (span.line, span.column))
        self.starts = [span.line for span in self.in_order]
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
        """The entries that a declaration makes, each with its line: itself, a row or a chain.

        Drawn maps stay text: all that their entries say follows from the drawing. So do chains of
        edges of which a pack replaces some.
        """
        first = bisect_left(self.starts, node.span.line)
        last = bisect_right(self.starts, _last_line(node))
        found = self.in_order[first:last]
        if is_map(node) or (self._is_chains(node, found) and len(found) < _edges_in(node)):
            return
        rows = [item for item in node.block if isinstance(item, t.Line)]
        for span in found:
            inside = (r for r in rows if r.span.line <= span.line <= _last_line(r))
            yield span, next(inside, node)

    def _is_chains(self, node: t.Line, found: Sequence[Span]) -> bool:
        kind = self.program.kinds[self.spans[found[0]]] if found else None
        return kind is not None and kind.key == ENDS and is_chains(node, kind)

    def _take(self, node: t.Line, rows: Mapping[Span, t.Line]) -> None:
        first, last = self._extent(node)
        taken = set(range(first, last + 1))
        is_table = node not in rows.values() and not self._is_chains(node, list(rows))
        if is_table and len(rows) + 1 < len(node.block):
            # A pack replaces the other rows, which stay.
            taken = {n for row in rows.values() for n in range(row.span.line, _last_line(row) + 1)}
        self.gone |= taken
        for span, line in rows.items():
            kind = self.spans[span]
            if kind not in self.made.kinds:
                self.made.kinds.append(kind)
            for inner in t.walk(line):
                if isinstance(inner, t.Line):
                    self.made.lines[inner.span] = inner
            self.made.lines[span] = line
        ends = [(max(_last_line(line), line.span.line), span) for span, line in rows.items()]
        for comment in self.tree.comments:
            text, line_number = comment.text.strip(), comment.span.line
            if text and line_number in taken:
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


def _edges_in(node: t.Line) -> int:
    """How many edges some chains have."""
    words = (word for line in t.walk(node) if isinstance(line, t.Line) for word in line.words)
    return sum(word.text in SIGNS and word.kind != "string" for word in words)


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

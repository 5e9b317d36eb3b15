"""Entries: which lines are entries of which kind, and what they are known by.

Entries are read twice. First only their keys, so that entries may name each other and rules may
name them; later, when the signatures of rules are known, their fields (see `filling`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from rulelang.checker import maps
from rulelang.checker.context import Context, Key, plain
from rulelang.checker.edges import Edge, chains, edge_of, is_chains, key_of
from rulelang.checker.replacing import REPLACES, behind, settle
from rulelang.checker.tables import rows_of
from rulelang.checker.values import number_of, parts, span_of, text_of
from rulelang.checker.wording import article, some
from rulelang.diagnostic import Note, Span
from rulelang.program.boards import ENDS, WAY
from rulelang.program.program import Kind
from rulelang.program.values import Domain, Entry, Value, figures, order_key
from rulelang.syntax import tree as t
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK


@frozen
class Draft:
    """An entry of which only the key is known."""

    entry: Entry
    kind: Kind
    line: t.Line
    rest: tuple[t.Word, ...]
    """The words behind key and title."""
    tail: tuple[t.Word, ...] | None
    """The words behind the colon."""
    title: t.Word | None
    row: dict[str, list[t.Word]] | None = None
    """The cells of a table's row, by field."""
    ends: tuple[Entry, ...] = ()
    """What an edge joins."""
    given: dict[str, Value] = Factory(dict)
    """Fields that follow from the place of the entry, as on a drawn map."""
    like: Entry | None = None
    """An entry before this one that all other fields are taken from."""
    replaces: t.Word | None = None
    """The word that says that the entry takes the place of another one."""
    above: t.Cites = ()
    """What the first line of its table, chains or drawing cites."""


@define
class Content:
    """The reader of entries: of their keys."""

    context: Context
    drafts: dict[str, dict[Key, Draft]] = field(factory=dict)
    found: list[Draft] = field(factory=list)
    """Entries that are not among the drafts yet."""
    steps: list[Draft] = field(factory=list)
    """The edges of drawn maps."""
    maps: dict[str, t.Line] = field(factory=dict)
    """The heads of drawn maps, by kind."""
    marks: dict[Span, t.Word] = field(factory=dict)
    """The word `replaces` of the lines that begin with it."""
    mark: t.Word | None = None
    """That of the line whose entries are being read."""

    def collect(self, lines: list[t.Line]) -> None:
        """Find the entries among the lines, and make the domains of all kinds."""
        kinds = self.context.program.kinds
        by_word = _words_of(kinds.values())
        edges: list[tuple[Kind, t.Line]] = []
        for line in self._marked(lines, by_word):
            word = line.words[0]
            kind, variant = by_word.get(plain(word.text) if word.kind == "name" else "", NO_KIND)
            plural, of = next((by_word[w] for w in _singulars(word.text) if w in by_word), NO_KIND)
            known = kind or plural
            if known is not None and known.key == ENDS:
                edges.append((known, line))
            elif plural is not None and maps.is_map(line):
                self._map(plural, of, line)
            elif kind is not None:
                self._one(kind, variant, line)
            elif plural is not None and any(isinstance(item, t.Line) for item in line.block):
                self._table(plural, of, line)
            elif word.text == "todo":
                todo(self.context, line)
            else:
                self._unknown(line, list(by_word))
        self._settle()
        for kind in kinds.values():
            if kind.key != ENDS:
                self._make_domain(kind)
        self._edges(edges)

    def _marked(self, lines: list[t.Line], words: Collection[str]) -> Iterator[t.Line]:
        """The lines, without the word `replaces` where one begins with it."""
        for line in lines:
            self.mark, rest = None, line
            alone = len(line.words) == 1 and "replace" in words  # a table of these
            if line.words[0].text == REPLACES and not alone:
                found = behind(self.context, line, words)
                if found is None:
                    continue
                self.mark = self.marks[line.span] = line.words[0]
                rest = found
            yield rest

    def _settle(self) -> None:
        settle(self.context, self.found, self.drafts)
        self.found.clear()

    def _map(self, kind: Kind, variant: str, line: t.Line) -> None:
        """A drawn map: its hexes, and the steps from each to its neighbours."""
        schema = maps.edge_kind(self.context, kind, line)
        if schema is not None and kind.name in self.maps:
            note = Note(self.maps[kind.name].span, "the first map")
            message = f"the map of {kind.name} is drawn twice"
            self.context.report("C502", message, line.span, notes=[note])
            return
        self.maps[kind.name] = line
        if schema is None or not maps.has_positions(self.context, kind):
            self.context.incomplete.add(kind.name)
            return
        fields = {field.name for field in kind.fields}
        shown: dict[int, Entry] = {}
        first: dict[str, Entry] = {}
        cells = maps.cells(self.context, kind, line)
        for cell in cells:
            label = f"{plain(kind.name)} {cell.number}"
            entry = Entry(kind.name, 0, cell.number, label, label, variant, span=cell.span)
            shown[cell.number] = entry
            like = first.setdefault(cell.line.words[1].text, entry)
            given = {name: value for name, value in cell.at.items() if name in fields}
            self._add(
                Draft(
                    entry, kind, cell.line, cell.words, None, None, {}, given=given,
                    like=like if like is not entry else None, above=line.cites,
                )
            )  # fmt: skip
        for start, end, way in maps.steps(cells):
            ends = shown[start.number], shown[end.number]
            key = key_of(Edge(ends, start.span))
            label = f"{plain(schema.name)} {key}"
            entry = Entry(schema.name, 0, key, label, label, span=start.span)
            given = {WAY: way}
            self.steps.append(Draft(entry, schema, line, (), None, None, {}, ends, given=given))
        self.context.program.maps[kind.name] = schema.name

    def _edges(self, lines: list[tuple[Kind, t.Line]]) -> None:
        """The edges, once the places are known that they join."""
        for kind, line in lines:
            self.mark = self.marks.get(line.span)
            single = plain(line.words[0].text) == plain(kind.name)
            if single:
                head, colon, tail = parts(line)
                edge = edge_of(self.context, kind, head[1:], line.span)
                if edge is not None:
                    behind = tuple(tail) if colon is not None else None
                    self._edge(kind, line, edge, edge.rest, behind)
            elif is_chains(line, kind):
                for at, edge in chains(self.context, kind, line):
                    above = line.cites if at is not line else ()
                    self._edge(kind, at, edge, (), None, {}, above)
            else:
                for row, key_cell, cells in rows_of(self.context, kind, line):
                    found = edge_of(self.context, kind, key_cell, row.span)
                    if found is not None and found.rest:
                        message = f"`{text_of(found.rest)}` has no meaning behind an edge"
                        self.context.report("C513", message, span_of(found.rest))
                    elif found is not None:
                        self._edge(kind, row, found, (), None, cells, line.cites)
        for step in self.steps:
            self._add(step)
        self._settle()
        for kind in self.context.program.kinds.values():
            if kind.key == ENDS:
                self._make_domain(kind)

    def _edge(
        self,
        kind: Kind,
        line: t.Line,
        edge: Edge,
        rest: Sequence[t.Word],
        tail: tuple[t.Word, ...] | None,
        row: dict[str, list[t.Word]] | None = None,
        above: t.Cites = (),
    ) -> None:
        key = key_of(edge)
        label = f"{plain(kind.name)} {key}"
        entry = Entry(kind.name, 0, key, label, label, span=edge.span)
        draft = Draft(entry, kind, line, tuple(rest), tail, None, row, edge.ends, above=above)
        self._add(draft)

    def _one(self, kind: Kind, variant: str, line: t.Line) -> None:
        head, colon, tail = parts(line)
        name = variant or plain(kind.name)
        if len(head) < 2:
            example = {"number": "1", "letter": "A"}.get(kind.key, "some_name")
            self.context.report(
                "C503",
                f"this {name} has no {kind.key}",
                line.span,
                help=f"Write `{name} {example} …`.",
            )
            self.context.incomplete.add(kind.name)
            return
        key = self._key(kind, head[1:2])
        if key is None:
            return
        rest = head[2:]
        title = None
        if rest and rest[0].kind == "string":
            title, rest = rest[0], rest[1:]
        label = _label(kind, key)
        text = title.text if title is not None else label
        entry = Entry(kind.name, 0, key, label, text, variant, span=head[1].span)
        behind = tuple(tail) if colon is not None else None
        self._add(Draft(entry, kind, line, tuple(rest), behind, title))

    def _table(self, kind: Kind, variant: str, line: t.Line) -> None:
        for row, key_cell, cells in rows_of(self.context, kind, line):
            key = self._key(kind, key_cell)
            if key is None:
                continue
            label = _label(kind, key)
            text = _title_in(cells) or (label if kind.key == "number" else text_of(key_cell))
            entry = Entry(kind.name, 0, key, label, text, variant, span=key_cell[0].span)
            self._add(Draft(entry, kind, row, (), None, None, cells, above=line.cites))

    def _key(self, kind: Kind, words: list[t.Word]) -> Key | None:
        """What an entry is known by; None if it was reported."""
        name, first = article(kind.name), words[0]
        if kind.key == "number" and len(words) == 1 and first.kind == "number":
            return number_of(first)
        if kind.key != "number" and all(word.kind in ("name", "string") for word in words):
            return "_".join(word.text for word in words)
        help = "Write a figure." if kind.key == "number" else "Write a name."
        message = f"{name} is known by its {kind.key}"
        self.context.report("T301", message, first.span.to(words[-1].span), help=help)
        self.context.incomplete.add(kind.name)
        return None

    def _add(self, draft: Draft) -> None:
        self.found.append(evolve(draft, replaces=self.mark))

    # ------------------------------------------------------------ domains

    def in_order(self) -> list[Draft]:
        """All entries, by kind and key: entries inside others are numbered in this order."""
        kinds = sorted(self.drafts)
        return [d for kind in kinds for d in sorted(self.drafts[kind].values(), key=_by_key)]

    def _make_domain(self, kind: Kind) -> None:
        drafts = sorted(self.drafts.get(kind.name, {}).values(), key=_by_key)
        for index, draft in enumerate(drafts):
            object.__setattr__(draft.entry, "index", index)
        domain = self.context.program.domains[kind.name]
        domain.entries = tuple(draft.entry for draft in drafts)
        domain.by_key = {entry.key: entry for entry in domain.entries}
        for entry in domain.entries:
            if isinstance(entry.key, str) and kind.key != ENDS:
                self.context.values.setdefault(entry.key, []).append(entry)
        if kind.base is not None and kind.name not in self.context.incomplete:
            self._check_complete(kind, *kind.base, domain)

    def _check_complete(self, kind: Kind, low: int, high: int | None, domain: Domain) -> None:
        """Is there an entry for every number that the kind declares?"""
        layer = self.context.layer
        own = [e.key for e in domain.entries if layer(e.replaced or e.span) == 0]
        keys = [key for key in own if isinstance(key, int)]
        last = high if high is not None else max(keys, default=low)
        missing = [n for n in range(low, last + 1) if n not in domain.by_key]
        name = plain(kind.name)
        if len(missing) == last - low + 1:
            help = f"Write `{name} {low} …`."
            self.context.report("C501", f"there is no {name} at all", kind.span, help=help)
        elif missing:
            before = [e for e in domain.entries if isinstance(e.key, int) and e.key < missing[0]]
            after = [e for e in domain.entries if isinstance(e.key, int) and e.key > missing[0]]
            near = [*before[-1:], *after[:1]]
            notes = [Note(e.span, f"{e.label} is here") for e in near if e.span is not None]
            span = notes[0].span if notes else kind.span
            numbered = f"{low} to {high}" if high is not None else f"{low} and up"
            self.context.report(
                "C501",
                f"there is no {name} {some(missing)}",
                span,
                notes=notes[1:],
                help=f"The game declares {kind.name} {numbered}.",
            )

    def _unknown(self, line: t.Line, kinds: list[str]) -> None:
        word = line.words[0]
        candidates = [*kinds, *sorted(OPENS_RULES_BOOK), "game", "names", "die"]
        help = None
        if kinds:
            help = f"This game declares the kinds {', '.join(sorted(kinds))}."
        for kind in self.context.program.kinds.values():
            if kind.variants and plain(kind.name) in _singulars(word.text):
                help = f"Say which {kind.name} it is: {' or '.join(kind.variants)}."
        what = "kind of entry or declaration"
        self.context.report_unknown(word.text, word.span, what, candidates, code="N205", help=help)


def todo(context: Context, line: t.Line) -> None:
    """List a line that says what is still to be done."""
    rest = [word for word in line.words[1:] if word.kind != "colon"]
    text = text_of(rest) if rest else "something here"
    context.report("C512", f"to do: {text}", line.span)


def _label(kind: Kind, key: Key) -> str:
    return f"{plain(kind.name)} {figures(key)}" if kind.key == "number" else str(key)


def _words_of(kinds: Iterable[Kind]) -> dict[str, tuple[Kind | None, str]]:
    """What lines of entries may begin with: a kind, or a variant of a kind that has some."""
    found: dict[str, tuple[Kind | None, str]] = {}
    for kind in kinds:
        if kind.key:
            for variant in kind.variants:
                found.setdefault(plain(variant), (kind, variant))
            if not kind.variants:
                found[plain(kind.name)] = kind, ""
    return found


def _singulars(word: str) -> Iterator[str]:
    """What a plural may be the plural of; a kind's own name also heads a table of it."""
    name = plain(word)
    yield name
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y")):
        if name.endswith(ending):
            yield name.removesuffix(ending) + instead


NO_KIND: tuple[Kind | None, str] = (None, "")


def _by_key(draft: Draft) -> tuple[Any, ...]:
    key = draft.entry.key
    if draft.ends:
        return tuple(map(order_key, draft.ends))
    return (0, key) if isinstance(key, str) else (key, "")


def _title_in(cells: dict[str, list[t.Word]]) -> str | None:
    for name in ("title", "name"):
        words = cells.get(name)
        if words and words[0].kind == "string":
            return words[0].text
    return None

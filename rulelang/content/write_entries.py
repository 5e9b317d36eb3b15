"""From JSON to entries as lines of content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rulelang.checker.headers import DECLARING
from rulelang.checker.replacing import REPLACES
from rulelang.content.encode import label_of_key
from rulelang.content.pieces import Page, Piece, Pieces, Slip
from rulelang.content.shapes import (
    CITES,
    COMMENTS,
    DECIMAL,
    INSTEAD,
    NAME,
    SHOWN_AS,
    TO_DO,
    VARIANT,
    Json,
    body_of,
    first_text,
    inner_kind,
    inner_words,
    pointer,
    subject_of,
)
from rulelang.content.write import Writer, listed, mapped, only, quoted, shown, to_do, whole, word
from rulelang.content.write_scripts import ScriptWriter
from rulelang.diagnostic import did_you_mean, suggest
from rulelang.program.boards import ENDS
from rulelang.program.program import PLACE, Kind, KindField, Program
from rulelang.program.types import BAD, EFFECT, FLAG, SCRIPT, TEXT, Many, Named, Num
from rulelang.program.values import plain
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK

BAR = " | "
_BESIDE = (SHOWN_AS, INSTEAD, TO_DO, CITES, COMMENTS)


class EntryWriter:
    """Writes the entries of a game on a page; what cannot be written is kept in ``slips``."""

    def __init__(self, program: Program, data: Json) -> None:
        self.program = program
        self.data = data
        self.page = Page()
        self.slips: list[Slip] = []
        self.writer = Writer(program)

    def write(self) -> None:
        """Write all entries."""
        kinds = {kind.name: kind for kind in self.program.kinds.values() if kind.key}
        for name, entries in self.data.items():
            at = pointer("/entries", name)
            kind = kinds.get(name)
            if kind is None:
                near = did_you_mean(suggest(name, kinds))
                self.slips.append(
                    Slip(at, f"there is no kind of entry `{name}`", code="N205", help=near)
                )
                continue
            for place, entry in enumerate(entries):
                try:
                    self._top(kind, entry, pointer(at, place))
                except Slip as slip:
                    self.slips.append(slip)

    # ------------------------------------------------------------ entries by themselves

    def _top(self, kind: Kind, data: Json, at: str) -> None:
        entry = mapped(data, at)
        if kind.key not in entry:
            raise Slip(at, f"this {kind.name} has no {kind.key}", code="C503")
        if kind.key == ENDS:
            self._edge(kind, entry, at)
            return
        self._only_fields(kind, entry, (kind.key, VARIANT, *_BESIDE), at)
        variant = _variant(kind, entry, at)
        key = self._key(kind, entry[kind.key], pointer(at, kind.key))
        titled = self._titled(kind, entry, at)
        if titled is None:
            self._row(kind, key, variant, entry, at)
            return
        title = first_text(kind)
        head = [*_instead(entry, at), Piece(f"{_opening(variant or kind.name)} ", at)]
        head.append(Piece(key, pointer(at, kind.key)))
        if titled and title is not None and title.name in entry:
            place = pointer(at, title.name)
            head.append(Piece(" " + quoted(entry[title.name], place), place))
        fields = [f for f in kind.fields if f.name in entry and not (titled and f is title)]
        self._entry(kind, entry, head, fields, at, 0)

    def _edge(self, kind: Kind, entry: Mapping[str, Json], at: str) -> None:
        """An edge: the two places that it joins, and its fields below."""
        self._only_fields(kind, entry, (INSTEAD, TO_DO, CITES, COMMENTS), at)
        edge, place = self.program.edges[kind.name], pointer(at, ENDS)
        ends = listed(entry[ENDS], place)
        if len(ends) != 2:
            raise Slip(place, f"a {kind.name} joins two places")
        joined = next(field.type for field in kind.fields if field.name == ENDS)
        assert isinstance(joined, Many)
        one, other = (
            self.writer.value(end, joined.item, pointer(place, n)) for n, end in enumerate(ends)
        )
        sign = Piece(" > " if edge.one_way else " - ", place)
        head = [*_instead(entry, at), Piece(f"{_opening(kind.name)} ", at), *one, sign, *other]
        fields = [f for f in kind.fields if f.name in entry and f.name != ENDS]
        self._entry(kind, entry, head, fields, at, 0)

    def _titled(self, kind: Kind, entry: Mapping[str, Json], at: str) -> bool | None:
        """Does the title stand in the entry's head? None if only a table can show it."""
        title = first_text(kind)
        by_default = title is not None and title.name != "story"
        if SHOWN_AS not in entry:
            return by_default
        shown_as = entry[SHOWN_AS]
        if not isinstance(shown_as, str):
            raise Slip(pointer(at, SHOWN_AS), f"a text is needed here, not {shown(shown_as)}")
        if title is not None and title.name in entry and entry[title.name] == shown_as:
            return True
        if shown_as == self._label(kind, entry[kind.key]):
            return False
        if shown_as in (entry.get("title"), entry.get("name"), _key_words(entry[kind.key])):
            return None
        raise Slip(pointer(at, SHOWN_AS), "players see an entry's title or its key, nothing else")

    def _label(self, kind: Kind, key: Json) -> str:
        if isinstance(key, str) and kind.key == "number":
            return label_of_key(kind, plain(kind.name), Fraction(key))
        return label_of_key(kind, plain(kind.name), key)

    def _key(self, kind: Kind, key: Json, at: str) -> str:
        if kind.key != "number":
            return word(key, at)
        if isinstance(key, str):
            if DECIMAL.fullmatch(key) and len(key) < 18:
                return key
            raise Slip(at, f"{shown(key)} is no number; whole numbers stand without quotes")
        if isinstance(key, float) and key != key // 1:
            raise Slip(at, f"{shown(key)} is not exact", help=f'Write it in quotes: "{key}".')
        return str(whole(key, at))

    def _row(self, kind: Kind, key: str, variant: str, entry: Mapping[str, Json], at: str) -> None:
        """An entry as a table of one row: there alone can a later text be its title."""
        fields = [f for f in kind.fields if f.name in entry and entry[f.name] != []]
        heading = [*_instead(entry, at), Piece(f"{plain(variant or kind.name)}s", at)]
        self.page.line(0, *heading)
        self.page.line(1, Piece(BAR.join([kind.key, *(field.name for field in fields)]), at))
        self._comments(entry, at, 1)
        shown_as = entry[SHOWN_AS]
        if shown_as == _key_words(entry[kind.key]) and all(map(NAME.fullmatch, shown_as.split())):
            key = shown_as
        row: Pieces = (Piece(key, pointer(at, kind.key)),)
        for field in fields:
            place = pointer(at, field.name)
            if inner_kind(self.program, field.type) is not None:
                raise Slip(place, f"this cannot stand in a table, as `{SHOWN_AS}` asks for")
            kind_of_value = Many("list", EFFECT) if field.type == SCRIPT else field.type
            said = self.writer.value(entry[field.name], kind_of_value, place)
            row = (*row, Piece(BAR, place), *said)
        self.page.line(1, *row, *self.writer.cites(entry, at))

    # ------------------------------------------------------------ fields

    def _only_fields(
        self, kind: Kind, entry: Mapping[str, Json], more: Sequence[str], at: str
    ) -> None:
        only(entry, [*(field.name for field in kind.fields), *more], at, code="N206")

    def _entry(
        self, kind: Kind, entry: Mapping[str, Json], head: list[Piece], fields: Sequence[KindField],
        at: str, level: int,
    ) -> None:  # fmt: skip
        """The head's line, and the fields below it."""
        in_head = [f for f in fields if self._goes_to_head(kind, f, entry[f.name])]
        for field in in_head:
            place = pointer(at, field.name)
            said = self.writer.value(entry[field.name], field.type, place)
            value = () if field.type == FLAG else (Piece(" ", place), *said)
            head += [Piece(f" {field.name}", place), *value]
        body = body_of(kind)
        tail: Pieces = ()
        if not kind.key and body in fields and body is not None and body.type != SCRIPT:
            place = pointer(at, body.name)
            if entry[body.name] != []:
                tail = (Piece(": ", place), *self.writer.value(entry[body.name], body.type, place))
            in_head.append(body)
        self.page.line(level, *head, *tail, *self.writer.cites(entry, at))
        self._comments(entry, at, level + 1)
        self._to_do(entry, at, level + 1)
        for field in fields:
            if field not in in_head and field.type != SCRIPT:
                self._field(field, entry[field.name], pointer(at, field.name), level + 1)
        self._scripts(kind, entry, fields, at, level + 1)

    def _scripts(
        self, kind: Kind, entry: Mapping[str, Json], fields: Sequence[KindField], at: str,
        level: int,
    ) -> None:  # fmt: skip
        """The scripts below an entry: with their labels, and at last the one without."""
        body, writer = body_of(kind), ScriptWriter(self.writer, self.page, subject_of(kind))
        scripts = [f for f in fields if f.type == SCRIPT and entry[f.name] != []]
        for field in sorted(scripts, key=lambda field: field is body):
            place = pointer(at, field.name)
            if field is body:
                writer.steps(entry[field.name], place, level)
            else:
                writer.body((Piece(field.name, place),), entry[field.name], place, level)

    def _goes_to_head(self, kind: Kind, field: KindField, value: Json) -> bool:
        """Would a line of its own be read as something else?"""
        if field.type == FLAG:
            clash = value is True
        else:
            clash = field.type == TEXT or isinstance(field.type, Num | Named)
        if plain(field.name) in inner_words(self.program, kind):
            return clash
        return field.name == "story" and field.type == TEXT and not _is_running(value)

    def _field(self, field: KindField, value: Json, at: str, level: int) -> None:
        inner = inner_kind(self.program, field.type)
        if inner is not None:
            for place, item in enumerate(listed(value, at)):
                self._inner(inner, item, pointer(at, place), level)
        elif field.name == "story" and field.type == TEXT and _is_running(value):
            self.page.line(level, Piece(f"story: {value}".rstrip(), at))
        elif not (isinstance(field.type, Many) and value == []) and field.type != BAD:
            said = self.writer.value(value, field.type, at)
            self.page.line(level, Piece(f"{field.name}: ", at), *said)

    def _inner(self, kind: Kind, data: Json, at: str, level: int) -> None:
        entry = mapped(data, at)
        self._only_fields(kind, entry, (VARIANT, TO_DO, CITES, COMMENTS), at)
        head = [Piece(_variant(kind, entry, at) or plain(kind.name), at)]
        if kind.numbered and PLACE in entry:
            place = pointer(at, PLACE)
            head.append(Piece(f" {whole(entry[PLACE], place)}", place))
        fields = [f for f in kind.fields if f.name in entry]
        if kind.numbered:
            fields = [f for f in fields if f.name != PLACE]
        self._entry(kind, entry, head, fields, at, level)

    def _to_do(self, entry: Mapping[str, Json], at: str, level: int) -> None:
        place = pointer(at, TO_DO)
        for number, note in enumerate(listed(entry.get(TO_DO, []), place)):
            self.page.line(level, *to_do(note, pointer(place, number)))

    def _comments(self, entry: Mapping[str, Json], at: str, level: int) -> None:
        place = pointer(at, COMMENTS)
        for number, comment in enumerate(listed(entry.get(COMMENTS, []), place)):
            here = pointer(place, number)
            if not isinstance(comment, str) or not _is_running(comment) or not comment:
                raise Slip(here, "a comment is a line of text, without blanks at its ends")
            self.page.line(level, Piece(f"# {comment}", here))


def _key_words(key: Json) -> str | None:
    """How players see a key that the first cell of a row gives in several words."""
    return key.replace("_", " ") if isinstance(key, str) else None


def _variant(kind: Kind, entry: Mapping[str, Json], at: str) -> str:
    """Which variant the entry is; empty where its kind has none."""
    variant = entry.get(VARIANT, "")
    if kind.variants and variant not in kind.variants:
        near = did_you_mean(suggest(str(variant), kind.variants))
        names = ", ".join(kind.variants)
        message = f"a {kind.name} says in `{VARIANT}` which one it is: {names}"
        raise Slip(pointer(at, VARIANT) if VARIANT in entry else at, message, help=near)
    if not kind.variants and VARIANT in entry:
        raise Slip(pointer(at, VARIANT), f"a {kind.name} comes in one variant only")
    return str(variant)


def _opening(name: str) -> str:
    """The word that begins an entry: small, unless that opens something else."""
    small = plain(name)
    return name if small in (*OPENS_RULES_BOOK, *DECLARING, REPLACES) else small


def _instead(entry: Mapping[str, Json], at: str) -> Pieces:
    """The word `replaces`, if the entry takes the place of one of what a pack extends."""
    place = pointer(at, INSTEAD)
    if entry.get(INSTEAD, False) not in (True, False):
        raise Slip(place, f"true or false is needed here, not {shown(entry[INSTEAD])}")
    return (Piece(f"{REPLACES} ", place),) if entry.get(INSTEAD) else ()


def _is_running(text: Json) -> bool:
    """Can the text run on behind a label, without quotes?"""
    return isinstance(text, str) and text == text.strip() and "\n" not in text

"""From JSON to the words of content: values, instructions, names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulelang.content.pieces import Piece, Pieces, Slip, joined
from rulelang.content.shapes import (
    CITES,
    CLAUSE,
    DECIMAL,
    DO,
    KEY,
    LARGEST,
    NAME,
    OF,
    Json,
    is_numbered,
    is_tagged,
    pointer,
)
from rulelang.diagnostic import did_you_mean, suggest
from rulelang.program.program import Program
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
    members,
)
from rulelang.program.values import plain


class Writer:
    """Writes values as content says them. Raises `Slip` for what is no such value."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def value(self, data: Json, kind: Type, at: str, *, alone: bool = True) -> Pieces:
        """A value of a type; one not ``alone`` stands in a list, and may not be one itself."""
        match kind:
            case Either():
                return self._of_several(data, kind, at)
            case Named():
                return (Piece(self.name(data, kind.domain, at), at),)
            case Num():
                return (Piece(self._number(data, kind, at), at),)
            case Many():
                return self._many(data, kind, at, alone)
            case Table():
                return self._table(data, kind, at, alone)
        if kind == EFFECT:
            return self.effect(data, at)
        return (Piece(_simple(data, kind, at), at),)

    def _many(self, data: Json, kind: Many, at: str, alone: bool) -> Pieces:
        items = listed(data, at)
        if not items or (len(items) > 1 and not alone):
            raise Slip(at, "this list cannot be written inside another value")
        parts = [
            self.value(item, kind.item, pointer(at, place), alone=False)
            for place, item in enumerate(items)
        ]
        return joined(parts, ", ", at)

    def _table(self, data: Json, kind: Table, at: str, alone: bool) -> Pieces:
        pairs = mapped(data, at)
        if len(pairs) > 1 and not alone:
            raise Slip(at, "this map cannot be written inside another value")
        numbered = is_numbered(self.program, kind.key.domain)
        parts = []
        for key, item in pairs.items():
            known: Json = int(key) if numbered and key.isdecimal() and len(key) < 18 else key
            place = pointer(at, key)
            said = self.value(item, kind.value, place, alone=False)
            parts.append((Piece(self.name(known, kind.key.domain, place) + " ", place), *said))
        return joined(parts, ", ", at) if parts else (Piece(",", at),)

    def _of_several(self, data: Json, kind: Either, at: str) -> Pieces:
        if isinstance(data, dict) and OF in data and is_tagged(kind):
            return self._tagged(data, kind, at)
        for member in members(kind):
            if _is_shape_of(data, member) and not (isinstance(member, Named) and is_tagged(kind)):
                return self.value(data, member, at)
        raise Slip(at, f"{shown(data)} is not {kind}", help=self._tags(kind))

    def _tags(self, kind: Either) -> str | None:
        named = [member.domain for member in kind.members if isinstance(member, Named)]
        if not named or not is_tagged(kind):
            return None
        return f'Names are written {{"of": "{named[0]}", "key": …}} here.'

    def _tagged(self, data: Json, kind: Either, at: str) -> Pieces:
        only(data, (OF, KEY), at)
        domains = [member.domain for member in kind.members if isinstance(member, Named)]
        if data[OF] not in domains:
            near = did_you_mean(suggest(str(data[OF]), domains))
            message = f"{shown(data[OF])} is none of {', '.join(domains)}"
            raise Slip(pointer(at, OF), message, help=near)
        here = pointer(at, KEY)
        return (Piece(self.name(data.get(KEY), data[OF], here), here),)

    # ------------------------------------------------------------ names and numbers

    def name(self, data: Json, domain: str, at: str) -> str:
        """How content names an entry, one of some names, or a seat."""
        if domain not in self.program.domains:
            raise Slip(at, f"there is no type {domain}")
        if not is_numbered(self.program, domain):
            return word(data, at)
        kind = self.program.kinds.get(domain)
        if kind is not None and isinstance(data, str) and DECIMAL.fullmatch(data):
            return f"{plain(domain)} {data}"
        return f"{plain(domain) if kind is not None else domain} {whole(data, at)}"

    def _number(self, data: Json, kind: Num, at: str) -> str:
        if isinstance(data, bool) or not isinstance(data, int | float) or data != data // 1:
            raise Slip(at, f"{shown(data)} is no number; {kind} is needed")
        if not -LARGEST < data < LARGEST:
            raise Slip(at, "this number is too long")
        return str(int(data))

    # ------------------------------------------------------------ instructions

    def effect(self, data: Json, at: str, more: Sequence[str] = ()) -> Pieces:
        """An instruction; ``more`` are properties of the object that are no arguments."""
        given = mapped(data, at)
        name = given.get(DO)
        if not isinstance(name, str):
            raise Slip(at, "an instruction says in `do` what is done")
        signature = self.program.signatures.get(name)
        if signature is None:
            near = did_you_mean(suggest(name, self.program.signatures))
            raise Slip(pointer(at, DO), f"there is no instruction `{name}`", code="N208", help=near)
        parameters = signature.parameters
        return self._called(name, parameters, given, at, (DO, *more))

    def ask(
        self, name: str, parameters: Sequence[tuple[str, Type]], data: Json, at: str, tag: str
    ) -> Pieces:
        """A question with its arguments."""
        return self._called(name, parameters, mapped(data, at), at, (tag,))

    def _called(
        self, name: str, parameters: Sequence[tuple[str, Type]], given: Mapping[str, Json], at: str,
        others: Sequence[str],
    ) -> Pieces:  # fmt: skip
        names = [parameter for parameter, _ in parameters]
        for key in given:
            if key not in names and key not in others:
                near = did_you_mean(suggest(key, names))
                message = f"`{name}` has no argument `{key}`"
                raise Slip(pointer(at, key), message, code="T302", help=near)
        parts: list[Pieces] = [(Piece(name, at),)]
        for parameter, kind in parameters:
            if parameter not in given:
                raise Slip(at, f"`{name}` does not say {parameter}: {kind}", code="T302")
            parts.append(self.value(given[parameter], kind, pointer(at, parameter)))
        return joined(parts, " ", at)

    def cites(self, data: Mapping[str, Json], at: str) -> Pieces:
        """The clauses that an entry cites, to stand at the end of its line."""
        if not data.get(CITES):
            return ()
        at = pointer(at, CITES)
        parts: list[Pieces] = []
        for place, clause in enumerate(listed(data[CITES], at)):
            here = pointer(at, place)
            if not isinstance(clause, str) or not CLAUSE.fullmatch(clause):
                raise Slip(here, f"{shown(clause)} is no number of a clause")
            parts.append((Piece(clause, here),))
        return (Piece("  cites ", at), *joined(parts, ", ", at))


# ---------------------------------------------------------------- shapes


def listed(data: Json, at: str) -> list[Json]:
    """The data, which must be a list."""
    if not isinstance(data, list):
        raise Slip(at, f"a list is needed here, not {shown(data)}")
    return data


def mapped(data: Json, at: str) -> dict[str, Json]:
    """The data, which must be an object."""
    if not isinstance(data, dict):
        raise Slip(at, f"an object is needed here, not {shown(data)}")
    return data


def only(data: Mapping[str, Json], known: Sequence[str], at: str, *, code: str = "C511") -> None:
    """The object must have no other properties."""
    for key in data:
        if key not in known:
            near = did_you_mean(suggest(key, known)) or f"One of: {', '.join(known)}."
            raise Slip(pointer(at, key), f"`{key}` has no meaning here", code=code, help=near)


def whole(data: Json, at: str) -> int:
    """The data, which must be a whole number from 0."""
    if isinstance(data, bool) or not isinstance(data, int | float) or data != data // 1:
        raise Slip(at, f"{shown(data)} is no whole number")
    if not 0 <= data < LARGEST:
        raise Slip(at, f"{shown(data)} is no number from 0 that can be written")
    return int(data)


def to_do(data: Json, at: str) -> Pieces:
    """A line that notes what is missing."""
    return (Piece("todo" + (f" {quoted(data, at)}" if data != "" else ""), at),)


def word(data: Json, at: str) -> str:
    """A name as content writes it: in quotes if it is more than a word."""
    if not isinstance(data, str):
        raise Slip(at, f"a name is needed here, not {shown(data)}")
    return data if NAME.fullmatch(data) and data != CITES else quoted(data, at)


def quoted(data: Json, at: str) -> str:
    """A text in quotes."""
    if not isinstance(data, str):
        raise Slip(at, f"a text is needed here, not {shown(data)}")
    if "\n" in data or ('"' in data and "”" in data):
        raise Slip(at, "a text is one line, and cannot hold both straight and curly closing quotes")
    return f"“{data}”" if '"' in data else f'"{data}"'


def shown(data: Json) -> str:
    """The data in a message."""
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case int() if not -LARGEST < data < LARGEST:
            return "a number of many digits"
        case int() | float():
            return str(data)
        case str():
            return f'"{data}"' if len(data) <= 40 else f'"{data[:39]}…"'
    return "a list" if isinstance(data, list) else "an object"


def _simple(data: Json, kind: Type, at: str) -> str:
    if kind == TEXT:
        return quoted(data, at)
    if kind == FLAG and isinstance(data, bool):
        return "yes" if data else "no"
    if kind == NONE and data is None:
        return "none"
    raise Slip(at, f"{kind} is needed here, not {shown(data)}")


def _is_shape_of(data: Json, kind: Type) -> bool:
    """Can the data be meant as a value of the type?"""
    match kind:
        case Named():
            return isinstance(data, str | int) and not isinstance(data, bool)
        case Num():
            return isinstance(data, int | float) and not isinstance(data, bool)
        case Many():
            return isinstance(data, list)
        case Table():
            return isinstance(data, dict) and DO not in data
    shapes = {FLAG: bool, TEXT: str, NONE: type(None), EFFECT: dict}
    return kind in shapes and isinstance(data, shapes[kind])

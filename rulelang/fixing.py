"""Carrying out the fixes that diagnostics bring, as long as a game is not the worse for it.

In rounds: the fixes of one check are made together, those that touch each other one after the
other, and the result is checked anew, since one slip often hides another. A fix that brings an
error that was not there before is left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from attrs import Factory, define, evolve, field, frozen

from rulelang.analysis import Analysis, analyse_sources
from rulelang.diagnostic import Diagnostic, Edit, Fix, Span, sort_key
from rulelang.syntax.parser import parse

MAX_ROUNDS = 10
_LINE_END = re.compile(r"\r\n|\r|\n")


@frozen
class Fixed:
    """What came of it: texts by file, the game as it is with them, and what was done.

    ``texts`` has the files that changed, with their own line ends. ``refused`` are diagnostics
    whose fix would have brought new errors.
    """

    texts: dict[str, str]
    analysis: Analysis
    done: tuple[Diagnostic, ...]
    refused: tuple[Diagnostic, ...]


def fix(
    analysis: Analysis,
    texts: Mapping[str, str],
    wanted: Callable[[Diagnostic], bool],
    *,
    unsafe: bool = False,
) -> Fixed:
    """Carry out the fixes of the ``wanted`` diagnostics in the files of ``texts``.

    ``texts`` are the files that may change, as they are on the disk but for the decoding; fixes
    that also change others are left out. With ``unsafe`` those count too that are a guess.
    """
    state = _State(analysis, dict(texts))
    done: list[Diagnostic] = []
    refused: dict[tuple[str, str], Diagnostic] = {}
    for _ in range(MAX_ROUNDS):
        chosen = [
            each
            for each in state.fixable(wanted, unsafe)
            if (each.code, each.message) not in refused
        ]
        if not chosen:
            break
        state, made = _round(state, chosen, refused)
        done += made
    changed = {name: text for name, text in state.texts.items() if text != texts[name]}
    return Fixed(changed, state.analysis, tuple(done), tuple(refused.values()))


def _round(
    state: _State, chosen: Sequence[Diagnostic], refused: dict[tuple[str, str], Diagnostic]
) -> tuple[_State, list[Diagnostic]]:
    """The game after one round, and what was mended; what was refused is added to ``refused``."""
    made: list[Diagnostic] = []
    result = state

    def settle(part: Sequence[Diagnostic]) -> None:
        nonlocal result
        tried = state.after([*made, *part])
        if not tried.worse_than(state, [*made, *part]):
            made.extend(part)
            result = tried
        elif len(part) == 1:
            refused[part[0].code, part[0].message] = part[0]
        else:
            middle = len(part) // 2
            settle(part[:middle])
            settle(part[middle:])

    settle(chosen)
    return result, made


@define(slots=False)
class _State:
    """A game, and the texts of those of its files that may change."""

    analysis: Analysis
    texts: dict[str, str]
    _offsets: dict[str, _Lines] = field(init=False, default=Factory(dict))

    def fixable(self, wanted: Callable[[Diagnostic], bool], unsafe: bool) -> list[Diagnostic]:
        """The diagnostics to be mended now: of those that touch each other, the first."""
        taken: list[tuple[str, int, int]] = []
        found = []
        for diagnostic in sorted(self.analysis.diagnostics, key=sort_key):
            fix = diagnostic.fix
            if fix is None or not (fix.safe or unsafe) or not wanted(diagnostic):
                continue
            places = self._places(fix)
            if places is not None and not any(_touch(one, two) for one in places for two in taken):
                taken += places
                found.append(diagnostic)
        return found

    def _places(self, fix: Fix) -> list[tuple[str, int, int]] | None:
        """The files and offsets of its edits, None if one is not to be made."""
        places: list[tuple[str, int, int]] = []
        for edit in fix.edits:
            place = self._place(edit.span)
            if place is None or any(_touch(place, other) for other in places):
                return None
            places.append(place)
        return places or None

    def _place(self, span: Span) -> tuple[str, int, int] | None:
        text = self.texts.get(span.file)
        if text is None:
            return None
        lines = self._offsets.setdefault(span.file, _Lines.of(text))
        start = lines.offset(span.line, span.column)
        end = lines.offset(span.end_line, span.end_column)
        return None if start is None or end is None or start > end else (span.file, start, end)

    def after(self, mended: Iterable[Diagnostic]) -> _State:
        """The game with the fixes of diagnostics made, which must not touch each other."""
        edits: dict[str, list[tuple[int, int, str]]] = {}
        for diagnostic in mended:
            for edit in diagnostic.fix.edits if diagnostic.fix else ():
                edits.setdefault(edit.span.file, []).append(self._replacement(edit))
        texts = {**self.texts, **{name: _edited(self.texts[name], edits[name]) for name in edits}}
        sources = self.analysis.sources
        changed = {name: _LINE_END.sub("\n", texts[name]) for name in edits}
        rules, catalogues = (
            {name: changed.get(name, text) for name, text in part.items()}
            for part in (sources.rules, sources.catalogues)
        )
        sources = evolve(sources, rules=rules, catalogues=catalogues)
        return _State(analyse_sources(sources), texts)

    def _replacement(self, edit: Edit) -> tuple[int, int, str]:
        place = self._place(edit.span)
        assert place is not None
        file, start, end = place
        return start, end, edit.text.replace("\n", self._offsets[file].end)

    def worse_than(self, other: _State, mended: Iterable[Diagnostic]) -> bool:
        """Is there an error that the other one, of which it was made, does not have?

        Slips of the notation hide what stands behind and below them and everything else, and slips
        of the rules hide the game's own checks: what only comes to light is not new.
        """
        if self.unread != other.unread:
            return self.unread
        if self.unread:
            return self._stuck(other, mended)
        new = _kinds(self.analysis.errors) - _kinds(other.analysis.errors)
        return any(code != "C505" or not other.analysis.errors for code, _ in new)

    def _stuck(self, other: _State, mended: Iterable[Diagnostic]) -> bool:
        """Does reading fail above a mended place, or in its line, but no farther on?"""
        before = {(d.file, d.line): other._left(d) for d in other.analysis.errors}
        first: dict[str, int] = {}
        for each in mended:
            first[each.file] = min(each.line, first.get(each.file, each.line))
        touched = {(each.file, each.line) for each in mended}
        for error in self.analysis.errors:
            at = error.file, error.line
            if at in touched:
                if at in before and self._left(error) >= before[at]:
                    return True
            elif at not in before and error.line < first.get(error.file, 0):
                return True
        return False

    def _left(self, diagnostic: Diagnostic) -> int:
        """How much of its line stands behind the place of a diagnostic."""
        text = self.analysis.sources.rules.get(diagnostic.file, "")
        lines = text.split("\n")
        line = lines[diagnostic.line - 1] if diagnostic.line <= len(lines) else ""
        return len(line) - diagnostic.column

    @cached_property
    def unread(self) -> bool:
        """Are there slips of the notation, so that nothing else was looked at?"""
        if not self.analysis.errors:
            return False
        return any(
            diagnostic.severity == "error"
            for name, text in self.analysis.sources.rules.items()
            for diagnostic in parse(text, name).diagnostics
        )


def _kinds(errors: Iterable[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((error.code, error.message) for error in errors)


# ---------------------------------------------------------------- texts


@frozen
class _Lines:
    """Where the lines of a text begin and end, and how most of them end."""

    starts: list[int]
    stops: list[int]
    end: str

    @classmethod
    def of(cls, text: str) -> _Lines:
        ends = list(_LINE_END.finditer(text))
        kinds = Counter(match.group() for match in ends).most_common(1)
        return cls(
            [0, *(match.end() for match in ends)],
            [*(match.start() for match in ends), len(text)],
            kinds[0][0] if kinds else "\n",
        )

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a place; None if the text has no such place."""
        if not 1 <= line <= len(self.starts):
            return None
        offset = self.starts[line - 1] + column - 1
        return offset if self.starts[line - 1] <= offset <= self.stops[line - 1] else None


def _touch(one: tuple[str, int, int], two: tuple[str, int, int]) -> bool:
    """Do two edits meddle with each other?"""
    if one[0] != two[0]:
        return False
    return one[1] == two[1] or (one[1] < two[2] and two[1] < one[2])


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text

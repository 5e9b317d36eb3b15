"""Measuring: faults are drawn, seeded one at a time, and looked for by check and scenarios."""

from __future__ import annotations

import gc
import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from attrs import evolve, frozen

from rulelang.analysis import Analysis, analyse_sources
from rulelang.diagnostic import Diagnostic, Span
from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.loader import Sources, read
from rulelang.scenarios import run as run_scenarios
from rulelang.syntax.parser import Parsed, parse
from rulelang.testing.faults.book import PROVING, Book
from rulelang.testing.faults.fault import Fault, Place, applied, near, shown
from rulelang.testing.faults.kinds import KINDS, UNSEEN, Kind

PROVING_SHARE = 4
"""At most one fault in so many lies in a check or scenario, if there are others."""

CLAIMS = ("C505", "C508")
"""Codes of what a game says of itself that is not so: in its checks, and in its scenarios."""


@frozen
class Finding:
    """What came of one fault.

    ``diagnostics`` counts the new errors and warnings. ``claims`` says that only the game's checks
    speak of it, which fail, and its scenarios, which cannot come about; ``placed`` that a
    diagnostic is on a line where it belongs; ``scenario`` that a scenario fails where the check
    finds nothing; ``same`` that it is no fault: the game means the same.
    """

    kind: str
    group: str
    file: str
    line: int
    before: str
    after: str
    same: bool = False
    diagnostics: int = 0
    placed: bool = False
    claims: bool = False
    scenario: bool = False

    @property
    def by_check(self) -> bool:
        """Does the check find it?"""
        return self.diagnostics > 0

    @property
    def found(self) -> bool:
        """Does the check or a scenario find it?"""
        return self.by_check or self.scenario


class Bench:
    """A sound game, and what is said of it with a fault in it. UsageError if it is not sound."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.known = {name: parse(text, name) for name, text in sources.rules.items()}
        analysis = analyse_sources(sources, self._parse)
        if analysis.program is None or analysis.errors:
            first = str(analysis.errors[0]) if analysis.errors else "nothing can be read"
            raise UsageError(f"faults are seeded into a sound game, and this one is not: {first}")
        self.meaning = analysis.program.meaning
        self.usual = _counted(analysis)
        self.book = Book(sources, analysis.program, tuple(p.file for p in self.known.values()))
        self.scenarios_pass = _scenarios_pass(Game(analysis.program, sources.rules))
        self.proving = [node.span for node in self.book.declarations() if isinstance(node, PROVING)]

    def _parse(self, text: str, name: str) -> Parsed:
        if self.sources.rules.get(name) == text:
            return self.known[name]
        return _parse_once(text, name)

    # ------------------------------------------------------------ drawing faults

    def drawn(self, kinds: Sequence[Kind], seed: int, per_kind: int) -> list[tuple[Kind, Fault]]:
        """So many faults of each kind, or all that there are."""
        found = []
        for kind in kinds:
            random = Random(f"{seed} {kind.title}")
            faults = list(kind.seed(self.book, random))
            random.shuffle(faults)
            found += [(kind, fault) for fault in self._shared_out(faults, per_kind)]
        return found

    def _shared_out(self, faults: list[Fault], per_kind: int) -> list[Fault]:
        """The first ones, but few that lie in checks and scenarios, as most of a game is those."""
        proving = [fault for fault in faults if self._is_proving(fault)]
        others = [fault for fault in faults if not self._is_proving(fault)]
        share = max(per_kind // PROVING_SHARE, per_kind - len(others))
        taken = proving[:share]
        return [*others[: per_kind - len(taken)], *taken]

    def _is_proving(self, fault: Fault) -> bool:
        lines = [
            (each.file, self.book.texts[each.file].line_at(each.start)) for each in fault.edits
        ]
        return any(
            span.file == file and span.line <= line <= span.end_line
            for file, line in lines
            for span in self.proving
        )

    # ------------------------------------------------------------ looking for one

    def look_for(self, kind: Kind, fault: Fault) -> Finding:
        """What is found of a fault."""
        file, line, before, after = shown(self.book, fault)
        finding = Finding(kind.title, kind.group, file, line, before, after)
        sources = applied(self.sources, fault)
        if self._is_same_text(sources, fault):
            return evolve(finding, same=True)
        analysis = analyse_sources(sources, self._parse)
        new = self._new(analysis)
        if new:
            return evolve(
                finding,
                diagnostics=len(new),
                placed=self._is_placed(fault, sources, new),
                claims=not self._is_proving(fault) and all(d.code in CLAIMS for d in new),
            )
        program = analysis.program
        if program is None:
            raise AssertionError(finding)
        untouched = kind.group != UNSEEN and not self._is_proving(fault)
        if untouched and program.meaning == self.meaning:
            return evolve(finding, same=True)
        game = Game(program, sources.rules)
        return evolve(finding, scenario=self.scenarios_pass and not _scenarios_pass(game))

    def _is_same_text(self, sources: Sources, fault: Fault) -> bool:
        """Do the files say the same, but for blanks and places?"""
        for file in {each.file for each in fault.edits}:
            if file in sources.catalogues:
                return False
            parsed = self._parse(sources.rules[file], file)
            if parsed.diagnostics or parsed.file != self.known[file].file:
                return False
        return True

    def _new(self, analysis: Analysis) -> list[Diagnostic]:
        """The errors and warnings that the sound game does not have."""
        usual = Counter(self.usual)
        new = []
        for diagnostic in analysis.diagnostics:
            if diagnostic.severity == "info":
                continue
            key = diagnostic.code, diagnostic.message
            if usual[key] > 0:
                usual[key] -= 1
            else:
                new.append(diagnostic)
        return new

    def _is_placed(self, fault: Fault, sources: Sources, new: list[Diagnostic]) -> bool:
        places = near(self.book, fault, {**sources.rules, **sources.catalogues})
        return any(place in places for diagnostic in new for place in _places(diagnostic))


def _places(diagnostic: Diagnostic) -> Iterator[Place]:
    spans: list[Span] = [diagnostic.span, *(note.span for note in diagnostic.notes)]
    for span in spans:
        yield from ((span.file, line) for line in range(span.line, span.end_line + 1))


def _counted(analysis: Analysis) -> Counter[tuple[str, str]]:
    return Counter((d.code, d.message) for d in analysis.diagnostics if d.severity != "info")


def _scenarios_pass(game: Game) -> bool:
    return all(result.ok for result in run_scenarios(game))


@lru_cache(maxsize=4)
def _parse_once(text: str, name: str) -> Parsed:
    return parse(text, name)


# ---------------------------------------------------------------- many


def measure(
    where: str | Path | Sources,
    *,
    seed: int = 0,
    per_kind: int = 20,
    jobs: int = 1,
    kinds: Sequence[Kind] = KINDS,
) -> list[Finding]:
    """What is found of faults that are seeded into a sound game, in the order of their kinds.

    ``per_kind`` is how many faults of a kind are drawn, ``jobs`` how many processes look for them.
    UsageError if there is no such game, or if it is not sound.
    """
    sources = where if isinstance(where, Sources) else read(where)
    bench = Bench(sources)
    tasks = bench.drawn(kinds, seed, per_kind)
    if jobs <= 1:
        return [bench.look_for(kind, fault) for kind, fault in tasks]
    numbered = [(KINDS.index(kind), fault) for kind, fault in tasks]
    with multiprocessing.Pool(jobs, _begin, (sources,)) as pool:
        return list(pool.imap(_work, numbered, chunksize=8))


_bench: list[Bench] = []
"""The one bench of a process of the pool."""


def _begin(sources: Sources) -> None:
    _bench[:] = [Bench(sources)]
    gc.freeze()


def _work(task: tuple[int, Fault]) -> Finding:
    kind, fault = task
    try:
        return _bench[0].look_for(KINDS[kind], fault)
    except Exception as error:
        error.add_note(f"with the fault {shown(_bench[0].book, fault)}")
        raise

"""Many games, one after the other: a loop that is generated for those of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import repeat
from operator import length_hint
from struct import Struct
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import WORDS_PER_BLOCK
from rulelang.engine.compiler.beginning import made, named_words
from rulelang.engine.compiler.opening import Opening
from rulelang.engine.compiler.rollout import IN_DOUBT, PER_BLOCK, Playthrough, unpacked
from rulelang.engine.compiler.support import Doubt, Ended
from rulelang.engine.operators import MAX_WORK
from rulelang.program.linking import WORK

if TYPE_CHECKING:
    from rulelang.engine.compiler.judge import Verdict
    from rulelang.engine.compiler.module import Module

Seeds = Iterable[int]
First = tuple[int, ...]
"""Of each source of random words, how many are made before a game begins: none, few or a block."""
FEW = 4
Told = Callable[["Verdict"], None]
Loop = Callable[[Playthrough, list[Any], Told, Callable[[int], None], Seeds], None]
"""Plays the games of some seeds, tells the verdict of each or that it is in doubt, and adds up
their decisions, chance events and turns."""


def loop(module: Module, opening: Opening, first: First) -> Loop:
    """What plays many games, of which some words of each source are made beforehand."""
    if first not in opening.loops:
        opening.loops[first] = _made(module, opening, first)
    found: Loop = opening.loops[first]
    return found


def none_first(module: Module) -> First:
    """Words are made where they are wanted."""
    return (0,) * len(module.facts.words)


def first_words(games: Sequence[Sequence[int]]) -> First:
    """How many words of each source had better be made beforehand, by how many some games took."""
    often = zip(*games, strict=True)
    return tuple(0 if min(n) == 0 else FEW if max(n) <= FEW else WORDS_PER_BLOCK for n in often)


def _made(module: Module, opening: Opening, first: First) -> Loop:
    names = {
        **opening.filled.names,
        **opening.names,
        "blake2b": blake2b,
        "doubtful": (Doubt, *IN_DOUBT),
        "Doubt": Doubt,
        "Ended": Ended,
        "judged": module.judged,
        "length_hint": length_hint,
        "repeat": repeat,
        "start_": opening.filled.start,
        "unpacked": unpacked,
        "unpacked_few": Struct(f"<{FEW}I").unpack_from,
    }
    names |= {f"tail{n}": b"%b0" % tail for n, tail in enumerate(module.facts.tails)}
    loop: Loop = made("def loop(m, s, tell, refer, seeds):", _lines(module, opening, first), names)
    return loop


def _lines(module: Module, opening: Opening, first: First) -> Iterator[str]:
    many, seats = range(len(module.facts.words)), len(module.linked.players)
    firsts = (_first(n, count) for n, count in enumerate(first))
    yield "decisions, chances, most, start = m.decisions, m.chances, m.most, [*start_, m]"
    yield "try:"
    yield "    for seed in seeds:"
    yield "        turns = m.turns"
    yield "        try:"
    for line in opening.filled.lines:
        yield f"            {line}"
    yield '            m.seed = seed_ = b"%d" % seed'
    words = "".join(f"w{n}, " for n in many)
    yield f"            m.w = {named_words(len(many))}{words}= {', '.join(firsts)}, "
    yield f"            m.made = made = {list(first)}"
    fuel = opening.fuel - PER_BLOCK * sum(map(bool, first[seats:]))
    yield "            m.single = single = repeat(0, most)"
    yield f"            m.fuel, m.asked, m.scopes = {fuel}, -1, []"
    if opening.turns:
        yield f"            m.turns += {opening.turns}"
    yield "            try:"
    for line in opening.lines:
        yield f"                {line}"
    yield "            except Ended: pass"
    yield f"            if s[{WORK}] < 0: m.refuel()"
    yield f"            s[{WORK}] = {MAX_WORK}"
    yield "            verdict = judged(s)"
    yield f"            decided = most - length_hint(single) + {_taken(many[:seats])}"
    yield "            if decided > most: raise Doubt"
    yield "        except doubtful:"
    yield "            m.turns = turns"
    yield "            refer(seed)"
    yield "            continue"
    yield "        except BaseException:"  # an interrupt: this game does not count
    yield "            m.turns = turns"
    yield "            raise"
    yield "        tell(verdict)"
    yield "        decisions += decided"
    if many[seats:]:
        yield f"        chances += {_taken(many[seats:])}"
    yield "finally:"
    yield "    m.decisions, m.chances = decisions, chances"


def _first(source: int, count: int) -> str:
    """The first words of a source, the next one at the end."""
    if not count:
        return "[]"
    unpacked = "unpacked" if count == WORDS_PER_BLOCK else "unpacked_few"
    return f"[*{unpacked}(blake2b(seed_ + tail{source}).digest())][::-1]"


def _taken(sources: range) -> str:
    """How many words of some sources were taken."""
    return " + ".join(f"made[{n}] - len(w{n})" for n in sources)

"""Many games, one after the other: a loop that is generated for those of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import WORDS_PER_BLOCK
from rulelang.engine.compiler.beginning import made
from rulelang.engine.compiler.opening import Opening
from rulelang.engine.compiler.rollout import PER_BLOCK, Playthrough, unpacked
from rulelang.engine.compiler.support import Doubt, Ended, Left
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.operators import MAX_WORK
from rulelang.program.linking import WORK

if TYPE_CHECKING:
    from rulelang.engine.compiler.judge import Verdict
    from rulelang.engine.compiler.module import Module

Seeds = Iterable[int]
Told = Callable[["Verdict"], None]
Loop = Callable[[Playthrough, list[Any], Told, Callable[[int], None], Seeds], None]
"""Plays the games of some seeds, tells the verdict of each or that it is in doubt, and adds up
their decisions, chance events and turns."""


def loop(module: Module, opening: Opening, used: frozenset[int]) -> Loop:
    """What plays many games, in nearly all of which some sources of random words are used: their
    first blocks are made beforehand."""
    if used not in opening.loops:
        opening.loops[used] = _made(module, opening, used)
    found: Loop = opening.loops[used]
    return found


def _made(module: Module, opening: Opening, used: frozenset[int]) -> Loop:
    names = {
        **opening.filled.names,
        **opening.names,
        "blake2b": blake2b,
        "doubtful": (Doubt, Left, Fault, *UNFORESEEN),
        "Doubt": Doubt,
        "Ended": Ended,
        "judged": module.judged,
        "start_": opening.filled.start,
        "unpacked": unpacked,
    }
    names |= {f"tail{n}": b"%b0" % tail for n, tail in enumerate(module.facts.tails)}
    loop: Loop = made("def loop(m, s, tell, refer, seeds):", _lines(module, opening, used), names)
    return loop


def _lines(module: Module, opening: Opening, used: frozenset[int]) -> Iterator[str]:
    many, seats = range(len(module.facts.words)), len(module.linked.players)
    firsts = (_first(n) if n in used else "[]" for n in many)
    counted = [_taken(many[:seats]), _taken(many[seats:])]
    yield "decisions, chances, most, start = m.decisions, m.chances, m.most, [*start_, m]"
    yield "try:"
    yield "    for seed in seeds:"
    yield "        turns = m.turns"
    yield "        try:"
    for line in opening.filled.lines:
        yield f"            {line}"
    yield '            m.seed = seed_ = b"%d" % seed'
    yield f"            m.w = {''.join(f'w{n}, ' for n in many)}= {', '.join(firsts)}, "
    yield f"            m.blocks = b = [{', '.join(str(int(n in used)) for n in many)}]"
    fuel = opening.fuel - PER_BLOCK * len([n for n in used if n >= seats])
    yield f"            m.singles, m.fuel, m.asked, m.scopes = 0, {fuel}, -1, []"
    if opening.turns:
        yield f"            m.turns += {opening.turns}"
    yield "            try:"
    for line in opening.lines:
        yield f"                {line}"
    yield "            except Ended: pass"
    yield f"            if s[{WORK}] < 0 or m.fuel < 0: m.refuel()"
    yield f"            s[{WORK}] = {MAX_WORK}"
    yield "            verdict = judged(s)"
    yield f"            decided = m.singles{counted[0]}"
    yield "            if decided > most: raise Doubt"
    yield "        except doubtful:"
    yield "            m.turns = turns"
    yield "            refer(seed)"
    yield "            continue"
    yield "        tell(verdict)"
    yield "        decisions += decided"
    if counted[1]:
        yield f"        chances +={counted[1].removeprefix(' +')}"
    yield "finally:"
    yield "    m.decisions, m.chances = decisions, chances"


def _first(source: int) -> str:
    """The words of a source's first block."""
    return f"[*unpacked(blake2b(seed_ + tail{source}).digest())][::-1]"


def _taken(sources: range) -> str:
    """How many words of some sources were taken."""
    if not sources:
        return ""
    blocks = " + ".join(f"b[{n}]" for n in sources)
    return f" + ({blocks}) * {WORDS_PER_BLOCK}" + "".join(f" - len(w{n})" for n in sources)

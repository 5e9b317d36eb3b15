"""Games that are played through with compiled rules: a policy answers in place.

Nothing waits, so there is no stack to keep, and chance is drawn as it comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import repeat
from operator import length_hint
from struct import Struct
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import WORDS_PER_BLOCK
from rulelang.engine.compiler.support import Doubt, Ended, Left, rules_under_way, under_way
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import FUEL
from rulelang.engine.operators import MAX_WORK
from rulelang.program.linking import WORK
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.opening import Opening

WINDOW, WORK_WINDOW = FUEL // 3, MAX_WORK // 3
MAX_DECISIONS = 100_000
"""Decisions after which a game that is played through is broken off."""
MAX_BLOCKS = MAX_DECISIONS // WORDS_PER_BLOCK
"""Blocks of one source's words after which it is."""
PER_WORD = 80
"""What a turn of a loop may weigh that counts nothing, as there is a random word in each."""
PER_BLOCK = PER_WORD * WORDS_PER_BLOCK
"""What is counted for a block of words of chance."""
unpacked = Struct(f"<{WORDS_PER_BLOCK}I").unpack


IN_DOUBT = Left, Fault, StopIteration, *UNFORESEEN
"""What is raised, beside Doubt, where it cannot be said how a game goes on: of these
StopIteration where there were too many decisions with one option."""
NAMED = tuple([f"w{source}" for source in range(16)])
"""The attributes that hold the words of the first sources: found sooner than in a list."""


class Playthrough:
    """Games that are played to their ends, one after the other."""

    __slots__ = (
        "asked", "calls", "chances", "decisions", "fuel", "made", "module", "most", "opening",
        "scopes", "seats", "seed", "single", "slots", "stack", "tails", "turns", "w", *NAMED,
    )  # fmt: skip

    seed: bytes
    """As it is hashed."""
    w: Sequence[list[int]]
    """Of each source the words that are left of its last block, the next one at the end."""
    made: list[int]
    """Of each source how many words were made."""
    single: Iterator[int]
    """The answers to decisions with one option, for which no word is wanted: as many as there may
    be, so that those that are left tell how many there were."""
    asked: int
    """The decisions that there had been when fuel was given last."""

    def __init__(self, module: Module, opening: Opening) -> None:
        self.module = module
        self.opening = opening
        self.seats = len(module.linked.players)
        self.tails = module.facts.tails
        self.most = MAX_DECISIONS
        self.slots: list[Value] = []
        self.stack = ()
        self.calls: list[Any] = []
        self.decisions = self.chances = self.turns = 0

    def begin(self, seed: int) -> None:
        """Be a game where it opens."""
        opening, slots = self.opening, self.slots
        opening.begin(self, slots)
        slots[-1] = self  # for whoever has nothing but the state
        self.seed = b"%d" % seed
        self.single, self.turns = repeat(0, self.most), opening.turns
        self.fuel, self.asked = opening.fuel, -1
        self.scopes: list[Any] = []

    def charge(self) -> None:
        """Charge games that are played here, in this thread, for what is remembered of others."""
        under_way.slots = self.slots

    def play(self, seed: int) -> None:
        """Play a game to its end. Raises Doubt."""
        self.begin(seed)
        slots = self.slots
        try:
            self.opening.play(self, slots)
        except Ended:
            pass
        except IN_DOUBT as error:
            raise Doubt from error
        if slots[WORK] < 0 or self.fuel < 0:
            self.refuel()

    def more(self, source: int) -> list[int]:
        """The words of the next block of a source, of which none is left."""
        words, made = self.w[source], self.made[source]
        number = made // WORDS_PER_BLOCK
        if number > MAX_BLOCKS:
            raise Doubt
        self.made[source] = (number + 1) * WORDS_PER_BLOCK
        said = b"%b%b%d" % (self.seed, self.tails[source], number)
        words += unpacked(blake2b(said).digest())
        words.reverse()
        made %= WORDS_PER_BLOCK
        if made:  # its first ones were there before
            del words[-made:]
        if source >= self.seats:
            self.fuel -= PER_BLOCK
            if self.fuel < 0:
                self.refuel()
        return words

    def events(self) -> tuple[int, int]:
        """The decisions and the chance events so far. For each chance event there was a word, and
        one of a seat's for each decision with several options."""
        taken, seats = self.taken(), self.seats
        single = self.most - length_hint(self.single)
        return single + sum(taken[:seats]), sum(taken[seats:])

    def taken(self) -> list[int]:
        """How many words of each source were taken."""
        return [made - len(left) for made, left in zip(self.made, self.w, strict=True)]

    def depth(self) -> int:
        """How many rules are under way, those included in which the game opens: they only go on
        when what they have called is done, and so Python does not know of them."""
        return rules_under_way()[0] + self.opening.under_way

    def refuel(self) -> None:
        """Go on where fuel or work ran out, if there was a decision since it last did.

        What is allowed between two decisions is given in thirds. If there is a decision in every
        third, no stretch without one takes more than two of them: so nothing need be done at
        decisions. The last third is for what rules counted when they began and do behind a
        decision. Raises Doubt.
        """
        decisions, _ = self.events()
        if decisions == self.asked:
            raise Doubt
        self.asked = decisions
        self.fuel = WINDOW + min(self.fuel, 0)
        self.slots[WORK] = WORK_WINDOW + min(self.slots[WORK], 0)
        if self.fuel < 0 or self.slots[WORK] < 0:
            raise Doubt


def play(module: Module, seed: int) -> Playthrough:
    """Play one game to its end. Raises Doubt."""
    game = Playthrough(module, module.opening)
    game.charge()
    try:
        game.play(seed)
        if game.events()[0] > MAX_DECISIONS:
            raise Doubt
    finally:
        del game.slots[-1:]
    return game

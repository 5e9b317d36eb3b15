"""Games that run ahead of whoever looks at them.

Whoever plays is asked how to go on, and told among how many options: nothing else. So rules need
not be left and gone on with. They are generators, which call each other as in games that are played
through, and change the state in place in the same ways. What such a game looks like can only be
found out by playing the same answers once more, step by step.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from rulelang.engine.compiler.judge import Verdict
from rulelang.engine.compiler.rollout import Playthrough
from rulelang.engine.compiler.support import Doubt, Ended, Left
from rulelang.engine.fault import UNFORESEEN, Fault

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module

OVER = StopIteration, Ended
"""What is raised where a game is asked to go on, and ends."""
IN_DOUBT = Doubt, Left, Fault, *UNFORESEEN
"""What is raised where it cannot be said how it goes on."""


class Ahead(Playthrough):
    """A game of one seed, up to the decision for which somebody was asked last.

    ``send`` answers it, by the index of an option, and gives how many options there are next. It
    raises one of `OVER` or `IN_DOUBT` otherwise; nothing can be sent then any more.
    """

    __slots__ = ("answers", "rules", "send")

    def __init__(self, module: Module, seed: int, answers: list[int]) -> None:
        super().__init__(module, module.opening)
        self.answers = answers
        """Those so far; whoever plays keeps it."""
        self.begin(seed)
        self.rules: Generator[int, int, None] = self.opening.play(self, self.slots)
        self.send = self.rules.send

    def events(self) -> tuple[int, int]:
        """The decisions and the chance events so far."""
        return len(self.answers), sum(self.taken())

    def close(self) -> None:
        """Leave the rules where they stand, and no longer know what knows this: so it is gone as
        soon as nobody has it."""
        self.rules.close()
        self.slots[-1] = None

    def verdict(self) -> Verdict:
        """What is made of the game, once it is over and closed. Raises Doubt."""
        return self.module.verdict(self.slots)

"""A playthrough on compiled rules.

Only what has to be there at once is kept: the answers that were given, and the game. The log, the
ledger and saves come from the reference interpreter, which plays the same answers when somebody
asks for them. It also has the word where the compiled rules are in doubt.

Where one session after the other is played to its end, and nobody looks at anything but how many
options there are, the next ones run ahead (`Ahead`), until somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rulelang import policies
from rulelang.codec import encode_state
from rulelang.decisions import Decision, Option, describe
from rulelang.engine.chance import Words
from rulelang.engine.compiler.ahead import IN_DOUBT, OVER, Ahead
from rulelang.engine.compiler.handing import to_compiled, to_reference
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.events import Event, Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import LogEntry, Machine
from rulelang.errors import ChoiceError, GameFault
from rulelang.judging import Outcome
from rulelang.prepared import Prepared
from rulelang.scripting import Script
from rulelang.session import Session

if TYPE_CHECKING:
    from rulelang.game import Game


UNSEEN = 100
"""Sessions that nobody looked into after which the next one runs ahead: before, it is not worth
while to compile the rules once more for it."""


class CompiledSession(Session):
    """A playthrough whose rules were compiled. It has no script, and chance may be explicit."""

    __slots__ = (
        "_ahead", "_answers", "_described", "_go", "_shadow", "_shown", "_still", "_under_way",
        "count", "over",
    )  # fmt: skip

    over: bool
    """Is the game over?"""
    count: int
    """How many options are open, without making their texts; 0 when the game is over."""
    # Both are asked at every decision, and so are kept ready, other than in a `Session`.

    def __init__(self, game: Game, prepared: Prepared, *, seed: int, chance: str) -> None:
        self.game = game
        self.prepared = prepared
        self.linked = prepared.linked
        self.seed = seed
        self.chance = chance
        self._opening = None
        self._answers: list[int] = []
        """What was chosen, by index; where chance is explicit, its outcomes too."""
        self._shadow: Session | None = None
        """The same playthrough by the reference interpreter, up to some answer."""
        self._shown: int = 0
        """How many answers that one has."""
        self._described: tuple[Event, Decision] | None = None
        """The event of which the decision was asked last, and that."""
        self._still: Stepper | None = None
        """The game, as plain data; None while it runs ahead."""
        self._ahead: Ahead | None = None
        """The game that runs ahead, or has done so to its end."""
        self._go: Callable[[int], int]
        """What answers the open decision, and gives how many options the next one has."""
        self._under_way = False
        """Is a decision being answered, or undone? Whoever looks meanwhile, as what handles a
        signal may, finds the game as it is after the answers, and changes nothing."""

    # ------------------------------------------------------------ going on

    def begin(self) -> None:
        """Run to the first decision; `Game.start` has done it. Raises `GameFault`."""
        made = self.prepared
        if made.unseen.games >= UNSEEN and self.chance == "sample" and self._run_ahead():
            return
        self._stepper = stepper = self._replayed()
        self.over, self.count = stepper.over, _options(stepper)

    def choose(self, option: Option | int | str) -> None:
        """Answer the open decision: with an option, its index or its label.

        Raises `ChoiceError` if it is not legal, `GameFault` if a rule then goes wrong; either way
        the session stays at this decision.
        """
        if type(option) is not int or not 0 <= option < self.count:
            option = self._index(option)
        self._under_way = True
        try:
            try:
                count = self._go(option)
            except OVER:
                count = self._over_ahead()
            except IN_DOUBT:
                count = self._doubted(option)
        except BaseException as stop:  # an interrupt, say: nobody knows how far the rules have come
            self._still, self._ahead, self._go = None, None, self._from_answers
            self._under_way = False
            if not isinstance(stop, GameFault):
                self._shadow = None
            raise
        self.count = count
        if not count:
            self.over = True
            self.prepared.unseen.games += 1
        self._answers.append(option)  # late: an interrupt comes before all of this, or behind it
        self._under_way = False

    def undo(self) -> None:
        """Back to before the last answered decision. `ChoiceError` at the start."""
        if not self._answers:
            raise ChoiceError("nothing was chosen yet, so nothing can be undone", self.legal)
        self._under_way = True
        shadow, self._shadow = self._shadow, None  # nobody has it if it is interrupted
        if shadow is not None and self._shown == len(self._answers):
            shadow.undo()
            self._shown -= 1
        self._shadow = shadow
        answers = self._answers
        try:
            self._answers = answers[:-1]
            self._stepper = stepper = self._replayed()
            count = _options(stepper)
        except BaseException:
            self._still, self._ahead, self._go = None, None, self._from_answers
            self._answers = answers
            self._under_way = False
            raise
        self.over, self.count = stepper.over, count
        self._under_way = False
        self.prepared.unseen.games = 0

    def clone(self) -> CompiledSession:
        """An independent copy, equal in every respect, its past included."""
        copy = CompiledSession.__new__(CompiledSession)
        copy.__dict__.update(self.__dict__)
        copy.over, copy.count = self.over, self.count
        copy._answers = self._answers.copy()
        copy._described = None
        copy._shadow, copy._shown = None, 0
        copy._ahead, copy._under_way = None, False
        copy._stepper = self._stepper.clone()
        return copy

    @property
    def _stepper(self) -> Stepper:
        """The game, for somebody who looks at it."""
        self.prepared.unseen.games = 0
        if self._still is not None:
            return self._still
        ahead, known = self._ahead, len(self._answers)
        stepper = self._replayed()
        if known == len(self._answers) and not self._under_way:
            self._still, self._ahead, self._go = stepper, None, stepper.step
            if ahead is not None and not self.over:
                ahead.close()
        return stepper

    @_stepper.setter
    def _stepper(self, stepper: Stepper) -> None:
        if self._ahead is not None and not self.over:
            self._ahead.close()
        self._still, self._ahead, self._go = stepper, None, stepper.step

    def _run_ahead(self) -> bool:
        """Begin as a game that runs ahead, if that comes to a decision."""
        module = self.prepared.ahead
        if module is None:
            return False
        try:
            ahead = Ahead(module, self.seed, self._answers)
            self.count = next(ahead.rules)
        except (*OVER, *IN_DOUBT):
            return False
        self.over = False
        self._ahead, self._go = ahead, ahead.send
        return True

    def _over_ahead(self) -> int:
        """The game that runs ahead has ended: it has no more options."""
        assert self._ahead is not None
        self._ahead.close()
        return 0

    def _from_answers(self, option: int) -> int:
        """Answer where the game has to be played up to this decision first. Raises Doubt."""
        self._stepper = stepper = self._replayed()
        return stepper.step(option)

    def _replayed(self) -> Stepper:
        """The game after the answers, played once more. Raises `GameFault` if it cannot begin."""
        try:
            stepper = self.prepared.opened.clone()
            if self.chance == "sample":
                stepper.sample(Words(self.seed))
            for answer in self._answers:
                stepper.step(answer)
        except (Doubt, Fault):
            return self._taken_over(self._reference())
        return stepper

    def _doubted(self, option: int) -> int:
        """Answer where the game is in doubt. Raises `GameFault`."""
        if self._ahead is not None:
            with suppress(Doubt):
                return self._from_answers(option)
        reference = self._reference()
        reference.choose(option)
        self._shown += 1
        self._stepper = stepper = self._taken_over(reference)
        return _options(stepper)

    def _taken_over(self, reference: Session) -> Stepper:
        """The game of the reference interpreter, to go on with compiled rules."""
        stepper = to_compiled(reference.machine, self.prepared.stepping)
        if self.chance == "sample":
            stepper.words = Words(self.seed, reference.counters)
        return stepper

    def _reference(self) -> Session:
        """The same playthrough by the reference interpreter. Raises `GameFault`."""
        if self._shadow is None:
            shadow = Session(
                self.game, self.prepared, seed=self.seed, chance=self.chance, script=Script()
            )
            shadow.begin()
            self._shadow, self._shown = shadow, 0
        for answer in self._answers[self._shown :]:
            self._shadow.choose(answer)
            self._shown += 1
        return self._shadow

    # ------------------------------------------------------------ looking

    @property
    def machine(self) -> Machine:
        """The game as the reference interpreter has it, but for what the log alone knows."""
        return to_reference(self._stepper)

    @property
    def counters(self) -> dict[str, int]:
        """How many random words of each source were used."""
        return self._reference().counters

    @property
    def position(self) -> Stepper:
        """The game alone, without its past: for searches that copy it by the million.

        It is the session's own: only copies of it are stepped by others.
        """
        return self._stepper

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        event = self._stepper.event
        if event is None:
            return None
        if self._described is None or self._described[0] is not event:
            self._described = event, describe(event, self.game.program, self.mode)
        return self._described[1]

    @property
    def legal(self) -> tuple[str, ...]:
        """The labels of the open decision's options."""
        event = self._stepper.event
        return () if event is None else tuple(event.labels())

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and why; None while the game goes on.

        Raises `GameFault` if the game's verdicts cannot be worked out.
        """
        if not self.over:
            return None
        if self._ahead is not None:
            with suppress(Doubt):
                return self.prepared.judge.told(self._ahead.verdict())
        stepper = self._stepper if self._still is None else self._still  # which is not looked into
        try:
            return self.prepared.judge.quick_outcome(stepper.slots)
        except Fault as fault:
            raise self._cannot_judge(fault, "outcome") from fault

    @property
    def _log(self) -> list[LogEntry]:  # type: ignore[override]
        return self._reference()._log

    @property
    def state(self) -> dict[str, Any]:
        """The whole state by field, JSON-able. It is the referee's."""
        return encode_state(self.linked, self._stepper.slots)

    @property
    def ledger(self) -> tuple[str, ...]:
        """Every choice and chance outcome so far, as labels."""
        return self._reference().ledger

    @property
    def asked(self) -> tuple[str, ...]:
        """Who gave each outcome of the ledger: a seat as a figure, or `CHANCE`."""
        return self._reference().asked

    @property
    def script_left(self) -> int:
        """How many labels of the script were not used yet: it has none."""
        return 0

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return self._stepper.turns

    def save(self) -> dict[str, Any]:
        """All of the session as JSON-able data, for `Game.resume`. It is the referee's."""
        return self._reference().save()

    def shortlist(self, policy: str) -> tuple[int, ...]:
        """The options of the open choice that a policy holds for equally good, by index.

        Raises `UsageError` if there is no such policy for this game, `GameFault` if the game cannot
        say how good a position is.
        """
        policies.check(policy, self.prepared)
        if not isinstance(self._stepper.event, Question):
            return ()
        try:
            return tuple(policies.POLICIES[policy](self._stepper, self.prepared))
        except Fault as fault:
            raise self._cannot_judge(fault, "evaluate") from fault


def _options(stepper: Stepper) -> int:
    """How many are open; 0 when the game is over."""
    count: int = 0 if stepper.over else stepper.open[0]
    return count

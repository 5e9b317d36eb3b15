"""One playthrough: the open decision, choosing, undoing, saving, and what each player may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulelang import policies
from rulelang.codec import encode, encode_stack, encode_state, open_event
from rulelang.decisions import CHANCE, Decision, Option, asker_of, describe, rule_name, seat_of
from rulelang.engine.chance import Words, pick
from rulelang.engine.events import Chance, Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import LogEntry, Machine, Ready
from rulelang.errors import ChoiceError, GameFault, SaveError, UsageError, shown
from rulelang.hashing import hashed
from rulelang.judging import Outcome
from rulelang.prepared import Prepared
from rulelang.program.linking import ENDINGS, MARKS
from rulelang.program.values import Value, label_of
from rulelang.saving import save
from rulelang.scripting import Script
from rulelang.viewing import view

if TYPE_CHECKING:
    from rulelang.game import Game


@frozen
class LogLine:
    """Something that happened. ``what`` is rule, choice, chance or end; arguments are labels."""

    what: str
    rule: str
    arguments: tuple[str, ...]
    clauses: tuple[str, ...]
    depth: int
    player: int | None = None


@frozen
class _Past:
    """What `undo` returns to."""

    machine: Machine
    counters: dict[str, int]
    script: Script
    ledger: int
    log: int


@frozen
class Opening:
    """What a session begins with, where that is not the game's rule `play`."""

    ready: Ready
    arguments: tuple[Value, ...]


class Session:
    """A playthrough. Made by `Game.start`, `Game.replay`, `Game.resume` and `Game.trial`."""

    def __init__(
        self,
        game: Game,
        prepared: Prepared,
        *,
        seed: int,
        chance: str,
        script: Script,
        opening: Opening | None = None,
    ) -> None:
        self.game = game
        self.prepared = prepared
        self.linked = prepared.linked
        self.seed = seed
        self.chance = chance
        self._opening = opening
        self._words = Words(seed)
        self._script = script
        self._ledger: list[tuple[str, str]] = []
        self._history: list[_Past] = []
        self._log: list[LogEntry] = []
        self._decision: Decision | None = None
        try:
            slots = prepared.initial()
        except Fault as fault:
            span = fault.span
            place = ("", 0) if span is None else (span.file, span.line)
            raise GameFault(str(fault), "state", *place, "") from fault
        self._machine = Machine(self.linked, prepared.ready, slots, None)
        self._attach_log()

    @property
    def machine(self) -> Machine:
        """The game as the reference interpreter has it."""
        return self._machine

    @property
    def counters(self) -> dict[str, int]:
        """How many random words of each source were used."""
        return dict(self._words.counters)

    # ------------------------------------------------------------ looking

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._machine.over

    @property
    def mode(self) -> str:
        """The mode that is played."""
        return self.linked.mode

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.linked.players)

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        if self._decision is None and self._machine.event is not None:
            self._decision = describe(self._machine.event, self.game.program, self.mode)
        return self._decision

    @property
    def count(self) -> int:
        """How many options are open, without making their texts; 0 when the game is over."""
        event = self._machine.event
        return 0 if event is None else event.count

    @property
    def legal(self) -> tuple[str, ...]:
        """The labels of the open decision's options."""
        event = self._machine.event
        return () if event is None else tuple(event.labels())

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and why; None while the game goes on.

        A trial that is done without an ending has none either. Raises `GameFault` if the game's
        verdicts cannot be worked out.
        """
        if not self.over or (self._opening is not None and not self._machine.slots[ENDINGS]):
            return None
        try:
            return self.prepared.judge.outcome(self._machine.slots)
        except Fault as fault:
            raise self._cannot_judge(fault, "outcome") from fault

    @property
    def log(self) -> tuple[LogLine, ...]:
        """What happened, in order. It is the referee's: a player's part is in `view`."""
        return tuple(
            LogLine(e.what, e.rule, tuple(map(label_of, e.arguments)), e.clauses, e.depth, e.player)
            for e in self._log
        )

    @property
    def state(self) -> dict[str, Any]:
        """The whole state by field, JSON-able. It is the referee's."""
        return encode_state(self.linked, self._machine.slots)

    @property
    def ledger(self) -> tuple[str, ...]:
        """Every choice and chance outcome so far, as labels."""
        return tuple(label for _, label in self._ledger)

    @property
    def asked(self) -> tuple[str, ...]:
        """Who gave each outcome of the ledger: a seat as a figure, or `CHANCE`."""
        return tuple(asker for asker, _ in self._ledger)

    @property
    def script_left(self) -> int:
        """How many labels of the script were not used yet."""
        return self._script.left

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return self._machine.turns

    def view(self, player: int) -> dict[str, Any]:
        """What a seat (an int from 0) may see, JSON-able.

        ``state`` has the fields as in `state`; of what the seat may not see only ``{"count": n,
        "known": [...]}`` for a place where cards lie, and ``{"hidden": true}`` for another value.
        ``log`` has what happened, without what others chose and with "?" for what the seat did not
        know; ``decision`` is None unless it is theirs. Raises `UsageError` if there is no such
        seat.
        """
        if type(player) is not int or player not in range(self.players):
            raise UsageError(f"there is no seat {shown(player)}; seats are 0 to {self.players - 1}")
        seat, machine = self.linked.players[player], self.machine
        event = machine.event
        own = isinstance(event, Question) and event.player is seat
        try:
            return view(
                machine,
                self.prepared.knowledge,
                self._log,
                seat,
                self.decision if own else None,
            )
        except Fault as fault:
            raise GameFault(str(fault), "state", "", 0, self.digest()) from fault

    def digest(self) -> str:
        """A stable hash of all that the future depends on, as 32 hexadecimal digits."""
        machine = self.machine
        data = {
            "game": self.game.name,
            "mode": self.mode,
            "players": self.players,
            "options": {name: entry.key for name, entry in self.linked.options.items()},
            "state": encode_state(self.linked, machine.slots),
            "marks": encode(machine.slots[MARKS]),
            "endings": encode(machine.slots[ENDINGS]),
            "stack": encode_stack(machine, depths=False),
            "open": open_event(machine),
        }
        return hashed(data)

    def save(self) -> dict[str, Any]:
        """All of the session as JSON-able data, for `Game.resume`. It is the referee's.

        Raises `SaveError` for a trial: it is begun again from its entry, and not from a save.
        """
        if self._opening is not None:
            raise SaveError("a trial of one entry is not saved; only whole games are")
        return save(self, self._machine, self._words.counters)

    def shortlist(self, policy: str) -> tuple[int, ...]:
        """The options of the open choice that a policy holds for equally good, by index.

        Raises `UsageError` if there is no such policy for this game, `GameFault` if the game cannot
        say how good a position is.
        """
        policies.check(policy, self.prepared)
        if not isinstance(self._machine.event, Question):
            return ()
        try:
            return tuple(policies.POLICIES[policy](self._machine, self.prepared))
        except Fault as fault:
            raise self._cannot_judge(fault, "evaluate") from fault

    # ------------------------------------------------------------ going on

    def choose(self, option: Option | int | str) -> None:
        """Answer the open decision: with an option, its index or its label.

        Raises `ChoiceError` if it is not legal, `GameFault` if a rule then goes wrong; either way
        the session stays at this decision.
        """
        index = self._index(option)
        known = len(self._history)
        self._remember()
        try:
            labels = self.legal
            self._script.answered(labels[index], labels)
            self._answer(index)
            self._go_on()
        except (Fault, ChoiceError) as error:
            failed = self._machine
            self._return_to(self._history[known])
            del self._history[known:]
            if isinstance(error, Fault):
                raise self._fault(error, failed) from error
            raise

    def undo(self) -> None:
        """Back to before the last answered decision. `ChoiceError` at the start."""
        if not self._history:
            raise ChoiceError("nothing was chosen yet, so nothing can be undone", self.legal)
        self._return_to(self._history.pop())
        self._script.manual = True

    def clone(self) -> Session:
        """An independent copy, equal in every respect, its past included."""
        copy = Session.__new__(Session)
        copy.__dict__.update(self.__dict__)
        copy._words, copy._script = self._words.copy(), self._script.copy()
        copy._ledger, copy._history = list(self._ledger), list(self._history)
        copy._log = list(self._log)
        copy._machine = self._bare_machine()
        copy._attach_log()
        return copy

    def __copy__(self) -> Session:
        return self.clone()

    def begin(self) -> None:
        """Run to the first decision; `Game.start` has done it.

        Raises `ChoiceError` and `GameFault`.
        """
        opening = self._opening or Opening(self.prepared.ready["play"], ())
        self._machine.enter(opening.ready, opening.arguments)
        try:
            self._go_on()
        except Fault as fault:
            failed = self._machine
            self._machine = Machine(self.linked, self.prepared.ready, self.prepared.initial(), None)
            raise self._fault(fault, failed) from fault
        if self.over:
            self._script.finish()

    # ------------------------------------------------------------ inside

    def _attach_log(self) -> None:
        self._machine.log, self._machine.knowledge = self._log, self.prepared.knowledge

    def _bare_machine(self) -> Machine:
        """A copy of the machine without its log, which the session copies or cuts itself."""
        self._machine.log = None
        copy = self._machine.clone()
        self._machine.log = self._log
        return copy

    def _remember(self) -> None:
        """Note where `undo` will return to."""
        self._history.append(
            _Past(
                self._bare_machine(),
                dict(self._words.counters),
                self._script.copy(),
                len(self._ledger),
                len(self._log),
            )
        )

    def _return_to(self, past: _Past) -> None:
        self._machine, self._script = past.machine.clone(), past.script.copy()
        self._words = Words(self.seed, dict(past.counters))
        del self._ledger[past.ledger :]
        del self._log[past.log :]
        self._attach_log()
        self._decision = None

    def _index(self, option: Option | int | str) -> int:
        event = self.machine.event
        if event is None:
            raise ChoiceError("the game is over; there is nothing to choose", ())
        labels = event.labels()
        if isinstance(option, Option):
            option = option.label
        if isinstance(option, int) and not isinstance(option, bool):
            if 0 <= option < len(labels):
                return option
            raise ChoiceError(
                f"there is no option number {shown(option)}; there are {len(labels)}", labels
            )
        if isinstance(option, str) and option in labels:
            return labels.index(option)
        raise ChoiceError(f"{shown(option)} is not legal here", labels)

    def _answer(self, index: int) -> None:
        event = self._machine.event
        assert event is not None
        label = event.labels()[index]
        self._ledger.append((asker_of(event), label))
        if isinstance(event, Question):
            frame = event.frame
            name, depth = rule_name(frame.ready.code), frame.depth + 1
            self._log.append(LogEntry("choice", name, (label,), (), depth, seat_of(event)))
        else:
            # An event takes its word, whoever answers it: so later ones stay the same.
            self._words.skip(event.source)
        self._machine.answer(index)
        self._decision = None

    def _go_on(self) -> None:
        """Run, and answer what the script or chance answers, until someone must decide.

        Raises Fault.
        """
        sampled = self.chance == "sample"
        while True:
            self._machine.run()
            event = self._machine.event
            if event is None:
                return
            index = self._script.answer(event, self.linked, sampled=sampled)
            drawn = isinstance(event, Chance) and sampled
            if index is not None and not drawn:
                self._remember_scripted()
            if index is None and isinstance(event, Chance) and sampled:
                word = self._words.peek(event.source)
                index = event.index_of(pick(word, event.total))
            if index is None:
                return
            self._answer(index)

    def _remember_scripted(self) -> None:
        """Note a decision that the script has answered; undone, the script stands before it."""
        self._remember()
        self._history[-1].script.place -= 1

    def _cannot_judge(self, fault: Fault, what: str) -> GameFault:
        """The error for what a game says of a position, and not of a rule."""
        file, line = ("", 0) if fault.span is None else (fault.span.file, fault.span.line)
        return GameFault(str(fault), what, file, line, self.digest())

    def _fault(self, fault: Fault, failed: Machine) -> GameFault:
        """The error for what a rule of a machine did; the session stands where it stood before."""
        frame = failed.stack[-1]
        code = frame.ready.code
        span = fault.span or code.instructions[frame.place].span
        return GameFault(str(fault), rule_name(code), span.file, span.line, self.digest())


__all__ = ["CHANCE", "Decision", "LogLine", "Option", "Session"]

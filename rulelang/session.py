"""One playthrough: the open decision, choosing, undoing, saving, and what each player may see."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from rulelang import __version__
from rulelang.codec import Mismatch, encode, encode_stack, encode_state, open_event, snapshot
from rulelang.engine.chance import Words, pick
from rulelang.engine.events import Chance, Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import LogEntry, Machine
from rulelang.engine.start import initial
from rulelang.errors import ChoiceError, GameFault, SaveError
from rulelang.judging import Outcome, judge
from rulelang.program.instructions import Code
from rulelang.program.linking import ENDINGS, MARKS, Linked
from rulelang.program.values import Entry, label_of
from rulelang.viewing import view

if TYPE_CHECKING:
    from rulelang.game import Game

CHANCE: Final = "chance"
"""Who decides a chance event that is made explicit."""
FORMAT = 1
"""The version of the form of saves."""


@frozen
class Option:
    """One possible answer. ``label`` is stable and unique in its decision; ``value`` is JSON-able."""

    label: str
    text: str
    value: Any
    probability: Fraction | None = None
    """The exact probability, where chance decides."""
    index: int = field(default=0, repr=False)


@frozen
class Decision:
    """What a session waits for."""

    player: int | str
    """The seat that decides, from 0, or `CHANCE`."""
    team: str | None
    prompt: str
    rule: str
    cites: tuple[str, ...]
    options: tuple[Option, ...]


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
    ledger: int
    log: int
    script: int


class Session:
    """A playthrough. Made by `Game.start`, `Game.replay` and `Game.resume`."""

    def __init__(self, game: Game, linked: Linked, seed: int, chance: str, script: Sequence[str], strict: bool) -> None:
        self.game = game
        self.linked = linked
        self.seed = seed
        self.chance = chance
        self._words = Words(seed)
        self._script = tuple(script)
        self._scripted = 0
        self._strict = strict
        self._ledger: list[tuple[str, str]] = []
        self._history: list[_Past] = []
        self._log: list[LogEntry] = []
        self._decision: Decision | None = None
        self._machine = Machine(linked, game.ready(linked), initial(linked), None)
        self._machine.log = self._log

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
            self._decision = self._describe()
        return self._decision

    @property
    def legal(self) -> tuple[str, ...]:
        """The labels of the open decision's options."""
        event = self._machine.event
        return () if event is None else tuple(event.labels())

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and why; None while the game goes on."""
        return judge(self._machine) if self.over else None

    @property
    def log(self) -> tuple[LogLine, ...]:
        """What happened, in order. It is the referee's: a player's part is in `view`."""
        return tuple(
            LogLine(e.what, e.rule, tuple(label_of(a) for a in e.arguments), e.clauses, e.depth, e.player)
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
    def turns(self) -> int:
        """How many turns have begun."""
        return self._machine.turns

    def view(self, player: int) -> dict[str, Any]:
        """What a seat may see, JSON-able: state, counts, log, and the decision if it is theirs.

        ValueError if there is no such seat.
        """
        if not isinstance(player, int) or not 0 <= player < self.players:
            raise ValueError(f"there is no seat {player!r}; seats are 0 to {self.players - 1}")
        return view(self, self._machine, self._log, player)

    def digest(self) -> str:
        """A stable hash of all that the future depends on, as 32 hexadecimal digits."""
        machine = self._machine
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

    # ------------------------------------------------------------ going on

    def choose(self, option: Option | int | str) -> None:
        """Answer the open decision: with an option, its index or its label.

        Raises `ChoiceError` if it is not legal, `GameFault` if a rule then goes wrong; either way the
        session stays at this decision.
        """
        index = self._index(option)
        past = self._past()
        try:
            self._answer(index)
            self._go_on()
        except (GameFault, ChoiceError):
            self._return_to(past)
            raise
        self._history.append(past)

    def undo(self) -> None:
        """Back to before the last choice. `ChoiceError` at the start."""
        if not self._history:
            raise ChoiceError("nothing was chosen yet, so nothing can be undone", ())
        self._return_to(self._history.pop())

    def clone(self) -> Session:
        """An independent copy, equal in every respect, its past included."""
        copy = Session.__new__(Session)
        copy.__dict__.update(self.__dict__)
        copy._words = self._words.copy()
        copy._ledger, copy._history, copy._log = list(self._ledger), list(self._history), list(self._log)
        copy._machine = self._machine.clone()
        copy._machine.log = copy._log
        return copy

    def save(self) -> dict[str, Any]:
        """All of the session as JSON-able data, for `Game.resume`. It is the referee's."""
        program = self.game.program
        options = {
            name: entry
            for name, entry in self.linked.options.items()
            if not program.settings[name].modes or self.mode in program.settings[name].modes
        }
        data = {
            "format": FORMAT,
            "rulelang": __version__,
            "game": self.game.name,
            "meaning": program.meaning,
            "mode": self.mode,
            "players": self.players,
            "settings": {n: e.key for n, e in options.items() if not program.settings[n].ruling},
            "rulings": {n: e.key for n, e in options.items() if program.settings[n].ruling},
            "seed": self.seed,
            "chance": self.chance,
            "counters": dict(self._words.counters),
            "ledger": [[asker, label] for asker, label in self._ledger],
            "snapshot": snapshot(self._machine),
            "digest": self.digest(),
        }
        return {**data, "seal": hashed(data)}

    # ------------------------------------------------------------ inside

    def begin(self) -> None:
        """Run to the first decision."""
        self._machine.call("play")
        self._go_on()

    def _past(self) -> _Past:
        machine = self._machine
        machine.log = None
        past = _Past(machine.clone(), dict(self._words.counters), len(self._ledger), len(self._log), self._scripted)
        machine.log = self._log
        return past

    def _return_to(self, past: _Past) -> None:
        self._machine = past.machine.clone()
        self._words = Words(self.seed, dict(past.counters))
        self._scripted = past.script
        del self._ledger[past.ledger :]
        del self._log[past.log :]
        self._machine.log = self._log
        self._decision = None

    def _index(self, option: Option | int | str) -> int:
        event = self._machine.event
        if event is None:
            raise ChoiceError("the game is over; there is nothing to choose", ())
        labels = event.labels()
        if isinstance(option, Option):
            option = option.label
        if isinstance(option, int) and not isinstance(option, bool):
            if 0 <= option < len(labels):
                return option
            raise ChoiceError(f"there is no option number {option}; there are {len(labels)}", tuple(labels))
        if option in labels:
            return labels.index(option)
        raise ChoiceError(f"{option!r} is not legal here", tuple(labels))

    def _answer(self, index: int) -> None:
        event = self._machine.event
        assert event is not None
        label = event.labels()[index]
        asker = str(event.player.key) if isinstance(event, Question) else CHANCE
        self._ledger.append((asker, label))
        if isinstance(event, Question):
            frame = event.frame
            entry = LogEntry("choice", frame.ready.name, (label,), (), frame.depth + 1, int(str(event.player.key)))
            self._log.append(entry)
        self._machine.answer(index)
        self._decision = None

    def _go_on(self) -> None:
        """Run, and answer what the script or chance answers, until someone must decide."""
        while True:
            self._run()
            event = self._machine.event
            if event is None:
                self._check_script_is_used()
                return
            index = self._scripted_answer(event)
            if index is None and isinstance(event, Chance) and self.chance == "sample":
                index = event.index_of(pick(self._words.word(event.source), event.total))
            if index is None:
                return
            self._answer(index)

    def _run(self) -> None:
        try:
            self._machine.run()
        except Fault as fault:
            raise self._fault(fault) from None

    def _fault(self, fault: Fault) -> GameFault:
        frame = self._machine.stack[-1]
        span = frame.ready.code.instructions[frame.place].span
        name = frame.ready.name.removesuffix(":body")
        return GameFault(str(fault), name, span.file, span.line, self.digest())

    def _scripted_answer(self, event: Question | Chance) -> int | None:
        if self._scripted >= len(self._script):
            return None
        wanted = self._script[self._scripted]
        labels = event.labels()
        if wanted in labels:
            self._scripted += 1
            return labels.index(wanted)
        if isinstance(event, Chance) and not self._strict and self.chance == "sample":
            return None
        raise ChoiceError(f"number {self._scripted + 1} of the script, {wanted!r}, is not possible here", tuple(labels))

    def _check_script_is_used(self) -> None:
        left = len(self._script) - self._scripted
        if left:
            raise ChoiceError(f"the game is over, and {left} outcomes of the script are left", ())

    def _describe(self) -> Decision:
        event = self._machine.event
        assert event is not None
        code, place = event.frame.ready.code, event.frame.place
        texts, labels = event.texts(), event.labels()
        name = code.name.removesuffix(":body")
        if isinstance(event, Question):
            options = tuple(
                Option(label, text, encode(event.option(n)[1]), None, n)
                for n, (label, text) in enumerate(zip(labels, texts, strict=True))
            )
            seat = int(str(event.player.key))
            team = _team(code, event)
            return Decision(seat, team, event.instruction.prompt, name, _cites(code, place), options)
        options = tuple(
            Option(label, text, encode(event.outcomes[n]), event.probability(n), n)
            for n, (label, text) in enumerate(zip(labels, texts, strict=True))
        )
        word = "A card is drawn" if event.source.startswith("pile:") else "A die is rolled"
        return Decision(CHANCE, None, word, name, _cites(code, place), options)


def _team(code: Code, event: Question) -> str | None:
    """Whom the rule is done for, where that is no player."""
    if not code.subject or code.subject == "Player":
        return None
    subject = event.frame.locals[len(code.parameters) - 1]
    return subject.label if isinstance(subject, Entry) else None


def _cites(code: Code, place: int) -> tuple[str, ...]:
    own = [clause for at, clauses in code.statement_cites if at == place for clause in clauses]
    return tuple(dict.fromkeys([*own, *code.cites]))


def hashed(data: Any) -> str:
    """BLAKE2b, 16 bytes, of JSON with sorted keys and no blanks."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def start(
    game: Game, linked: Linked, *, seed: int, chance: str, script: Sequence[str], strict: bool = False
) -> Session:
    """A session at its first decision."""
    session = Session(game, linked, seed, chance, script, strict)
    session.begin()
    return session


def resume(game: Game, saved: Mapping[str, Any]) -> Session:
    """Rebuild a saved session by replaying its ledger, and verify that it is the one that was saved.

    A save of the same meaning must reach the same snapshot and digest. Where the game has changed, the
    ledger is replayed and must be legal throughout.
    """
    data = _checked(game, saved)
    try:
        linked = game.configure(data["mode"], data["players"], data["settings"], data["rulings"])
    except Exception as error:
        raise SaveError(f"the save does not fit this game: {error}") from None
    labels = tuple(label for _, label in data["ledger"])
    try:
        session = start(game, linked, seed=data["seed"], chance=data["chance"], script=labels, strict=True)
    except ChoiceError as error:
        raise SaveError(f"the save does not fit this game any more: {error}") from None
    session._words.counters.update(data["counters"])
    if data["meaning"] == game.program.meaning:
        same = snapshot(session._machine) == data["snapshot"] and session.digest() == data["digest"]
        if not same:
            raise SaveError("the save is damaged: its ledger does not lead to its state")
    return session


_FORM: dict[str, type | tuple[type, ...]] = {
    "format": int, "rulelang": str, "game": str, "meaning": str, "mode": str, "players": int, "settings": dict,
    "rulings": dict, "seed": int, "chance": str, "counters": dict, "ledger": list, "snapshot": dict, "digest": str,
    "seal": str,
}  # fmt: skip


def _checked(game: Game, saved: Mapping[str, Any]) -> dict[str, Any]:
    """The save as a dictionary, its form and seal verified. Raises SaveError."""
    if not isinstance(saved, Mapping):
        raise SaveError("this is no save: it is not an object")
    data = dict(saved)
    for name, kind in _FORM.items():
        if not isinstance(data.get(name), kind):
            raise SaveError(f"this is no save: `{name}` is missing or of the wrong form")
    if data["format"] != FORMAT:
        raise SaveError(f"the save has format {data['format']}, and this version reads {FORMAT}")
    if data["game"] != game.name:
        raise SaveError(f"this is a save of {data['game']!r}, not of {game.name!r}")
    seal = data.pop("seal")
    try:
        sealed = hashed(data)
    except (TypeError, ValueError, RecursionError):
        sealed = ""
    if seal != sealed:
        raise SaveError("the save is damaged: its contents do not match its seal")
    if not all(isinstance(e, list) and len(e) == 2 and all(isinstance(x, str) for x in e) for e in data["ledger"]):
        raise SaveError("the save is damaged: its ledger is no list of pairs")
    return data


__all__ = ["CHANCE", "Decision", "LogLine", "Mismatch", "Option", "Session", "resume", "start"]

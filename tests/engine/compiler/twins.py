"""One playthrough by both engines, step by step, and all that must be the same in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from attrs import define, field, frozen

from rulelang import compiled, playing
from rulelang.compiled import CompiledSession
from rulelang.counting import Tally, _countable, asked
from rulelang.engine.chance import Words
from rulelang.engine.compiler.handing import to_compiled, to_reference
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.module import Module
from rulelang.engine.events import Event, Question
from rulelang.engine.machine import Machine
from rulelang.errors import ChoiceError, Error
from rulelang.game import Game
from rulelang.prepared import Prepared
from rulelang.program.linking import WORK
from rulelang.program.liveness import frame_locals, is_finished
from rulelang.program.values import exact
from rulelang.session import Session

DOUBTS: Counter[str] = Counter()
"""How often compiled rules have left the word to the reference interpreter, while it is counted."""


@frozen
class Manner:
    """What is done and looked at in a playthrough."""

    steps: int = 10_000
    """How many answers there are at most."""
    digests: int = 1
    """One step in so many has its digest, its decision and its legal labels compared."""
    looks: int = 20
    """One in so many: views of all seats, log, ledger, save."""
    peeks: int = 150
    """One in so many: the playthrough that runs ahead is looked at."""
    deeds: int = 8
    """One in so many: undoing, copying, wrong answers, changing hands. 0: never."""


@define
class Report:
    """What came of some playthroughs."""

    played: int = 0
    decisions: int = 0
    over: int = 0
    faults: int = 0
    doubts: int = 0
    deeds: Counter[str] = field(factory=Counter)

    @property
    def said(self) -> str:
        """In a line."""
        played = f"{self.played} playthroughs, {self.decisions} decisions, {self.over} ended"
        deeds = sum(self.deeds.values())
        return f"{played}, {self.faults} faults, {deeds} deeds, {self.doubts} doubts"

    def add(self, other: Report) -> None:
        self.played += other.played
        self.decisions += other.decisions
        self.over += other.over
        self.faults += other.faults
        self.doubts += other.doubts
        self.deeds += other.deeds


@contextmanager
def counted_doubts() -> Iterator[Counter[str]]:
    """Count who takes over where compiled rules are in doubt."""
    DOUBTS.clear()
    taken_over, by_reference = CompiledSession._taken_over, playing._by_reference

    def session(self: CompiledSession, reference: Session) -> Any:
        DOUBTS["session"] += 1
        return taken_over(self, reference)

    def game(*arguments: Any) -> Any:
        DOUBTS["game"] += 1
        return by_reference(*arguments)

    doubted = CompiledSession._doubted

    def from_ahead(self: CompiledSession, option: int) -> int:
        ahead = self._ahead is not None
        count = doubted(self, option)  # which raises what is no doubt, but wrong
        DOUBTS["session"] += ahead
        return count

    CompiledSession._taken_over, playing._by_reference = session, game  # type: ignore[method-assign]
    CompiledSession._doubted = from_ahead  # type: ignore[method-assign]
    try:
        yield DOUBTS
    finally:
        CompiledSession._taken_over = taken_over  # type: ignore[method-assign]
        CompiledSession._doubted = doubted  # type: ignore[method-assign]
        playing._by_reference = by_reference


# ---------------------------------------------------------------- what is compared


def said(action: Callable[[], Any]) -> Any:
    """What comes of an action: its value, or all that its error tells."""
    try:
        return action()
    except Error as error:
        return type(error).__name__, *error.args


def future(machine: Machine) -> Any:
    """All that a game's future depends on, and what it waits for."""
    slots = [exact(value) for place, value in enumerate(machine.slots) if place != WORK]
    top, frames = len(machine.stack) - 1, []
    for number, frame in enumerate(machine.stack):
        code = frame.ready.code
        if number == top or not is_finished(code, frame.place):
            live = frame_locals(code, frame.place, called=number < top)
            frames.append((code.name, frame.place, [exact(frame.locals[slot]) for slot in live]))
    return slots, frames, opened(machine.event), machine.over, machine.turns


def difference(reference: Session, compiled: Session, one: Any, other: Any) -> str:
    """Where two sessions differ."""
    fields = [(name, was, compiled.state[name]) for name, was in reference.state.items()]
    told = [f"{name}: {was}, {now}" for name, was, now in fields if was != now]
    told += [f"{was}\n  {now}" for was, now in zip(one[1:], other[1:], strict=True) if was != now]
    told.append(f"behind {', '.join(reference.ledger[-3:])}")
    told += [f"{line.what} {line.rule} {' '.join(line.arguments)}" for line in reference.log[-12:]]
    return "\n".join(told)


def opened(event: Event | None) -> Any:
    """What an event is, in short."""
    if event is None:
        return None
    if not isinstance(event, Question):
        return event.source, list(map(exact, event.outcomes)), event.weights, event.total
    groups = [(id(offer), list(map(exact, values))) for offer, values in event.groups]
    return id(event.instruction), event.player, groups, event.count


def seen(session: Session) -> dict[str, Any]:
    """All that a session shows."""
    return {
        "log": session.log,
        "ledger": session.ledger,
        "asked": session.asked,
        "state": session.state,
        "views": [said(lambda p=p: session.view(p)) for p in range(session.players)],  # type: ignore[misc]
        "save": session.save(),
        "greedy": said(lambda: session.shortlist("greedy")),
        "outcome": said(lambda: session.outcome),
    }


# ---------------------------------------------------------------- playing


@contextmanager
def running_ahead() -> Iterator[None]:
    """Sessions that begin meanwhile run ahead, whatever was looked at before."""
    before, compiled.UNSEEN = compiled.UNSEEN, 0
    try:
        yield
    finally:
        compiled.UNSEEN = before


class Twins:
    """The same playthrough by the reference interpreter and on compiled rules.

    A third one runs ahead: it is only asked how many options there are, until it is looked at.
    """

    def __init__(self, game: Game, **start: Any) -> None:
        self.both: tuple[Session, Session] | None = None
        """The reference, then the compiled one; None where they could not begin."""
        self.third: CompiledSession | None = None
        """The one that runs ahead; None where chance is explicit, or where it does not come
        along."""
        begun = [said(lambda e=e: game.start(engine=e, **start)) for e in playing_engines()]  # type: ignore[misc]
        if isinstance(begun[0], tuple) or isinstance(begun[1], tuple):
            assert begun[0] == begun[1]
            return
        reference, compiled = begun
        assert type(compiled) is CompiledSession
        assert type(reference) is Session
        self.both = reference, compiled
        if compiled.chance == "sample":
            with running_ahead():
                third = game.start(**start)
            assert type(third) is CompiledSession
            self.third = third

    def agree(self, *, whole: bool) -> None:
        """Both stand alike."""
        assert self.both is not None
        reference, compiled = self.both
        one, other = future(reference.machine), future(compiled.machine)
        assert one == other, difference(reference, compiled, one, other)
        assert reference.over == compiled.over
        assert reference.turns == compiled.turns
        if self.third is not None:
            assert (self.third.over, self.third.count) == (reference.over, reference.count)
        if whole:
            assert reference.legal == compiled.legal
            assert reference.decision == compiled.decision
            assert reference.digest() == compiled.digest()

    def look(self) -> None:
        """Both show the same."""
        assert self.both is not None
        reference, compiled = map(seen, self.both)
        for name, value in reference.items():
            assert value == compiled[name], name

    def look_at_third(self) -> None:
        """The one that runs ahead is looked at, and so does so no longer: it stands where they do.

        How it has ended is asked before.
        """
        assert self.both is not None
        if self.third is not None:
            reference, third = self.both[0], self.third
            assert said(lambda: third.outcome) == said(lambda: reference.outcome)
            assert future(third.machine) == future(reference.machine)
            assert third._answers == self.both[1]._answers  # type: ignore[attr-defined]

    def do(self, action: Callable[[Session], Any]) -> Any:
        """Do the same with both; what comes of it is the same."""
        assert self.both is not None
        one, other = (said(lambda s=s: action(s)) for s in self.both)  # type: ignore[misc]
        assert one == other
        if self.third is not None:
            assert said(lambda: action(self.third)) == one  # type: ignore[arg-type]
        return one


def playing_engines() -> tuple[str, str]:
    """The reference, then compiled rules."""
    return "reference", "compiled"


def play(game: Game, start: dict[str, Any], answers: Random, manner: Manner) -> Report:
    """A playthrough by both engines, answered at random."""
    report = Report(played=1)
    before = DOUBTS["session"]
    twins = Twins(game, **start)
    if twins.both is None:
        report.faults += 1
        return report
    twins.agree(whole=True)
    peeks = Random(repr(start))
    for step in range(manner.steps):
        if twins.both[0].over:
            break
        if not peeks.randrange(manner.peeks):
            twins.look_at_third()
        if manner.deeds and not answers.randrange(manner.deeds):
            report.deeds[deed(twins, answers)] += 1
        if not _answered(twins, answers, report):
            break
        twins.agree(whole=not step % manner.digests)
        if not answers.randrange(manner.looks):
            twins.look()
    twins.look()
    twins.look_at_third()
    report.over += twins.both[0].over
    report.doubts += DOUBTS["session"] - before
    return report


def _answered(twins: Twins, answers: Random, report: Report) -> bool:
    """Answer both alike; False if whatever was tried makes a rule go wrong, alike too."""
    assert twins.both is not None
    for _ in range(4):
        reference = twins.both[0]
        if reference.over:
            return True
        index = answers.randrange(reference.machine.event.count)  # type: ignore[union-attr]
        report.decisions += 1
        found = twins.do(lambda s, index=index: s.choose(index))  # type: ignore[misc]
        if found is None:
            return True
        report.faults += 1
        twins.agree(whole=True)
    return False


# ---------------------------------------------------------------- deeds


def deed(twins: Twins, answers: Random) -> str:
    """Something else than going on: its name."""
    name = answers.choice(sorted(DEEDS))
    DEEDS[name](twins, answers)
    twins.agree(whole=True)
    return name


def _undo(twins: Twins, answers: Random) -> None:
    for _ in range(answers.randint(1, 4)):
        twins.do(lambda s: s.undo())
        twins.agree(whole=True)


def _copy(twins: Twins, answers: Random) -> None:
    """Copies go on by themselves; or the playthrough goes on with them."""
    assert twins.both is not None
    copies = Twins.__new__(Twins)
    copies.third, third, twins.third = None, twins.third, None
    copies.both = tuple(s.clone() for s in twins.both)  # type: ignore[assignment]
    left, going = (twins, copies) if answers.random() < 0.5 else (copies, twins)
    before = [session.digest() for session in left.both or ()]
    going_on = Random(answers.random())
    for _ in range(answers.randint(1, 10)):
        if not _answered(going, going_on, Report()) or (going.both and going.both[0].over):
            break
        going.agree(whole=True)
    assert [session.digest() for session in left.both or ()] == before
    left.agree(whole=True)
    twins.both, twins.third = left.both, third


def _wrong(twins: Twins, answers: Random) -> None:
    """What is no answer is refused alike, and changes nothing."""
    assert twins.both is not None
    count = len(twins.both[0].legal)
    for answer in (-1, count, count + 7, "no such label", "", True, None, 1.5):
        found = twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        assert found[0] == ChoiceError.__name__


def _by_name(twins: Twins, answers: Random) -> None:
    """An option is named by its label, or by an `Option`."""
    assert twins.both is not None
    if twins.both[0].over:
        return
    decision = twins.both[1].decision
    assert decision is not None
    option = answers.choice(decision.options)
    answer = option.label if answers.random() < 0.5 else option
    twins.do(lambda s: s.choose(answer))


def _change_hands(twins: Twins, answers: Random) -> None:
    """The compiled game is handed to the reference interpreter, and back."""
    assert twins.both is not None
    reference, compiled = twins.both
    assert isinstance(compiled, CompiledSession)
    stepper = compiled._stepper
    source = reference.machine if answers.random() < 0.5 else to_reference(stepper)
    new = to_compiled(source, stepper.module)
    new.words = None if stepper.words is None else stepper.words.copy()
    assert future(to_reference(new)) == future(reference.machine)
    assert (new.slots[:WORK], new.slots[WORK + 1 :]) == (
        stepper.slots[:WORK],
        stepper.slots[WORK + 1 :],
    )
    assert len(new.frames()) == len(stepper.frames())
    assert new.scopes == stepper.scopes, (new.scopes, stepper.scopes)
    assert left_open(new) == left_open(stepper)
    compiled._stepper = new


def left_open(stepper: Stepper) -> Any:
    """What is open; outcomes of chance may be listed in what holds them."""
    found = stepper.open
    return found if found is None or len(found) == 3 else (*found[:2], *map(list, found[2:]))


def _by_itself(twins: Twins, answers: Random) -> None:
    """A machine of the reference interpreter goes on from what the compiled game hands over."""
    assert twins.both is not None
    reference, compiled = twins.both
    if reference.over:
        return
    machine, clone = compiled.machine, reference.clone()
    index = answers.randrange(machine.event.count)  # type: ignore[union-attr]
    if said(lambda: clone.choose(index)) is not None:
        return
    if compiled.chance == "sample":
        machine.words = Words(compiled.seed, reference.counters)
    machine.answer(index)
    machine.run()
    assert future(machine) == future(clone.machine)


DEEDS: dict[str, Callable[[Twins, Random], None]] = {
    "undo": _undo,
    "copy": _copy,
    "wrong": _wrong,
    "by name": _by_name,
    "change hands": _change_hands,
    "by itself": _by_itself,
}


# ---------------------------------------------------------------- whole games


def compile_all(module: Module) -> None:
    """Compile all rules, in all versions that they ask for: a mistake would pass for a doubt."""
    for rule in module.linked.codes:
        module.compiled(module.versions.general(rule))
    done = 0
    while done < len(module.versions.by_name):
        versions = list(module.versions.by_name.values())[done:]
        done += len(versions)
        for version in versions:
            module.function(version)
            module.compiled(version)


def rolled_out(
    made: Prepared, seed: int, policy: str, names: tuple[str, ...], engine: str
) -> dict[str, Any]:
    """All that comes of a game that bots play."""
    counts = asked(made.linked, names)
    tally = Tally(counts)
    played = playing.play_game(made, seed, policy, engine, tally)
    tally.finish()
    fault = None
    if played.fault is not None:
        stack = [] if played.machine is None else played.machine.stack
        frames = [(frame.ready.name, frame.place) for frame in stack]
        fault = str(played.fault), played.fault.span, frames
    return {
        "decisions": played.decisions,
        "chances": played.chances,
        "turns": played.turns,
        "outcome": played.outcome,
        "fault": fault,
        "counts": {name: count.as_json() for name, count in counts.items()},
    }


def same_game(made: Prepared, seed: int, policy: str, names: tuple[str, ...] = ()) -> Any:
    """A game that bots play, by both engines; what came of it."""
    one, other = (rolled_out(made, seed, policy, names, engine) for engine in playing_engines())
    assert one == other
    return one


def countable(made: Prepared) -> tuple[str, ...]:
    """All rules, hooks and endings of a mode, by themselves and by one of their parameters."""
    names = []
    for name, thing in _countable(made.linked.program).items():
        if thing.is_in(made.linked.mode):
            by = [f"{name} by {parameter}" for parameter, _ in thing.parameters()[-1:]]
            names += [name, *by]
    return tuple(names)

"""Golden playthroughs: whole games kept as text, to be played again after every change.

A file of the folder, ``NAME.txt``, is one playthrough. Its head says how it is played, and may be
written by hand; what follows an empty line is written by ``write``::

    game: ferry
    mode: crew
    players: 2
    settings: load=large
    seed: 7

    #  who     options  digest            label
    -  chance  -        -                 parcel 2
    1  0       3        9f2c61d20b7a4e55  parcel 2
    over       0c5e9a1b7d33f806  landed; won 0; lost 1; scores 0=4, 1=2

``game`` is a path that begins in the folder of the file, or the name of a shipped game. ``mode``,
``players``, ``settings``, ``rulings``, ``seed`` and ``chance`` are as for `Game.start` and may be
left out. ``policy`` says who chose: ``random`` (the default), ``first``, ``last``, or ``greedy``
where the game says how good a position is. ``steps`` is after how many answers it stops (default:
1000).

A step says who decided (a seat, or ``chance``), among how many options, in which state, and what
was chosen. Chance that was sampled is a line without number. Of each digest the first 16 digits are
kept. The last line is the outcome, or ``open`` where the playthrough stops before its end.

Write and check them with::

    python -m rulelang.testing.golden write FOLDER
    python -m rulelang.testing.golden check FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import Factory, frozen

from rulelang.engine.chance import Words
from rulelang.errors import ChoiceError, Error, GameFault, UsageError
from rulelang.game import Game, load
from rulelang.judging import Outcome
from rulelang.session import CHANCE, Session
from rulelang.testing.golden_text import (
    DIGITS,
    Sampled,
    Step,
    heading,
    line_of,
    parse_head,
    parse_line,
)
from rulelang.writing import write_files

MOST_STEPS = 1_000
Policy = Callable[[Session], Sequence[int]]
"""The options of which one is picked, for a seat or for chance."""


def _all(session: Session) -> Sequence[int]:
    return range(len(session.legal))


def _greedy(session: Session) -> Sequence[int]:
    return _all(session) if _who(session) == CHANCE else session.shortlist("greedy")


POLICIES: dict[str, Policy] = {
    "random": _all,
    "first": lambda session: [0],
    "last": lambda session: [len(session.legal) - 1],
    "greedy": _greedy,
}


@frozen
class Plan:
    """How a playthrough is played."""

    game: str
    mode: str | None = None
    players: int | None = None
    settings: Mapping[str, str] = Factory(dict)
    rulings: Mapping[str, str] = Factory(dict)
    seed: int = 0
    chance: str = "sample"
    policy: str = "random"
    steps: int = MOST_STEPS

    def begin(self, game: Game, engine: str = "compiled") -> Session:
        """The session at its first decision. Raises what `Game.start` raises."""
        return game.start(
            mode=self.mode,
            players=self.players,
            settings=self.settings,
            rulings=self.rulings,
            seed=self.seed,
            chance=self.chance,
            engine=engine,
        )


@frozen
class Stored:
    """A file: its plan, its head as it is written, the lines behind it, and the first's number."""

    path: Path
    plan: Plan
    head: str
    lines: tuple[str, ...]
    first: int


def read(path: Path) -> Stored:
    """The playthrough in a file. `UsageError`, with the line, if it has not the form."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    head, _, rest = text.partition("\n\n")
    said = parse_head(head, path)
    options = {name: value for name, value in said.items() if value != {}}
    plan = Plan(**options)  # type: ignore[arg-type]
    if plan.policy not in POLICIES:
        raise UsageError(f"{path}: there is no policy {plan.policy!r}", tuple(POLICIES))
    lines = [line for line in rest.split("\n") if line]
    first = head.count("\n") + 3
    return Stored(path, plan, head, tuple(lines), first)


def play(plan: Plan, game: Game) -> list[str]:
    """Play as planned; the lines that are kept. Raises rulelang's errors."""
    session, words = plan.begin(game), Words(plan.seed)
    lines = [heading()]
    told = 0
    for number in range(1, plan.steps + 1):
        sampled, told = _sampled(session, told), len(session.ledger)
        lines += map(line_of, sampled)
        if session.over:
            return [*lines, _last(session)]
        count, who, digest = len(session.legal), _who(session), session.digest()[:DIGITS]
        found = POLICIES[plan.policy](session)
        label = session.legal[found[_picked(who, len(found), words)]]
        session.choose(label)
        lines.append(line_of(Step(number, who, count, digest, label)))
        told += 1
    return [*lines, *map(line_of, _sampled(session, told)), _last(session)]


def _picked(who: str, count: int, words: Words) -> int:
    return 0 if count == 1 else words.pick(f"policy:{who}", count)


def _sampled(session: Session, told: int) -> list[Sampled]:
    """What chance has brought since so many entries of the ledger."""
    return [Sampled(label) for label in session.ledger[told:]]


def _who(session: Session) -> str:
    assert session.decision is not None
    return str(session.decision.player)


def _last(session: Session) -> str:
    digest = session.digest()[:DIGITS]
    if session.outcome is None:
        return f"open       {digest}"
    return f"over       {digest}  {_told(session.outcome)}"


def _told(outcome: Outcome) -> str:
    won, lost = (", ".join(map(str, seats)) or "-" for seats in (outcome.winners, outcome.losers))
    scores = ", ".join(f"{seat}={score}" for seat, score in outcome.scores.items()) or "-"
    return f"{outcome.reason}; won {won}; lost {lost}; scores {scores}"


# ---------------------------------------------------------------- checking


class _Differs(Exception):
    """Where a playthrough differs from what was kept."""

    def __init__(self, place: int, what: str) -> None:
        super().__init__(what)
        self.place = place


def difference(stored: Stored, game: Game, engine: str = "compiled") -> str:
    """The first line at which the game differs from what was kept; empty if none does.

    ``engine`` is who plays it, as for `Game.start`.

    `UsageError` if a line has not the form.
    """
    if not stored.lines:
        raise UsageError(f"{stored.path}: nothing was written yet; run `write` on its folder")
    try:
        session = stored.plan.begin(game, engine)
    except (UsageError, ChoiceError, GameFault) as error:
        return f"{stored.path}:1: this playthrough cannot be begun any more: {error}"
    try:
        _compare(stored, session)
    except _Differs as problem:
        return f"{stored.path}:{stored.first + problem.place}: {problem}"
    return ""


def _compare(stored: Stored, session: Session) -> None:
    told = 0
    *body, last = stored.lines[1:] or ("",)
    for place, text in enumerate(body, 1):
        line = parse_line(text, stored.path, stored.first + place)
        if isinstance(line, Sampled):
            _compare_chance(session, told, line.label, place)
        else:
            _compare_step(session, told, line, place)
        told += 1
    place = len(stored.lines) - 1
    _compare_chance(session, told, None, place)
    _compare_end(last, _last(session), place)


def _compare_end(then: str, now: str, place: int) -> None:
    (old_end, old_digest, old), (end, digest, new) = _cut(then), _cut(now)
    if (old_end, old) != (end, new):
        was, came = old or "nothing: it was stopped", new or "nothing: it goes on"
        raise _Differs(place, f"the playthrough ended with `{was}`, and now with `{came}`")
    if old_digest != digest:
        raise _Differs(place, f"the state is another: {old_digest} then, {digest} now")


def _cut(last: str) -> tuple[str, str, str]:
    """The last line of a playthrough: its first word, the digest, and the outcome."""
    first, _, rest = last.partition(" ")
    digest, _, outcome = rest.strip().partition(" ")
    return first, digest, outcome.strip()


def _compare_chance(session: Session, told: int, label: str | None, place: int) -> None:
    """Chance has brought the label after so many entries of the ledger, or (None) nothing."""
    now = session.ledger[told] if told < len(session.ledger) else None
    if now == label:
        return
    then = "nothing more" if label is None else repr(label)
    raise _Differs(place, f"chance brought {then}, and now brings {_nothing_or(now)}")


def _nothing_or(label: str | None) -> str:
    return "nothing" if label is None else repr(label)


def _compare_step(session: Session, told: int, step: Step, place: int) -> None:
    at = f"step {step.number}"
    _compare_chance(session, told, None, place)
    decision = session.decision
    if decision is None:
        raise _Differs(place, f"{at}: seat {step.who} chose {step.label!r}; now the game is over")
    if str(decision.player) != step.who:
        raise _Differs(
            place,
            f"{at}: {_seat(step.who)} decided, and now {_seat(str(decision.player))} does: "
            f"{decision.prompt}",
        )
    _compare_options(session, step, place, at)
    digest = session.digest()[:DIGITS]
    if digest != step.digest:
        raise _Differs(place, f"{at}: the state is another: {step.digest} then, {digest} now")
    try:
        session.choose(step.label)
    except GameFault as fault:
        raise _Differs(place, f"{at}: {step.label!r} makes a rule go wrong: {fault}") from None


def _compare_options(session: Session, step: Step, place: int, at: str) -> None:
    legal = session.legal
    shown = ", ".join(legal[:12]) + (", …" if len(legal) > 12 else "")
    if step.label not in legal:
        raise _Differs(place, f"{at}: {step.label!r} was chosen; now these are legal: {shown}")
    if len(legal) != step.options:
        raise _Differs(
            place, f"{at}: there were {step.options} options, and now {len(legal)}: {shown}"
        )


def _seat(who: str) -> str:
    return who if who == CHANCE else f"seat {who}"


# ---------------------------------------------------------------- folders


def stored_in(folder: Path) -> list[Path]:
    """The files of a folder, by name. `UsageError` if there are none."""
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise UsageError(f"there are no playthroughs (files NAME.txt) in {folder}")
    return paths


def game_of(stored: Stored, loaded: dict[str, Game]) -> Game:
    """The game of a playthrough; those that were loaded before are kept by name."""
    beside = stored.path.parent / stored.plan.game
    where = str(beside) if beside.exists() else stored.plan.game
    if where not in loaded:
        try:
            loaded[where] = load(where)
        except Error as error:
            raise UsageError(f"{stored.path}: the game cannot be loaded: {error}") from None
    return loaded[where]


def check(folder: Path) -> Iterator[tuple[Path, str]]:
    """For each file the first difference, empty if there is none. Raises rulelang's errors."""
    loaded: dict[str, Game] = {}
    for path in stored_in(folder):
        stored = read(path)
        yield path, difference(stored, game_of(stored, loaded))


def write(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Play every file's plan and keep it; for each whether it has changed.

    Raises rulelang's errors.
    """
    loaded: dict[str, Game] = {}
    for path in stored_in(folder):
        stored = read(path)
        game = game_of(stored, loaded)
        try:
            lines = play(stored.plan, game)
        except (ChoiceError, GameFault, UsageError) as error:
            raise UsageError(f"{path}: {error}") from None
        changed = tuple(lines) != stored.lines
        if changed:
            text = "\n".join([stored.head, "", *lines, ""])
            write_files({path: text.encode("utf-8")})
        yield path, changed


def main(words: Sequence[str]) -> int:
    """``write FOLDER`` or ``check FOLDER``; the exit status."""
    match words:
        case ["write", folder]:
            run = _write
        case ["check", folder]:
            run = _check
        case _:
            print(
                "usage: python -m rulelang.testing.golden (write | check) FOLDER", file=sys.stderr
            )
            return 2
    try:
        return run(Path(folder))
    except Error as error:
        print(f"golden: {error}", file=sys.stderr)
        return 2


def _write(folder: Path) -> int:
    changes = [changed for _, changed in write(folder)]
    print(f"{len(changes)} playthroughs, {sum(changes)} of them changed")
    return 0


def _check(folder: Path) -> int:
    found = [problem for _, problem in check(folder)]
    wrong = [problem for problem in found if problem]
    for problem in wrong:
        print(problem)
    print(f"{len(found)} playthroughs, {len(wrong)} of them differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

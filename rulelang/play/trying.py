"""`rulelang try`: one entry on a terminal, again and again, while its file is being written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import randbelow
from typing import Final, TextIO

from attrs import field, frozen

from rulelang.errors import Error, GameFault, UsageError
from rulelang.game import Game
from rulelang.play.answers import COMMANDS, Command, Words, command_of
from rulelang.play.bots import parse_bots
from rulelang.play.cells import Cell, seen
from rulelang.play.changes import changes
from rulelang.play.commands import Commands
from rulelang.play.ending import tell_outcome
from rulelang.play.entries import Library
from rulelang.play.heading import heading
from rulelang.play.loop import Eyes, Play, Quit
from rulelang.play.saving import Keeper
from rulelang.play.screen import EndOfInput, Screen, paragraph
from rulelang.play.stories import Stories
from rulelang.play.table import table
from rulelang.play.watching import News, Watch
from rulelang.program.values import Entry
from rulelang.reading import Item, Reading
from rulelang.report import render_full
from rulelang.session import CHANCE, Decision, Session
from rulelang.trials import entry_of, given
from rulelang.trials import table as table_of
from rulelang.wording import listed

_SEEDS = 1_000_000
_SHOWN = 3
"""Diagnostics of a game that does not load."""

TRYING: Final = Words(
    {
        "help": COMMANDS.commands["help"],
        "restart": "the same from its beginning; `r` is short for it, `r 8` takes seed 8",
        "undo": "one choice back; `b` is short for it",
        **{
            name: COMMANDS.commands[name]
            for name in ("look", "table", "board", "log", "bot", "seed")
        },
        "quit": "stop trying",
    },
    {**COMMANDS.aliases, "r": "restart", "again": "restart", "b": "undo", "back": "undo"},
    ("look", "restart"),
)


@frozen
class Request:
    """What is to be tried, as it was asked for."""

    entry: str
    with_: Sequence[str] = ()
    mode: str | None = None
    players: int | None = None
    settings: Mapping[str, str] = field(factory=dict)
    rulings: Mapping[str, str] = field(factory=dict)
    bots: Sequence[str] = ()

    def begin(self, game: Game, seed: int) -> tuple[Session, Session]:
        """The trial, and its table before anything is done. Raises `UsageError`, `GameFault`."""
        entry = entry_of(game, self.entry)
        session = game.trial(
            entry, self.with_, mode=self.mode, players=self.players, seed=seed,
            settings=self.settings, rulings=self.rulings,
        )  # fmt: skip
        made = table_of(
            game, entry, self.with_, mode=self.mode, players=self.players,
            settings=self.settings, rulings=self.rulings,
        )  # fmt: skip
        return session, given(game, made, seed)


def run(
    request: Request,
    game: Game,
    seed: int | None,
    *,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
) -> int:
    """Try an entry until the player has enough, and give the exit status.

    Raises `UsageError` for what the game does not have, `GameFault` if a rule goes wrong before
    anybody is asked.
    """
    screen = Screen(stdin, stdout)
    drawn = seed is None
    number = randbelow(_SEEDS) if seed is None else seed
    trying = Trying(request, game, number, screen)
    try:
        return trying.try_it(drawn=drawn)
    except BrokenPipeError:
        screen.silence()
        return 0


class Restart(Exception):
    """The player wants to see it again, with this seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed


class Renewed(Exception):
    """The game was loaded anew: another decision may be open."""


class Trying(Play):
    """One trial at one terminal. Whoever tries sees every seat's cards in turn."""

    words = TRYING

    def __init__(self, request: Request, game: Game, seed: int, screen: Screen) -> None:
        session, before = request.begin(game, seed)
        bots = parse_bots(request.bots, session)
        super().__init__(session, screen, bots, Keeper(None, ours=False))
        self.request = request
        self.watch = Watch(game)
        self._commands = _Commands(self)
        self._adopt(session, before)

    def _adopt(self, session: Session, before: Session) -> None:
        """Go on with another session, of which nobody has seen anything but its table."""
        self.session, self._before = session, before
        self.library = Library(self.screen, session.linked)
        self.stories = Stories(session.linked.program)
        self._choices, self._at = [], None
        self._eyes = {seat: Eyes(self._start(seat), session.turns) for seat in self.people}

    def _start(self, seat: int) -> tuple[Cell, ...]:
        """What a seat sees before anything is done."""
        return seen(self._before.prepared, self._before.view(seat)["state"])

    @property
    def _seat(self) -> int:
        """Whose view is shown where nobody in particular is asked."""
        if self._at is not None:
            return self._at
        return self.people[0] if self.people else 0

    # ------------------------------------------------------------ again and again

    def try_it(self, *, drawn: bool) -> int:
        """Try until the player quits or nothing more is typed; the exit status."""
        self._show_entry()
        self._show_table(drawn)
        while True:
            try:
                self._once()
            except Restart as again:
                self._restart(again.seed)
            except Renewed:
                continue
            except (Quit, EndOfInput):
                return 1 if self.faulted else 0

    def _once(self) -> None:
        """To the end of the trial, and whatever is typed then."""
        while (decision := self.session.decision) is not None:
            if decision.player in self.people and self._renew():
                continue
            if not self._step(decision):
                self._wait()
        self._finish()
        self._wait()

    def _restart(self, seed: int) -> None:
        try:
            session, before = self.request.begin(self.session.game, seed)
        except (UsageError, GameFault) as error:
            self.screen.say(f"It cannot begin like this: {error}", "bad")
            return
        self._adopt(session, before)
        self.screen.line()
        self.screen.say(f"From the beginning, with seed {seed}.", "dim", indent="  ")

    def _wait(self) -> None:
        """At the end: what to do next. Returns once a choice was taken back."""
        self.screen.line()
        self.screen.say("`r` tries it again, `b` takes the last choice back, `quit` stops.", "dim")
        while True:
            match command_of(self._typed(), self.words):
                case Command(name="quit"):
                    raise Quit
                case Command(name="undo"):
                    if self._undo():
                        return
                case None | Command(name="bot"):
                    self.screen.say("Nobody is asked now. Type `r`, `b`, `quit` or `help`.")
                case command:
                    self._commands.do(command, self._seat, None)

    # ------------------------------------------------------------ showing

    def _show_entry(self, besides: Sequence[Sequence[str]] = ()) -> None:
        """The entry; of one that was shown before, its parts ``besides``, what is new."""
        parts = self._entry_parts()
        if parts != besides:
            new = [part for part in parts[1:] if part not in besides]
            for part in [*parts[:1], *(new or parts[1:])]:
                self.screen.lines(part)

    def _entry_parts(self) -> list[list[str]]:
        """The entry's heading and its parts, as lines.

        A story with branches does not fit beside a label, and is read; what is not is one part.
        """
        session, entry = self.session, self._shown()
        if not self.stories.is_tale(entry):
            return [self.library.in_full(entry, self._start(self._seat))]
        item = Reading(session.game.program, session.mode).passage(entry).item
        return [self._wrapped(Item(item.text), 0), *(self._wrapped(i, 1) for i in item.below)]

    def _wrapped(self, item: Item, depth: int) -> list[str]:
        width = self.screen.width
        return [
            line
            for inner, text in item.lines(depth)
            for line in paragraph(
                text, first="  " * (inner + 1), rest="  " * (inner + 3), width=width
            )
        ]

    def _shown(self) -> Entry:
        return entry_of(self.session.game, self.request.entry)

    def _show_table(self, drawn: bool) -> None:
        more = [f"with {listed(list(self.request.with_))}"] if self.request.with_ else []
        self.screen.line()
        self.screen.say(heading(self.session, more), indent="  ")
        if drawn:
            seed = self.session.seed
            text = f"The seed was drawn; --seed {seed} tries the same again."
            self.screen.say(text, "dim", indent="  ")
        if self.bots:
            names = [f"{seat} ({policy})" for seat, policy in sorted(self.bots.items())]
            self.screen.say(f"Played by bots: seat {listed(names)}.", "dim", indent="  ")
        self.screen.line()
        self.screen.rule("The table")
        seat = self._seat
        self.screen.lines(table(self.screen, self.session.linked, self._start(seat), seat))

    def _finish(self) -> None:
        """What has changed, and the table at the end."""
        seat, linked = self._seat, self.session.linked
        start, now = self._start(seat), self.cells(seat)
        whole = changes(linked, start, now, seat)
        eyes = self._eyes.get(seat)
        latest = [] if eyes is None else changes(linked, eyes.cells or start, now, seat)
        if eyes is not None:
            eyes.turn = self.session.turns
            self._tell(seat)
        self.screen.line()
        self.screen.rule("Done")
        if whole != latest or eyes is None:
            self.screen.say("From first to last:", indent="  ")
            for line in whole or ["nothing has changed"]:
                self.screen.lines(f"  {part}" for part in self._broken(line))
        elif not whole:
            self.screen.say("The table is as it was.", indent="  ")
        self.screen.lines(table(self.screen, linked, now, seat))
        outcome = self.session.outcome
        if outcome is not None:
            self.screen.line()
            only = self.people[0] if len(self.people) == 1 else None
            tell_outcome(self.screen, linked, outcome, only)

    def _take_seat(self, seat: int) -> bool:
        """Nothing is hidden from whoever tries an entry, so that the keyboard stays where it is."""
        self._at = seat
        return False

    # ------------------------------------------------------------ files that were saved anew

    def _typed(self) -> str:
        """One typed line. If the game has changed meanwhile, it counts only as a command."""
        typed = super()._typed()
        if self._renew():
            match command_of(typed, self.words):
                case Command(name="quit"):
                    raise Quit
                case Command(name="restart") as command:
                    self._commands.do(command, self._seat, None)
            raise Renewed
        return typed

    def _renew(self) -> bool:
        """Load the game again if its files have changed; is there another session now?"""
        news = self.watch.look()
        if news is None:
            return False
        self.screen.line()
        files = listed(list(news.files))
        have = "has" if len(news.files) == 1 else "have"
        if news.game is None:
            self._tell_why_not(news, f"{files} {have} changed, and" if files else "The files")
            return False
        try:
            session, before = self.request.begin(news.game, self.session.seed)
            if session.players != self.session.players:
                raise UsageError(f"there are {session.players} players now")
        except (UsageError, GameFault) as error:
            text = f"{files} {have} changed, and this cannot be tried any more: {error}"
            self.screen.say(text, "bad")
            self.screen.say("The game goes on as it was.")
            return False
        self.screen.say(f"{files} {have} changed; the game is loaded anew.")
        if news.diagnostics:
            count = len(news.diagnostics)
            fail = "fails" if count == 1 else "fail"
            text = f"{count} of its own checks {fail}; `rulelang check` shows more."
            self.screen.say(text, "bad")
        self._go_on_with(session, before)
        return True

    def _tell_why_not(self, news: News, lead: str) -> None:
        shown = list(news.diagnostics[:_SHOWN])
        if news.problem:
            self.screen.say(f"{lead} cannot be read: {news.problem}", "bad")
        else:
            self.screen.say(f"{lead} cannot be played like this:", "bad")
            text = render_full(shown, dict(news.texts), self.screen.styled)
            self.screen.lines(text.rstrip("\n").split("\n"))
        left = len(news.diagnostics) - len(shown)
        more = f"There are {left} more. " if left else ""
        self.screen.say(f"{more}The game goes on as it was.")

    def _go_on_with(self, session: Session, before: Session) -> None:
        """Give the same answers in the new session, as long as they can be given."""
        entry, past = self._entry_parts(), self._answers()
        self._adopt(session, before)
        self.faulted = False
        self._show_entry(besides=entry)
        problem = ""
        for player, label, asked in past:
            problem = self._answered_again(player, label, asked)
            if problem:
                break
        for seat, eyes in self._eyes.items():
            eyes.cells, eyes.turn = self.cells(seat), session.turns
            eyes.heard = len(session.view(seat)["log"])
        before_all = sum(asked for _, _, asked in past)
        kept = sum(asked for _, asked in self._choices)
        if problem:
            self.screen.say(f"Of your choices so far {kept} of {before_all} stand; then {problem}.")
        elif before_all:
            self.screen.say("Your choices so far stand.")

    def _answers(self) -> list[tuple[int | str, str, bool]]:
        """Every decision so far: who made it, what was chosen, and whether a person was asked."""
        given = zip(self.session.asked, self.session.ledger, strict=True)
        labels = [label for asker, label in given if asker != CHANCE]
        pairs = zip(self._choices, labels, strict=True)
        return [(player, label, asked) for (player, asked), label in pairs]

    def _answered_again(self, player: int | str, label: str, asked: bool) -> str:
        """Answer once; if that is not possible, why."""
        decision = self.session.decision
        if decision is None:
            return "it is done"
        if decision.player != player or label not in self.session.legal:
            return f"“{label}” cannot be chosen any more"
        try:
            self.session.choose(label)
        except Error as error:
            return f"a rule goes wrong: {error}"
        self._choices.append((player, asked))
        return ""


class _Commands(Commands):
    """What may be typed while something is tried."""

    def do(self, command: Command, seat: int, decision: Decision | None) -> None:
        """Carry out one command."""
        if command.name == "restart":
            self._restart(command.words)
        else:
            super().do(command, seat, decision)

    def _restart(self, words: str) -> None:
        """Begin again, with the seed that was typed. Raises Restart unless that is none."""
        if not words:
            raise Restart(self.play.session.seed)
        try:
            raise Restart(int(words))
        except ValueError:
            self.screen.say("Type `r` alone, or `r` and a seed, which is a whole number.")

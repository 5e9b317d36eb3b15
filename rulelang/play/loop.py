"""Playing a session on a terminal, choice by choice."""

from __future__ import annotations

from attrs import define, field

from rulelang.errors import GameFault
from rulelang.play.answers import COMMANDS, Command, Pick, Unclear, legal, understand
from rulelang.play.asking import question_lines
from rulelang.play.bots import bot_choice, chance_outcome
from rulelang.play.cells import Cell, seen
from rulelang.play.changes import changes
from rulelang.play.commands import Commands
from rulelang.play.ending import tell_outcome
from rulelang.play.entries import Library
from rulelang.play.picture import Picture
from rulelang.play.saving import Keeper, Past
from rulelang.play.screen import Screen, flow
from rulelang.play.stories import Stories
from rulelang.play.table import table
from rulelang.play.words import name_of
from rulelang.program.values import Entry
from rulelang.session import CHANCE, Decision, Session

_TOLD = 12


class Quit(Exception):
    """The player stops."""


@define
class Eyes:
    """What one seat has been told."""

    cells: tuple[Cell, ...] | None = None
    turn: int = -1
    heard: int = 0
    """How many lines of its log."""
    notes: list[str] = field(factory=list)


class Play:
    """One session at one terminal, with people at some seats and bots at the others."""

    words = COMMANDS
    """What may be typed besides options."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        bots: dict[int, str],
        keeper: Keeper,
        picture: Picture | None = None,
    ) -> None:
        self.session = session
        self.screen = screen
        self.bots = bots
        self.keeper = keeper
        self.picture = picture
        self.faulted = False
        self.people = [seat for seat in range(session.players) if seat not in bots]
        self.library = Library(screen, session.linked)
        self.stories = Stories(session.linked.program)
        self._eyes = {seat: Eyes() for seat in self.people}
        self._at: int | None = None
        """Whose turn at the keyboard it is."""
        self._choices: Past = []
        """Who has chosen so far, and whether a person was asked."""
        self._fixed = 0
        """How many choices at the beginning cannot be undone."""
        self._warned = False
        """Was it said that quitting loses the game?"""
        self._commands = Commands(self)

    def recall(self, past: Past, *, fixed: bool) -> None:
        """Take over who has chosen before, from a save; ``fixed``: none of it can be undone."""
        self._fixed = len(past) if fixed else 0
        self._choices = [
            (player, offered and player not in self.bots and player != CHANCE)
            for player, offered in past
        ]
        if fixed:
            for seat, eyes in self._eyes.items():
                eyes.heard = len(self.session.view(seat)["log"])

    def run(self) -> int:
        """Play to the end. Raises `Quit` and `EndOfInput`."""
        while (decision := self.session.decision) is not None:
            if not self._step(decision):
                return 1
        self._finish()
        return 1 if self.faulted else 0

    def cells(self, seat: int) -> tuple[Cell, ...]:
        """What a seat sees now."""
        return seen(self.session.prepared, self.session.view(seat)["state"])

    # ------------------------------------------------------------ one choice

    def _step(self, decision: Decision) -> bool:
        player = decision.player
        if not isinstance(player, int):
            return self._choose(
                chance_outcome(self.session.seed, decision, self._number(player)), asked=False
            )
        if player in self.bots:
            index = self.suggestion(decision, self.bots[player])
            if index is None:
                self.faulted = True
            return index is not None and self._choose(index, asked=False)
        if len(decision.options) == 1:
            note = f"{decision.prompt} Only one choice: {decision.options[0].text}"
            done = self._choose(0, asked=False)
            self._eyes[player].notes.append(note)
            return done
        self._ask(player, decision)
        return True

    def suggestion(self, decision: Decision, policy: str) -> int | None:
        """What a bot would choose here; None, and a message, if the game cannot tell it enough."""
        try:
            return bot_choice(self.session, decision, policy, self._number(decision.player))
        except GameFault as fault:
            self.screen.say(f"The bot cannot choose: {fault}", "bad")
            return None

    def _number(self, player: int | str) -> int:
        return sum(1 for seat, _ in self._choices if seat == player)

    def _choose(self, index: int, *, asked: bool) -> bool:
        """Choose, and save. False if a rule went wrong."""
        decision = self.session.decision
        assert decision is not None
        try:
            self.session.choose(index)
        except GameFault as fault:
            self.faulted = True
            self.screen.say(f"A rule of this game went wrong: {fault}", "bad")
            return False
        self._choices.append((decision.player, asked))
        self._keep()
        return True

    def _keep(self) -> None:
        """Save, and draw the board again, where either is wanted."""
        self.autosave()
        if self.picture is not None:
            known = self.picture.problem
            if not self.picture.keep(self.session, self.people) and self.picture.problem != known:
                self.screen.say(f"The board is not drawn: {self.picture.problem}", "bad")

    def autosave(self) -> None:
        """Save if there is a file; a problem is told once."""
        known = self.keeper.problem
        if (
            self.keeper.path is not None
            and not self.keeper.save(self.session)
            and self.keeper.problem != known
        ):
            self.screen.say(f"Not saved: {self.keeper.problem}", "bad")

    # ------------------------------------------------------------ asking

    def _ask(self, seat: int, decision: Decision) -> None:
        passed = self._take_seat(seat)
        self._tell(seat, afresh=passed)
        self.show_question(decision)
        while True:
            match understand(self._typed(), decision.options, self.words):
                case Unclear(message=message):
                    self.screen.say(message)
                case Pick(index=index):
                    if self._choose(index, asked=True):
                        return
                    self.screen.say(
                        f"The choice is taken back. Choose again: type {legal(decision.options)}."
                    )
                case Command(name="quit"):
                    if self._may_quit():
                        raise Quit
                case Command(name="undo"):
                    if self._undo():
                        return
                case Command(name="bot"):
                    evaluates = self.session.prepared.judge.evaluates
                    found = self.suggestion(decision, "greedy" if evaluates else "random")
                    if found is None:
                        continue
                    self.screen.line(f"  The bot chooses: {decision.options[found].text}")
                    if self._choose(found, asked=True):
                        return
                case command:
                    self._commands.do(command, seat, decision)

    def _may_quit(self) -> bool:
        """A game that somebody has begun to play at a terminal is not lost by one word."""
        if self.keeper.path is not None or not self._choices or not self.screen.at_keyboard:
            return True
        if self._warned:
            return True
        self._warned = True
        self.screen.say("This game is not saved: `save FILE` keeps it, `quit` again leaves it.")
        return False

    def _typed(self) -> str:
        """One line that a player types. Raises EndOfInput."""
        return self.screen.ask("> ")

    def show_question(self, decision: Decision) -> None:
        """Write the prompt and the options."""
        assert isinstance(decision.player, int)
        cells = self.cells(decision.player)
        self.screen.line()
        self.screen.lines(question_lines(self.screen, self.session, self.library, cells, decision))

    def _take_seat(self, seat: int) -> bool:
        """Have the keyboard passed on where the next player sees what the last one must not."""
        last, self._at = self._at, seat
        if last == seat or len(self.people) == 1:
            return False
        view = self.session.view
        if last is None:
            secret = any(view(seat)["state"] != view(other)["state"] for other in self.people)
        else:
            secret = view(seat)["state"] != view(last)["state"]
        if not secret:
            return False
        name = name_of(self.session.linked.players[seat])
        if last is not None:
            self.screen.wipe()
        self.screen.line()
        if self.screen.ask(
            f"Pass the keyboard to {name}, who presses Enter: "
        ).strip().casefold() in ("quit", "q"):
            raise Quit
        return True

    def _tell(self, seat: int, *, afresh: bool = False) -> None:
        """What happened since the seat was last asked; the whole table when a turn begins."""
        eyes, cells = self._eyes[seat], self.cells(seat)
        self._read_out(seat)
        news = [self.screen.style(note, "dim") for note in eyes.notes]
        if eyes.cells is not None:
            news += changes(self.session.linked, eyes.cells, cells, seat)
        if len(news) > _TOLD:
            left = len(news) - _TOLD + 1
            news = [*news[: _TOLD - 1], f"and {left} more; `table` shows how things are"]
        if news:
            self.screen.line()
        for line in news:
            for part in self._broken(line):
                self.screen.line(part)
        if afresh or eyes.turn != self.session.turns:
            self.screen.line()
            self.screen.rule(f"Turn {self.session.turns}" if self.session.turns else "The table")
            self.screen.lines(table(self.screen, self.session.linked, cells, seat))
        eyes.notes.clear()
        eyes.cells, eyes.turn = cells, self.session.turns

    def _read_out(self, seat: int) -> None:
        """The stories of what the seat has come upon since it was last told."""
        log, eyes = self.session.view(seat)["log"], self._eyes[seat]
        for entry in self.stories.told(log[eyes.heard :], self._shown()):
            self.screen.line()
            self.screen.lines(self.stories.lines(entry, self.screen))
        eyes.heard = len(log)

    def _shown(self) -> Entry | None:
        """An entry that everybody has before them."""
        return None

    def _broken(self, line: str) -> list[str]:
        lines = flow(line.split(" "), glue="", first="  ", rest="      ", width=self.screen.width)
        return [text.replace("\N{NO-BREAK SPACE}", " ") for text in lines]

    # ------------------------------------------------------------ going back, and the end

    def _undo(self) -> bool:
        """Back to the last choice that a person was asked for."""
        asked = [n for n, (_, was_asked) in enumerate(self._choices) if was_asked]
        if not asked:
            self.screen.say("There is nothing to take back yet.")
            return False
        if asked[-1] < self._fixed:
            self.screen.say("What was chosen before the game was resumed cannot be taken back.")
            return False
        while len(self._choices) > asked[-1]:
            self.session.undo()
            self._choices.pop()
        for seat, eyes in self._eyes.items():
            eyes.notes.clear()
            eyes.cells, eyes.turn = self.cells(seat), self.session.turns
            eyes.heard = len(self.session.view(seat)["log"])
        self.screen.line("  Taken back.")
        self._keep()
        return True

    def _finish(self) -> None:
        outcome = self.session.outcome
        assert outcome is not None
        seat = self._at
        if seat is not None:
            self._eyes[seat].turn = self.session.turns
            self._tell(seat)
        self.screen.line()
        self.screen.rule("The table at the end")
        cells = self.cells(0 if seat is None else seat)
        self.screen.lines(table(self.screen, self.session.linked, cells, seat))
        self.screen.line()
        only = self.people[0] if len(self.people) == 1 else None
        tell_outcome(self.screen, self.session.linked, outcome, only)

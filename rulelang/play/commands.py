"""The commands that only show something."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.diagnostic import did_you_mean
from rulelang.display import printable
from rulelang.drawing import has_board
from rulelang.play.answers import Command, keys, legal, matching
from rulelang.play.asking import entry_of
from rulelang.play.board import board_lines
from rulelang.play.ending import clause_lines
from rulelang.play.events import log_lines
from rulelang.play.screen import paragraph
from rulelang.play.table import is_long, table
from rulelang.play.words import name_of
from rulelang.program.values import Entry
from rulelang.session import Decision
from rulelang.wording import folded

if TYPE_CHECKING:
    from rulelang.play.loop import Play

_CLAUSES = 12
_FOUND = 6


class Commands:
    """Carries out what a player types besides choosing."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.screen = play.screen

    def do(self, command: Command, seat: int, decision: Decision | None) -> None:
        """Carry out one command; the question is written again after a longer answer.

        ``decision`` is None where nobody is asked.
        """
        match command.name:
            case "save":
                self._save(command.words)
            case "seed":
                self.screen.line(f"  Seed {self.play.session.seed}")
            case "help":
                self._help(decision)
            case "look":
                if self._look(command.words, seat, decision):
                    self._ask_again(decision)
            case "table":
                self._table(seat)
                self._ask_again(decision)
            case "board":
                if self._board(seat):
                    self._ask_again(decision)
            case "log":
                self._log(seat)
                self._ask_again(decision)

    def _ask_again(self, decision: Decision | None) -> None:
        if decision is not None:
            self.play.show_question(decision)

    # ------------------------------------------------------------ saving

    def _save(self, name: str) -> None:
        keeper = self.play.keeper
        if name:
            keeper.move_to(Path(name))
        if keeper.path is None:
            self.screen.say("Where to? Type `save FILE`.")
        elif keeper.save(self.play.session):
            more = " Every choice from now on is saved there too." if name else ""
            self.screen.say(f"Saved in {keeper.path}.{more}", indent="  ")
            if keeper.kept:
                self.screen.say(f"What it held before is now in {keeper.kept}.", indent="  ")
        else:
            self.screen.say(f"Not saved: {keeper.problem}", "bad")
            if name:
                keeper.give_up()

    # ------------------------------------------------------------ help

    def _help(self, decision: Decision | None) -> None:
        self.screen.line()
        if decision is not None:
            self._explain(decision)
            self.screen.line()
            self.screen.say(
                f"Type {legal(decision.options)}, or the first letters of an option. Also:"
            )
        words = self.play.words.commands
        column = max(map(len, words)) + 2
        for command, text in words.items():
            lead = f"  {self.screen.style(f'{command:<{column}}', 'name')}"
            rest = " " * (column + 2)
            self.screen.lines(paragraph(text, first=lead, rest=rest, width=self.screen.width))

    def _explain(self, decision: Decision) -> None:
        """What is being decided, and by which rule and clauses."""
        screen, linked = self.screen, self.play.session.linked
        code = linked.codes.get(decision.rule)
        cited = dict.fromkeys([*decision.cites, *(code.cites if code is not None else ())])
        screen.line(screen.style(printable(decision.prompt), "bold"))
        name = decision.rule.replace("_", " ")
        screen.say(
            f"The rule “{name}” asks this" + (", by these clauses:" if cited else "."), indent="  "
        )
        screen.lines(clause_lines(screen, linked, tuple(cited)[:_CLAUSES]))

    # ------------------------------------------------------------ looking

    def _look(self, words: str, seat: int, decision: Decision | None) -> bool:
        """Show what was asked for; False if there is no such thing."""
        found = None if decision is None else self._options(words, decision)
        cells = self.play.cells(seat)
        if found is None:
            places = [c for c in cells if is_long(c) or c.zone]
            named = [c for c in places if folded(c.name) == folded(words)]
            if named:
                for cell in named:
                    self.screen.lines(self.play.library.place(cell))
                return True
            found = self.play.library.find(words)
        if not found:
            self._not_found(words, decision)
            return False
        for entry in found[:_FOUND] if words else found:
            self.screen.lines(self.play.library.in_full(entry, cells))
        if words and len(found) > _FOUND:
            more = ", ".join(name_of(entry) for entry in found[_FOUND : 4 * _FOUND])
            self.screen.say(f"And also: {more}", indent="  ")
        return True

    def _options(self, words: str, decision: Decision) -> list[Entry] | None:
        """The entries of the options that are meant; None if no option is."""
        typed = keys(decision.options)
        if not words:
            numbers = list(range(len(typed)))
        elif words in typed:
            numbers = [typed.index(words)]
        else:
            numbers = matching(words, decision.options)
            if not numbers:
                return None
        entries = [entry_of(self.play.session, decision.options[n]) for n in numbers]
        whole = self.play.library.whole
        return list(dict.fromkeys(whole(entry) for entry in entries if entry is not None))

    def _not_found(self, words: str, decision: Decision | None) -> None:
        options = () if decision is None else decision.options
        if not words or words in keys(options) or matching(words, options):
            self.screen.say("There is no more to look at than these words.")
            return
        question = did_you_mean(self.play.library.near(words))
        hint = f"; {question}" if question else "."
        self.screen.say(f"There is nothing called “{printable(words)}”{hint}")

    # ------------------------------------------------------------ table and log

    def _table(self, seat: int) -> None:
        session = self.play.session
        self.screen.line()
        self.screen.lines(table(self.screen, session.linked, self.play.cells(seat), seat))

    def _board(self, seat: int) -> bool:
        """Show the board; False if there is none."""
        linked = self.play.session.linked
        if not has_board(linked.program):
            self.screen.say("This game has no board. `table` shows how things are.")
            return False
        self.screen.line()
        lines = board_lines(self.screen, linked, self.play.cells(seat))
        self.screen.lines(lines or ["  Nothing stands on the board."])
        return True

    def _log(self, seat: int) -> None:
        session = self.play.session
        lines = log_lines(session.game.program, session.view(seat)["log"])
        self.screen.line()
        for line in lines or ["nothing happened yet"]:
            depth = len(line) - len(line.lstrip(" "))
            lead = "  " + " " * depth
            self.screen.lines(
                paragraph(line, first=lead, rest=lead + "    ", width=self.screen.width)
            )

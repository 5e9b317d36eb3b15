"""Answers known beforehand: the script of a start, the ledger of a replay or a save."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.events import Chance, Event
from rulelang.errors import ChoiceError
from rulelang.program.linking import Linked
from rulelang.program.types import Many
from rulelang.program.values import label_of


class Script:
    """Labels that answer events in their order, with a place in it.

    A strict script is a ledger: it has every outcome, of decisions and of chance. One of decisions
    leaves out chance, which must be sampled. Any other may leave out chance where it is sampled, or
    the decisions: a decision that lacks the label which comes next is left open if that label can
    be an outcome of chance.
    """

    def __init__(
        self,
        labels: Sequence[str] = (),
        *,
        strict: bool = False,
        decisions: bool = False,
        askers: Sequence[str] | None = None,
    ) -> None:
        self.labels = tuple(labels)
        self.strict = strict
        self.decisions = decisions
        self.askers = askers
        """Of a ledger: who was asked each time."""
        self.place = 0
        self.manual = False
        """Are decisions the player's to answer? After an undo they are; chance stays scripted."""

    def copy(self) -> Script:
        """An independent copy at the same place."""
        copy = Script(self.labels, strict=self.strict, decisions=self.decisions, askers=self.askers)
        copy.place, copy.manual = self.place, self.manual
        return copy

    @property
    def left(self) -> int:
        """How many labels were not used."""
        return len(self.labels) - self.place

    def answer(self, event: Event, linked: Linked, *, sampled: bool) -> int | None:
        """The option or outcome that comes next in the script; None to ask or to sample.

        ``sampled``: chance is drawn where nobody answers. Raises `ChoiceError` for a label that is
        not possible.
        """
        if self.place >= len(self.labels):
            return None
        drawn = isinstance(event, Chance) and sampled
        if (self.manual and not drawn) or (self.decisions and drawn):
            return None
        wanted, labels = self.labels[self.place], event.labels()
        if wanted in labels and self._asked(event):
            self.place += 1
            return labels.index(wanted)
        if not self.strict and (drawn or (sampled and wanted in chance_labels(linked))):
            return None
        raise ChoiceError(
            f"number {self.place + 1} of the script, {wanted!r}, is not possible here", labels
        )

    def _asked(self, event: Event) -> bool:
        if self.askers is None:
            return True
        from rulelang.decisions import asker_of

        return self.askers[self.place] == asker_of(event)

    def answered(self, label: str, labels: Sequence[str]) -> None:
        """A player has answered: with another label than the script's, the rest of it is void."""
        if self.left and self.labels[self.place] in labels:
            if self.labels[self.place] == label:
                self.place += 1
            else:
                self.labels = self.labels[: self.place]

    def finish(self) -> None:
        """The game is over. Raises `ChoiceError` if labels are left."""
        if self.left:
            raise ChoiceError(
                f"the game is over, and {self.left} outcomes of the script are left", ()
            )


def chance_labels(linked: Linked) -> frozenset[str]:
    """All labels that an outcome of chance may have: faces of dice, and what lies in piles."""
    program = linked.program
    labels = {label_of(face) for faces in program.dice.values() for face in faces}
    labels |= {seat.label for seat in linked.players}
    for field in linked.fields():
        if isinstance(field.type, Many) and field.type.form == "pile":
            labels |= {entry.label for entry in program.domains[str(field.type.item)].entries}
    return frozenset(labels)

"""Collecting the instructions of one rule: labels first, places at the end."""

from __future__ import annotations

from attrs import define, evolve, field

from rulelang.program import instructions as i
from rulelang.program.instructions import Instruction

_TARGETS = ("to", "otherwise", "end", "decline", "none")


@define
class Assembler:
    """Instructions in the making; jumps name labels until `finish` turns them into places."""

    instructions: list[Instruction] = field(factory=list)
    cites: list[tuple[int, tuple[str, ...]]] = field(factory=list)
    marks: dict[int, int] = field(factory=dict)

    def label(self) -> int:
        """A new label, not yet placed. Labels are negative, so that none is taken for a place."""
        label = -1 - len(self.marks)
        self.marks[label] = -1
        return label

    def mark(self, label: int) -> None:
        """The label stands here."""
        self.marks[label] = len(self.instructions)

    def emit(self, instruction: Instruction) -> None:
        """Add an instruction."""
        self.instructions.append(instruction)

    def cite(self, clauses: tuple[str, ...]) -> None:
        """The instruction that comes next implements these clauses."""
        if clauses:
            self.cites.append((len(self.instructions), clauses))

    def finish(self) -> tuple[Instruction, ...]:
        """The instructions, with places for labels."""
        return tuple(self._placed(instruction) for instruction in self.instructions)

    def _placed(self, instruction: Instruction) -> Instruction:
        changes: dict[str, object] = {}
        for name in _TARGETS:
            label = getattr(instruction, name, None)
            if isinstance(label, int) and label < 0:
                changes[name] = self.marks[label]
        if isinstance(instruction, i.Choose):
            changes["offers"] = tuple(
                evolve(offer, to=self.marks[offer.to]) for offer in instruction.offers
            )
        return evolve(instruction, **changes) if changes else instruction  # type: ignore[arg-type]

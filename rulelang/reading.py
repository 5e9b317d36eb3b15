"""Entries said again in a player's words: what an author proof-reads beside the printed sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulelang.content.shapes import first_text, inner_kind
from rulelang.program.boards import ENDS
from rulelang.program.program import PLACE, Kind, KindField, Program
from rulelang.program.scripts import Case, Choice, Condition, Do, Step, Steps, Throw
from rulelang.program.types import EFFECT, FLAG, SCRIPT, TEXT, Many, Table
from rulelang.program.values import Effect, Entry, Script, Value, figures
from rulelang.wording import Words, capital, folded, in_order, listed, noun, sentence

_EFFECTS = (EFFECT, Many("list", EFFECT))
_LONG_RUN = 3
"""So many numbers in a row are said as a range."""


@frozen
class Item:
    """A sentence, or the head of some lines that stand below it."""

    text: str
    below: tuple[Item, ...] = ()

    def __str__(self) -> str:
        return "\n".join("  " * depth + line for depth, line in self.lines())

    def lines(self, depth: int = 0) -> Iterator[tuple[int, str]]:
        """Each line with the number of blocks that it stands in."""
        yield depth, self.text
        for item in self.below:
            yield from item.lines(depth + 1)


@frozen
class Passage:
    """One entry, said again: the heading, and what stands on the entry below it."""

    entry: Entry
    item: Item

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The lines, the heading first, each with its depth."""
        return list(self.item.lines())

    def __str__(self) -> str:
        return str(self.item)


class Reading:
    """Reads the entries of a game, in the wording of a mode."""

    def __init__(self, program: Program, mode: str) -> None:
        self.program = program
        self.words = Words(program, mode)
        self._drafts = frozenset(program.drafts)

    def passage(self, entry: Entry) -> Passage:
        """The entry in full; of a draft it says that nothing is written yet."""
        kind = self.program.kinds[entry.domain]
        if self.is_draft(entry):
            below = [Item("Nothing is written here yet.")]
        else:
            below = self._fields(entry, kind)
            if not below and any(self._is_content(field) for field in kind.fields):
                below = [Item("Nothing happens.")]
        return Passage(entry, Item(heading(entry, kind), tuple(below)))

    def is_draft(self, entry: Entry) -> bool:
        """Is only the key of the entry written?"""
        return entry in self._drafts

    # ------------------------------------------------------------ fields

    def _fields(self, entry: Entry, kind: Kind) -> list[Item]:
        """What stands on an entry, field by field; what was left out is passed over."""
        title = first_text(kind)
        alone = sum(field.type in (*_EFFECTS, SCRIPT) for field in kind.fields) == 1
        items: list[Item] = []
        for field, value in zip(kind.fields, entry.fields, strict=True):
            said_above = field is title and field.name != "story" and value == entry.text
            said_above |= kind.numbered and field.name == PLACE
            if not (said_above or field.name == ENDS or _is_left_out(field, value)):
                items += self._field(field, value, alone=alone)
        return items

    def _field(self, field: KindField, value: Value, *, alone: bool) -> Sequence[Item]:
        """One field; instructions go without a label where they are the only ones."""
        inner = inner_kind(self.program, field.type)
        if inner is not None:
            return [self._inner(part, inner) for part in value]
        label = field.name.replace("_", " ")
        if isinstance(value, Script):
            items = self.steps(value.steps)
            return items if alone else [Item(f"{capital(label)}:", tuple(items))]
        if field.type in _EFFECTS:
            said = self._effects(value)
            return [Item(sentence(said if alone else f"{label}: {said}"))]
        if field.name == "story":
            return [Item(value)]
        return [Item(sentence(f"{label}{self._plain(field, value)}"))]

    def _plain(self, field: KindField, value: Value) -> str:
        """A value that is no instruction, behind its label."""
        if field.type == FLAG and value is True:
            return ""
        if field.type == TEXT:
            return f": “{value}”"
        if isinstance(field.type, Table):
            keys = self.program.domains[field.type.key.domain].entries
            said = [f"{key.text} {self.words.value(item)}" for key, item in filled(keys, value)]
            return f": {', '.join(said)}"
        if isinstance(value, tuple):
            return f": {listed([self.words.value(item) for item in value])}"
        return f" {self.words.value(value)}"

    def _effects(self, value: Value) -> str:
        return self.words.effects((value,) if isinstance(value, Effect) else value)

    def _inner(self, part: Entry, kind: Kind) -> Item:
        """A box on a card: its variant, and what stands in it."""
        if kind.numbered:
            return self._numbered(part, kind)
        lead = capital(part.variant.replace("_", " ") or noun(kind.name))
        below = self._fields(part, kind)
        effects = [field for field in kind.fields if field.type in _EFFECTS]
        if len(effects) == 1 and len(below) <= 1:
            value = part.fields[kind.fields.index(effects[0])]
            if value or not below:
                return Item(sentence(f"{lead}: {self._effects(value)}"))
        return Item(f"{lead}:" if below else f"{lead}: nothing.", tuple(below))

    def _numbered(self, part: Entry, kind: Kind) -> Item:
        """One of several numbered entries: its number and title, and what stands on it."""
        below = tuple(self._fields(part, kind))
        lead = sentence(inner_heading(part, kind))
        return Item(lead, below or (Item("Nothing happens."),))

    def _is_content(self, field: KindField) -> bool:
        inner = inner_kind(self.program, field.type)
        return inner is not None or field.type in (*_EFFECTS, SCRIPT)

    # ------------------------------------------------------------ scripts

    def steps(self, steps: Steps) -> list[Item]:
        """The steps of a script: sentences, and branches with lines below them."""
        items: list[Item] = []
        plain: list[str] = []
        for step in steps:
            if isinstance(step, Do) and not step.results:
                plain.append(self.words.effect(step.effect))
                continue
            items += _sentences(plain)
            plain = []
            items += self._step(step)
        return items + _sentences(plain)

    def _step(self, step: Step) -> list[Item]:
        match step:
            case Do():
                said = self.words.effect(step.effect)
                return [Item(f"{capital(said)}:", self._results(step))]
            case Choice():
                options = [self._case(case, f"“{case.values[0]}”") for case in step.options]
                return [Item("Choose:", tuple(options))]
            case Throw():
                cases = [self._case(case, f"On {self._listed(case)}") for case in step.cases]
                if step.otherwise is not None:
                    cases.append(self._branch("Otherwise", step.otherwise))
                return [Item(f"Roll {step.die.replace('_', ' ')}:", tuple(cases))]
            case Condition():
                return self._condition(step)
        return []

    def _condition(self, step: Condition) -> list[Item]:
        head = self.words.asked(step.asked, negated=step.negated)
        yes = self._branch(capital(head), step.then)
        if step.otherwise is None:
            return [yes]
        no = self._branch("Without" if head.startswith("with ") else "Otherwise", step.otherwise)
        short = not yes.below and not no.below
        return [Item(f"{yes.text} {no.text}")] if short else [yes, no]

    def _results(self, step: Do) -> tuple[Item, ...]:
        return tuple(self._case(case, capital(self._listed(case))) for case in step.results)

    def _case(self, case: Case, lead: str) -> Item:
        return self._branch(lead, case.steps)

    def _branch(self, lead: str, steps: Steps) -> Item:
        """A branch on one line if it only holds instructions, or one with results below it."""
        only = steps[0] if len(steps) == 1 else None
        if isinstance(only, Do) and only.results:
            said = self.words.effect(only.effect)
            return Item(sentence(f"{lead}: {said}"), self._results(only))
        plain = [s.effect for s in steps if isinstance(s, Do) and not s.results]
        items = self.steps(steps)
        if len(items) == bool(plain) and all(not item.below for item in items):
            return Item(sentence(f"{lead}: {self.words.effects(plain)}"))
        return Item(f"{lead}:", tuple(items))

    def _listed(self, case: Case) -> str:
        """The faces or results of a case: "1 or 2", "3 to 6", "calm"."""
        numbers = [value for value in case.values if isinstance(value, int)]
        low, count = min(numbers, default=0), len(case.values)
        if count >= _LONG_RUN and sorted(numbers) == list(range(low, low + count)):
            return f"{low} to {low + count - 1}"
        return listed([self.words.value(value) for value in case.values], "or")


def heading(entry: Entry, kind: Kind) -> str:
    """What an entry is, its key and its title: "Parcel 3, Sea Chest"."""
    what = entry.variant.replace("_", " ") or noun(kind.name)
    key = figures(entry.key).replace("_", " ")
    has_title = entry.text != entry.label and folded(entry.text) != folded(key)
    if kind.key == "number" or not has_title:
        shown = key if kind.key in ("number", ENDS) else entry.text.replace("_", " ")
        return capital(f"{what} {shown}") + (f", {entry.text}" if has_title else "")
    return capital(f"{what} {key}, {entry.text}")


def inner_heading(part: Entry, kind: Kind) -> str:
    """What a numbered entry inside another is, its number and its title: "Scene 3, The Ford"."""
    what = capital(f"{part.variant.replace('_', ' ') or noun(kind.name)} {part.place}")
    return what if part.text == part.label else f"{what}, {part.text}"


def filled(keys: Sequence[Entry], values: Sequence[Value]) -> list[tuple[Entry, Value]]:
    """The keys of a map for which it holds something, with what it holds."""
    pairs = zip(keys, values, strict=True)
    return [(key, item) for key, item in pairs if item not in (None, False, 0, "", ())]


def _sentences(parts: Sequence[str]) -> list[Item]:
    """What is done, in one sentence; nothing where nothing is done."""
    return [Item(sentence(in_order(parts)))] if parts else []


def _is_left_out(field: KindField, value: Value) -> bool:
    """Does the field hold what it holds if nobody says anything?"""
    if value is None or value is False or value == () or (isinstance(value, str) and not value):
        return True
    if isinstance(value, Script):
        return not value.steps
    if isinstance(field.type, Table):
        return not any(item not in (None, False, 0, "", ()) for item in value)
    return field.default is not None and value == getattr(field.default, "value", None)

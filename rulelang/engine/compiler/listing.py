"""Generated source as a text for people: each line with the place in the rules that it is from.

A module that plays writes a rule when it is first called. Here everything is written at once, so it
takes a module of its own: what is written first carries the functions that others share.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from attrs import frozen

from rulelang.diagnostic import Span
from rulelang.display import printable
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.versions import Version
from rulelang.program.linking import ENDINGS, MARKS, WORK
from rulelang.program.values import label_of, order_key

WIDEST = 84
"""The column at which the places stand at most, but for lines that are longer."""
LONGEST = 100
"""Characters of what a name is said to stand for."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_POOLED = re.compile(r"\b[A-Z][0-9]+\b")
_FRAME = re.compile(r"\b(?:m\.stack = |m, s, )\(([0-9]+), ")
_SLOT = re.compile(r"\b(?:s\[|at = |to = )([0-9]+)")
_OWN = {MARKS: "who was shown what", ENDINGS: "the endings that have come", WORK: "work left"}
_SORTS = {
    "A": "by identity, what carries out each effect and script",
    "F": "finds where a card lies",
    "G": "the candidates of a decision, as the interpreter finds them",
    "O": "an instruction, as the interpreter carries it out",
    "R": "notes who knows of a card that is moved",
}
"""What the names of a letter are, where the object has no text of its own."""


@frozen
class Block:
    """A function of generated source, or something else that is defined at its top."""

    name: str
    lines: tuple[str, ...]
    spans: tuple[Span | None, ...]

    @property
    def is_shared(self) -> bool:
        """Is it of no rule?"""
        return self.spans[0] is None


def listing(module: Module, rules: Collection[str]) -> Iterator[str]:
    """The lines of source for some rules, in the order of the program, with what they share.

    ``module`` is one that nothing was asked of yet.
    """
    versions = _all_versions(module)
    blocks = {version.name: list(_blocks(*module.source(version))) for version in versions}
    shared = {b.name: b for each in blocks.values() for b in each if b.is_shared}
    shown: list[Block] = []
    order = {name: place for place, name in enumerate(module.linked.codes)}
    for version in sorted(versions, key=lambda version: order[version.code.name]):
        if version.code.name not in rules:
            continue
        own = [block for block in blocks[version.name] if not block.is_shared]
        needed = [b for b in _needed(own, shared) if b not in shown]
        shown += needed
        yield from ("", "", f"# {_title(version)}")
        yield from _legend(module, [*needed, *own])
        for place, block in enumerate((*needed, *own)):
            yield from ("",) if place else ()
            yield from _rendered(block)


def _all_versions(module: Module) -> list[Version]:
    """All that the game's start leads to; of rules that only effects lead to, the general version.

    While it plays, effects and scripts that are carried out get versions of their own, too.
    """
    found: list[Version] = []
    begun: set[str] = set()
    for rule in ("play", *module.linked.codes):
        if rule not in begun:
            module.versions.general(rule)
        known = module.versions.by_name
        while len(found) < len(known):
            found += list(known.values())[len(found) :]
            for version in found:
                module.source(version)
        begun = {version.code.name for version in found}
    return found


def _blocks(source: str, spans: tuple[Span | None, ...]) -> Iterator[Block]:
    """What is defined at the top of a source, one by one."""
    lines = source.split("\n")[:-1]
    starts = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        name = _NAME.findall(lines[start].removeprefix("def "))[0]
        yield Block(name, tuple(lines[start:end]), spans[start:end])


def _needed(blocks: Iterable[Block], shared: dict[str, Block]) -> list[Block]:
    """The shared blocks that some blocks use, each behind those that it uses itself."""
    found: dict[str, Block] = {}
    entered: set[str] = set()

    def enter(block: Block) -> None:
        for name in _NAME.findall("\n".join(block.lines)):
            if name in shared and name not in entered:
                entered.add(name)
                enter(shared[name])
                found[name] = shared[name]

    for block in blocks:
        enter(block)
    return list(found.values())


def _title(version: Version) -> str:
    """The rule, and the arguments that are known."""
    names = version.code.parameters
    known = (f"{names[slot]} = {label_of(e.value)}" for slot, e in sorted(version.given.items()))
    return printable(", ".join([version.code.name, *known]))


def _rendered(block: Block) -> Iterator[str]:
    """The lines of a block, with a comment where they are from."""
    width = min(WIDEST, max(map(len, block.lines)))
    for line, span in zip(block.lines, block.spans, strict=True):
        place = "" if span is None else f"  # {printable(span.file)}:{span.line}"
        yield f"{line:{width}}{place}" if place else line


# ------------------------------------------------------------------ what names stand for


def _legend(module: Module, blocks: list[Block]) -> Iterator[str]:
    """What the slots and names of some blocks are, as comments."""
    text = "\n".join(line for block in blocks for line in block.lines)
    for told in (*_slots(module, text), *_names(module, text), *_frames(module, text)):
        yield f"#   {printable(told)}"


def _slots(module: Module, text: str) -> Iterator[str]:
    """The fields of the state that a text names by the number of their slot."""
    used = set(map(int, _SLOT.findall(text)))
    yield from (f"s[{slot}]: {what}" for slot, what in _OWN.items() if slot in used)
    linked = module.linked
    for field in linked.fields():
        first, size = linked.bases[field.key], linked.sizes[field.key]
        if used.isdisjoint(range(first, first + size)):
            continue
        several = f" to s[{first + size - 1}]" if size > 1 else ""
        yield f"s[{first}]{several}: {field.key}"


def _names(module: Module, text: str) -> Iterator[str]:
    """The objects that a text refers to by a letter and a number."""
    used = {name for name in _POOLED.findall(text) if name in module.names}
    for name in sorted(used, key=lambda name: (name[0], int(name[1:]))):
        said = _said(name, module.names[name])
        yield f"{name}: {said if len(said) <= LONGEST else f'{said[: LONGEST - 3]}...'}"


def _said(name: str, value: Any) -> str:
    if name[0] in _SORTS:
        return _SORTS[name[0]]
    if name[0] == "T":
        return str(value)
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(map(label_of, sorted(value, key=order_key)))}}}"
    if isinstance(value, tuple):
        return label_of(value)
    if isinstance(value, dict):
        return f"a table of {len(value)}"
    return "a board" if hasattr(value, "reach") else "a constant"


def _frames(module: Module, text: str) -> Iterator[str]:
    """The functions that go on where a text leaves a frame."""
    for number in sorted(set(map(int, _FRAME.findall(text)))):
        point = module.points[number]
        root = module.rule(point.version).entrance(point.root)
        yield f"frame {number}: goes on in {point.version.name}{root.suffix}"

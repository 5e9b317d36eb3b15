"""Faults seeded into exported content: what a schema can see it rejects; `from_json` finds all.

One fault at a time is put into the JSON of a sound game. Each must be reported with the code that a
file with the same fault gets, at the place where it is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import frozen
from jsonschema import Draft202012Validator

import rulelang
from rulelang.content.shapes import is_required, pointer
from rulelang.diagnostic import Diagnostic
from rulelang.errors import RuleError
from rulelang.game import Game
from rulelang.loader import shipped_root
from rulelang.program.program import Kind
from rulelang.program.types import FLAG, TEXT, Many, Named, Num, Type, members
from tests.content.toy import game

FERRY = shipped_root().parent / "docs" / "examples" / "ferry"
SAMPLE = {"toy": 15, "ferry": 6, "lost_expedition": 1}
"""Faults of each sort that are tried; a large game takes long."""
NO_SCHEMA_SEES = ("key of another entry",)


@frozen
class Fault:
    """A value put in at a pointer, or a property taken away; what is to be found, and where."""

    at: str
    code: str
    place: str
    value: Any = None
    removed: bool = False
    renamed: str = ""


@frozen
class Site:
    """A value of a type, the object it is a property of, and the property's name."""

    at: str
    owner: dict[str, Any]
    name: str
    type: Type

    @property
    def value(self) -> Any:
        return self.owner[self.name]

    @property
    def place(self) -> str:
        return pointer(self.at, self.name)


@cache
def sound(name: str) -> Game:
    return game() if name == "toy" else rulelang.load(FERRY if name == "ferry" else name)


@cache
def data(name: str) -> Any:
    """The game in JSON, without its checks and scenarios, which would only take time."""
    exported = sound(name).export()
    proving = [file for file in exported["rules"] if file.startswith(("scenarios/", "checks"))]
    return {
        **exported,
        "rules": {file: text for file, text in exported["rules"].items() if file not in proving},
    }


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(sound(name).schema())


# ---------------------------------------------------------------- where faults can be


def entries(name: str) -> Iterator[tuple[str, Kind, dict[str, Any]]]:
    """Every entry that stands by itself: its pointer, its kind, and its object."""
    for kind, listed in data(name)["entries"].items():
        for place, entry in enumerate(listed):
            yield f"/entries/{kind}/{place}", sound(name).program.kinds[kind], entry


def all_entries(name: str) -> Iterator[tuple[str, Kind, dict[str, Any]]]:
    """The entries, and those that stand inside them."""
    kinds = sound(name).program.kinds
    for at, kind, entry in entries(name):
        yield at, kind, entry
        for field in kind.fields:
            inner = field.type.item if isinstance(field.type, Many) else None
            if isinstance(inner, Named) and inner.domain in kinds and not kinds[inner.domain].key:
                for place, each in enumerate(entry.get(field.name, ())):
                    yield pointer(at, field.name, place), kinds[inner.domain], each


def tagged(at: str, value: object, tag: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects with a tag below a place."""
    if isinstance(value, dict):
        if tag in value:
            yield at, value
        for name, inner in value.items():
            yield from tagged(pointer(at, name), inner, tag)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from tagged(pointer(at, place), inner, tag)


def sites(name: str) -> Iterator[Site]:
    """The fields of entries and the arguments of instructions, each with its type."""
    signatures = sound(name).program.signatures
    for at, kind, entry in all_entries(name):
        for field in kind.fields:
            if field.name in entry:
                yield Site(at, entry, field.name, field.type)
    for at, _, entry in entries(name):
        for place, step in tagged(at, entry, "do"):
            for parameter, kind_of in signatures[step["do"]].parameters:
                yield Site(place, step, parameter, kind_of)


def slipped(word: str) -> str:
    """The word with a letter doubled."""
    return word[:1] + word


# ---------------------------------------------------------------- the sorts of faults


def field_misspelt(name: str, random: Random) -> Iterator[Fault]:
    for at, kind, entry in all_entries(name):
        for field in kind.fields:
            if field.name in entry:
                new = slipped(field.name)
                yield Fault(pointer(at, field.name), "N206", pointer(at, new), renamed=new)


def name_misspelt(name: str, random: Random) -> Iterator[Fault]:
    for site in sites(name):
        named = [m for m in members(site.type) if isinstance(m, Named)]
        if isinstance(site.value, str) and named:
            yield Fault(site.place, "N201", site.place, slipped(site.value))
        elif isinstance(site.value, dict) and "of" in site.value:
            at = pointer(site.place, "key")
            if isinstance(site.value["key"], str):
                yield Fault(at, "N201", at, slipped(site.value["key"]))


def instruction_misspelt(name: str, random: Random) -> Iterator[Fault]:
    for at, _, entry in entries(name):
        for place, step in tagged(at, entry, "do"):
            tag = pointer(place, "do")
            yield Fault(tag, "N208", tag, slipped(step["do"]))


def unknown_kind(name: str, random: Random) -> Iterator[Fault]:
    for kind in data(name)["entries"]:
        new = slipped(kind)
        yield Fault(f"/entries/{kind}", "N205", f"/entries/{new}", renamed=new)


def clause_unknown(name: str, random: Random) -> Iterator[Fault]:
    for at, _, entry in all_entries(name):
        for place in range(len(entry.get("cites", ()))):
            where = pointer(at, "cites", place)
            yield Fault(where, "C511", where, "a clause")


def wrong_type(name: str, random: Random) -> Iterator[Fault]:
    for site in sites(name):
        if "as" in site.owner:
            continue  # which of the two is wrong can be seen both ways
        yield Fault(site.place, "C511", site.place, _of_another_type(site.type))


def _of_another_type(kind: Type) -> Any:
    if kind in (TEXT, FLAG):
        return 7
    return "seven" if isinstance(kind, Num) else {"nothing": ["of", "the", "kind"]}


def out_of_range(name: str, random: Random) -> Iterator[Fault]:
    for site in sites(name):
        if isinstance(site.type, Num) and site.type.high is not None:
            beyond = site.type.high + random.randint(1, 20)
            yield Fault(site.place, "T303", site.place, beyond)
        if isinstance(site.type, Num) and site.type.low is not None:
            yield Fault(site.place, "T303", site.place, site.type.low - random.randint(1, 20))


def field_missing(name: str, random: Random) -> Iterator[Fault]:
    for at, kind, entry in all_entries(name):
        for field in kind.fields:
            finished = "to do" not in entry and "as" not in entry
            if is_required(field) and field.name in entry and finished:
                place = pointer(at, kind.key) if kind.key else at
                yield Fault(pointer(at, field.name), "C503", place, removed=True)


def argument_missing(name: str, random: Random) -> Iterator[Fault]:
    for at, _, entry in entries(name):
        for place, step in tagged(at, entry, "do"):
            for parameter, _ in sound(name).program.signatures[step["do"]].parameters:
                yield Fault(pointer(place, parameter), "T302", place, removed=True)


def extra_property(name: str, random: Random) -> Iterator[Fault]:
    for at, _, _ in all_entries(name):
        yield Fault(pointer(at, "colour"), "N206", pointer(at, "colour"), "red")


def extra_argument(name: str, random: Random) -> Iterator[Fault]:
    for at, _, entry in entries(name):
        for place, _ in tagged(at, entry, "do"):
            yield Fault(pointer(place, "twice"), "T302", pointer(place, "twice"), True)


def unknown_tag(name: str, random: Random) -> Iterator[Fault]:
    for at, _, entry in entries(name):
        for tag in ("do", "choose", "roll"):
            for place, step in tagged(at, entry, tag):
                if len(step) == 1:
                    yield Fault(pointer(place, tag), "C511", place, renamed="perform")
        for place, _ in tagged(at, entry, "is"):
            yield Fault(pointer(place, "is"), "C511", pointer(place, "is"), "purple")


def key_of_another(name: str, random: Random) -> Iterator[Fault]:
    for kind, listed in data(name)["entries"].items():
        key = sound(name).program.kinds[kind].key
        for place in range(1, len(listed)):
            at = f"/entries/{kind}/{place}/{key}"
            if "as" in listed[place]:
                continue  # it would then be wrong too
            yield Fault(at, "C502", at, listed[place - 1][key])


SORTS: dict[str, Callable[[str, Random], Iterator[Fault]]] = {
    "misspelt field": field_misspelt,
    "misspelt name": name_misspelt,
    "misspelt instruction": instruction_misspelt,
    "unknown kind": unknown_kind,
    "no clause": clause_unknown,
    "wrong type": wrong_type,
    "out of range": out_of_range,
    "missing field": field_missing,
    "missing argument": argument_missing,
    "extra property": extra_property,
    "extra argument": extra_argument,
    "unknown tag": unknown_tag,
    "key of another entry": key_of_another,
}


# ---------------------------------------------------------------- what is found


def seeded(name: str, fault: Fault) -> Any:
    """The game with the fault in it."""
    made = copy.deepcopy(data(name))
    *steps, last = fault.at.split("/")[1:]
    target: Any = made
    for step in steps:
        target = target[int(step) if isinstance(target, list) else step]
    if isinstance(target, list):
        target[int(last)] = fault.value
    elif fault.renamed:
        items = list(target.items())
        target.clear()
        target.update({fault.renamed if key == last else key: value for key, value in items})
    elif fault.removed:
        del target[last]
    else:
        target[last] = fault.value
    return made


def found(content: Any) -> tuple[Diagnostic, ...]:
    """The errors and warnings."""
    with pytest.raises(RuleError) as caught:
        rulelang.from_json(content)
    return tuple(each for each in caught.value.diagnostics if each.severity != "info")


def pointers(diagnostic: Diagnostic) -> list[str]:
    """Where in the JSON a diagnostic is."""
    return [n.label.removeprefix("at ") for n in diagnostic.notes if n.label.startswith("at /")]


def faults(name: str, sort: str) -> list[Fault]:
    """A fixed sample of the faults of a sort."""
    random = Random(f"{name} {sort}")
    made = list(SORTS[sort](name, random))
    return random.sample(made, min(SAMPLE[name], len(made)))


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.parametrize("sort", SORTS)
def test_a_seeded_fault_is_found_at_its_place(name: str, sort: str) -> None:
    for fault in faults(name, sort):
        content = seeded(name, fault)
        diagnostics = found(content)
        shown = "\n".join(f"{each} {pointers(each)}" for each in diagnostics)
        fitting = [each for each in diagnostics if each.code == fault.code]
        assert any(fault.place in pointers(each) for each in fitting), f"{fault}\n{shown}"
        assert validator(name).is_valid(content) is (sort in NO_SCHEMA_SEES), fault


@pytest.mark.parametrize("name", SAMPLE)
def test_the_sound_game_is_accepted(name: str) -> None:
    assert validator(name).is_valid(data(name))
    made = rulelang.from_json(data(name)).program
    assert made.domains.keys() == sound(name).program.domains.keys()


@pytest.mark.parametrize("sort", SORTS)
def test_every_sort_of_fault_can_be_seeded(sort: str) -> None:
    assert any(faults(name, sort) for name in SAMPLE)

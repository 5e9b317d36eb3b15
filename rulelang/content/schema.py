"""The JSON Schema (2020-12) of a game's content, as `Game.export` gives it.

``python -m rulelang.content.schema GAME > FILE`` writes it, as ``rulelang schema GAME`` does.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rulelang.checker.words import usage
from rulelang.content.schema_parts import (
    CITES_SCHEMA,
    COMMENTS_SCHEMA,
    COMMON,
    INSTEAD_SCHEMA,
    NEVER,
    NOTES_SCHEMA,
    NUMBER_KEY,
    PACK_SCHEMA,
    TEXT_SCHEMA,
    nullable,
    number,
    one_of,
    ref,
    tagged,
)
from rulelang.content.schema_scripts import script_definitions, subject_name
from rulelang.content.shapes import (
    CITES,
    COMMENTS,
    DO,
    FORMAT,
    INSTEAD,
    KEY,
    OF,
    SHOWN_AS,
    TO_DO,
    VARIANT,
    alternatives,
    can_be_said,
    inner_kind,
    instructions,
    is_required,
    is_tagged,
    key_of,
    subject_of,
)
from rulelang.diagnostic import DOCS_URL
from rulelang.program.boards import ENDS
from rulelang.program.program import Kind, KindField, Program, Signature
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    SCRIPT,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
)
from rulelang.program.values import plain
from rulelang.wording import sentence

Schema = dict[str, Any]
BASE_URL = DOCS_URL.replace("diagnostics/", "schemas/")


def schema(program: Program) -> Schema:
    """The schema of one game's content.

    ``$defs`` has a definition for each kind (``Card``), the keys of each domain (``Card.key``),
    each rule that content may call (``do.gain``), instructions and scripts for each subject.
    """
    return _Maker(program).schema()


class _Maker:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.definitions: Schema = {}

    def schema(self) -> Schema:
        kinds = list(self.program.kinds.values())
        keyed = [kind for kind in kinds if kind.key]
        for kind in kinds:
            self.definitions[kind.name] = self._kind(kind)
        for name in self.program.domains:
            if can_be_said(self.program, Named(name)):
                self.definitions[f"{name}.key"] = self._keys(name)
        for kind in kinds:
            self._instructions(subject_of(kind))
            if any(field.type == SCRIPT for field in kind.fields):
                script_definitions(self.program, subject_of(kind), self._given, self.definitions)
        lists = {kind.name: {"type": "array", "items": ref(kind.name)} for kind in keyed}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"{BASE_URL}{self.program.name}.schema.json",
            "title": self.program.text,
            "description": "What Game.export() gives and rulelang.from_json() takes.",
            **tagged(
                {
                    "format": {"const": FORMAT},
                    "game": {"const": self.program.name},
                    "rules": {
                        "description": "The texts of all files without the entries: the rules "
                        "book, names, dice, and the catalogue of clauses.",
                        "type": "object",
                        "patternProperties": {r"\.(rules|toml)$": {"type": "string"}},
                        "additionalProperties": False,
                    },
                    "entries": {"description": "The entries of each kind.", **tagged(lists)},
                    "packs": {
                        "description": "Packs, the one first that extends the game: what their "
                        "folders are called, and their files among `rules`.",
                        "type": "array",
                        "items": PACK_SCHEMA,
                    },
                },
                optional=("packs",),
            ),
            "$defs": {name: self.definitions[name] for name in sorted(self.definitions)} | COMMON,
        }  # fmt: skip

    # ------------------------------------------------------------ kinds

    def _kind(self, kind: Kind) -> Schema:
        properties: Schema = {}
        required = []
        if kind.key:
            properties[kind.key] = NUMBER_KEY if kind.key == "number" else TEXT_SCHEMA
            properties[INSTEAD] = INSTEAD_SCHEMA
            required.append(kind.key)
        if kind.variants:
            properties[VARIANT] = {"description": "Which variant.", "enum": list(kind.variants)}
            required.append(VARIANT)
        subject = subject_name(subject_of(kind))
        fields = {field.name: self._field(field, subject) for field in kind.fields}
        if kind.key == ENDS:
            fields[ENDS] = {**fields[ENDS], "minItems": 2, "maxItems": 2}
        properties |= fields
        if kind.key not in ("", ENDS):
            properties[SHOWN_AS] = {
                "description": "What players read, where it is not the first text.",
                **TEXT_SCHEMA,
            }
        properties |= {TO_DO: NOTES_SCHEMA, CITES: CITES_SCHEMA, COMMENTS: COMMENTS_SCHEMA}
        required += [field.name for field in kind.fields if is_required(field)]
        return {
            "title": kind.name,
            "description": _description(kind),
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def _field(self, field: KindField, subject: str) -> Schema:
        said: Schema = {"description": f"{field.name}: {field.type}"}
        inner = inner_kind(self.program, field.type)
        if inner is not None:
            return {**said, "type": "array", "items": ref(inner.name)}
        return {**said, **self.value(field.type, subject)}

    def _keys(self, domain: str) -> Schema:
        keys = [key_of(entry.key) for entry in self.program.domains[domain].entries]
        return {"title": domain, **({"enum": keys} if keys else NEVER)}

    # ------------------------------------------------------------ values

    def value(self, kind: Type, subject: str, *, argument: bool = False) -> Schema:
        """The schema of a value; ``subject`` names the subject of instructions within it."""
        match kind:
            case Either():
                return self._of_several(kind, subject, argument)
            case Named():
                known = can_be_said(self.program, kind)
                return ref(f"{kind.domain}.key") if known else NEVER
            case Num():
                return number(kind)
            case Many():
                return {"type": "array", "items": self._inside(kind.item, subject)}
            case Table():
                return self._table(kind, subject)
        simple = {TEXT: TEXT_SCHEMA, FLAG: {"type": "boolean"}, NONE: {"type": "null"}}
        if kind == EFFECT:
            return ref(f"instruction.{subject}")
        if kind == SCRIPT:
            return ref(f"script.{subject}")
        return simple.get(kind, NEVER)

    def _inside(self, kind: Type, subject: str) -> Schema:
        """A value in a list or map: commas would not be told apart."""
        said = self.value(kind, subject)
        if isinstance(kind, Many):
            return {**said, "minItems": 1, "maxItems": 1}
        return {**said, "minProperties": 1, "maxProperties": 1} if isinstance(kind, Table) else said

    def _table(self, kind: Table, subject: str) -> Schema:
        keys = [str(key_of(entry.key)) for entry in self.program.domains[kind.key.domain].entries]
        members = kind.value.members if isinstance(kind.value, Either) else (kind.value,)
        values = [self._inside(member, subject) for member in members if member != NONE]
        value = values[0] if len(values) == 1 else self.value(kind.value, subject)
        return {
            "type": "object",
            "properties": dict.fromkeys(keys, value),
            "additionalProperties": False,
        }

    def _of_several(self, kind: Either, subject: str, argument: bool) -> Schema:
        said = []
        for member in alternatives(kind, argument=argument):
            value = self.value(member, subject)
            if isinstance(member, Named) and is_tagged(kind):
                value = tagged({OF: {"const": member.domain}, KEY: value})
            if member != NONE:
                said.append(value)
        none = NONE in alternatives(kind, argument=argument)
        return nullable(said) if none else one_of(said)

    # ------------------------------------------------------------ instructions

    def _instructions(self, subject: Type | None) -> None:
        branches = []
        for signature in instructions(self.program, subject):
            self.definitions[f"do.{signature.name}"] = self._instruction(signature)
            branches.append(ref(f"do.{signature.name}"))
        name = subject_name(subject)
        self.definitions[f"instruction.{name}"] = {
            "title": "An instruction" + ("" if subject is None else f" to a {subject}"),
            **one_of(branches),
        }

    def _instruction(self, signature: Signature) -> Schema:
        given = self._given(list(signature.parameters))
        wording = self.program.wording(signature.name, "")
        said = {} if wording is None else {"description": sentence(wording.open())}
        what = tagged({DO: {"const": signature.name}, **given})
        return {"title": usage(signature), **said, **what}

    def _given(self, parameters: list[tuple[str, Type]]) -> Schema:
        return {name: self.value(kind, "none", argument=True) for name, kind in parameters}


def _description(kind: Kind) -> str:
    if not kind.key:
        return f"A {kind.name}: it stands inside another entry."
    if kind.key == ENDS:
        return f"A {kind.name}, known by the two places that it joins."
    word = plain(kind.variants[0] if kind.variants else kind.name)
    example = f"{word} {'1' if kind.key == 'number' else 'name'}"
    return f"A {kind.name}, known by its {kind.key}. Files begin it with `{example}`."


def main(arguments: list[str]) -> int:
    """Print the schema of the game that is named."""
    from rulelang.game import load

    if len(arguments) != 1:
        print("usage: python -m rulelang.content.schema GAME > FILE", file=sys.stderr)
        return 2
    text = text_of(load(arguments[0]).schema())
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")
    print(text, end="")
    return 0


def text_of(data: object) -> str:
    """JSON as the commands write it: one value on a line."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Schemas that are the same for every game, and small ones that others are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulelang.content.shapes import CLAUSE, DECIMAL, LARGEST
from rulelang.program.types import Num

Schema = dict[str, Any]

NEVER: Schema = {"not": {}}
"""Nothing fits."""


def ref(name: str) -> Schema:
    """What `$defs` has under a name."""
    return {"$ref": f"#/$defs/{name}"}


TEXT_SCHEMA = ref("text")
CITES_SCHEMA = ref("cites")
COMMENTS_SCHEMA = ref("comments")
NUMBER_KEY = ref("number")
NOTES_SCHEMA = ref("to do")

COMMON: Schema = {
    "text": {
        "description": "A line of text. It cannot hold both straight and curly closing quotes.",
        "type": "string",
        "not": {"pattern": '\\n|".*”|”.*"'},
    },
    "cites": {
        "description": "Clauses of the rulebook.",
        "type": "array",
        "items": {"type": "string", "pattern": f"^{CLAUSE.pattern}$"},
        "minItems": 1,
    },
    "comments": {
        "description": "Comments of the author.",
        "type": "array",
        "items": {"type": "string", "pattern": "^\\S(.*\\S)?$"},
        "minItems": 1,
    },
    "to do": {
        "description": "What the author notes as missing.",
        "type": "array",
        "items": ref("text"),
        "minItems": 1,
    },
    "number": {
        "description": "A number; one that is not whole is a text, so that it is exact.",
        "anyOf": [
            {"type": "integer", "minimum": 0, "exclusiveMaximum": LARGEST},
            {"type": "string", "pattern": f"^{DECIMAL.pattern}$", "maxLength": 17},
        ],
    },
}

INSTEAD_SCHEMA: Schema = {
    "description": "Does it take the place of an entry of what a pack extends?",
    "type": "boolean",
}


def tagged(properties: Schema, optional: Iterable[str] = ()) -> Schema:
    """An object with exactly these properties."""
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


PACK_SCHEMA: Schema = tagged(
    {"name": {"type": "string"}, "files": {"type": "array", "items": {"type": "string"}}}
)


def one_of(schemas: list[Schema]) -> Schema:
    """One of some schemas."""
    if not schemas:
        return NEVER
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def nullable(schemas: list[Schema]) -> Schema:
    """One of some schemas, or null."""
    return {"anyOf": [*schemas, {"type": "null"}]}


def number(kind: Num) -> Schema:
    """Whole numbers between bounds."""
    made: Schema = {"type": "integer"}
    if kind.low is not None:
        made["minimum"] = kind.low
    if kind.high is not None:
        made["maximum"] = kind.high
    return made

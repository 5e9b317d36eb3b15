"""What the JSON form, its reader and its schema agree on: tags, keys, and what content can say.

Tags are reserved words of the rules book, so that no field, parameter or variant can be called so.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rulelang.program.program import Kind, KindField, Program, Question, Signature
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
    fits,
    members,
)
from rulelang.program.values import figures, plain

FORMAT = 1
"""Rises when a reader of an older form would misunderstand a newer one."""

CITES, COMMENTS, VARIANT, SHOWN_AS, INSTEAD = "cites", "#", "is", "as", "instead"
"""Beside the fields of an entry: clauses, the author's comments, which variant, what players read
where that is not its first text, and whether it takes the place of an entry of the game."""
DO, ASK, OF, KEY, TO_DO = "do", "ask", "of", "key", "to do"
"""An instruction, a question, a value of one of several types, and a note of what is missing."""
IF, UNLESS, THEN, ELSE = "if", "if not", "then", "else"
CHOOSE, OFFER, ROLL, FACES, CASES = "choose", "offer", "roll", "faces", "cases"

NAME = re.compile(r"[^\W\d]\w*")
CLAUSE = re.compile(r"[A-Z]{2,5}(-[A-Z]{1,5})?-[0-9]([0-9A-Za-z.\-]*[0-9A-Za-z])?")
DECIMAL = re.compile(r"(0|[1-9][0-9]*)\.[0-9]*[1-9]")
WITH = "with"
"""The question that `with` and `without` ask."""
LARGEST = 10**17
"""Numbers from here on are longer than the language takes."""


def key_of(key: str | int | Fraction) -> str | int:
    """A key in JSON: whole numbers and names as they are, other numbers as decimals in a text."""
    return figures(key) if isinstance(key, Fraction) else key


def is_numbered(program: Program, domain: str) -> bool:
    """Are the keys of the domain numbers?"""
    kind = program.kinds.get(domain)
    if kind is not None:
        return kind.key == "number"
    entries = program.domains[domain].entries
    return bool(entries) and isinstance(entries[0].key, int)


def inner_kind(program: Program, kind: Type) -> Kind | None:
    """The kind of the entries that stand inside others in a field of this type."""
    if isinstance(kind, Many) and isinstance(kind.item, Named):
        inner = program.kinds.get(kind.item.domain)
        if inner is not None and not inner.key:
            return inner
    return None


def inner_words(program: Program, kind: Kind) -> dict[str, str]:
    """The words that begin an entry inside one of this kind, and the fields it then goes to."""
    words: dict[str, str] = {}
    for field in kind.fields:
        inner = inner_kind(program, field.type)
        if inner is not None:
            for word in inner.variants or (plain(inner.name),):
                words.setdefault(plain(word), field.name)
    return words


def body_of(kind: Kind) -> KindField | None:
    """The field that takes what stands behind an entry's colon."""
    bodies = (Many("list", EFFECT), EFFECT, SCRIPT)
    return next((field for field in kind.fields if field.type in bodies), None)


def first_text(kind: Kind) -> KindField | None:
    """The field that takes the title in an entry's head."""
    return next((field for field in kind.fields if field.type == TEXT), None)


# ---------------------------------------------------------------- types


def alternatives(kind: Type, *, argument: bool = False) -> list[Type]:
    """The members of a type that content can say; ``argument`` is for those of an instruction."""
    if not isinstance(kind, Either):
        return [kind]
    return [
        member
        for member in kind.members
        if isinstance(member, Named | Num)
        or member in (NONE, TEXT, FLAG)
        or (isinstance(member, Many | Table) and not argument)
    ]


def is_tagged(kind: Type) -> bool:
    """Does a name need to say of which type it is?"""
    return sum(member != NONE for member in members(kind)) > 1


def takes_none(kind: Type) -> bool:
    """May the value be absent?"""
    return NONE in members(kind)


def is_required(field: KindField) -> bool:
    """Must an entry that is finished say this?"""
    optional = field.type in (FLAG, SCRIPT) or isinstance(field.type, Many | Table)
    return field.default is None and not optional and not takes_none(field.type)


def can_be_said(program: Program, kind: Type) -> bool:
    """Can content say a value of this type on one line?"""
    match kind:
        case Named():
            inner = program.kinds.get(kind.domain)
            if kind.domain not in program.domains or kind.domain == "Player":
                return False  # seats are known only in play
            return inner is None or bool(inner.key)
        case Many():
            return can_be_said(program, kind.item)
        case Table():
            return can_be_said(program, kind.value)
        case Either():
            return any(can_be_said(program, member) for member in alternatives(kind))
    return isinstance(kind, Num) or kind in (TEXT, FLAG, NONE, EFFECT)


def instructions(program: Program, subject: Type | None) -> list[Signature]:
    """The rules that content may call where effects are done to such a subject, by name."""
    found = [
        signature
        for signature in program.signatures.values()
        if _suits(signature, subject)
        and all(_is_argument(program, kind) for _, kind in signature.parameters)
    ]
    return sorted(found, key=lambda signature: signature.name)


def in_every_mode(program: Program, rule: str) -> bool:
    """Is there a version of the rule for each mode?"""
    known = rule not in program.rules or all(program.rule(rule, m) for m in program.modes)
    return bool(known)


def _suits(signature: Signature, subject: Type | None) -> bool:
    if signature.subject is None:
        return True
    return subject is not None and fits(subject, signature.subject[1])


def _is_argument(program: Program, kind: Type) -> bool:
    said = alternatives(kind, argument=True)
    return any(can_be_said(program, member) for member in said if not isinstance(member, Many))


def asked_for(question: Question, subject: Type | None) -> list[tuple[str, Type]]:
    """The parameters of a question that a script gives: all but the subject, if that comes last."""
    pairs = list(zip(question.parameters, question.types, strict=True))
    mine = subject is not None and bool(pairs) and pairs[-1][1] == subject
    return pairs[:-1] if mine else pairs


def subject_of(kind: Kind) -> Type | None:
    """Whom the effects of a kind are done to."""
    return None if kind.subject is None else kind.subject[1]


def pointer(base: str, *steps: str | int) -> str:
    """A JSON pointer (RFC 6901) below another one."""
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return "".join([base, *(f"/{step}" for step in escaped)])


Json = Any
"""A value as `json` reads and writes it."""

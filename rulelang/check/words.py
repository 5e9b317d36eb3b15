"""Reading the words of a line of content as values: by type, the longest known name first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import define

from rulelang.check.context import Context, plain
from rulelang.diagnostic import Span, did_you_mean, suggest
from rulelang.program.program import Signature
from rulelang.program.types import (
    EFFECT, FLAG, NONE, SCRIPT, TEXT, Either, Many, Named, Num, Table, Type, fits, members,
)  # fmt: skip
from rulelang.program.values import Effect, Entry, Value, order_key
from rulelang.syntax.tree import Word

Words = Sequence[Word]
LONGEST_NAME = 8
MISSING = object()
"""No value could be read; it was reported."""


def span_of(words: Words) -> Span:
    """Where the words stand."""
    return words[0].span.to(words[-1].span)


def text_of(words: Words) -> str:
    """The words as a text."""
    return " ".join(word.text for word in words)


def split(words: Words, kind: str) -> list[list[Word]]:
    """Cut at commas, bars or colons."""
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.kind == kind:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def number_of(word: Word) -> int | Fraction:
    """The number that a word is."""
    value = Fraction(word.text)
    return int(value) if value.denominator == 1 else value


@define
class Reader:
    """Reads values; ``subject`` is whom the effects of the current kind are done to."""

    context: Context
    subject: tuple[str, Type] | None = None

    def value(self, words: Words, kind: Type, where: Span) -> Value:
        """All the words as one value of a type, or MISSING."""
        if not words:
            self.context.report("C503", f"a value is missing: {_described(kind)}", where)
            return MISSING
        match kind:
            case Many():
                return self._many(words, kind, where)
            case Table():
                return self._table(words, kind, where)
            case Either():
                return self._either(words, kind, where)
        if kind == EFFECT:
            effects = self.effects(words)
            if len(effects) > 1:
                self.context.report("C509", "one instruction is meant to stand here", span_of(words))
            return effects[0] if effects else MISSING
        value, rest = self.first(words, kind)
        if rest and value is not MISSING:
            self.context.report(
                "C510", f"`{text_of(rest)}` has no meaning here", span_of(rest),
                help="Values of a list are separated by commas." if rest[0].kind == "name" else None,
            )  # fmt: skip
        return value

    def first(self, words: Words, kind: Type) -> tuple[Value, Words]:
        """One value from the beginning of the words, and the words behind it."""
        word = words[0]
        if kind == TEXT:
            if word.kind == "string":
                return word.text, words[1:]
            self.context.report("T301", "a text stands in quotes", word.span)
            return MISSING, ()
        if kind == NONE and word.text == "none":
            return None, words[1:]
        if kind == FLAG:
            return self._flag(words)
        if isinstance(kind, Num):
            return self._number(words, kind)
        if isinstance(kind, Named):
            return self._entry(words, kind)
        self.context.report("T301", f"{_described(kind)} is needed here", word.span)
        return MISSING, ()

    # ------------------------------------------------------------ single values

    def _flag(self, words: Words) -> tuple[Value, Words]:
        if words[0].text in ("yes", "no"):
            return words[0].text == "yes", words[1:]
        self.context.report("T301", "`yes` or `no` is needed here", words[0].span)
        return MISSING, ()

    def _number(self, words: Words, kind: Num) -> tuple[Value, Words]:
        sign, rest = 1, words
        if words[0].text == "-" and len(words) > 1:
            sign, rest = -1, words[1:]
        if rest[0].kind != "number" or not isinstance(number_of(rest[0]), int):
            figures = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
            figure = figures.get(rest[0].text)
            help = f"Write a figure: {figure}." if figure is not None else None
            self.context.report("T301", f"`{rest[0].text}` is no number; {kind} is needed", rest[0].span, help=help)
            return MISSING, ()
        value = sign * int(number_of(rest[0]))
        if not fits(Num(value, value), kind):
            side = "above" if kind.high is not None and value > kind.high else "below"
            limit = kind.high if side == "above" else kind.low
            self.context.report("T303", f"{value} is {side} {limit}", rest[0].span, help=f"It may be {kind}.")
            return MISSING, rest[1:]
        return value, rest[1:]

    def _entry(self, words: Words, kind: Named) -> tuple[Value, Words]:
        found = self.find_entry(words, kind.domain)
        if found is not None:
            entry, rest = found
            self.context.use("entry", entry.label)
            self.context.use("value", f"{entry.domain}.{entry.key}")
            return entry, rest
        domain = self.context.program.domains[kind.domain]
        name = text_of([w for w in words if w.kind in ("name", "number", "string")][:3]) or words[0].text
        first = words[0].text
        keys = [str(entry.key) for entry in domain.entries] + [entry.text for entry in domain.entries]
        near = suggest(name, keys) or suggest(first, keys)
        names = [entry.text for entry in domain.entries]
        help = did_you_mean(near) or ("One of: " + ", ".join(names) + "." if 0 < len(names) <= 8 else None)
        label = first if suggest(first, keys) or len(words) == 1 else name
        self.context.report_unknown(label, words[0].span, kind.domain, keys, help=help)
        return MISSING, ()

    def find_entry(self, words: Words, domain: str) -> tuple[Entry, Words] | None:
        """The entry whose name the words begin with, the longest name first, and the words behind it."""
        names = names_of(self.context, domain)
        for length in range(min(len(words), LONGEST_NAME), 0, -1):
            part = words[:length]
            if all(word.kind in ("name", "number", "string", "sign") for word in part):
                entry = names.get(plain(text_of(part)))
                if entry is not None:
                    return entry, words[length:]
        return None

    # ------------------------------------------------------------ values with parts

    def _many(self, words: Words, kind: Many, where: Span) -> Value:
        if kind.item == EFFECT:
            return tuple(self.effects(words))
        values = []
        for part in split(words, "comma"):
            value = self.value(part, kind.item, part[-1].span if part else where)
            if value is not MISSING:
                values.append(value)
        if kind.form == "set":
            values.sort(key=order_key)
        return tuple(values)

    def _table(self, words: Words, kind: Table, where: Span) -> Value:
        """``Machete 2, Shovel 1``: pairs; keys that are not named have no value."""
        domain = self.context.program.domains[kind.key.domain]
        values: list[Value] = [None] * len(domain.entries)
        for part in split(words, "comma"):
            if not part:
                continue
            key, rest = self.first(part, kind.key)
            if key is MISSING:
                continue
            value = self.value(rest, kind.value, part[-1].span)
            if value is not MISSING:
                values[key.index] = value
        return tuple(values)

    def _either(self, words: Words, kind: Either, where: Span) -> Value:
        for member in kind.members:
            if member == NONE and words[0].text == "none" and len(words) == 1:
                return None
            if isinstance(member, Named) and self.find_entry(words, member.domain) is not None:
                return self.value(words, member, where)
            if isinstance(member, Num) and words[0].kind == "number":
                return self.value(words, member, where)
        best = next((m for m in kind.members if isinstance(m, Named)), kind.members[0])
        return self.value(words, best, where)

    # ------------------------------------------------------------ effects

    def effects(self, words: Words) -> list[Effect]:
        """Instructions separated by commas, as effects: calls that lack their subject."""
        found = []
        for part in split(words, "comma"):
            if not part:
                self.context.report("C509", "an instruction is missing beside this comma", span_of(words))
                continue
            effect = self.effect(part)
            if effect is not None:
                found.append(effect)
        return found

    def effect(self, words: Words) -> Effect | None:
        """One instruction."""
        called = self.called(words)
        if called is None:
            return None
        signature, arguments = called
        return Effect(signature.name, arguments)

    def called(self, words: Words) -> tuple[Signature, tuple[Value, ...]] | None:
        """The rule that an instruction calls, and its arguments."""
        found = self.find_rule(words)
        if found is None:
            self._unknown_instruction(words)
            return None
        signature, rest = found
        self.context.use("rule", signature.name)
        self._check_subject(signature, words)
        arguments: list[Value] = []
        for name, kind in signature.parameters:
            if not rest:
                self.context.report(
                    "T302", f"`{text_of(words)}` does not say {name}: {_described(kind)}", span_of(words),
                    help=f"It is written `{usage(signature)}`.",
                )  # fmt: skip
                return None
            value, rest = self._argument(rest, kind)
            if value is MISSING:
                return None
            arguments.append(value)
        if rest:
            self._too_much(words, rest, signature)
            return None
        return signature, tuple(arguments)

    def _argument(self, words: Words, kind: Type) -> tuple[Value, Words]:
        for member in members(kind):
            if isinstance(member, Named):
                found = self.find_entry(words, member.domain)
                if found is not None:
                    return self.first(words, member)
            elif isinstance(member, Num) and words[0].kind == "number":
                return self.first(words, member)
        named = [m for m in members(kind) if isinstance(m, Named)]
        if len(named) > 1:
            return self._no_argument(words, named)
        return self.first(words, named[0] if named else members(kind)[0])

    def _no_argument(self, words: Words, kinds: list[Named]) -> tuple[Value, Words]:
        """Nothing fits a parameter of several types: name what would."""
        entries = [entry for kind in kinds for entry in self.context.program.domains[kind.domain].entries]
        what = " or ".join(kind.domain for kind in kinds)
        names = [str(entry.key) for entry in entries]
        near = did_you_mean(suggest(words[0].text, names))
        help = near or ("One of: " + ", ".join(names) + "." if len(names) <= 12 else None)
        self.context.report_unknown(words[0].text, words[0].span, what, names, help=help)
        return MISSING, ()

    def find_rule(self, words: Words) -> tuple[Signature, Words] | None:
        """The rule whose name the words begin with, the longest first, and the words behind it."""
        names = {plain(name): signature for name, signature in self.context.program.signatures.items()}
        for length in range(min(len(words), LONGEST_NAME), 0, -1):
            if all(word.kind == "name" for word in words[:length]):
                signature = names.get(plain(text_of(words[:length])))
                if signature is not None:
                    return signature, words[length:]
        return None

    def _check_subject(self, signature: Signature, words: Words) -> None:
        if self.subject is None or signature.subject is None:
            if signature.subject is not None:
                self.context.report(
                    "T304", f"`{signature.name}` is done to someone, and nobody is named here", span_of(words),
                    help=f"The kind must say whom its effects are done to: `for x: {signature.subject[1]}`.",
                )  # fmt: skip
            return
        if not fits(self.subject[1], signature.subject[1]):
            self.context.report(
                "T304",
                f"`{signature.name}` is done to a {signature.subject[1]}, and these effects to a {self.subject[1]}",
                span_of(words),
            )

    def _unknown_instruction(self, words: Words) -> None:
        word = words[0]
        rules = self.context.program.signatures.values()
        candidates = sorted(s.name.replace("_", " ") for s in rules if self._suits(s))
        if word.kind == "sign":
            self.context.report(
                "C510", f"`{word.text}` has no meaning in an instruction", word.span,
                help="Instructions are written in words, for instance `" + (candidates or ["nothing"])[0] + "`.",
            )  # fmt: skip
            return
        near = suggest(word.text, candidates) or suggest(text_of(words[:2]), candidates)
        help = did_you_mean(near) or (
            "Known are: " + ", ".join(candidates[:12]) + "." if candidates and len(candidates) <= 12 else None
        )
        self.context.report_unknown(
            word.text, word.span, "instruction", candidates, code="N208", help=help
        )

    def _suits(self, signature: Signature) -> bool:
        wanted = self.subject[1] if self.subject is not None else None
        mine = signature.subject[1] if signature.subject is not None else None
        return wanted == mine and all(
            any(isinstance(m, Named | Num) for m in members(kind)) for _, kind in signature.parameters
        )

    def _too_much(self, words: Words, rest: Words, signature: Signature) -> None:
        if self.find_rule(rest) is not None:
            done = text_of(words[: len(words) - len(rest)])
            self.context.report(
                "C509", "two instructions and no comma between them", span_of(rest),
                help=f"Write `{done}, {text_of(rest)}`.",
            )  # fmt: skip
            return
        self.context.report(
            "T302", f"`{text_of(rest)}` is too much for `{signature.name}`", span_of(rest),
            help=f"It is written `{usage(signature)}`.",
        )  # fmt: skip


def names_of(context: Context, domain: str) -> dict[str, Entry]:
    """The entries of a domain by every name they may be written with."""
    names: dict[str, Entry] = {}
    for entry in context.program.domains[domain].entries:
        names.setdefault(plain(entry.text), entry)
        names.setdefault(plain(entry.label), entry)
    for entry in context.program.domains[domain].entries:
        names[plain(str(entry.key))] = entry
    return names


def usage(signature: Signature) -> str:
    """How a rule is written in content."""
    words = [signature.name.replace("_", " ")]
    words += [f"<{kind}>" if isinstance(kind, Named | Num | Either) else name for name, kind in signature.parameters]
    return " ".join(words)


def _described(kind: Type) -> str:
    from rulelang.check.expressions import describe

    return describe(kind)


__all__ = ["MISSING", "SCRIPT", "Reader", "names_of", "number_of", "span_of", "split", "text_of", "usage"]

"""Reading the words of content: values, and instructions, which are calls that lack a subject."""

from __future__ import annotations

from attrs import define, evolve

from rulelang.checker.context import Context, plain
from rulelang.checker.values import (
    LONGEST_NAME,
    MISSING,
    Values,
    Words,
    number_of,
    parts,
    span_of,
    split,
    text_of,
)
from rulelang.checker.wording import describe
from rulelang.diagnostic import Edit, Fix, Span, did_you_mean, suggest
from rulelang.program.program import Signature
from rulelang.program.types import BAD, EFFECT, Either, Many, Named, Num, Type, fits, members
from rulelang.program.values import Effect, Value
from rulelang.syntax.tree import Word
from rulelang.syntax.vocabulary import FOREIGN
from rulelang.wording import listed

_INSTEAD = 3
"""So many rules are named where something else was tried."""


@define
class Reader(Values):
    """Reads values and instructions; ``subject`` is whom the instructions are done to."""

    subject: tuple[str, Type] | None = None

    def value(self, words: Words, kind: Type, where: Span) -> Value:
        """All the words as one value of a type, or MISSING."""
        if kind in (EFFECT, Many("list", EFFECT)) and words:
            effects = self.effects(words)
            if effects is None or kind != EFFECT:
                return MISSING if effects is None else tuple(effects)
            if len(effects) != 1:
                message = "one instruction is meant to stand here"
                self.context.report("C509", message, span_of(words))
                return MISSING
            return effects[0]
        return super().value(words, kind, where)

    def effects(self, words: Words) -> list[Effect] | None:
        """Instructions separated by commas; None if one of them was reported."""
        found: list[Effect] = []
        places: list[tuple[str, Span, str]] = []
        whole = True
        for part in split(words, "comma"):
            if not part:
                message = "an instruction is missing beside this comma"
                self.context.report("C509", message, span_of(words))
                whole = False
                continue
            if self.is_nothing(part):
                continue
            called = self.called(part)
            if called is None:
                whole = False
                continue
            signature, arguments = called
            found.append(Effect(signature.name, arguments))
            places.append((signature.name, span_of(part), text_of(part)))
        self.context.sequences.append(tuple(places))
        return found if whole else None

    def is_nothing(self, words: Words) -> bool:
        """Is this the word that says that nothing is meant to happen?"""
        return plain(text_of(words)) == "nothing" and "nothing" not in self.context.rules_by_name()

    def called(self, words: Words) -> tuple[Signature, tuple[Value, ...]] | None:
        """The rule that an instruction calls, and its arguments; None if it was reported."""
        found = self.find_rule(words)
        if found is None:
            self._unknown_instruction(words)
            return None
        signature, rest = found
        self.context.use("rule", signature.name)
        if not self._suits_subject(signature, words):
            return None
        arguments: list[Value] = []
        for name, kind in signature.parameters:
            if not rest:
                self.context.report(
                    "T302",
                    f"`{text_of(words)}` does not say {name}: {describe(kind)}",
                    span_of(words),
                    help=f"It is written `{usage(signature)}`.",
                )
                return None
            if kind == BAD:
                return None
            reported = len(self.context.diagnostics)
            value, rest = self.first(rest, kind)
            if value is MISSING:
                self._with_usage(reported, signature)
                return None
            arguments.append(value)
        if rest:
            self._too_much(words, rest, signature)
            return None
        return signature, tuple(arguments)

    def _with_usage(self, first: int, signature: Signature) -> None:
        """Say how the rule is written where no other help was given of what was just reported."""
        found = self.context.diagnostics
        for place in range(first, len(found)):
            if found[place].help is None:
                found[place] = evolve(found[place], help=f"It is written `{usage(signature)}`.")

    def find_rule(self, words: Words) -> tuple[Signature, Words] | None:
        """The rule whose name the words begin with, the longest first, and what is behind it."""
        names = self.context.rules_by_name()
        for length in range(min(len(words), LONGEST_NAME), 0, -1):
            part = words[:length]
            named = part[0].kind == "name" and part[-1].kind == "name"  # a last `-` is a number's
            if named and all(w.kind == "name" or w.text == "-" for w in part):
                signature = names.get(plain(text_of(part)))
                if signature is not None:
                    return signature, words[length:]
        return None

    # ------------------------------------------------------------ what is wrong

    def _suits_subject(self, signature: Signature, words: Words) -> bool:
        if signature.subject is None:
            return True
        wanted = signature.subject[1]
        if self.subject is None:
            self.context.report(
                "T304",
                f"`{signature.name}` is done to someone, and nobody is named here",
                span_of(words),
                help=f"The kind must say whom its effects are done to: `for x: {wanted}`.",
            )
            return False
        if not fits(self.subject[1], wanted):
            mine = self.subject[1]
            message = f"`{signature.name}` is done to a {wanted}, and these effects to a {mine}"
            self.context.report("T304", message, span_of(words))
            return False
        return True

    def _unknown_instruction(self, words: Words) -> None:
        word = words[0]
        rules = self.context.program.signatures.values()
        candidates = sorted(s.name.replace("_", " ") for s in rules if self._can_call(s))
        if word.kind not in ("name", "string"):
            self._sign(words, (candidates or ["nothing"])[0])
            return
        sign = next((w for w in words if w.text in ("=", "*", "/")), None)
        if sign is not None:
            self.context.report(
                "C510",
                f"`{sign.text}` has no meaning in an instruction: content does not calculate",
                sign.span,
                help=self._instead(),
            )
            return
        near = suggest(word.text, candidates) or suggest(text_of(words[:2]), candidates)
        near = near or self._beginning(word.text)
        help = did_you_mean(near)
        if help is None and 0 < len(candidates) <= 12:
            help = "Known are: " + ", ".join(candidates) + "."
        self.context.report_unknown(
            word.text, word.span, "instruction", candidates, code="N208", help=help
        )

    def _sign(self, words: Words, example: str) -> None:
        """Report an instruction that begins with a sign; habits from elsewhere by their names."""
        if not foreign(self.context, words, " in an instruction"):
            help = f"Instructions are written in words, for instance `{example}`."
            message = f"`{words[0].text}` has no meaning in an instruction"
            self.context.report("C510", message, words[0].span, help=help)

    def _instead(self) -> str:
        """What is written instead of a calculation: rules with a number, if there are any.

        Those that have a wording are meant for content, and the most usual have short names.
        """
        found = [
            (self._is_worded(signature), usage(signature))
            for signature in self.context.program.signatures.values()
            if self._can_call(signature)
            and any(isinstance(kind, Num) for _, kind in signature.parameters)
        ]
        meant = [said for worded, said in found if worded] or [said for _, said in found]
        shown = [f"`{said}`" for said in sorted(sorted(meant, key=len)[:_INSTEAD])]
        if not shown:
            return "Call a rule that changes the value."
        return f"Call a rule that changes the value: {listed(shown, 'or')}."

    def _beginning(self, word: str) -> list[str]:
        """The instructions that begin with a word, those that have a wording if there are any."""
        signatures = self.context.program.signatures.values()
        found = [s for s in signatures if s.name.split("_")[0] == plain(word) and self._can_call(s)]
        shown = [s for s in found if self._is_worded(s)] or found
        return sorted(s.name.replace("_", " ") for s in shown)

    def _is_worded(self, signature: Signature) -> bool:
        nodes = self.context.rule_nodes.get(signature.name, ())
        return any(node.text is not None for node in nodes)

    def _can_call(self, signature: Signature) -> bool:
        """May content call the rule, as far as its subject and its parameters go?"""
        wanted = self.subject[1] if self.subject is not None else None
        mine = signature.subject[1] if signature.subject is not None else None
        return (mine is None or wanted == mine) and all(
            any(isinstance(member, Named | Num) for member in members(kind))
            for _, kind in signature.parameters
        )

    def _too_much(self, words: Words, rest: Words, signature: Signature) -> None:
        if foreign(self.context, rest):
            return
        if self.find_rule(rest) is not None or self.is_nothing(rest):
            done = text_of(words[: len(words) - len(rest)])
            self.context.report(
                "C509",
                "two instructions and no comma between them",
                span_of(rest),
                help=f"Write `{done}, {text_of(rest)}`.",
            )
            return
        self.context.report(
            "T302",
            f"`{text_of(rest)}` is too much for `{signature.name.replace('_', ' ')}`",
            span_of(rest),
            help=f"It is written `{usage(signature)}`.",
        )


def usage(signature: Signature) -> str:
    """How a rule is written in content."""
    words = [signature.name.replace("_", " ")]
    for name, kind in signature.parameters:
        words.append(f"<{kind}>" if isinstance(kind, Named | Num | Either) else name)
    return " ".join(words)


def foreign(context: Context, words: Words, where: str = " here") -> bool:
    """Report words that begin with a sign of other languages; is that so?"""
    two = "".join(word.text for word in words[:2])
    sign = two if two in FOREIGN else words[0].text
    if sign not in FOREIGN or words[0].kind == "string":
        return False
    message = f"`{sign}` has no meaning{where}"
    context.report("C510", message, span_of(words), help=FOREIGN[sign])
    return True


def missing_colon(context: Context, label: Word, words: Words) -> None:
    """Report a colon that is missing between a label and what it is about."""
    at = Span.point(label.span.file, label.span.end_line, label.span.end_column)
    context.report(
        "S107",
        f"a colon is missing after `{label.text}`",
        span_of(words),
        help="What follows on the same line stands behind `:`.",
        fix=Fix("insert `:`", (Edit(at, ":"),), safe=False),
    )


__all__ = [
    "MISSING",
    "Reader",
    "foreign",
    "missing_colon",
    "number_of",
    "parts",
    "span_of",
    "split",
    "text_of",
    "usage",
]

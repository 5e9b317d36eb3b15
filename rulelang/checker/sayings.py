"""How players say a rule or a question: the quoted text behind its name and its parameters."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from rulelang.checker.context import Context
from rulelang.checker.wording import describe
from rulelang.diagnostic import Span
from rulelang.program.types import BAD, Num, Type, members
from rulelang.program.wording import Gap, Wording
from rulelang.syntax import tree as t

_BRACE = "Write `{{` and `}}` for braces that are meant as such."


def saying(
    context: Context,
    text: t.String | None,
    parameters: Sequence[t.Param],
    kinds: Sequence[Type],
    subject: t.Param | None,
) -> Wording | None:
    """The text with its gaps; None where nothing is said. Slips are reported and left out.

    ``kinds`` are the types of the parameters; more of them do no harm.
    """
    if text is None or not text.value.strip():
        return None
    names = [parameter.name.text for parameter in parameters]
    types = dict(zip(names, kinds, strict=False))
    return _Reader(context, text, types, subject.name.text if subject is not None else "").read()


@define
class _Reader:
    context: Context
    text: t.String
    types: dict[str, Type]
    subject: str

    def read(self) -> Wording:
        value = self.text.value
        parts: list[str | Gap] = []
        at = 0
        while at < len(value):
            brace = value.find("{", at)
            if brace < 0:
                brace = len(value)
            parts.append(value[at:brace].replace("}}", "}"))
            at = brace
            if value.startswith("{{", at):
                parts.append("{")
                at += 2
            elif at < len(value):
                end = value.find("}", at)
                if end < 0:
                    message = "this brace is not closed"
                    self.context.report("S101", message, self._span(at, at + 1), help=_BRACE)
                    break
                parts += self._gap(value[at + 1 : end], at + 1)
                at = end + 1
        return Wording(tuple(part for part in parts if part))

    def _span(self, start: int, end: int) -> Span:
        """The place of some characters of the text: it stands on one line, behind its quote."""
        span = self.text.span
        first = span.column + 1
        return Span(span.file, span.line, first + start, span.line, first + end)

    def _gap(self, inside: str, at: int) -> list[Gap]:
        """The gap that the words between two braces ask for, or nothing if they were reported."""
        written, *forms = inside.split("|")
        name = written.strip()
        start = at + len(written) - len(written.lstrip())
        span = self._span(start, start + len(name))
        whole = self._span(at - 1, at + len(inside) + 1)
        if not name:
            message = "no parameter stands between these braces"
            self.context.report("S101", message, whole, help=_BRACE)
        elif name == self.subject:
            message = f"there is no parameter `{name}`: it is whom this is done to"
            help = "A card leaves that out, and so does the text."
            self.context.report("N201", message, span, help=help)
        elif name not in self.types:
            self.context.report_unknown(name, span, "parameter", self.types, help=self._known())
        elif self._has_forms(name, forms, span, whole):
            one_and_many = (forms[0].strip(), forms[1].strip()) if forms else None
            return [Gap(list(self.types).index(name), name, one_and_many)]
        return []

    def _known(self) -> str:
        if not self.types:
            return "Nothing is given to it."
        return "Known are: " + ", ".join(self.types) + "."

    def _has_forms(self, name: str, forms: Sequence[str], span: Span, whole: Span) -> bool:
        """Are the forms behind a number as they should be, if there are any?"""
        if not forms:
            return True
        kind = self.types[name]
        if kind != BAD and not all(isinstance(member, Num) for member in members(kind)):
            message = f"`{name}` is no number but {describe(kind)}, so it has no forms"
            self.context.report("T301", message, span, help=f"Write `{{{name}}}`.")
            return False
        if len(forms) != 2 or not all(form.strip() for form in forms):
            help = f"Write `{{{name}|turn|turns}}`."
            message = "behind a number stand two forms: for one, and for more"
            self.context.report("T302", message, whole, help=help)
            return False
        return True

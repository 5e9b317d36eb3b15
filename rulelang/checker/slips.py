"""What is said of lines of an entry that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.checker.context import Context, plain
from rulelang.checker.values import Words
from rulelang.checker.wording import article
from rulelang.checker.words import foreign, parts, span_of, text_of
from rulelang.diagnostic import did_you_mean, suggest
from rulelang.program.program import Kind
from rulelang.syntax import tree as t


def stray(context: Context, kind: Kind, words: Words) -> None:
    """Report words in the head of an entry that mean nothing there."""
    if foreign(context, words):
        return
    near = did_you_mean(suggest(words[0].text, [field.name for field in kind.fields]))
    message = f"`{text_of(words)}` has no meaning in the head of {article(kind.name)}"
    help = "Titles stand in quotes, and every label stands on a line of its own."
    context.report("C510", message, span_of(words), help=near or help)


def nothing_behind(context: Context, line: t.Line) -> None:
    """Report a colon with nothing behind it, of an entry inside another one."""
    message = f"nothing stands behind `{text_of(parts(line)[0])}:`"
    help = "Write what happens, or `nothing`; what belongs under it is indented deeper."
    context.report("S109", message, line.span, help=help)


def out_of_place(context: Context, kind: Kind, line: t.Line) -> None:
    """Report an instruction on a line that belongs to no field."""
    message = f"`{text_of(line.words)}` stands under no label of {article(plain(kind.name))}"
    help = "Indent it deeper, under what it belongs to."
    context.report("N206", message, line.span, help=help)


def unknown_label(
    context: Context, kind: Kind, inner: Iterable[Kind], head: Sequence[t.Word]
) -> None:
    """Report a label that the kind does not have."""
    names = [field.name for field in kind.fields]
    for other in inner:
        names += list(other.variants) or [plain(other.name)]
    help = f"{article(kind.name).capitalize()} has: {', '.join(names)}."
    if not names:
        help = f"{article(kind.name).capitalize()} has no labels."
    what = f"label of {kind.name}"
    context.report_unknown(text_of(head), span_of(head), what, names, code="N206", help=help)

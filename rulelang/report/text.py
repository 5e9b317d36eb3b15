"""Diagnostics in full: the message, the source lines with the places marked, and the help."""

from collections.abc import Iterable, Mapping

from rulelang.diagnostic import Diagnostic, Span, sort_key
from rulelang.display import printable
from rulelang.report.snippet import Mark, Piece, Row, layout

_COLORS = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "secondary": "1;34",
    "gutter": "1;34",
    "bold": "1",
}


def render_full(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], color: bool = False
) -> str:
    """A paragraph for each diagnostic, with an empty line between.

    `sources` maps the files of spans to their text; a place in any other file is only named.
    """
    split = {file: text.split("\n") for file, text in sources.items()}
    paragraphs = (_paragraph(each, split) for each in sorted(diagnostics, key=sort_key))
    return "\n\n".join(
        "\n".join(_painted(line, color) for line in paragraph) for paragraph in paragraphs
    )


def _paragraph(diagnostic: Diagnostic, sources: Mapping[str, list[str]]) -> list[list[Piece]]:
    snippets, homeless = _snippets(diagnostic, sources)
    numbers = [row.number for _, rows in snippets for row in rows if row.number]
    margin = len(str(max(numbers, default=1)))
    lines: list[list[Piece]] = [
        [
            (f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity),
            (f": {printable(diagnostic.message)}", "bold"),
        ]
    ]
    for index, (span, rows) in enumerate(snippets):
        if index and numbers:
            lines.append([_bar(margin)])
        arrow = "::: " if index else "--> "
        lines.append([(" " * margin + arrow, "gutter"), (_place(span), "")])
        if rows:
            lines.append([_bar(margin)])
            lines += [_line(row, margin) for row in rows]
    footers = _footers(diagnostic, homeless, margin)
    if footers and numbers:
        lines.append([_bar(margin)])
    return lines + footers


def _snippets(
    diagnostic: Diagnostic, sources: Mapping[str, list[str]]
) -> tuple[list[tuple[Span, list[Row]]], list[Mark]]:
    """The first place and rows of each file, and the marks that no row shows."""
    marks = [Mark(diagnostic.span, diagnostic.label, diagnostic.severity)]
    marks += [Mark(note.span, note.label, "secondary") for note in diagnostic.notes]
    snippets: list[tuple[Span, list[Row]]] = []
    homeless: list[Mark] = []
    for file in dict.fromkeys(mark.span.file for mark in marks):
        here = [mark for mark in marks if mark.span.file == file]
        rows, left_out = layout(sources.get(file, []), here)
        homeless += left_out
        if rows or here[0].primary:
            snippets.append((here[0].span, rows))
    return snippets, homeless


def _footers(diagnostic: Diagnostic, homeless: Iterable[Mark], margin: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    for mark in homeless:
        if mark.primary:
            lines += _footer("note", mark.label, margin)
        else:
            lines += _footer("note", f"{mark.label or 'see also'} ({_place(mark.span)})", margin)
    lines += _footer("help", diagnostic.help or "", margin)
    if diagnostic.fix:
        how = "--fix does this" if diagnostic.fix.safe else "for you to decide"
        lines += _footer("fix", f"{diagnostic.fix.message} ({how})", margin)
    return lines


def _footer(word: str, text: str, margin: int) -> list[list[Piece]]:
    """A line of `= word: text`, and the text's further lines under its first."""
    if not text:
        return []
    first, *others = map(printable, text.split("\n"))
    indent = " " * (margin + 1)
    lines: list[list[Piece]] = [
        [(f"{indent}= ", "gutter"), (f"{word}:", "bold"), (f" {first}", "")],
    ]
    return lines + [[(indent + " " * (len(word) + 4) + other, "")] for other in others]


def _line(row: Row, margin: int) -> list[Piece]:
    if row.gap:
        return [("...", "gutter")]
    number = "" if row.number is None else str(row.number)
    gutter: Piece = (f"{number:>{margin}} |", "gutter")
    return [gutter, *([(" ", "")] if any(text for text, _ in row.pieces) else []), *row.pieces]


def _bar(margin: int) -> Piece:
    return " " * margin + " |", "gutter"


def _place(span: Span) -> str:
    return f"{printable(span.file)}:{span.line}:{span.column}"


def _painted(pieces: Iterable[Piece], color: bool) -> str:
    if not color:
        return "".join(text for text, _ in pieces)
    return "".join(
        f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if style else text for text, style in pieces
    )

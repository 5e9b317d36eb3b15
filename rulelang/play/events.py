"""The last events of a seat's log, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.display import printable
from rulelang.play.words import field_name, name_of
from rulelang.program.program import Program
from rulelang.viewing import UNSEEN

SHOWN = 16


def log_lines(program: Program, log: Sequence[dict[str, Any]], count: int = SHOWN) -> list[str]:
    """The last lines: rules as their names, choices as what was chosen, repeated lines once."""
    texts = _texts(program)
    lines: list[tuple[str, int]] = []
    for entry in log:
        line = _line(program, texts, entry)
        if lines and lines[-1][0] == line:
            lines[-1] = (line, lines[-1][1] + 1)
        else:
            lines.append((line, 1))
    last = lines[-count:]
    shallow = min((len(line) - len(line.lstrip(" ")) for line, _ in last), default=0)
    return [line[shallow:] + (f" (×{times})" if times > 1 else "") for line, times in last]


def _line(program: Program, texts: dict[str, str], entry: dict[str, Any]) -> str:
    known = [label for label in entry["arguments"] if label != UNSEEN]
    arguments = [printable(texts.get(label, label)) for label in known]
    indent = "  " * max(0, min(entry["depth"], 8) - 1)
    what, name = entry["what"], field_name(entry["rule"].removesuffix(":body"))
    if what == "choice":
        return f"{indent}you chose: {', '.join(arguments)}"
    if what == "chance":
        return f"{indent}by chance: {', '.join(arguments) or 'something that you do not see'}"
    if what == "end":
        ending = program.endings.get(entry["rule"])
        return f"{indent}{ending.text if ending is not None else name}"
    return f"{indent}{name}" + (f" ({', '.join(arguments)})" if arguments else "")


def _texts(program: Program) -> dict[str, str]:
    """Texts by label, where a label means one thing only."""
    found: dict[str, str] = {}
    double = set()
    for domain in program.domains.values():
        for entry in domain.entries:
            if entry.label in found:
                double.add(entry.label)
            found[entry.label] = name_of(entry)
    return {label: text for label, text in found.items() if label not in double}

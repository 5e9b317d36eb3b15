"""What a game without its entries declares: enough to know how entries are written."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.check import declarations, headers
from rulelang.check.context import Context
from rulelang.check.typing import resolve
from rulelang.program.program import Program, Question
from rulelang.program.types import FLAG
from rulelang.syntax import tree as t


def outline(files: Sequence[t.File]) -> Program:
    """Names, dice, kinds, and how rules and questions are called. What is wrong is passed over."""
    context = Context()
    nodes = [node for file in files for node in file.declarations]
    lines = [node for node in nodes if isinstance(node, t.Line)]
    for word, read in (("game", headers.read_game), ("names", headers.read_names), ("die", headers.read_die)):
        for line in lines:
            if line.words[0].text == word:
                read(context, line)
    context.program.domains.setdefault("Mode", headers.domain(context, "Mode", []))
    headers.players_domain(context)
    kinds = declarations.kind_names(context, [node for node in nodes if isinstance(node, t.Kind)])
    declarations.settings(context, [node for node in nodes if isinstance(node, t.Setting)])
    declarations.endings(context, [node for node in nodes if isinstance(node, t.Ending)])
    declarations.kind_schemas(context, kinds)
    declarations.signatures(context, [node for node in nodes if isinstance(node, t.Rule)])
    for node in nodes:
        if isinstance(node, t.Define):
            parameters = [*node.params, *([node.subject] if node.subject is not None else [])]
            context.program.questions[node.name.text] = Question(
                node.name.text, tuple(parameter.name.text for parameter in parameters),
                tuple(resolve(context, parameter.type) for parameter in parameters), FLAG, (), 0,
                node.name.span,
            )  # fmt: skip
    return context.program

"""The configuration of the documentation: `sphinx-build docs OUT`."""

from __future__ import annotations

from typing import Any

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, String, Text

from rulelang import __version__
from rulelang.syntax.parser import grammar

project = "rulelang"
author = "The rulelang authors"
project_copyright = "The rulelang authors"
release = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "examples"]
html_theme = "furo"
html_title = f"rulelang {release}"
html_copy_source = False


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """Colours for the notation: enough to read by, not a second grammar."""

    name = "rules"
    aliases = ("rules",)
    tokens = {  # noqa: RUF012 - as the base class wants it
        "root": [
            (r"#.*$", Comment.Single),
            (r"^[ \t]*story:.*$", String.Doc),
            (r'"[^"\n]*"?', String),
            (r"^\w+", Keyword.Declaration),
            (words(sorted(grammar().vocabulary.reserved), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"\b[A-Z]{2,5}-[0-9][\w.\-]*", Name.Label),
            (r"\b[0-9]+(\.[0-9]+)?\b", Number),
            (r"\b[A-Z]\w*", Name.Class),
            (r"\w+", Name),
            (r"\s+|.", Text),
        ],
    }


def setup(app: Any) -> None:
    """Tell Sphinx about the notation."""
    app.add_lexer("rules", RulesLexer)

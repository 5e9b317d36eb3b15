"""Diagnostics as text and data. Every renderer is a pure function, without a last line break."""

from rulelang.report.concise import render_concise, summary
from rulelang.report.github import render_github
from rulelang.report.gitlab import render_gitlab
from rulelang.report.json import render_json
from rulelang.report.junit import render_junit
from rulelang.report.markdown import render_markdown
from rulelang.report.sarif import render_sarif
from rulelang.report.text import render_full

__all__ = [
    "render_concise",
    "render_full",
    "render_github",
    "render_gitlab",
    "render_json",
    "render_junit",
    "render_markdown",
    "render_sarif",
    "summary",
]

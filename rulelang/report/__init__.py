"""Diagnostics as text and data. Every renderer is a pure function, without a last line break."""

from rulelang.report.concise import render_concise, summary
from rulelang.report.json import render_json
from rulelang.report.text import render_full

__all__ = ["render_concise", "render_full", "render_json", "summary"]

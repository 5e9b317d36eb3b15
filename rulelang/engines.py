"""The engines by name: compiled rules, and the reference interpreter."""

from __future__ import annotations

from rulelang.errors import UsageError, shown

ENGINES = ("compiled", "reference")


def check_engine(engine: object) -> str:
    """The name of an engine. Raises `UsageError` for any other."""
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {shown(engine)}", list(ENGINES))
    return str(engine)

"""Where in the rules generated code went wrong: for errors that nobody foresaw."""

from __future__ import annotations

from types import TracebackType

from rulelang.diagnostic import Span
from rulelang.display import printable
from rulelang.engine.compiler.module import Module


def place_of(traceback: TracebackType | None, module: Module) -> Span | None:
    """The place in the rules of the innermost line of a module's code, as far as it has one."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if traceback.tb_frame.f_globals is module.names:
            function = code.co_filename.rstrip(">").rpartition(" ")[2]
            _, spans = module.sources.get(function, ("", ()))
            if traceback.tb_lineno <= len(spans):
                found = spans[traceback.tb_lineno - 1] or found
        traceback = traceback.tb_next
    return found


def note_place(error: BaseException) -> None:
    """Note with an error where in the rules it happened, if it came out of generated code.

    Such a note goes from one process to another, as frames do not.
    """
    module = _module_in(error.__traceback__)
    place = None if module is None else place_of(error.__traceback__, module)
    if place is not None:
        error.add_note(f"in code that was generated from {printable(place.file)}:{place.line}")


def _module_in(traceback: TracebackType | None) -> Module | None:
    """The module whose code was run last."""
    found = None
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("MODULE")
        found = module if isinstance(module, Module) else found
        traceback = traceback.tb_next
    return found

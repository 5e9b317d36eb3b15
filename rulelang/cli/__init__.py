"""The command line. Each command is a module of its own, imported when it is asked for.

Everything that a command raises ends here, as an exit status and a line on standard error.
"""

from __future__ import annotations

import keyword
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from rulelang.cli import streams
from rulelang.cli.status import Status, Stop


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status. ``argv`` is without the program's name."""
    words = list(sys.argv[1:] if argv is None else argv)
    streams.prepare()
    try:
        status = _guarded(words)
        streams.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        streams.abandon(sys.stdout)
        return Status.FINE
    except OSError as error:
        streams.abandon(sys.stdout)
        streams.complain(f"the output cannot be written: {error.strerror or error}")
        return Status.USAGE
    return int(status)


def _guarded(words: list[str]) -> int:
    try:
        return _run(words)
    except SystemExit as end:  # argparse after --help and --version
        return end.code if isinstance(end.code, int) else Status.FINE
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        streams.complain("interrupted")
        return Status.INTERRUPTED
    except Stop as stop:
        streams.complain(str(stop))
        return stop.status
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        streams.complain(f"{place}{error.strerror or error}")
        return Status.USAGE
    except Exception as error:
        return _explained(error, words)


def _run(words: list[str]) -> int:
    from rulelang.cli.arguments import parse

    arguments = parse(words)
    name = arguments.command
    module = f"{name}_" if keyword.iskeyword(name) else name
    command = import_module(f"rulelang.cli.{module}")
    return int(command.run(arguments))


def _explained(error: Exception, words: list[str]) -> Status:
    from rulelang.errors import ChoiceError, GameFault, RuleError, SaveError, UsageError
    from rulelang.report import render_full

    match error:
        case UsageError() | ChoiceError() | SaveError():
            streams.complain(str(error))
            return Status.USAGE
        case RuleError():
            streams.say(render_full(error.diagnostics, {}, streams.use_color(sys.stderr)))
            return Status.FINDINGS
        case GameFault():
            streams.complain(str(error))
            return Status.FINDINGS
    return _own_fault(error, words)


def _own_fault(error: Exception, words: list[str]) -> Status:
    import shlex

    from rulelang import __version__
    from rulelang.display import printable

    with suppress(Exception):  # what went wrong may be what is needed to tell
        from rulelang.engine.compiler.places import note_place

        note_place(error)
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = "" if frame is None else f" ({frame.tb_frame.f_code.co_filename}:{frame.tb_lineno})"
    python = f"Python {'.'.join(map(str, sys.version_info[:3]))} on {sys.platform}"
    streams.complain(
        "this is a fault of rulelang itself, not of your files; please report it with these lines:"
    )
    for line in (
        f"rulelang {__version__}, {python}",
        shlex.join(["rulelang", *words]),
        f"{type(error).__name__}: {error}{where}",
        *getattr(error, "__notes__", ()),
    ):
        streams.say(f"  {printable(line)}")
    if os.environ.get("RULELANG_DEBUG"):
        import traceback

        streams.say("".join(traceback.format_exception(error)))
    return Status.FAULT

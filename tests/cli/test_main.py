"""What is the same for every command: help, version, statuses, streams, and failures."""

import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

import rulelang.cli.check
from rulelang import Diagnostic, GameFault, RuleError, SaveError, UsageError, __version__
from rulelang.cli import main, streams
from rulelang.diagnostic import CODES, Span, make
from tests.cli.conftest import ROOT, Run
from tests.cli.toy import UNKNOWN_NAME, write_toy

Start = Callable[..., "subprocess.Popen[bytes]"]
PROBLEM: Diagnostic = make("N201", "there is no such name", Span("a.rules", 1, 1, 1, 2))


def test_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.status, ran.out, ran.err) == (0, f"rulelang {__version__}\n", "")


COMMANDS = ("check", "fmt", "test", "play", "simulate", "trace", "explain")


def test_help_names_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.status == 0
    for command in COMMANDS:
        assert f"\n  {command} " in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"usage: rulelang {command} ")
    assert "exit status:" in ran.out


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["check", "--help"]])
def test_help_and_version_need_no_language(words: list[str]) -> None:
    code = (
        "import sys; from rulelang.cli import main; main(sys.argv[1:]); "
        "print(*sorted({'lark', 'attr', 'attrs'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True)
    assert ran.stdout
    assert ran.stderr.strip() == b""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a command: check, "),
        (["chekc"], "there is no command 'chekc'; did you mean check?"),
        (["zzz"], "there are check, fmt, "),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["check", "--fromat", "json"], "did you mean --format?"),
        (["check", "--format"], "expected one argument"),
        (["check", "--form", "json"], "there is no argument --form"),
        (["explain"], "required: CODE"),
        (["explain", "N201", "N202"], "there is no argument N202"),
        (["explain", "N2O1"], "did you mean N201"),
    ],
)
def test_wrong_usage(run: Run, words: list[str], said: str) -> None:
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rulelang: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1


# ---------------------------------------------------------------- explain


@pytest.mark.parametrize("word", ["N201", "n201", "unknown-name", "Unknown-Name"])
def test_explain_prints_the_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    (tmp_path / "N201.md").write_text("# N201 “unknown-name”\n", encoding="utf-8")
    monkeypatch.setattr("rulelang.cli.explain.pages", lambda: tmp_path)
    ran = run("explain", word)
    assert (ran.status, ran.out) == (0, "# N201 “unknown-name”\n")


@pytest.mark.parametrize("code", CODES)
def test_explain_says_something_on_every_code(run: Run, code: str) -> None:
    ran = run("explain", code)
    assert ran.status == 0
    assert code in ran.out


# ---------------------------------------------------------------- what commands raise


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (UsageError("no such mode", ["solo"]), 2, "rulelang: no such mode; did you mean solo?"),
        (SaveError("it is damaged\nhere"), 2, "rulelang: it is damaged here"),
        (FileNotFoundError(2, "No such file", "x.rules"), 2, "rulelang: x.rules: No such file"),
        (RuleError([PROBLEM]), 1, "error[N201]: there is no such name"),
        (GameFault("too much", "step", "a.rules", 3, "ab"), 1, "rulelang: a.rules:3: too much"),
        (KeyboardInterrupt(), 130, "rulelang: interrupted"),
        (ZeroDivisionError("oops"), 4, "rulelang: this is a fault of rulelang itself"),
        (RecursionError("deep"), 4, "RecursionError: deep"),
        (MemoryError(), 4, "MemoryError"),
    ],
)
def test_every_error_has_its_status(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    def fails(arguments: object) -> int:
        raise error

    monkeypatch.setattr(rulelang.cli.check, "run", fails)
    ran = run("check", "a b")
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    if status == 4:
        assert f"rulelang {__version__}, Python {sys.version.split()[0]} on " in ran.err
        assert "\n  rulelang check 'a b'\n" in ran.err


def test_a_traceback_on_demand(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulelang.cli.check, "run", lambda arguments: 1 // 0)
    monkeypatch.setenv("RULELANG_DEBUG", "1")
    ran = run("check")
    assert ran.status == 4
    assert "Traceback" in ran.err


# ---------------------------------------------------------------- streams


def test_a_closed_pipe_is_quiet(command: Start, tmp_path: Path) -> None:
    write_toy(tmp_path, ("names Foot: left, right", "names Foot: left, right\n" * 2000))
    process = command("check", "--format", "json")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"Traceback" not in err
    assert b"Broken" not in err


def test_a_closed_pipe_of_little_output(command: Start) -> None:
    process = command("--version")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


class _FullDisk(StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("words", [["--version"], ["check", "--help"], ["check"]])
def test_a_full_disk(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    monkeypatch.setattr(sys, "stdout", _FullDisk())
    assert main(words) == 2
    assert capsys.readouterr().err == "rulelang: No space left on device\n"


def test_what_cannot_be_flushed(tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); from rulelang.cli import main; "
        "sys.exit(main(['--version']))"
    )
    with open(tmp_path / "file", "wb") as file:
        ran = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, stdout=file, stderr=subprocess.PIPE
        )
    assert ran.returncode == 2
    assert ran.stderr.count(b"\n") == 1
    assert b"File too large" in ran.stderr


def test_no_streams_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    for words in (["check"], ["check", "-"], ["fmt", "-"], ["--version"]):
        assert main(words) == 2


def test_a_narrow_encoding(command: Start, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    file = tmp_path / "game.rules"
    file.write_text(file.read_text().replace("stubed += 1", "stubed += 1  # “näher”"), "utf-8")
    out, _ = command("check", PYTHONIOENCODING="ascii").communicate(timeout=60)
    assert b"\\u201cn\\xe4her\\u201d" in out


def test_formatting_does_not_depend_on_the_encoding(command: Start) -> None:
    process = command("fmt", "-", PYTHONIOENCODING="ascii")
    text = "names Foot: left  # “näher”\n".encode()
    out, _ = process.communicate(text, timeout=60)
    assert (process.returncode, out) == (0, text)


class _Stream:
    closed = False

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("environment", "on_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_color(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    on_terminal: bool,
    elsewhere: bool,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert streams.use_color(_Stream(True)) is on_terminal  # type: ignore[arg-type]
    assert streams.use_color(_Stream(False)) is elsewhere  # type: ignore[arg-type]
    assert streams.use_color(None) is bool(environment.get("FORCE_COLOR") and elsewhere)


def test_color_is_used(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    assert "\x1b" not in run("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31merror[N201]" in run("check").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check").out

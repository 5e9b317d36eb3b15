"""``rulelang check``: what is wrong in games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Collection, Iterable

from rulelang.analysis import Analysis, analyse_sources
from rulelang.cli.fixing import Mended, check_fixable, mend, show_diffs, tell, write_fixes
from rulelang.cli.reporting import Results, check_reports, show_results, write_reports
from rulelang.cli.selection import Selection
from rulelang.cli.status import Status, Stop
from rulelang.cli.streams import say
from rulelang.cli.targets import Target, targets
from rulelang.diagnostic import Diagnostic
from rulelang.report.wording import SEVERITIES


def run(arguments: Namespace) -> Status:
    """Check the games, and print what was found; with ``--fix`` and ``--diff``, mend them."""
    selection = Selection.of(arguments.select, arguments.ignore)
    check_reports(arguments.reports)
    if arguments.fix or arguments.diff:
        return _mend(arguments, selection)
    if arguments.unsafe_fixes:
        raise Stop(Status.USAGE, "--unsafe-fixes goes with --fix or --diff")
    games = [(game, analyse_sources(game.sources)) for game in targets(arguments.paths)]
    results = _results(games, selection, arguments)
    show_results(results, arguments.format)
    write_reports(results, arguments.reports)
    say(_summary(results, len(games)))
    return Status.FINDINGS if results.fails else Status.FINE


def _mend(arguments: Namespace, selection: Selection) -> Status:
    if not arguments.diff:
        check_fixable(arguments.paths)
    wanted, unsafe = selection.shows, arguments.unsafe_fixes
    games = mend(targets(arguments.paths), wanted, unsafe=unsafe)
    after = _results(((game.result, game.after) for game in games), selection, arguments)
    if arguments.diff:
        show_diffs(games)
        now = _results(((game.target, game.before) for game in games), selection, arguments)
        write_reports(now, arguments.reports)
    else:
        write_fixes(games)
        _show_left(games, after, arguments.format)
        write_reports(after, arguments.reports)
    tell(games, wanted, dry=arguments.diff, unsafe=unsafe)
    say(("would be left: " if arguments.diff else "") + _summary(after, len(games)))
    changes = arguments.diff and any(game.changed for game in games)
    return Status.FINDINGS if changes or after.fails else Status.FINE


def _show_left(games: Iterable[Mended], results: Results, form: str) -> None:
    """Print what was not fixed; beside a text from standard input, which goes back, to stderr."""
    if all(game.target.data is None for game in games):
        show_results(results, form)
        return
    text = results.rendered(form)
    if text:
        say(text)


def _results(
    games: Iterable[tuple[Target, Analysis]], selection: Selection, arguments: Namespace
) -> Results:
    found: list[Diagnostic] = []
    texts: dict[str, str] = {}
    files: list[str] = []
    entries = 0
    for game, analysis in games:
        found += (game.placed(each) for each in analysis.diagnostics if selection.shows(each))
        texts |= game.texts()
        files += map(game.named, game.sources.rules)
        entries += analysis.entries
    failing = SEVERITIES[: SEVERITIES.index(arguments.fail_level) + 1]
    return Results(found, texts, files, entries, failing)


def _summary(results: Results, games: int) -> str:
    """One line, as `2 errors, 1 warning in 7 files, 62 entries`."""
    problems = _problems(results.found)
    several = f"{counted(games, 'game')}, " if games > 1 else ""
    files = counted(len(results.files), "file")
    entry = "entry" if results.entries == 1 else "entries"
    return f"{problems or 'no problems'} in {several}{files}, {results.entries:,} {entry}"


def _problems(found: Collection[Diagnostic]) -> str:
    severities = [each.severity for each in found]
    numbers = [(severities.count(severity), severity) for severity in SEVERITIES]
    return ", ".join(
        f"{n} info" if noun == "info" else counted(n, noun) for n, noun in numbers if n
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun, as `1 file` or `2 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

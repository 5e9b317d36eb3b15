"""The end of a game, in words."""

from __future__ import annotations

from rulelang.judging import Outcome
from rulelang.play.screen import Screen, paragraph
from rulelang.play.words import name_of
from rulelang.program.linking import Linked
from rulelang.wording import capital, listed

_CLAUSES = 8


def tell_outcome(screen: Screen, linked: Linked, outcome: Outcome, seat: int | None) -> None:
    """Write who has won and why, the scores, and the clauses that say so."""
    screen.rule("The end")
    verdict, styles = _verdict(linked, outcome, seat)
    if outcome.reason in linked.program.endings:
        verdict += f" {linked.program.endings[outcome.reason].text.rstrip('.')}."
    screen.say(verdict, "bold", *styles, indent="  ")
    if outcome.scores:
        screen.line("  " + _scores(linked, outcome))
    for line in clause_lines(screen, linked, outcome.cites[:_CLAUSES]):
        screen.line(line)


def clause_lines(screen: Screen, linked: Linked, names: tuple[str, ...]) -> list[str]:
    """The clauses with their texts."""
    lines = []
    column = max(map(len, names), default=0) + 2
    for name in names:
        clause = linked.program.clauses.get(name)
        text = clause.text if clause is not None else ""
        rest = "  " + " " * column
        broken = paragraph(text, first=f"  {name:<{column}}", rest=rest, width=screen.width)
        lines += [screen.style(line, "dim") for line in broken or [f"  {name}"]]
    return lines


def _verdict(linked: Linked, outcome: Outcome, seat: int | None) -> tuple[str, tuple[str, ...]]:
    everyone = len(linked.players)
    if seat is not None and (everyone == 1 or not (outcome.winners or outcome.losers)):
        if seat in outcome.winners:
            return "You have won.", ("good",)
        return ("You have lost.", ("bad",)) if seat in outcome.losers else ("The game is over.", ())
    texts = []
    for seats, word in ((outcome.winners, "won"), (outcome.losers, "lost")):
        names = [name_of(linked.players[n]) for n in seats]
        if len(seats) == everyone and everyone > 1:
            texts.append(f"All players have {word}")
        elif names:
            texts.append(f"{listed(names)} {'has' if len(names) == 1 else 'have'} {word}")
    return (capital(", ".join(texts)) or "The game is over") + ".", ()


def _scores(linked: Linked, outcome: Outcome) -> str:
    if len(outcome.scores) == 1:
        return f"Score: {next(iter(outcome.scores.values()))}"
    best = sorted(outcome.scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return "Scores: " + ", ".join(f"{name_of(linked.players[n])} {score}" for n, score in best)

"""The same game in other processes: other hash seeds, other numbers of jobs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import rulelang
from tests.properties.playing import expedition

PLAY = """
import json, rulelang
game = rulelang.load("lost_expedition")
found = [game.program.meaning]
for players in (1, 3):
    session = game.start(players=players, seed=5)
    for step in range(30):
        if session.over:
            break
        session.choose(step * 7 % len(session.legal))
        found.append(session.digest())
    found.append(session.save()["seal"])
print(json.dumps(found))
"""


def found_with(hash_seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", PLAY], env=environment, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


def test_digests_do_not_depend_on_the_hash_seed() -> None:
    one, other = found_with("1"), found_with("4242")
    assert len(one) > 30
    assert one == other


@pytest.mark.parametrize("jobs", [2, 3])
def test_a_simulation_is_the_same_for_any_number_of_jobs(jobs: int) -> None:
    timings = ("seconds", "games_per_second", "decisions_per_second")

    def run(jobs: int) -> dict[str, object]:
        report = rulelang.simulate("lost_expedition", mode="solo", games=120, seed=9, jobs=jobs)
        return {name: value for name, value in report.as_json().items() if name not in timings}

    assert run(jobs) == run(1)


def test_a_simulated_game_is_the_session_of_its_seed() -> None:
    from rulelang.engine.chance import Words

    game = expedition()
    for seed in range(12):
        report = rulelang.simulate(game, mode="solo", games=1, seed=seed)
        session, words = game.start(mode="solo", seed=seed), Words(seed)
        decisions = 0
        while not session.over:
            count = len(session.legal)
            session.choose(words.pick("policy:0", count) if count > 1 else 0)
            decisions += 1
        assert session.outcome is not None
        assert report.outcomes == {session.outcome.reason: 1}
        assert (report.decisions, report.turns) == (decisions, session.turns)
        assert report.chances == len(session.ledger) - decisions

"""OpenSpiel's checkers, and its exploitability beside ours."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from conftest import TINY, TWO_SEATS

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability  # noqa: E402

import newmarket  # noqa: E402
from newmarket import spiel  # noqa: E402


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ({"base": "newmarket-buy", "players": [2, 8]}, 2),
        ("newmarket", 4),
        ("three-in-one", 4),
        ("newmarket", 8),
        (TINY, 2),
    ],
)
def test_random_games(rules: Any, players: int) -> None:
    for dealer in [None, -1]:
        game = spiel.load_game(rules, players, dealer)
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_openspiels_own_simulation() -> None:
    from open_spiel.python.tests import games_sim_test

    test = games_sim_test.GamesSimTest()
    for players in (2, 4, 8):
        game = spiel.load_game({"base": "newmarket", "players": [2, 8]}, players)
        test.sim_game(game, check_pyspiel_serialization=True, check_pickle_serialization=True)


@pytest.mark.parametrize("agent", ["random", "longest", "stopper"])
def test_nash_conv_is_ours(agent: str) -> None:
    """On a pack of six cards; NEWMARKET_SLOW=1 takes the one of eval/games: half a minute each."""
    rules: Any = str(TWO_SEATS) if os.environ.get("NEWMARKET_SLOW") else TINY
    game = spiel.load_game(rules, 2)
    theirs = exploitability.nash_conv(game, spiel.agent_policy(game, agent))
    ours = newmarket.exploit(agent, newmarket.Game(rules, 2))["nash_conv"]
    assert abs(theirs - ours) <= 1e-9, (theirs, ours)


def test_what_openspiel_solves_is_judged_here() -> None:
    """Its own CFR, some iterations of it, and policies that are none."""
    game = spiel.load_game(TINY, 2)
    solver = cfr.CFRSolver(game)
    uniform = spiel.exploit(game, policy.UniformRandomPolicy(game))
    assert abs(uniform["nash_conv"] - newmarket.exploit("random", newmarket.Game(TINY, 2))["nash_conv"]) < 1e-9
    for _ in range(8):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    ours = spiel.exploit(game, solved)["nash_conv"]
    assert abs(ours - exploitability.nash_conv(game, solved)) < 1e-9
    assert ours < uniform["nash_conv"] / 2

    class Odd(policy.UniformRandomPolicy):
        def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
            return dict.fromkeys(state.legal_actions(), 0.9)

    with pytest.raises(ValueError, match=r"probabilities \[0.9, 0.9.*: expected some from 0 to 1 that sum to 1"):
        spiel.exploit(game, Odd(game))
    with pytest.raises(ValueError, match="the last seat"):
        spiel.exploit(spiel.load_game(TINY, 2, 0), policy.UniformRandomPolicy(game))


def test_chance_is_the_engines() -> None:
    """Every card is as likely to go to each hand as its size says."""
    game = spiel.load_game(TINY, 2)
    rng = np.random.default_rng(1)
    counts = np.zeros((6, 3))
    for _ in range(3000):
        state = game.new_initial_state()
        card = 0
        while not state.is_terminal() and card < 6:
            if not state.is_chance_node():
                state.apply_action(state.legal_actions()[0])
                continue
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            owner = int(rng.choice(outcomes, p=chances))
            counts[card, owner] += 1
            card += 1
            state.apply_action(owner)
    sizes = counts.sum(axis=0) / 3000
    assert np.allclose(sizes, np.round(sizes))
    assert np.abs(counts / 3000 - sizes / 6).max() < 0.05


def test_rules_as_parameters() -> None:
    for rules in ["michigan", TINY, "a, b=c.toml"]:
        coded = spiel.encode_rules(rules)
        assert "," not in coded and "=" not in coded
        assert spiel.decode_rules(coded) == rules
    with pytest.raises(ValueError, match="is not json: and base64url"):
        spiel.decode_rules("json:%%%")

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
    ours = newmarket.exploit(agent, newmarket.Game(rules, 2)).nash_conv
    assert abs(theirs - ours) <= 1e-9, (theirs, ours)


def test_a_policy_is_of_any_player() -> None:
    game = newmarket.Game(TINY, 2)
    loaded = spiel.load_game(game)
    assert str(loaded) == str(spiel.load_game(TINY, 2))
    highest = newmarket.Player("stopper", lead=lambda view: view.legal[-1])
    for player in (newmarket.Agent("longest"), highest):
        theirs = exploitability.nash_conv(loaded, spiel.agent_policy(loaded, player))
        assert abs(theirs - newmarket.exploit(player, game).nash_conv) <= 1e-9


def test_what_openspiel_solves_is_judged_here() -> None:
    """Its own CFR, some iterations of it, and policies that are none."""
    game = spiel.load_game(TINY, 2)
    solver = cfr.CFRSolver(game)
    uniform = spiel.exploit(game, policy.UniformRandomPolicy(game))
    assert abs(uniform.nash_conv - newmarket.exploit("random", newmarket.Game(TINY, 2)).nash_conv) < 1e-9
    for _ in range(8):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    ours = spiel.exploit(game, solved).nash_conv
    assert abs(ours - exploitability.nash_conv(game, solved)) < 1e-9
    assert ours < uniform.nash_conv / 2

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


def test_a_resampled_state_is_one_that_the_seat_cannot_tell() -> None:
    rng = np.random.default_rng(2)
    for rules, players in [("newmarket", 4), ("newmarket-buy", 4), ("three-in-one", 4), ("michigan", 3), (TINY, 2)]:
        game = spiel.load_game(rules, players, -1)
        observer = game.make_py_observer()
        moved, kept = 0, 0
        for _ in range(4):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    with pytest.raises(ValueError, match="expected a deal in which a decision is due"):
                        state.resample_from_infostate(0, rng.random)
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(rng.choice(outcomes, p=chances)))
                    continue
                for seat in range(players):
                    other = state.resample_from_infostate(seat, rng.random)
                    assert other.current_player() == state.current_player()
                    assert other.information_state_string(seat) == state.information_state_string(seat)
                    assert other.observation_string(seat) == state.observation_string(seat)
                    assert (other.deal.observe(seat) == state.deal.observe(seat)).all()
                    if seat == state.current_player():
                        assert other.legal_actions() == state.legal_actions()
                    hands = [[it.deal.view(by).hand for by in range(players)] for it in (state, other)]
                    moved, kept = moved + (hands[0] != hands[1]), kept + 1
                    again = game.new_initial_state()
                    for action in other.history():
                        again.apply_action(action)
                    assert str(again) == str(other)
                state.apply_action(int(rng.choice(state.legal_actions())))
        assert moved > kept / 4, (rules, moved, kept)
        observer.set_from(game.new_initial_state(), 0)


def test_resampling_follows_from_its_sampler() -> None:
    state = spiel.load_game("newmarket", 4).new_initial_state()
    spiel.play_chance(state, 3)
    while state.deal.dealt == 0:
        state.apply_action(state.legal_actions()[0])
        if state.is_chance_node():
            spiel.play_chance(state, 3)
    one, two, other = (str(state.resample_from_infostate(0, lambda at=at: at)) for at in (0.5, 0.5, 0.6))
    assert one == two != other


def test_openspiels_ismcts_plays_a_deal() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    for rules, players in [(TINY, 2), ("newmarket", 3)]:
        game = spiel.load_game(rules, players)
        bot = ismcts.ISMCTSBot(
            game=game,
            uct_c=4.0,
            evaluator=mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1)),
            random_state=np.random.RandomState(2),
            max_simulations=20,
        )
        state = game.new_initial_state()
        decided = 0
        while not state.is_terminal():
            spiel.play_chance(state, 5)
            if state.is_terminal():
                break
            action = int(bot.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)
            decided += 1
        assert decided > 1 and len(state.returns()) == players


def test_rules_as_parameters() -> None:
    for rules in ["michigan", TINY, "a, b=c.toml"]:
        coded = spiel.encode_rules(rules)
        assert "," not in coded and "=" not in coded
        assert spiel.decode_rules(coded) == rules
    with pytest.raises(ValueError, match="is not json: and base64url"):
        spiel.decode_rules("json:%%%")

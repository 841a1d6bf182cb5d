"""Episodes in which a seat, or nobody, decides anything: in small packs they are common.

In every front end the rewards, and the chips of what is passed over, are the payoffs of the deals.
"""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import newmarket
import numpy as np
import pytest

#: 40 % of the deals of the first have no decision at all.
SMALL: list[tuple[dict[str, Any], int]] = [
    ({"base": "michigan", "players": [2, 2], "ranks": 3, "suits": 2, "cells": ["2C"]}, 2),
    ({"base": "newmarket", "players": [2, 3], "ranks": 4, "suits": 2, "cells": ["4C"]}, 3),
    ({"base": "michigan", "players": [2, 3], "ranks": 4, "suits": 2, "cells": ["4C", "4D"]}, 3),
]
GAMES = [newmarket.Game(rules, players) for rules, players in SMALL]
DEALS = 60
#: Nobody has a choice: every seat holds one card.
NEVER = {"base": "michigan", "players": [2, 2], "ranks": 2, "suits": 1, "cells": ["2C"]}

games = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.title}-{game.players}")


def lowest(mask: Any) -> int:
    """The lowest legal action, as ``Table.legal[0]``."""
    return int(np.flatnonzero(mask)[0])


def payoffs(game: newmarket.Game, seed: int, episode: int = 0) -> list[float]:
    """Chips of each seat where all take the lowest action."""
    table = newmarket.Table(game)
    table.reset(seed, episode=episode)
    while not table.over:
        table.step(table.legal[0])
    return table.payoffs


@games
def test_such_deals_are_common(game: newmarket.Game) -> None:
    """What is tested below occurs."""
    table = newmarket.Table(game)
    undecided, silent = 0, 0
    for seed in range(DEALS):
        table.reset(seed)
        undecided += table.over
        acted = set()
        while not table.over:
            acted.add(table.seat)
            table.step(table.legal[0])
        silent += len(acted) < game.players
    assert silent > 5 and (game.players > 2 or undecided > DEALS // 5)


@games
def test_a_table(game: newmarket.Game) -> None:
    """Rewards, from the reset on, sum to the payoffs; chips go to the layout alone."""
    table = newmarket.Table(game)
    for seed in range(DEALS):
        table.reset(seed)
        sums = np.array(table.rewards)
        while not table.over:
            table.step(table.legal[0])
            sums += table.rewards
        assert sums.tolist() == table.payoffs
        view = table.view()
        assert sums.sum() + sum(view.layout) + view.kitty == 0


@games
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_a_batch(game: newmarket.Game, autoreset: str) -> None:
    """Every episode that is counted as over has paid its payoffs."""
    batch = newmarket.Batch(game, 5, 3, autoreset=autoreset)
    sums = np.zeros((5, newmarket.MAX_PLAYERS))
    table = newmarket.Table(game)
    ended = [0] * 5
    for _ in range(60):
        actions = np.where(batch.mask.any(axis=1), batch.mask.argmax(axis=1), 0)
        batch.step(actions)
        sums += batch.rewards
        for row in np.flatnonzero(batch.over).tolist():
            table.reset(3, table=row, episode=ended[row])
            while not table.over:
                table.step(table.legal[0])
            assert sums[row, : game.players].tolist() == table.payoffs
            sums[row], ended[row] = 0, ended[row] + 1
            if autoreset == "disabled":
                batch.reset_table(row)
    assert min(ended) > 5


def hero_payoff(game: newmarket.Game, seed: int, table: int, episode: int) -> float:
    """Chips of seat 0 where it takes the lowest action, and ``stopper`` sits elsewhere."""
    agent = newmarket.Agent("stopper")
    single = newmarket.Table(game)
    single.reset(seed, table=table, episode=episode)
    while not single.over:
        single.step(single.legal[0] if single.seat == 0 else agent.act(single))
    return single.payoffs[0]


@games
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_seated(game: newmarket.Game, autoreset: str) -> None:
    """What a hero gains in all deals is its rewards and ``skipped_gain``."""
    seated = newmarket.Seated(game, 4, 5, seat=0, opponents="stopper", autoreset=autoreset)
    total, running = np.zeros(4), np.zeros(4)
    for _ in range(50):
        seated.step(seated.mask.argmax(axis=1))
        running += seated.rewards
        total += np.where(seated.over, running, 0)
        running[seated.over] = 0
    for row in range(4):
        # Episodes before that at which the table stands.
        done = seated.seed(row)[2] + int(seated.over[row] and autoreset == "next_step")
        due = sum(hero_payoff(game, 5, row, episode) for episode in range(done))
        assert total[row] + seated.skipped_gain(row) == due
    assert seated.skips.all() and seated.skip_gains.any()
    assert seated.skip_gains.tolist() == [seated.skipped_gain(row) for row in range(4)]
    again = pickle.loads(pickle.dumps(seated))
    assert (again.skip_gains == seated.skip_gains).all()


def test_a_table_passes_over_for_ever() -> None:
    """The limit is of episodes in a row, not of all that were ever passed over."""
    seated = newmarket.Seated(GAMES[0], 64, 1, seat=0, opponents="random")
    while seated.skips.max() <= 10_100:
        seated.step(seated.mask.argmax(axis=1))
        assert seated.mask.any(axis=1).all()


def test_a_game_without_decisions_is_refused() -> None:
    """One line says so, at once."""
    with pytest.raises(ValueError, match="decides nothing in 10000 episodes"):
        newmarket.Seated(newmarket.Game(NEVER, 2))


@games
def test_gymnasium(game: newmarket.Game) -> None:
    """The rewards of an episode are its payoffs, and ``info`` has the others'."""
    pytest.importorskip("gymnasium")
    from newmarket.gym import NewmarketEnv

    env = NewmarketEnv(game, seat=0, opponents="stopper")
    skipped = 0
    for seed in range(DEALS):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(lowest(info["action_mask"]))
            total += reward
        due = sum(hero_payoff(game, seed, 0, episode) for episode in range(info["skipped"] + 1))
        assert total + info["skipped_gain"] == due
        skipped += info["skipped"]
    assert skipped > 0


@games
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_gymnasium_vector(game: newmarket.Game, mode: str) -> None:
    """``skipped`` and ``skipped_gain`` are those of Gymnasium's own vector form of single ones."""
    gymnasium = pytest.importorskip("gymnasium")
    from newmarket.gym import NewmarketEnv
    from newmarket.vector import NewmarketVectorEnv

    autoreset = gymnasium.vector.AutoresetMode[mode]
    vector = NewmarketVectorEnv(3, game, seat=0, autoreset_mode=autoreset)
    make = [lambda: NewmarketEnv(game, seat=0)] * 3
    singles = gymnasium.vector.SyncVectorEnv(make, autoreset_mode=autoreset)
    both = (vector, singles)
    infos = [env.reset(seed=9)[1] for env in both]
    for _ in range(40):
        for key in ("skipped", "skipped_gain"):
            assert infos[0][key].tolist() == infos[1][key].tolist()
        masks = infos[0]["action_mask"]
        told = [env.step(masks.argmax(axis=1)) for env in both]
        infos = [it[4] for it in told]
        assert told[0][1].tolist() == told[1][1].tolist()
        over = told[0][2]
        if mode == "SAME_STEP" and over.any():
            final = [it["final_info"]["skipped_gain"][over].tolist() for it in infos]
            assert final[0] == final[1]
        if mode == "DISABLED" and over.any():
            infos = [env.reset(options={"reset_mask": over.copy()})[1] for env in both]
            for key in ("skipped", "skipped_gain"):
                assert infos[0][key][over].tolist() == infos[1][key][over].tolist()
            infos = [{**infos[0], "action_mask": vector._seated.mask.copy()}] * 2
    assert vector._seated.skip_gains.any()


@games
def test_pettingzoo(game: newmarket.Game) -> None:
    """What ``last()`` tells each seat sums to its payoff, also where nobody decides."""
    pytest.importorskip("pettingzoo")
    from newmarket import aec

    env = aec.env(rules=game)
    for seed in range(DEALS):
        env.reset(seed=seed)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            sums[agent] += reward
            env.step(None if over or cut else lowest(observation["action_mask"]))
        assert list(sums.values()) == payoffs(game, seed)


def test_pettingzoo_in_michigan_among_eight() -> None:
    """A deal of the whole pack in which nobody has a choice."""
    pytest.importorskip("pettingzoo")
    from newmarket import aec

    env = aec.env(rules="michigan", players=8)
    env.reset(seed=307)
    told, asked = dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        told[agent] += reward
        asked += not over
        assert over or observation["action_mask"].sum() == 1
        env.step(None if over else lowest(observation["action_mask"]))
    assert asked > 0
    assert list(told.values()) == [-9, -10, -9, -12, 31, -8, -9, -10]


@games
def test_pettingzoo_api(game: newmarket.Game) -> None:
    """PettingZoo's own checker takes such episodes."""
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from newmarket import aec

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        api_test(aec.env(rules=game), num_cycles=300)


@games
def test_rllib(game: newmarket.Game) -> None:
    """All seats get all their chips."""
    pytest.importorskip("ray.rllib")
    from newmarket.rllib import NewmarketMultiAgentEnv

    env = NewmarketMultiAgentEnv({"rules": game})
    for seed in range(DEALS):
        seen, _ = env.reset(seed=seed)
        ((agent, observation),) = seen.items()
        assert 0 < observation["action_mask"].sum() < newmarket.ACTIONS
        sums = dict.fromkeys(env.possible_agents, 0.0)
        over = False
        while not over:
            ((agent, observation),) = seen.items()
            seen, rewards, ends, _, _ = env.step({agent: lowest(observation["action_mask"])})
            over = ends["__all__"]
            for name, reward in rewards.items():
                sums[name] += reward
        assert list(sums.values()) == payoffs(game, seed)


@games
def test_rllib_takes_them(game: newmarket.Game) -> None:
    """Ray's own check and its record of episodes take them."""
    pytest.importorskip("ray.rllib")
    from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    from newmarket.rllib import NewmarketMultiAgentEnv

    env = NewmarketMultiAgentEnv({"rules": game})
    check_multiagent_environments(env)
    with pytest.raises(ValueError, match="no action of seat_"):
        env.reset(seed=1)
        env.step({})
    for seed in range(DEALS):
        episode = MultiAgentEpisode(
            observation_space=env.observation_spaces, action_space=env.action_spaces
        )
        seen, infos = env.reset(seed=seed)
        episode.add_env_reset(observations=seen, infos=infos)
        acted, sums, over = set(), dict.fromkeys(env.possible_agents, 0.0), False
        while not over:
            ((agent, observation),) = seen.items()
            acted.add(agent)
            taken = {agent: lowest(observation["action_mask"])}
            seen, rewards, ends, cut, infos = env.step(taken)
            over = ends["__all__"]
            for name, reward in rewards.items():
                sums[name] += reward
            episode.add_env_step(seen, taken, rewards, infos, terminateds=ends, truncateds=cut)
        assert episode.get_return() == sum(sums[name] for name in acted)
    with pytest.raises(ValueError, match="call reset"):
        env.step({agent: 0})


def test_rllib_in_michigan_among_eight() -> None:
    """The deal in which nobody has a choice."""
    pytest.importorskip("ray.rllib")
    from newmarket.rllib import NewmarketMultiAgentEnv

    env = NewmarketMultiAgentEnv({"rules": "michigan", "players": 8})
    seen, _ = env.reset(seed=307)
    sums, over = dict.fromkeys(env.possible_agents, 0.0), False
    while not over:
        ((agent, observation),) = seen.items()
        assert observation["action_mask"].sum() == 1
        seen, rewards, ends, _, _ = env.step({agent: lowest(observation["action_mask"])})
        over = ends["__all__"]
        for name, reward in rewards.items():
            sums[name] += reward
    assert list(sums.values()) == [-9, -10, -9, -12, 31, -8, -9, -10]
    env.reset()
    assert env._table.seed == (307, 0, 1)


@games
def test_openspiel(game: newmarket.Game) -> None:
    """Returns are the payoffs of the deal of the seed."""
    pytest.importorskip("pyspiel")
    from newmarket import spiel

    load = spiel.load_game(game.rules, game.players, dealer=-1)
    for seed in range(DEALS):
        state = load.new_initial_state()
        spiel.play_chance(state, seed)
        while not state.is_terminal():
            if state.is_chance_node():
                spiel.play_chance(state, seed)
            else:
                state.apply_action(state.legal_actions()[0])
        assert state.returns() == payoffs(game, seed)


@games
def test_stable_baselines(game: newmarket.Game) -> None:
    """``skipped_gain`` of the ends adds up to that of the tables."""
    pytest.importorskip("stable_baselines3")
    from newmarket.sb3 import NewmarketVecEnv

    env = NewmarketVecEnv(4, game, seat=0, seed=3)  # type: ignore[arg-type]
    env.reset()
    skipped, gain = np.zeros(4), np.zeros(4)
    for _ in range(60):
        _, _, over, infos = env.step(env.action_masks().argmax(axis=1))
        for row in np.flatnonzero(over).tolist():
            skipped[row] += infos[row]["skipped"]
            gain[row] += infos[row]["skipped_gain"]
    assert (skipped == env._seated.final_skips).all() and skipped.any()
    assert (gain == env._seated.final_skip_gains).all() and gain.any()


@games
def test_puffer(game: newmarket.Game) -> None:
    """The same by PufferLib's means."""
    pytest.importorskip("pufferlib")
    from newmarket.puffer import NewmarketPufferEnv

    env = NewmarketPufferEnv(4, game, seat=0)  # type: ignore[arg-type]
    env.reset(seed=3)
    skipped, gain = 0.0, 0.0
    for _ in range(60):
        mask = env.observations[:, -newmarket.ACTIONS :]
        _, _, ends, _, infos = env.step(mask.argmax(axis=1))
        for info in infos:
            skipped += info["skipped"] * ends.sum()
            gain += info["skipped_return"] * ends.sum()
    assert skipped == pytest.approx(float(env._seated.final_skips.sum())) and skipped > 0
    assert gain == pytest.approx(float(env._seated.final_skip_gains.sum()))

"""The same seed, table and episode deal the same cards in every front end."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import newmarket
from newmarket import Batch, Game, Seated, Table

SEEDS = [0, 1, 7, 2**63 + 11]


def cards(game: Game, seed: int, table: int = 0, episode: int = 0) -> tuple[int, list[list[str]]]:
    """The dealer and the hands, by ``Table``."""
    one = Table(game)
    one.reset(seed, table=table, episode=episode)
    return one.view().dealer, one.dealt()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_core(game: Game, seed: int) -> None:
    batch = Batch(game, 5, seed)
    seated = Seated(game, 5, seed, opponents="longest")
    for _ in range(3):
        for number in range(5):
            assert batch.seed(number)[:2] == seated.seed(number)[:2] == (seed, number)
            dealer, _ = cards(game, *batch.seed(number))
            assert batch.view(number).dealer == dealer
            dealer, hands = cards(game, *seated.seed(number))
            view = seated.view(number)
            assert view.dealer == dealer
        batch.reset()
        seated.reset()
    each = Batch(game, 2, [seed, 5])
    assert each.seed(0) == (seed, 0, 0) and each.seed(1) == (5, 0, 0)


def lead(env: Any, step: Any, view: Any) -> newmarket.View:
    """Step by the lowest legal action until cards are dealt."""
    while not view().hand:
        step(view().legal[0])
    return view()  # type: ignore[no-any-return]


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_gymnasium(game: Game, seed: int) -> None:
    pytest.importorskip("gymnasium")
    from newmarket.gym import NewmarketEnv
    from newmarket.vector import NewmarketVectorEnv

    env = NewmarketEnv(seat=1)
    vector = NewmarketVectorEnv(3, seat=1)
    for options in [{}, {"table": 2}]:
        env.reset(seed=seed, options=options)
        vector.reset(seed=seed, options=options)
        for episode in range(3):
            view = lead(env, env.step, lambda: env._seated.view(0))
            dealer, hands = cards(game, seed, options.get("table", 0), episode)
            # What it has played before its first choice is gone.
            assert view.dealer == dealer and set(view.hand) <= set(hands[1])
            assert env._seated.seed(0) == (seed, options.get("table", 0), episode)
            for number in range(3):
                assert vector._seated.seed(number) == (seed + number, options.get("table", 0), episode)
            env.reset()
            vector.reset()


@pytest.mark.parametrize("seed", SEEDS)
def test_pettingzoo(game: Game, seed: int) -> None:
    pytest.importorskip("pettingzoo")
    from newmarket.aec import raw_env

    env = raw_env()
    for episode in range(3):
        env.reset(seed=None if episode else seed)
        assert (env._table.view().dealer, env._table.dealt()) == cards(game, seed, 0, episode)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["newmarket", "michigan", "three-in-one"])
def test_openspiel(seed: int, rules: str) -> None:
    pytest.importorskip("pyspiel")
    from newmarket import spiel

    game = Game(rules, 4)
    state = spiel.load_game(rules, 4, dealer=-1).new_initial_state()
    table = Table(game)
    table.reset(seed, table=1, episode=2)
    rng = np.random.default_rng(1)
    spiel.play_chance(state, seed, table=1, episode=2)
    while not table.over:
        assert state.current_player() == table.seat
        assert state.legal_actions() == table.legal
        assert (np.array(state.observation_tensor(), np.float32) == table.observe()).all()
        action = int(rng.choice(table.legal))
        table.step(action)
        state.apply_action(action)
        spiel.play_chance(state, seed, table=1, episode=2)
    assert state.is_terminal()
    assert state.returns() == table.payoffs
    dealer = (cards(game, seed)[0] + 1) % 4
    with pytest.raises(ValueError, match="load the game with dealer=-1"):
        spiel.seed_outcomes(spiel.load_game(rules, 4, dealer=dealer), seed)


def test_carried_deals(game: Game) -> None:
    """Deals that begin with the chips of a session: the same in every front end, and not all alike."""
    batch = Batch(game, 40, 3, episode="carried_deal")
    seated = Seated(game, 40, 3, opponents="longest", episode="carried_deal")
    layouts = set()
    for number in range(40):
        table = Table(game, "carried_deal")
        table.reset(3, table=number)
        views = [table.view(), batch.view(number), seated.view(number)]
        assert len({view.dealer for view in views}) == 1
        assert table.view().layout == batch.view(number).layout
        assert max(table.view().stacks) <= 0
        layouts.add(tuple(table.view().layout))
    assert len(layouts) > 20
    assert max(sum(layout) for layout in layouts) > sum(Table(game).view().layout)
    again = pickle.loads(pickle.dumps(batch))
    assert all(again.view(n).layout == batch.view(n).layout for n in range(40))
    with pytest.raises(ValueError, match="carried_deal"):
        Table(game, "carried")

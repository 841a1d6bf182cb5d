"""How fast the package is, as ratios of two loops that are timed in turns in one run.

    python python/benches/speed.py

Rows whose library is not installed are left out. A row fails if it misses its bar; the exit code is
then 1. The machine should do nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import newmarket
from newmarket import Batch, Game, Player, Seated, Table

GAME = Game("newmarket", players=4)
STEPS = 64
#: A strategy that takes the first legal action.
FIRST = Path(__file__).with_name("first.toml")
Actions = npt.NDArray[np.int64]


def choose(rng: np.random.Generator, mask: npt.NDArray[np.int8]) -> Actions:
    """A random legal action of each row."""
    chosen: Actions = np.argmax(rng.random(mask.shape, np.float32) * mask, axis=1)
    return chosen


def recorded(tables: Batch | Seated, steps: int = STEPS) -> Actions:
    """The random actions of so many steps, ``[steps, tables]``; the tables are then reset."""
    rng, rows = np.random.default_rng(1), []
    for _ in range(steps):
        rows.append(choose(rng, tables.mask))
        tables.step(rows[-1])
    tables.reset(0)
    return np.stack(rows)


def replay(tables: Batch | Seated, actions: Actions) -> float:
    """Seconds that the steps take, whose actions lie in one array, as if they had just been chosen."""
    tables.reset(0)
    step, clock, taken = tables.step, time.perf_counter, 0.0
    chosen = np.empty(actions.shape[1], np.int64)
    for row in actions.astype(np.uint8):
        chosen[:] = row
        start = clock()
        step(chosen)
        taken += clock() - start
    return taken


def in_turns(seconds: float, *loops: Callable[[], float]) -> list[float]:
    """The least that each loop returns, run in turns for so many seconds: others only slow it down."""
    end = time.monotonic() + seconds
    times: list[list[float]] = [[] for _ in loops]
    while time.monotonic() < end or len(times[0]) < 3:
        for loop, taken in zip(loops, times, strict=True):
            taken.append(loop())
    return [min(taken) for taken in times]


def two_threads(seconds: float) -> tuple[str, float]:
    """How many times faster two threads step 2,048 tables with packed observations than one thread does.

    Each turn makes its tables anew: the speed depends on where they lie in memory.
    """
    actions = recorded(Batch(GAME, 2048))
    one, two = in_turns(
        seconds,
        lambda: replay(Batch(GAME, 2048), actions),
        lambda: replay(Batch(GAME, 2048, threads=2), actions),
    )
    return f"{each(one, actions)} → {each(two, actions)} ns a decision", one / two


def seated(seconds: float) -> tuple[str, float]:
    """Decisions of all seats a second at 512 seated tables of ``random``, over ``Batch``'s."""
    batch, heroes = Batch(GAME, 512), Seated(GAME, 512, opponents="random")
    actions, played = recorded(batch), recorded(heroes)
    # All play alike, and the hero sits in any seat: every fourth decision is the hero's.
    decisions = 4 * played.size
    one, other = in_turns(
        seconds, lambda: replay(batch, actions), lambda: replay(heroes, played)
    )
    ratio = (decisions / other) / (actions.size / one)
    rows = other / played.size * 1e9
    return f"{rows:.0f} ns a decision of the hero's", ratio


def table(seconds: float) -> tuple[str, float]:
    """``Table.step`` without an observation, in µs."""
    one, deals = Table(GAME), []
    rng = np.random.default_rng(1)
    for seed in range(200):
        one.reset(seed)
        while not one.over:
            one.step(int(rng.choice(one.legal)))
        deals.append(one.actions.tolist())

    def play() -> float:
        taken = 0.0
        for seed, actions in enumerate(deals):
            one.reset(seed)
            start = time.perf_counter()
            for action in actions:
                one.step(action)
            taken += time.perf_counter() - start
        return taken

    [taken] = in_turns(seconds, play)
    micros = taken / sum(map(len, deals)) * 1e6
    return f"{micros:.2f} µs", micros


def views(seconds: float) -> tuple[str, float]:
    """Decisions a second of a rule for leads that reads ten facts of a view."""
    table, seen = Table(GAME), []
    rng = np.random.default_rng(1)
    for seed in range(100):
        table.reset(seed)
        while not table.over:
            if table.phase == "lead":
                seen.append(table.view())
            table.step(int(rng.choice(table.legal)))

    def rule(view: newmarket.View) -> int:
        if view.aces == "high" or view.kitty > 50 or min(view.hand_sizes) == 0:
            return view.legal[0]
        held = {card[-1] for card in view.hand} - {view.stopped_suit}
        played = sum(seat == view.seat for seat, _ in view.plays)
        dead = len(view.known_dead) + len(view.stops) + played
        return view.legal[dead % len(view.legal)] if sum(view.layout) > 4 and held else view.legal[-1]

    def play() -> float:
        start = time.perf_counter()
        for view in seen:
            rule(view)
        return time.perf_counter() - start

    [taken] = in_turns(seconds, play)
    rate = len(seen) / taken
    return f"{rate:,.0f} decisions/s", rate


def aec(seconds: float) -> tuple[str, float]:
    """Decisions a second in PettingZoo's wrappers, over its ``leduc_holdem_v4``'s."""
    from pettingzoo.classic import leduc_holdem_v4

    from newmarket import aec

    def rounds(env: Any) -> Callable[[], float]:
        def play() -> float:
            start, decisions = time.perf_counter(), 0
            while time.perf_counter() - start < 0.2:
                env.reset()
                for _ in env.agent_iter():
                    seen, _, over, _, _ = env.last()
                    env.step(None if over else int(seen["action_mask"].argmax()))
                    decisions += not over
            return (time.perf_counter() - start) / decisions

        return play

    theirs, ours = in_turns(seconds, rounds(leduc_holdem_v4.env()), rounds(aec.env()))
    return f"{1 / theirs:,.0f} → {1 / ours:,.0f} decisions/s", theirs / ours


def maskable_ppo(seconds: float) -> tuple[str, float]:
    """MaskablePPO's decisions a second, over those in an environment that costs nothing."""
    import torch
    from sb3_contrib import MaskablePPO

    from newmarket.sb3 import NewmarketVecEnv

    class Free(NewmarketVecEnv):
        """Always the same."""

        def step_wait(self) -> Any:
            return self._seen, self._rewards, self._over, self._infos

        def reset(self) -> Any:
            self._seen = super().reset()
            self._rewards = np.zeros(self.num_envs, np.float32)
            self._over = np.zeros(self.num_envs, np.bool_)
            self._infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            return self._seen

    def learner(env: Any) -> Callable[[], float]:
        torch.manual_seed(1)
        model = MaskablePPO(
            "MlpPolicy",
            env,
            gamma=1.0,
            n_steps=64,
            batch_size=1024,
            n_epochs=4,
            policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
            device="cpu",
        )

        def learn() -> float:
            start = time.perf_counter()
            model.learn(64 * 128, reset_num_timesteps=False)
            return time.perf_counter() - start

        return learn

    free, ours = in_turns(
        seconds,
        learner(Free(128, opponents="longest")),
        learner(NewmarketVecEnv(128, opponents="longest")),
    )
    rate = [f"{64 * 128 / taken:,.0f}" for taken in (free, ours)]
    return f"{rate[0]} → {rate[1]} decisions/s", free / ours


def shortest(observations: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> Actions:
    """Leads of the shortest suit: actions 0 to 3 lead the lowest card of one."""
    hand = next(span for span in newmarket.spans() if span["name"] == "hand")
    cards = observations[:, hand["start"] : hand["start"] + hand["len"]]
    cards = cards.reshape(-1, 4, 13).sum(axis=2)
    leads: Actions = np.argmin(np.where(mask[:, :4] == 1, cards, 99.0), axis=1)
    return leads


def rule_by_hand(deals: int) -> float:
    """The gain of a rule for leads over whoever takes the first legal action, by a loop on ``Batch``."""
    payoffs = []
    for hero in (-1, *range(GAME.players)):
        batch = Batch(GAME, deals, 1, form="f32", autoreset="disabled")
        total = np.zeros((deals, GAME.players))
        while not batch.over.all():
            mask = batch.mask
            actions = np.argmax(mask, axis=1)
            own = np.flatnonzero((batch.seats == hero) & mask[:, :4].any(axis=1))
            actions[own] = shortest(batch.observations[own], mask[own])
            batch.step(actions)
            total += batch.rewards[:, : GAME.players]
        payoffs.append(total)
    base, *heroes = payoffs
    return float(np.mean([hero[:, seat] - base[:, seat] for seat, hero in enumerate(heroes)]))


def rule_for_leads(seconds: float) -> tuple[str, float]:
    """Deals a second in ``duel`` of a player with a rule for leads in numpy, over those of a loop by hand.

    Both ask the rule for many leads at once, and take the first legal action everywhere else: the loop with numpy, the
    duel by a strategy file.
    """
    deals = 4096
    field = f"strategy:{FIRST}"
    hero = Player(
        field, lead=lambda rows: shortest(rows.observations, rows.mask), batch=True, form="f32"
    )

    def timed(measure: Callable[[], float]) -> Callable[[], float]:
        def run() -> float:
            start = time.perf_counter()
            gains.append(measure())
            return time.perf_counter() - start

        return run

    gains: list[float] = []
    hand, ours = in_turns(
        seconds,
        timed(lambda: rule_by_hand(deals)),
        timed(lambda: newmarket.duel(hero, field, GAME, deals=deals, seed=1).gain),
    )
    assert max(gains) - min(gains) < 1e-9, "they measure the same"
    return f"{deals / hand:,.0f} → {deals / ours:,.0f} deals/s", hand / ours


def each(seconds: float, actions: Actions) -> str:
    return f"{seconds / actions.size * 1e9:.0f}"


#: What is measured, what it needs, the bar, and whether more is better.
ROWS: list[tuple[str, Callable[[float], tuple[str, float]], str, float]] = [
    ("Batch, two threads / one thread", two_threads, "", 1.5),
    ("Seated, random / Batch", seated, "", 0.7),
    ("duel, a numpy rule / a loop by hand", rule_for_leads, "", 0.5),
    ("AEC / PettingZoo's leduc", aec, "rlcard", 4.0),
    ("MaskablePPO / on a free environment", maskable_ppo, "sb3_contrib", 0.85),
]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Ratios of speeds.")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each row")
    seconds = parser.parse_args().seconds
    missed = 0
    for name, row, needs, bar in ROWS:
        if needs and importlib.util.find_spec(needs) is None:
            print(f"{name:36} needs {needs}")
            continue
        about, ratio = row(seconds)
        good = ratio >= bar
        missed += not good
        print(f"{name:36} {ratio:6.2f}  ≥ {bar:<5} {'' if good else 'MISSED':7} {about}", flush=True)
    _, rate = views(seconds)
    missed += rate < 100_000
    print(f"{'Ten facts of a view, decisions/s':36} {rate:6.0f}  ≥ 100000 {'' if rate >= 100_000 else 'MISSED'}")
    about, micros = table(seconds)
    missed += micros > 2.0
    print(f"{'Table.step, µs':36} {micros:6.2f}  ≤ {2.0:<5} {'' if micros <= 2.0 else 'MISSED':7}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())

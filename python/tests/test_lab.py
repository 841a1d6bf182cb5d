"""Agents, duels, studies, records and checkpoints."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, TWO_SEATS, program, some, tells

import newmarket
from newmarket import Agent, Batch, Game, Table


#: A strategy file; the program, the engine and the page play it, too.
KEEP_THE_LEAD = f"strategy:{REPOSITORY / 'agents' / 'strategies' / 'examples' / 'keep-the-lead.toml'}"


def test_agents_are_as_they_are_named() -> None:
    filled = {"N": "2", "T": "1", "PATH": "champion"}
    named = newmarket.named_agents()
    for name in named:
        given = re.sub(r"N|T|PATH", lambda found: filled[found[0]], name)
        if name == "strategy:PATH":
            given = KEEP_THE_LEAD
        assert Agent(given).name == given
    assert {"stopper", "pimc:N", "net:champion"} <= set(named) and all(named.values())


def test_the_program_is_in_the_wheel(tmp_path: Path) -> None:
    games = subprocess.run(
        [sys.executable, "-m", "newmarket", "rules"], capture_output=True, text=True, check=True
    )
    assert all(name in games.stdout for name in newmarket.named_games())
    wrong = subprocess.run(
        [sys.executable, "-m", "newmarket", "duel", "nobody", "random"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: unknown agent `nobody`")
    helped = subprocess.run(
        [sys.executable, "-m", "newmarket", "--help"], capture_output=True, text=True, check=True
    )
    assert "Usage: newmarket <COMMAND>" in helped.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_stops_the_program() -> None:
    import signal
    import time

    command = [sys.executable, "-m", "newmarket", "duel", "pimc:1000", "random", "--deals", "1000000"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.0)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=30) == -signal.SIGINT


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "work",
    [
        lambda: newmarket.duel("pimc:1000", "random", deals=10_000_000),
        lambda: newmarket.exploit("pimc:1000", Game(TWO_SEATS, 2), draws=10_000_000),
    ],
    ids=["duel", "exploit"],
)
def test_an_interrupt_stops_long_work(work: Any) -> None:
    import signal
    import threading
    import time

    def interrupt() -> None:
        time.sleep(1.0)
        signal.raise_signal(signal.SIGINT)

    # A job in the background of a shell begins with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - start < 10
    # Its threads do nothing more.
    time.sleep(0.5)
    busy = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - busy < 0.25
    thread.join()
    signal.signal(signal.SIGINT, before)
    # Its threads are free again.
    assert newmarket.duel("stopper", "stopper", Game(), deals=10).gain == 0


def test_a_duel_is_that_of_the_program(game: Game) -> None:
    mine = newmarket.duel("stopper", Agent("longest"), game, deals=300, seed=4)
    [theirs] = program("duel", "stopper", "longest", "--deals", "300", "--seed", "4", "--json")
    assert tells(mine, theirs)
    assert mine.gain > 0


def test_a_strategy_file_is_an_agent(game: Game, tmp_path: Path) -> None:
    mine = newmarket.duel(KEEP_THE_LEAD, "stopper", game, deals=300, seed=4)
    [theirs] = program("duel", KEEP_THE_LEAD, "stopper", "--deals", "300", "--seed", "4", "--json")
    assert tells(mine, theirs)
    assert mine.gain != 0
    agent = Agent(KEEP_THE_LEAD)
    assert newmarket.duel(agent, "stopper", game, deals=300, seed=4).gain == mine.gain
    assert newmarket.trace(game, [KEEP_THE_LEAD], deals=2) == newmarket.trace(game, [agent], deals=2)
    newmarket.Seated(game, 2, opponents=KEEP_THE_LEAD).reset()
    bare = tmp_path / "bare.toml"
    bare.write_text('base = "stopper"\n')
    assert newmarket.duel(f"strategy:{bare}", "stopper", game, deals=50).gain == 0
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('lead = ["most chps"]\nled = []\n')
    with pytest.raises(ValueError, match=r"2 faults: line 1: .*chips.*line 2: `led` is no key"):
        Agent(f"strategy:{wrong}")
    with pytest.raises(OSError, match="cannot read the strategy file"):
        Agent(f"strategy:{tmp_path / 'none.toml'}")


def test_a_trace_is_that_of_the_program(game: Game) -> None:
    mine = newmarket.trace(game, ["stopper", "random", "longest", "random"], deals=12, seed=3)
    agents = "stopper,random,longest,random"
    theirs = program("trace", "--agents", agents, "--deals", "12", "--seed", "3")
    assert mine == theirs and len(mine) == 12


def test_a_program_plays_where_it_is_named_in_a_call(game: Game) -> None:
    engine = [sys.executable, "-m", "newmarket", "engine"]
    bot = "exec:" + json.dumps({"run": engine, "player": "net:champion"})
    inside, piped = (newmarket.duel(hero, "stopper", game, deals=40) for hero in ("net:champion", bot))
    [counted] = piped.programs
    assert dataclasses.replace(inside, hero=bot) == dataclasses.replace(piped, programs=())
    assert counted.agent == bot and counted.faults == {} and counted.answers > 100
    assert newmarket.trace(game, [bot], deals=3) == newmarket.trace(game, ["net:champion"], deals=3)


def test_a_bad_program_costs_its_own_deals(game: Game) -> None:
    says = "print('{\"type\":\"hello\",\"version\":1}', flush=True); input(); input(); print('no')"
    bad = "exec:" + json.dumps([sys.executable, "-c", "input(); " + says])
    report = newmarket.duel(bad, "stopper", game, deals=5)
    assert report.gain == 0
    assert sum(report.programs[0].faults.values()) == 3 and report.programs[0].given_up
    with pytest.raises(RuntimeError, match="exec:"):
        newmarket.duel(bad, "stopper", game, deals=5, on_fault="stop")
    with pytest.warns(UserWarning, match="faults"):
        newmarket.trace(game, [bad], deals=2)
    with pytest.raises(ValueError, match="cannot start"):
        newmarket.duel("exec:/no/such/program", "stopper", game)
    # Where it would train, or stay in a file, a program is refused.
    for make in (
        lambda: Agent(bad),
        lambda: newmarket.Seated(game, opponents=bad),
        lambda: newmarket.study("lead", game, field=bad),
    ):
        with pytest.raises(ValueError, match="is a program"):
            make()


def test_a_study_is_an_object(game: Game) -> None:
    section = newmarket.study("lead", game, deals=40)
    assert section.deals == 40
    assert json.dumps(section.to_dict())


@pytest.mark.parametrize("agent", ["random", "longest", "stopper"])
def test_exploitability_is_that_of_the_program(agent: str) -> None:
    mine = newmarket.exploit(agent, Game(TWO_SEATS, 2))
    [theirs] = program("exploit", agent, "--rules", str(TWO_SEATS), "--json")
    assert mine.nash_conv == theirs["nash_conv"]


def test_agents_act_and_tell(game: Game) -> None:
    table = Table(game)
    champion, sampled = Agent("net:champion"), Agent("net:champion", sampled=True)
    for seed in range(10):
        table.reset(seed)
        while not table.over:
            view = table.view()
            chances = champion.probabilities(view)
            assert chances[champion.act(view)] == 1.0 and chances.sum() == 1.0
            seen, mask = view.observe("packed")[None], view.mask()[None]
            policy = champion.policy(seen, mask)
            assert (policy[0] > 0).sum() <= mask.sum() and np.isclose(policy.sum(), 1)
            assert (policy == champion.policy(seen, mask.astype(np.bool_))).all()
            assert np.allclose(policy, champion.policy(view.observe()[None], mask), atol=1e-6)
            if table.phase != "set apart":
                assert policy.argmax() == champion.act(view)
                assert np.allclose(sampled.probabilities(table), policy[0], atol=1e-6)
            table.step(champion.act(table))
    with pytest.raises(ValueError, match="the episode is over"):
        champion.act(table)
    random = Agent("random", seed=3)
    table.reset(1)
    assert np.allclose(random.probabilities(table)[table.legal], 1 / len(table.legal))
    again = pickle.loads(pickle.dumps(random))
    assert [random.act(table) for _ in range(20)] == [again.act(table) for _ in range(20)]
    view = table.view((table.seat + 1) % 4)
    with pytest.raises(ValueError, match="is not to act here"):
        random.act(view)


def test_weights_come_out_and_go_back(game: Game, tmp_path: Path) -> None:
    weights, about = newmarket.read_checkpoint("champion")
    path = tmp_path / "copy.ckpt"
    assert newmarket.write_checkpoint(path, weights, training="a copy") == about["weights_blake3"]
    again, copied = newmarket.read_checkpoint(path)
    assert copied["training"] == "a copy" and list(again) == list(weights)
    assert all((again[name] == weights[name]).all() for name in weights)
    assert newmarket.read_checkpoint("net:champion")[1] == about
    assert newmarket.write_checkpoint(path, MappingProxyType(weights)) == about["weights_blake3"]
    batch = Batch(game, 64, 2)
    rng = np.random.default_rng(1)
    for _ in range(9):
        batch.step(some(rng, batch.mask))
    logits, values = Agent("net:champion").evaluate(batch.observations)
    mine, copied_values = Agent(f"net:{path}").evaluate(batch.observations)
    assert (mine == logits).all() and (copied_values == values).all()
    # The forward pass as the documentation of `read_checkpoint` says.
    x = newmarket.unpack(batch.observations).astype(np.float64)
    for layer in range(len(about["hidden"])):
        x = np.maximum(x @ weights[f"trunk.{layer}.weight"] + weights[f"trunk.{layer}.bias"], 0)
    assert np.allclose(x @ weights["policy.weight"] + weights["policy.bias"], logits, atol=1e-3)
    assert np.allclose((x @ weights["value.weight"])[:, 0] + weights["value.bias"], values, atol=1e-3)
    duel = newmarket.duel(f"net:{path}", "net:champion", game, deals=50)
    assert duel.gain == 0

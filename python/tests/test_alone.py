"""What is saved or printed stands on its own: elsewhere, in another process, after its file has changed."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import newmarket
import pytest

HOUSE = 'base = "newmarket"\nper_card = 4\n'
STRATEGY = 'base = "stopper"\nlead = ["most cards"]\n'


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a rules file, a strategy and a network, which is the current one."""
    (tmp_path / "house.toml").write_text(HOUSE)
    (tmp_path / "mine.toml").write_text(STRATEGY)
    weights, _ = newmarket.read_checkpoint("champion")
    newmarket.write_checkpoint(tmp_path / "mine.ckpt", weights)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spoil(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go elsewhere, and leave other files behind."""
    (house / "house.toml").write_text('base = "michigan"\n')
    (house / "mine.toml").write_text('base = "longest"\n')
    (house / "mine.ckpt").write_text("no checkpoint")
    monkeypatch.chdir("/")


def elsewhere(pickled: bytes, code: str) -> str:
    """What ``code`` prints of ``it`` in another process."""
    code = f"import pickle, sys; import newmarket; it = pickle.load(sys.stdin.buffer); {code}"
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, input=pickled, cwd="/", capture_output=True, check=True).stdout.decode()


RULES: list[Any] = [
    "michigan",
    "newmarket-after-look",
    "house:7",
    {"base": "newmarket", "per_card": 4},
    {"base": "michigan", "name": "our 'house'\n\u200c\"", "per_card": 5},
    {"base": "newmarket-after-look", "per_card": 2},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_game_is_what_its_repr_says(rules: Any) -> None:
    """And its ``rules``, through JSON, too."""
    game = newmarket.Game(rules, 3)
    again = eval(repr(game), {"Game": newmarket.Game})
    told = newmarket.Game(json.loads(json.dumps(game.rules)), game.players)
    for other in (again, told, pickle.loads(pickle.dumps(game))):
        assert other == game and other.title == game.title and repr(other) == repr(game)


def test_a_game_of_a_file(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps its rules."""
    game = newmarket.Game("house.toml", 4)
    told, pickled = repr(game), pickle.dumps(game)
    spoil(house, monkeypatch)
    assert eval(told, {"Game": newmarket.Game}) == game == pickle.loads(pickled)
    assert game.rules == {"base": "newmarket", "name": "house", "per_card": 4}
    assert elsewhere(pickled, "print(it)").strip() == told


def results(game: newmarket.Game) -> dict[str, Any]:
    """One of each."""
    small = newmarket.Game(
        {"base": "newmarket", "players": [2, 2], "ranks": 2, "suits": 3, "cells": ["2C", "AD"]}, 2
    )
    return {
        "duel": (game, newmarket.duel("longest", "stopper", game, deals=2)),
        "study": (game, newmarket.study("lead", game, deals=2)),
        "exploit": (small, newmarket.exploit("stopper", small)),
    }


@pytest.mark.parametrize("what", ["duel", "study", "exploit"])
def test_results_have_their_rules(what: str) -> None:
    """With what differs from the named game."""
    game, result = results(newmarket.Game({"base": "newmarket", "per_card": 4}))[what]
    files = result.rules_files if what == "study" else [result.rules_file]
    assert [newmarket.Game(file, result.players) for file in files] == [game]


def test_the_program_tells_the_same(house: Path) -> None:
    """``--json`` of each command that measures."""
    commands = [
        ["duel", "stopper", "longest", "--deals", "2"],
        ["duel", "stopper", "longest", "--sessions", "1"],
        ["ladder", "stopper", "longest", "--deals", "100"],
        ["study", "lead", "--deals", "100"],
    ]
    for command in commands:
        told = subprocess.check_output(
            [sys.executable, "-m", "newmarket", *command, "--rules", "house.toml", "--json"]
        )
        result = json.loads(told)
        result = result.get("sections", [result])[0]
        file = result["rules_files"][0] if "rules_files" in result else result["rules_file"]
        assert file == {"base": "newmarket", "name": "house", "per_card": 4}, command


def test_a_trace_knows_who_played(house: Path) -> None:
    """In Python, and in the program's file beside it."""
    game = newmarket.Game("house.toml", 3)
    made = newmarket.trace(game, ["stopper", "longest", "strategy:mine.toml"], deals=3, seed=8, fresh=True)
    for trace in (made, pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert trace.agents == ["stopper", "longest", "strategy:mine.toml"]
        assert (trace.seed, trace.fresh, len(trace)) == (8, True, 3)
        assert trace[0]["overrides"] == {"per_card": 4}
        assert trace == made and json.loads(json.dumps(trace)) == list(made)
    arguments = ["trace", "--agents", "stopper,longest,random", "--players", "3", "--seed", "9"]
    program = [sys.executable, "-m", "newmarket"]
    subprocess.run([*program, *arguments, "--deals", "2", "--out", "t.jsonl"], check=True)
    beside = json.loads(Path("t.jsonl.players.json").read_text())
    assert [seat["agent"] for seat in beside["seats"]] == ["stopper", "longest", "random"]
    assert (beside["seed"], beside["fresh"]) == (9, False)
    subprocess.run([*program, "trace", "--check", "t.jsonl"], check=True)


@pytest.mark.parametrize("name", ["strategy:mine.toml", "net:mine.ckpt", "net:mine.ckpt+search:4", "net:mine.ckpt+pimc:4"])
def test_agents(house: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A pickled agent needs no file, nor do tables with it among the opponents."""
    agent = newmarket.Agent(name)
    seated = newmarket.Seated(newmarket.Game(), 3, 1, opponents={name: 1.0, "stopper": 1.0})
    table = newmarket.Table(newmarket.Game())
    table.reset(5)
    pickles = pickle.dumps((agent, seated, table))
    spoil(house, monkeypatch)
    code = (
        "a, s, t = it; print(a.act(t), [s.step(s.mask.argmax(axis=1)) or s.rewards.tolist()"
        " for _ in range(9)])"
    )
    told = elsewhere(pickles, code)
    copied = copy.deepcopy(seated)
    for one in (seated, copied):
        acted = newmarket.Agent.act(copy.deepcopy(agent), table)
        due = [one.step(one.mask.argmax(axis=1)) or one.rewards.tolist() for _ in range(9)]
        assert told.strip() == f"{acted} {due}"


def openspiel_games() -> list[Callable[[], Any]]:
    from newmarket import spiel

    return [
        lambda: spiel.load_game("michigan", 3),
        lambda: spiel.load_game("house.toml", 4, dealer=-1),
        lambda: spiel.load_game("house:3", 3),
        lambda: spiel.load_game({"base": "newmarket", "per_card": 2}, 4),
    ]


@pytest.mark.parametrize("which", range(4))
def test_openspiel(house: Path, monkeypatch: pytest.MonkeyPatch, which: int) -> None:
    """Games and states through pickles, copies and text."""
    pyspiel = pytest.importorskip("pyspiel")
    from newmarket import spiel

    game = openspiel_games()[which]()
    state = game.new_initial_state()
    for _ in range(9):
        state.apply_action(state.legal_actions()[0])
    pickled, text = pickle.dumps((game, state)), str(game)
    serialized = pyspiel.serialize_game_and_state(game, state)
    spoil(house, monkeypatch)
    games = [
        pickle.loads(pickled)[0],
        copy.deepcopy(game),
        copy.copy(game),
        pyspiel.load_game(text),
        pyspiel.deserialize_game_and_state(serialized)[0],
        state.get_game(),
    ]
    states = [
        pickle.loads(pickled)[1],
        copy.deepcopy(state),
        state.clone(),
        pyspiel.deserialize_game_and_state(serialized)[1],
        games[0].deserialize_state(state.serialize()),
    ]
    for other in games:
        begun = other.new_initial_state()
        assert str(other) == text and begun.legal_actions()
        assert spiel._inner(other).game == spiel._inner(game).game
        assert other.make_py_observer() is not None
    for other in states:
        assert str(other) == str(state) and other.legal_actions() == state.legal_actions()
        assert spiel._inner(other.get_game()).game == spiel._inner(game).game
    code = "import newmarket.spiel; g, s = it; print(g, s, g.new_initial_state())"
    told = elsewhere(pickled, code)
    assert told.split() == f"{text} {state} {game.new_initial_state()}".split()


def test_openspiel_by_its_own_loader(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of a file come inside as well."""
    pyspiel = pytest.importorskip("pyspiel")
    import newmarket.spiel  # noqa: F401

    game = pyspiel.load_game("python_newmarket", {"rules": "house.toml", "players": 4})
    text = str(game)
    spoil(house, monkeypatch)
    assert str(pyspiel.load_game(text)) == text
    assert str(pickle.loads(pickle.dumps(game))) == text


@pytest.mark.parametrize("rules", ["house.toml", Path("house.toml"), newmarket.Game({"base": "boodle"}, 3)])
def test_specs_of_gymnasium(house: Path, monkeypatch: pytest.MonkeyPatch, rules: Any) -> None:
    """An environment's spec makes it again, by JSON, pickle and ``make``, single and vector."""
    gymnasium = pytest.importorskip("gymnasium")
    import newmarket.gym  # noqa: F401

    given = {"rules": rules, "players": 3, "opponents": ["stopper", "strategy:mine.toml", "net:mine.ckpt"]}
    single = gymnasium.make("newmarket/michigan-v0", **given)
    vector = gymnasium.make_vec("newmarket/michigan-v0", num_envs=2, **given)
    specs = [single.spec.to_json(), vector.spec.to_json()]
    assert str(house) in specs[0]
    game = single.unwrapped.game
    (house / "house.toml").write_text('base = "michigan"\n')
    monkeypatch.chdir("/")
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(specs[0]))
    assert again.unwrapped.game == game
    assert gymnasium.make(pickle.loads(pickle.dumps(single.spec))).unwrapped.game == game
    assert gymnasium.make(copy.deepcopy(single.spec)).unwrapped.game == game
    loaded = gymnasium.envs.registration.EnvSpec.from_json(specs[1])
    assert gymnasium.make_vec(loaded).unwrapped.game == game


def test_environments_of_other_libraries(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pickles of environments, before and after they have begun."""
    makers = []
    for library, make in [
        ("gymnasium", "newmarket.gym.NewmarketEnv(**seated)"),
        ("gymnasium", "newmarket.vector.NewmarketVectorEnv(2, **seated)"),
        ("pettingzoo", "newmarket.aec.raw_env(rules='house.toml')"),
        ("ray.rllib", "newmarket.rllib.NewmarketMultiAgentEnv({'rules': 'house.toml'})"),
        ("stable_baselines3", "newmarket.sb3.NewmarketVecEnv(2, **seated)"),
    ]:
        try:
            __import__(library)
        except ImportError:
            continue
        module = make.split(".")[1]
        __import__(f"newmarket.{module}")
        seated = {"rules": "house.toml", "opponents": "strategy:mine.toml"}
        makers.append(eval(make, {"newmarket": newmarket, "seated": seated}))
    pickles = [pickle.dumps(env) for env in makers]
    spoil(house, monkeypatch)
    for env, pickled in zip(makers, pickles, strict=True):
        again = pickle.loads(pickled)
        inner = "_table" if hasattr(env, "_table") else "_seated"
        assert getattr(again, inner).game == getattr(env, inner).game
        assert getattr(again, inner).game.rules["per_card"] == 4
    assert makers or pytest.skip("no library")

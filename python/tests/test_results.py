"""Results of the laboratory: those of the program, and what a result can do."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, TWO_SEATS, program, tells

import newmarket
from newmarket import Agent, Game, Player, Result

EXAMPLE = REPOSITORY / "agents" / "strategies" / "examples" / "keep-the-lead.toml"
WORDS = ["--players", "5", "--seed", "7", "--json"]


def one(*arguments: str) -> Any:
    [found] = program(*arguments)
    return found


def test_a_duel_has_all_that_the_program_has() -> None:
    mine = newmarket.duel(
        "stopper", "longest", "michigan", 5, over="random", deals=150, seed=7, by_kind=True, by_deal=True
    )
    words = ["--over", "random", "--rules", "michigan", "--deals", "150", "--by-kind"]
    assert tells(mine, one("duel", "stopper", "longest", *words, *WORDS))
    assert len(mine.by_seat) == 5 and mine.over == "random" and mine.version == newmarket.__version__
    sessions = newmarket.duel("stopper", "longest", "four-horses", 5, sessions=12, seed=7)
    words = ["--rules", "four-horses", "--sessions", "12"]
    assert tells(sessions, one("duel", "stopper", "longest", *words, *WORDS))


def test_the_gain_by_deal_is_that_of_deals_played_by_hand() -> None:
    """Every deal of a table, by its own seed; seats from eldest on."""
    result = newmarket.duel("stopper", "random", deals=200, by_deal=True)
    gains = result.gains
    assert gains is not None and gains.shape == (200, 4) and gains.dtype == np.int32
    assert math.isclose(gains.mean(), result.gain, rel_tol=1e-12)
    assert np.allclose(gains.mean(axis=0), [seat.mean for seat in result.by_seat])
    by_deal = gains.mean(axis=1)
    half = by_deal.std(ddof=1) / math.sqrt(200) * 1.97196  # Student's t with 199 degrees of freedom
    assert math.isclose(half, result.ci95, rel_tol=1e-4)
    # One deal more changes no deal before it.
    longer = newmarket.duel("stopper", "random", deals=201, by_deal=True).gains
    assert longer is not None and (longer[:200] == gains).all()


def test_a_duel_by_the_payoff_of_a_session_is_that_of_a_study(tmp_path: Path) -> None:
    """And that of the program. In a session of one deal it is the deal's own."""
    path = tmp_path / "mine.toml"
    path.write_text('base = "stopper"\nlead = ["stops"]\n')
    mine = newmarket.duel(f"strategy:{path}", "stopper", payoff="session", deals=200)
    words = ["--payoff", "session", "--deals", "200", "--json"]
    assert tells(mine, one("duel", f"strategy:{path}", "stopper", *words)) and mine.payoff == "session"
    study = newmarket.study("strategy", files=[path], payoff="session", deals=200)
    gains = [cell for cell in study.tables[0].rows[0] if isinstance(cell, newmarket.Estimate)]
    assert (gains[0].mean, gains[0].ci95) == (mine.gain, mine.ci95)
    deal = newmarket.duel(f"strategy:{path}", "stopper", deals=200)
    assert deal.gain != mine.gain
    over = newmarket.duel(f"strategy:{path}", "random", over="stopper", payoff="session", deals=50)
    assert over.over == "stopper" and over.gain != 0
    single = {"base": "newmarket", "session": {"deals": 1}}
    shared: dict[str, Any] = {"deals": 100, "over": "longest"}
    one_deal = newmarket.duel("random", "stopper", single, payoff="session", **shared)
    alone = newmarket.duel("random", "stopper", single, **shared)
    assert one_deal.payoff == "deal" and math.isclose(one_deal.gain, alone.gain)
    assert math.isclose(one_deal.win_share, alone.win_share)


def test_a_kind_of_decision_is_measured_alone(tmp_path: Path) -> None:
    """A strategy that differs from its base in leads alone gains all by leads, and nothing by other kinds."""
    (tmp_path / "leads.toml").write_text('base = "stopper"\nlead = ["stops"]\n')
    strategy = f"strategy:{tmp_path / 'leads.toml'}"
    result = newmarket.duel(strategy, "stopper", "newmarket-buy", deals=300, by_kind=True)
    gains = {it.kind: it.gain for it in result.by_kind}
    assert list(gains) == ["lead", "ante", "dead_hand"] and result.gain != 0
    assert gains == {"lead": result.gain, "ante": 0, "dead_hand": 0}
    assert newmarket.duel("stopper", "longest", deals=5).by_kind == ()


def test_a_survey_and_a_ladder_are_those_of_the_program() -> None:
    words = ["--tables", "held-out:3", "--deals", "128", "--seed", "7", "--json"]
    mine = newmarket.survey("stopper", ["longest", "random"], tables="held-out:3", deals=128, seed=7)
    assert tells(mine, one("survey", "stopper", "longest,random", *words))
    row = mine.rows[0]
    assert Game(row.rules_file, row.players) == Game(row.rules, row.players)
    mine = newmarket.ladder(["stopper", Agent("longest"), "random"], players=5, deals=60, seed=7)
    assert tells(mine, one("ladder", "stopper", "longest", "random", "--deals", "60", *WORDS))
    assert mine.cell("stopper", "random").gain > 0 and mine.agents[0] == "stopper"
    mine = newmarket.ladder(["stopper", "random"], "four-horses", 5, sessions=20, seed=7)
    words = ["--rules", "four-horses", "--sessions", "20"]
    assert tells(mine, one("ladder", "stopper", "random", *words, *WORDS))


@pytest.mark.parametrize("what", ["lead", "ante", "dead-hand", "truth"])
def test_a_study_is_that_of_the_program(what: str) -> None:
    mine = newmarket.study(what, deals=100, seed=7, payoff="session")
    [theirs] = one("study", what, "--deals", "100", "--seed", "7", "--json")["sections"]
    assert tells(mine, theirs)
    assert mine.player == (None if what == "truth" else "basic")


def test_studies_of_strategies_are_those_of_the_program() -> None:
    words = ["--deals", "100", "--seed", "7", "--json"]
    shared: dict[str, Any] = {"deals": 100, "seed": 7}
    mine = newmarket.study("strategy", files=[EXAMPLE, "basic"], over="longest", parts=True, by_seat=True,
                           sessions=4, field=["stopper", "random"], game=["newmarket", "michigan"], players=[4, 5],
                           **shared)  # fmt: skip
    flags = ["--over", "longest", "--parts", "--by-seat", "--sessions", "4", "--field", "stopper,random"]
    flags += ["--rules", "newmarket,michigan", "--players", "4,5"]
    assert tells(mine, one("study", "strategy", str(EXAMPLE), "basic", *flags, *words)["sections"][0])
    # Players as objects are those of their names.
    again = newmarket.study("strategy", files=[EXAMPLE], over=Agent("longest"), field=Agent("random"), **shared)
    named = newmarket.study("strategy", files=[EXAMPLE], over="longest", field="random", **shared)
    assert again == named
    mine = newmarket.study("tips", "newmarket", base="net:champion", **shared)
    flags = ["--rules", "newmarket", "--base", "net:champion"]
    assert tells(mine, one("study", "tips", *flags, *words)["sections"][0])
    mine = newmarket.study("advice", **shared)
    assert tells(mine, one("study", "advice", *words)["sections"][0])
    until = newmarket.study("lead", ci=0.9)
    [theirs] = one("study", "lead", "--ci", "0.9", "--json")["sections"]
    assert tells(until, theirs) and until.precision <= 0.9


def test_a_report_of_all_studies_is_that_of_the_program() -> None:
    mine = newmarket.studies(Game({"base": "newmarket", "per_card": 2}, 3), deals=100, field="stopper")
    assert {section.study for section in mine.sections} >= {"advice", "lead", "ante"} and mine.left_out
    assert mine.sections[0].rules_files[0]["per_card"] == 2 and mine.sections[0].players == 3
    with pytest.raises(ValueError, match="nobody"):
        newmarket.studies(field="nobody", deals=100)


def test_a_comparison_is_a_table_of_duels() -> None:
    sweep = {"per_card": [0, 1, 2]}
    games: list[Any] = ["newmarket", "michigan"]
    mine = newmarket.compare("stopper", over="random", field="longest", games=games, sweep=sweep, deals=64)
    assert len(mine.rows) == 6
    for row in mine.rows:
        game = Game(row.rules_file, row.players)
        alone = newmarket.duel("stopper", "longest", game, over="random", deals=64)
        assert (row.gain, row.ci95, row.win_share) == (alone.gain, alone.ci95, alone.win_share)
        assert row.rules_file.get("per_card", row.changes["per_card"]) == row.changes["per_card"]
        # The normal distribution's 1 - 0.025 / 6, from tables.
        assert math.isclose(row.joint_ci95 / row.ci95, 2.63826 / 1.95996, rel_tol=1e-4)
        assert row.separated == (abs(row.gain) > row.joint_ci95)
    told: list[tuple[int, int]] = []
    newmarket.compare("stopper", sweep=sweep, deals=64, progress=lambda *it: told.append(it))
    assert told[-1] == (192, 192) and sorted(told) == told


def test_exploitability_has_all_that_the_program_has() -> None:
    mine = newmarket.exploit("longest", TWO_SEATS)
    assert tells(mine, one("exploit", "longest", "--rules", str(TWO_SEATS), "--json"))
    solved = newmarket.exploit(None, TWO_SEATS, iterations=20)
    flags = ["--rules", str(TWO_SEATS), "--iterations", "20", "--json"]
    assert tells(solved, one("exploit", "equilibrium", *flags)) and solved == newmarket.exploit(
        "equilibrium", TWO_SEATS, iterations=20
    )
    bound = newmarket.exploit_bound("longest", "michigan", search=4, deals=20, seed=7)
    flags = ["--rules", "michigan", "--search", "4", "--deals", "20", "--seed", "7", "--json"]
    assert tells(bound, one("exploit", "longest", *flags))
    upper = newmarket.exploit_upper_bound("net:champion", TWO_SEATS, 2, worlds=64, deals=30, seed=7)
    flags = ["--rules", str(TWO_SEATS), "--bound", "64", "--deals", "30", "--seed", "7", "--json"]
    assert tells(upper, one("exploit", "net:champion", *flags))
    assert 0 < upper.gain < upper.upper and len(upper.by_seat) == 2


def test_a_review_is_that_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    agents = ["stopper", "longest", f"strategy:{EXAMPLE}", "random"]
    words = ["--agents", ",".join(agents), "--deals", "3", "--out", str(path)]
    program("trace", *words)
    theirs = one("review", str(path), "--by", "stopper", "--worlds", "32", "--json")
    mine = newmarket.review(path, by="stopper", worlds=32)
    assert tells(mine, theirs)
    assert any(decision.strategy for decision in mine.decisions)
    # The same deals in memory, which know who played.
    deals = newmarket.trace(Game(), agents, deals=3)
    again = newmarket.review(deals, by="stopper", worlds=32)
    assert dataclasses.replace(again, trace=mine.trace, agents=()) == mine
    assert again.agents == tuple(agents)
    seat = newmarket.review(deals[:1], seat=2, worlds=16, agents=["stopper"])
    assert {decision.seat for decision in seat.decisions} == {2} and seat.by == "net:champion"


def some_results() -> list[Result]:
    deals = newmarket.trace(Game(), ["stopper"], deals=1)
    return [
        newmarket.duel("stopper", "longest", deals=5, by_deal=True, by_kind=True),
        newmarket.duel("stopper", "longest", deals=1),
        newmarket.duel("stopper", "longest", sessions=2),
        newmarket.survey("stopper", "longest", tables="held-out:1", deals=64),
        newmarket.ladder(["stopper", "longest"], deals=20),
        newmarket.study("lead", deals=64),
        newmarket.study("strategy", files="basic", deals=64),
        newmarket.compare("stopper", games=["newmarket"], sweep={"per_card": [0, 1]}, deals=8),
        newmarket.exploit("longest", TWO_SEATS),
        newmarket.exploit_bound("longest", search=2, deals=4),
        newmarket.exploit_upper_bound("net:champion", TWO_SEATS, worlds=8, deals=4),
        newmarket.review(deals, by="random", worlds=16),
    ]


def test_what_every_result_can_do() -> None:
    first, second = some_results(), some_results()
    for result, again in zip(first, second, strict=True):
        assert dataclasses.replace(again, seconds=again.seconds + 1) == result, result
        assert hash(again) == hash(result)
        assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == result
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert type(result).from_dict(told) == result
        assert result.version == newmarket.__version__
        shown = repr(result)
        assert shown.startswith(f"<{type(result).__name__}: ") and len(shown) < 300 and "\n" not in shown
        assert result._repr_html_().count("<table>") == 1
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.version = "another"  # type: ignore[misc]
    assert first[0] != first[1] and first[0] != "a duel"
    other = newmarket.duel("stopper", "longest", deals=5, by_deal=True, by_kind=True, seed=2)
    assert first[0] != other
    # The interval of a single deal has no end.
    assert first[1].ci95 == math.inf and first[1].to_dict()["ci95"] is None  # type: ignore[attr-defined]
    assert "± ∞" in first[1]._repr_html_()


def test_tables_of_results() -> None:
    pandas = pytest.importorskip("pandas")
    for result in some_results():
        frame = result.frame()
        assert isinstance(frame, pandas.DataFrame) and frame.columns.is_unique and len(frame) > 0
    duel = newmarket.duel("stopper", "longest", deals=50)
    assert duel.frame()["gain"][0] == duel.gain
    assert not newmarket.duel("stopper", "stopper", deals=20).frame()["separated"].any()
    study = newmarket.study("ante", deals=100)
    assert all(study.frame(nth).columns.is_unique for nth in range(len(study.tables)))
    with pytest.raises(ValueError, match="table: 99"):
        study.frame(99)


def test_a_frame_without_pandas_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"frame: needs pandas: pip install 'newmarket\[lab\]'"):
        newmarket.duel("stopper", "longest", deals=1).frame()


def test_names_are_escaped_in_tables() -> None:
    result = dataclasses.replace(newmarket.duel("stopper", "longest", deals=5), hero="<b>x & y</b>")
    shown = result._repr_html_()
    assert "&lt;b&gt;x &amp; y&lt;/b&gt;" in shown and "<b>" not in shown
    assert f"{result.gain:+.3f} ± {result.ci95:.3f}" in shown


def test_progress_is_told_on_the_thread_of_the_call() -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        assert threading.current_thread() is threading.main_thread()
        told.append((done, total))

    newmarket.duel("pimc:40", "stopper", deals=300, by_kind=True, progress=tell)
    assert told[-1] == (900, 900) and told == sorted(told) and len(told) > 1
    for call, total in (
        (lambda: newmarket.duel("stopper", "longest", sessions=9, progress=tell), 9),
        (lambda: newmarket.survey("stopper", "longest", tables="held-out:2", deals=64, progress=tell), 2),
        (lambda: newmarket.ladder(["stopper", "longest"], deals=20, progress=tell), 20),
        (lambda: newmarket.study("strategy", files="basic", deals=64, progress=tell), 64),
        (lambda: newmarket.exploit(None, TWO_SEATS, iterations=5, progress=tell), 5),
        (lambda: newmarket.exploit_bound("longest", search=2, deals=3, progress=tell), 3),
    ):
        told.clear()
        call()
        assert told[-1] == (total, total)
    assert newmarket.duel("stopper", "longest", deals=10, progress=True).deals == 10


def test_an_exception_in_progress_ends_the_call() -> None:
    class Enough(Exception):
        pass

    def tell(done: int, total: int) -> None:
        raise Enough(f"{total}")

    start = time.monotonic()
    with pytest.raises(Enough, match="10000000"):
        newmarket.duel("pimc:100", "random", deals=10_000_000, progress=tell)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("match", "call"),
    [
        ("^game: .*nogame", lambda: newmarket.duel("stopper", "random", "nogame")),
        ("^game: .*per_crad", lambda: newmarket.duel("stopper", "random", {"base": "newmarket", "per_crad": 1})),
        ("^game: .*40", lambda: newmarket.duel("stopper", "random", players=40)),
        ("^players: -1: ", lambda: newmarket.duel("stopper", "random", players=-1)),
        ("^deals: 0: ", lambda: newmarket.duel("stopper", "random", deals=0)),
        ("^deals: -3: ", lambda: newmarket.duel("stopper", "random", deals=-3)),
        ("^deals: 1.5: ", lambda: newmarket.duel("stopper", "random", deals=1.5)),
        ("^seed: -1: ", lambda: newmarket.duel("stopper", "random", seed=-1)),
        ("^move_ms: 0: ", lambda: newmarket.duel("stopper", "random", move_ms=0)),
        ("^on_fault: ", lambda: newmarket.duel("stopper", "random", on_fault="no")),
        ("^sessions: 0: ", lambda: newmarket.duel("stopper", "random", sessions=0)),
        ("^by_deal: ", lambda: newmarket.duel("stopper", "random", sessions=2, by_deal=True)),
        ("^payoff: `chips`", lambda: newmarket.duel("stopper", "random", payoff="chips")),
        ("^by_deal: ", lambda: newmarket.duel("stopper", "random", payoff="session", by_deal=True)),
        ("^payoff: ", lambda: newmarket.duel("stopper", "random", payoff="session", sessions=2)),
        ("^by_kind: ", lambda: newmarket.duel("omniscient", "random", deals=2, by_kind=True)),
        ("^progress: 7: ", lambda: newmarket.duel("stopper", "random", progress=7)),
        ("nobody", lambda: newmarket.duel("stopper", "nobody")),
        ("^tables: `all`", lambda: newmarket.survey("stopper", "random", tables="all")),
        ("^half_width: 0", lambda: newmarket.survey("stopper", "random", half_width=0)),
        ("^fields: two players are called", lambda: newmarket.survey("stopper", ["random", "random"])),
        ("^fields: ", lambda: newmarket.survey("stopper", [])),
        ("^agents: two players are called `stopper`", lambda: newmarket.ladder(["stopper", Agent("stopper")])),
        ("^agents: 1: ", lambda: newmarket.ladder(["stopper"])),
        ("^agents: `stopper`: ", lambda: newmarket.ladder("stopper")),
        ("^deals: 19: ", lambda: newmarket.ladder(["stopper", "random"], deals=19)),
        ("^deals: 255: ", lambda: newmarket.ladder(["stopper", "random"], deals=255, until_separated=True)),
        ("^study: `bids`", lambda: newmarket.study("bids")),
        ("^payoff: `x`", lambda: newmarket.study("lead", payoff="x", deals=2)),
        ("^deals, ci, minutes: ", lambda: newmarket.study("lead", ci=0.1, deals=200)),
        ("^ci: 0", lambda: newmarket.study("lead", ci=0.0)),
        ("^parts: ", lambda: newmarket.study("lead", parts=True)),
        ("^player: ", lambda: newmarket.study("tips", player="stopper")),
        ("^files: ", lambda: newmarket.study("strategy")),
        ("^game: 2: ", lambda: newmarket.study("lead", ["newmarket", "michigan"])),
        ("^sweep: .*per_crad", lambda: newmarket.compare("stopper", sweep={"per_crad": [1]})),
        ("^sweep: `per_card`", lambda: newmarket.compare("stopper", sweep={"per_card": 1})),
        ("^sweep: `per_card`", lambda: newmarket.compare("stopper", sweep={"per_card": np.int64(1)})),
        ("^games: ", lambda: newmarket.compare("stopper", games=[])),
        ("^games: .*nogame", lambda: newmarket.compare("stopper", games=["newmarket", "nogame"])),
        ("^field: ", lambda: newmarket.compare("stopper", field=[])),
        ("^players: 1.5: ", lambda: newmarket.compare("stopper", players=1.5)),
        ("^players: ", lambda: newmarket.compare("stopper", players=[])),
        ("^game: expected", lambda: newmarket.study("lead", [])),
        ("^base: expected a name$", lambda: newmarket.study("tips", base=Player("stopper"))),
        ("^player: expected a name$", lambda: newmarket.studies(player=Player("stopper"))),
        ("^field: expected a name$", lambda: newmarket.studies(field=Agent("stopper"))),
        ("^agent: `omniscient`", lambda: newmarket.exploit("omniscient", TWO_SEATS)),
        ("^sampled: ", lambda: newmarket.exploit("stopper", TWO_SEATS, sampled=True)),
        ("^max_states: 0: ", lambda: newmarket.exploit("stopper", TWO_SEATS, max_states=0)),
        ("^worlds: 0: ", lambda: newmarket.exploit_upper_bound("net:champion", TWO_SEATS, worlds=0)),
        ("^agent: .*upper bound", lambda: newmarket.exploit_upper_bound("stopper", TWO_SEATS)),
        ("^search: 0: ", lambda: newmarket.exploit_bound("stopper", search=0)),
        ("^updates: ", lambda: newmarket.exploit_bound("stopper", updates=3)),
        ("^worlds: 3: ", lambda: newmarket.review([], worlds=3)),
        ("^by: ", lambda: newmarket.review([], by="omniscient")),
        ("^seat: 9: ", lambda: newmarket.review(newmarket.trace(Game(), deals=1), seat=9)),
        ("^agents: 2 ", lambda: newmarket.review(newmarket.trace(Game(), deals=1), agents=["random"] * 2)),
        ("^trace: the trace: ", lambda: newmarket.review([{}])),
        ("nopreset", lambda: newmarket.train("nopreset")),
        ("learner.epoch", lambda: newmarket.train("quick", set={"learner.epoch": 4})),
    ],
)
def test_wrong_arguments_are_named(match: str, call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=match) as raised:
        call()
    assert "\n" not in str(raised.value)
    # No folder is left of a run that did not begin.
    assert not list(tmp_path.glob("runs/*"))


def test_tables_are_compared_by_numbers_of_numpy() -> None:
    common: dict[str, Any] = {"over": "longest", "deals": 20}
    wanted = newmarket.compare("stopper", sweep={"per_card": [1, 2]}, players=[3, 4], **common)
    for sweep, players in ((np.array([1, 2]), np.array([3, 4])), (list(np.array([1, 2])), [np.int64(3), 4])):
        found = newmarket.compare("stopper", sweep={"per_card": sweep}, players=players, **common)
        assert found == wanted
        json.dumps(found.to_dict())
    one = newmarket.compare("stopper", sweep={"per_card": [1, 2]}, players=np.int64(3), **common)
    assert [row.players for row in one.rows] == [3, 3]


def test_a_trace_that_is_not_there() -> None:
    with pytest.raises(OSError, match=r"^trace: .*none\.jsonl"):
        newmarket.review("none.jsonl")


#: A run of seconds.
SMALL = {
    "rollout.deals": 64,
    "network.hidden": [16],
    "run.benchmark_deals": 64,
}


def test_a_run_is_trained_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[tuple[int, int]] = []
    game = Game({"base": "newmarket", "per_card": 2}, 3)
    result = newmarket.train(game=game, set=SMALL, updates=2, seed=5, progress=lambda *it: told.append(it))
    assert result.finished and result.updates == 2 and result.seed == 5 and Path(result.folder).is_dir()
    assert result.folder == str(Path("runs") / "quick") and result.player == "net:runs/quick"
    [table] = result.tables
    # Rules of a dict go to the program as a file, and are called as it is.
    assert (table.rules, table.rules_file["name"]) == ("newmarket", "newmarket")
    changes = {key: value for key, value in table.rules_file.items() if key != "name"}
    assert Game(changes, table.players) == game
    assert [duel.field for duel in result.duels] == ["longest", "boodle", "stopper"]
    assert result.figures["update"] == 2 and told[-1] == (2, 2)
    duel = newmarket.duel(result.player, "longest", game, deals=5000, seed=20_240_229)
    assert (duel.gain, duel.ci95) == (result.duels[0].gain, result.duels[0].ci95)
    again = newmarket.resume(result.folder)
    assert isinstance(again, newmarket.TrainResult)
    assert (again.updates, again.duels, again.figures) == (result.updates, result.duels, result.figures)
    assert again.tables == result.tables
    assert newmarket.TrainResult.from_dict(result.to_dict()) == result and len(result.frame()) == 3
    with pytest.raises(ValueError, match="runs/quick"):
        newmarket.train(out=result.folder)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def tell(done: int, total: int) -> None:
        if done >= 2:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt, match="newmarket resume"):
            newmarket.train(set=SMALL, updates=40, out=folder, progress=tell)
    finally:
        signal.signal(signal.SIGINT, before)
    result = newmarket.resume(folder)
    assert isinstance(result, newmarket.TrainResult) and result.finished and result.updates == 40


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_program_that_somebody_else_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(RuntimeError, match=r"^the program was ended by a signal; resume\('.*run'\) goes on$"):
        newmarket.train(set=SMALL, updates=4000, out=tmp_path / "run", progress=lambda *_: started[0].kill())

    class Enough(Exception):
        pass

    def tell(done: int, total: int) -> None:
        raise Enough

    # The program ends before an exception of the function comes out.
    with pytest.raises(Enough):
        newmarket.train(set=SMALL, updates=4000, out=tmp_path / "another", progress=tell)
    assert started[1].returncode is not None


def test_a_folder_that_was_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("runs") / "mine"
    folder.mkdir(parents=True)
    with pytest.raises(ValueError, match="nopreset"):
        newmarket.train("nopreset", out=folder)
    with pytest.raises(ValueError, match="config.toml"):
        newmarket.resume(folder)
    assert folder.is_dir()


def test_an_exploiter_is_trained(tmp_path: Path) -> None:
    bound = newmarket.exploit_bound(
        "longest", train="quick", updates=1, deals=200, set=SMALL, out=tmp_path / "run"
    )
    assert bound.updates == 1 and bound.deals == 200 and bound.folder == str(tmp_path / "run")

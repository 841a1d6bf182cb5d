"""Tables, batches and seated tables, without any other library."""

from __future__ import annotations

import copy
import pickle
import threading
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from conftest import lowest, some

import newmarket
from newmarket import Batch, Game, IllegalActionError, Seated, Table


def play(table: Table, rng: np.random.Generator) -> None:
    while not table.over:
        table.step(int(rng.choice(table.legal)))


@pytest.mark.parametrize("name", newmarket.named_games())
def test_every_game_is_played_to_its_end(name: str) -> None:
    game, rng = Game(name, 4), np.random.default_rng(1)
    table = Table(game)
    for seed in range(20):
        table.reset(seed)
        gained = np.zeros(4)
        while not table.over:
            assert table.mask().nonzero()[0].tolist() == table.legal
            table.step(int(rng.choice(table.legal)))
            gained += table.rewards
        assert gained.tolist() == table.payoffs
        assert table.legal == [] and table.phase == "over"


def test_a_batch_is_its_tables(game: Game) -> None:
    batch = Batch(game, 16, 5, form="f32")
    tables = [Table(game) for _ in range(16)]
    for number, table in enumerate(tables):
        table.reset(5, table=number)
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(200):
        actions = some(rng, batch.mask)
        for number, table in enumerate(tables):
            assert batch.seats[number] == table.seat
            assert (batch.observations[number] == table.observe()).all()
            assert (batch.mask[number] == table.mask()).all()
            table.step(int(actions[number]))
        batch.step(actions)
        for number, table in enumerate(tables):
            assert batch.rewards[number, :4].tolist() == table.rewards
            assert batch.over[number] == table.over
            if table.over:
                seen = batch.final_observation(number, 2)
                assert (seen == table.observe(2)).all()
                ended += 1
                table.reset()
            assert batch.seed(number) == table.seed
    assert ended > 50


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_threads_and_forms_change_nothing(game: Game, autoreset: str) -> None:
    one = Batch(game, 300, 3, autoreset=autoreset, form="packed")
    two = Batch(game, 300, 3, autoreset=autoreset, form="f32", threads=2)
    rng = np.random.default_rng(3)
    for _ in range(60):
        assert (newmarket.unpack(one.observations) == two.observations).all()
        for name in ["mask", "seats", "rewards", "over"]:
            assert (getattr(one, name) == getattr(two, name)).all()
        actions = some(rng, one.mask)
        one.step(actions)
        two.step(actions.astype(np.uint8))


def test_mixed_batches(game: Game) -> None:
    michigan = Game("michigan", 3)
    batch = Batch([(game, "deal"), (michigan, "session")], seed=[4, 9])
    assert batch.game(1) == michigan and len(batch) == 2
    table = Table(michigan, "session")
    table.reset(9)
    assert (newmarket.unpack(batch.observations)[1] == table.observe()).all()


def test_buffers_are_the_callers(game: Game) -> None:
    shared = np.zeros((4, newmarket.PACKED), np.uint8)
    batch = Batch(game, 4, buffers={"observations": shared})
    assert batch.observations is shared and shared.any()
    frozen = np.zeros((4, newmarket.PACKED), np.uint8)
    frozen.flags.writeable = False
    for wrong in [shared[:3], shared.astype(np.int16), shared[:, ::2], frozen]:
        with pytest.raises(ValueError, match="observations: expected a writable C-contiguous"):
            Batch(game, 4, buffers={"observations": wrong})
    with pytest.raises(ValueError, match="unknown `obs`: expected observations, mask"):
        Batch(game, 4, buffers={"obs": shared})


@pytest.mark.parametrize("form", ["packed", "f32"])
@pytest.mark.parametrize("tables", [Batch, Seated])
def test_every_array_may_be_the_callers(tables: Any, form: str) -> None:
    """One array of the caller's and four of its own, or five, in shared memory: the same rows."""
    game, options = Game(), {"n": 6, "seed": 3, "form": form, "autoreset": "disabled"}
    own = tables(game, **options)
    names = ["observations", "mask", "seats", "rewards", "over"]
    shape = {name: (getattr(own, name).shape, getattr(own, name).dtype) for name in names}
    memory = SharedMemory(create=True, size=1 << 20)
    try:
        for given in [*([name] for name in names), names]:
            tables_own = copy.deepcopy(own)
            at, buffers = 0, {}
            for name in given:
                buffers[name] = np.ndarray(*shape[name], buffer=memory.buf, offset=at)
                at += -(-buffers[name].nbytes // 64) * 64
            theirs = tables(game, **options, buffers=buffers)
            other, rng = copy.deepcopy(theirs), np.random.default_rng(1)
            for step in range(40):
                for name in names:
                    seen = getattr(theirs, name)
                    assert (seen is buffers.get(name)) == (name in given)
                    same = getattr(tables_own, name)
                    assert seen.shape == same.shape and seen.dtype == same.dtype
                    if step or name not in ("rewards", "over"):
                        assert (seen == same).all() and (getattr(other, name) == same).all(), name
                actions = some(rng, theirs.mask)
                for one in (tables_own, theirs, other):
                    one.step(actions)
            wrong = {given[0]: np.zeros(5, np.float64)}
            with pytest.raises(ValueError, match=f"{given[0]}: expected a writable C-contiguous"):
                tables(game, **options, buffers=wrong)
            del buffers, theirs, seen
    finally:
        memory.close()
        memory.unlink()


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_rows_in_place_are_whole_rows(autoreset: str) -> None:
    """A batch's own rows, of which a step writes what it changes, and the caller's, written whole."""
    kinds = [(Game(name, 3), kind) for name in newmarket.named_games() for kind in ("deal", "session")]
    rows = np.zeros((len(kinds), newmarket.PACKED), np.uint8)
    own = Batch(kinds, seed=4, autoreset=autoreset)
    whole = Batch(kinds, seed=4, autoreset=autoreset, buffers={"observations": rows})
    rng = np.random.default_rng(5)
    for step in range(700):
        assert (own.observations == rows).all() and (own.mask == whole.mask).all(), step
        if step == 100:
            own = copy.deepcopy(own)
        # In the first, the third and the fourth part of what a batch remembers step by step.
        if step in (150, 520, 600, 690):
            own = pickle.loads(pickle.dumps(own))
        if step % 40 == 30:
            for batch in (own, whole):
                batch.reset_table(step % len(kinds))
            assert (own.observations == rows).all(), step
        actions = some(rng, own.mask)
        own.step(actions)
        whole.step(actions)
    for array in (own.observations, own.mask):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    whole.mask[0] = 0


@pytest.mark.parametrize("tables", [Batch, Seated])
def test_a_reset_of_some_tables_is_in_their_rows_alone(game: Game, tables: Any) -> None:
    names = ["observations", "mask", "seats", "rewards", "over"]
    batch, rng = tables(game, 9, 3, autoreset="disabled"), np.random.default_rng(1)
    fresh, ended = tables(game, 1, [5]), False
    while not ended:
        batch.step(some(rng, batch.mask))
        ended = batch.over[1:].any() and batch.over[0] and batch.rewards[1:].any()
    before = {name: getattr(batch, name).copy() for name in names}
    batch.reset_table(0, 5)
    for name in names:
        assert (getattr(batch, name)[1:] == before[name][1:]).all(), name
        assert (getattr(batch, name)[0] == getattr(fresh, name)[0]).all(), name
    other = pickle.loads(pickle.dumps(batch))
    for one in (batch, other):
        one.step(lowest(one.mask))
    assert all((getattr(batch, name) == getattr(other, name)).all() for name in names)


def test_seated_tables_are_reset_together(game: Game) -> None:
    one, all_ = (Seated(game, 6, 3, opponents="random", form="f32") for _ in range(2))
    for seated in (one, all_):
        for _ in range(5):
            seated.step(lowest(seated.mask))
    one.reset_table(4, 7, of=2)
    one.reset_table(1)
    all_.reset_tables([4, 1], [7, None], of=2)
    assert (one.observations == all_.observations).all() and (one.rewards == all_.rewards).all()
    assert one.seed(4) == all_.seed(4) == (7, 2, 0) and one.seed(1) == all_.seed(1)
    with pytest.raises(ValueError, match="1 seeds for 2 tables"):
        all_.reset_tables([0, 1], [1])
    with pytest.raises(IndexError):
        all_.reset_tables([0, 6])
    assert all_.seed(0) == one.seed(0)


def test_an_array_that_may_not_be_written_is_refused(game: Game) -> None:
    for name in ("illegal", "over"):
        seated = Seated(game, 2)
        getattr(seated, name).flags.writeable = False
        with pytest.raises(ValueError, match=f"{name} is read-only"):
            seated.step(lowest(seated.mask))


def test_an_array_that_was_resized_is_refused(game: Game) -> None:
    for length in (3, 9):
        batch = Batch(game, 6)
        batch.over.resize(length, refcheck=False)
        with pytest.raises(ValueError, match="over has"):
            batch.step(lowest(batch.mask))


@pytest.mark.parametrize("opponent", ["stopper", "net:champion"])
@pytest.mark.parametrize("seat", ["random", 2])
def test_seated_is_the_table_with_opponents(game: Game, opponent: str, seat: Any) -> None:
    """Opponents that draw no random numbers, at one table and by hand."""
    seated = Seated(game, 20, 11, opponents=opponent, seat=seat, form="f32", threads=2)
    rng, agent = np.random.default_rng(4), newmarket.Agent(opponent)
    table, number = Table(game), 7
    table.reset(11, table=number)
    hero, gained, ended = int(seated.seats[number]), 0.0, 0

    def go_on() -> float:
        chips = 0.0
        while not table.over and table.seat != hero:
            table.step(agent.act(table))
            chips += table.rewards[hero]
        return chips

    gained += go_on()
    for _ in range(120):
        assert seated.seats[number] == hero and (seat == "random" or hero == seat)
        assert (seated.observations[number] == table.observe(hero)).all()
        assert (seated.mask[number] == table.mask()).all()
        actions = some(rng, seated.mask)
        seated.step(actions)
        table.step(int(actions[number]))
        gained += table.rewards[hero] + go_on()
        assert seated.rewards[number] == gained and seated.over[number] == table.over
        gained = 0.0
        if table.over:
            assert (seated.final_observation(number) == table.observe(hero)).all()
            table.reset()
            hero, ended = int(seated.seats[number]), ended + 1
            assert seated.seed(number) == table.seed
            gained += go_on()
    assert ended > 10


def test_seated_rewards_are_the_payoff(game: Game) -> None:
    seated = Seated(game, 32, 1, opponents="random", autoreset="disabled")
    rng = np.random.default_rng(5)
    gained = np.zeros(32)
    for _ in range(60):
        seated.step(some(rng, seated.mask))
        gained += seated.rewards
    assert seated.over.all()
    for number in range(32):
        view = seated.view(number)
        assert view.stacks[view.seat] == gained[number]


def test_seated_agrees_for_any_number_of_threads(game: Game) -> None:
    opponents = {"random": 1, "net:champion": 1, "stopper": 1}
    many = [Seated(game, 50, 8, opponents=opponents, threads=n) for n in (1, 2, 3)]
    rng = np.random.default_rng(6)
    for _ in range(80):
        actions = some(rng, many[0].mask)
        for seated in many:
            seated.step(actions)
        for seated in many[1:]:
            assert (seated.observations == many[0].observations).all()
            assert (seated.rewards == many[0].rewards).all()


def test_copies_and_pickles_go_on_alike(game: Game) -> None:
    rng = np.random.default_rng(7)
    table = Table(game, "session")
    table.reset(3, table=2, episode=1)
    for _ in range(30):
        table.step(int(rng.choice(table.legal)))
    for other in [copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))]:
        mine = copy.copy(table)
        assert other.seed == mine.seed and other.payoffs == mine.payoffs
        play(mine, np.random.default_rng(1))
        play(other, np.random.default_rng(1))
        assert other.payoffs == mine.payoffs
        assert (other.observe(1) == mine.observe(1)).all()
    many: list[Batch | Seated] = [
        Batch(game, 40, 3, autoreset=mode) for mode in ["same_step", "next_step", "disabled"]
    ]
    many += [
        Seated(game, 40, 3, opponents={"random": 1, "stopper": 2}, autoreset=mode)
        for mode in ["same_step", "next_step"]
    ]
    for batch in many:
        for _ in range(23):
            batch.step(some(rng, batch.mask))
        for other in [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]:
            mine = copy.deepcopy(batch)
            for step in range(30):
                for name in ["observations", "mask", "seats", "rewards", "over"][: 5 if step else 3]:
                    assert (getattr(other, name) == getattr(mine, name)).all(), (batch, name)
                actions = some(rng, mine.mask)
                mine.step(actions)
                other.step(actions)


def test_a_pickle_knows_what_was_skipped() -> None:
    seated = Seated(Game("michigan", 8), 40, 3, opponents="random")
    rng = np.random.default_rng(1)
    for _ in range(40):
        seated.step(some(rng, seated.mask))
    other = pickle.loads(pickle.dumps(seated))
    assert seated.skips.any() and (other.skips == seated.skips).all()


def test_two_threads_in_one_object_are_told(game: Game) -> None:
    batch = Batch(game, 20_000, form="f32")
    errors: list[BaseException] = []

    def told() -> bool:
        return any("in use by another thread" in str(error) for error in errors)

    actions = lowest(batch.mask)
    together = threading.Barrier(2)

    def work(first: bool) -> None:
        nonlocal actions
        # Until the two have met.
        for _ in range(200):
            if first:
                actions = lowest(batch.mask)
            together.wait()
            try:
                batch.step(actions)
            except BaseException as error:  # noqa: BLE001
                errors.append(error)
            together.wait()
            if told():
                return

    threads = [threading.Thread(target=work, args=(first,)) for first in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors
    for error in errors:
        # Who comes second may come after the first has stepped.
        assert isinstance(error, (RuntimeError, IllegalActionError)), error
    assert told()


def test_fork_after_threads(game: Game) -> None:
    import multiprocessing

    batch = Batch(game, 600, 1, threads=2)
    batch.step(lowest(batch.mask))
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        sums = pool.map_async(_in_child, [batch, batch]).get(timeout=60)
    batch.step(lowest(batch.mask))
    assert sums == [int(batch.observations.sum(dtype=np.int64))] * 2


def test_fork_after_search(game: Game) -> None:
    """A search shares its worlds with threads that a forked child has not."""
    import multiprocessing

    expected = [_choice(name) for name in SEARCHING]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map_async(_choice, SEARCHING).get(timeout=60) == expected


SEARCHING = ["pimc:600", "ismcts:600", "net:champion+search:128"]


def _choice(name: str) -> list[int]:
    table, agent, chosen = Table(Game("newmarket", 4)), newmarket.Agent(name), []
    while not table.over:
        chosen.append(agent.act(table))
        table.step(chosen[-1])
    return chosen


def _in_child(batch: Batch) -> int:
    batch.step(lowest(batch.mask))
    return int(batch.observations.sum(dtype=np.int64))


def test_bad_input_is_one_clear_exception(game: Game, tmp_path: Path) -> None:
    table, batch, seated = Table(game), Batch(game, 3), Seated(game, 3)
    illegal = next(i for i in range(74) if i not in table.legal)
    agent = newmarket.Agent("net:champion")
    garbage = np.full((2, newmarket.PACKED), 255, np.uint8)
    (tmp_path / "bad.toml").write_text("base = 3")
    weights = newmarket.read_checkpoint("champion")[0]
    cases: list[tuple[type[Exception], Any]] = [
        (ValueError, lambda: Game("poker", 4)),
        (ValueError, lambda: Game("newmarket", 1)),
        (ValueError, lambda: Game("newmarket", 99)),
        (ValueError, lambda: Game(tmp_path / "bad.toml", 4)),
        (ValueError, lambda: Game({"per_card": 2})),
        (ValueError, lambda: Game({"base": "newmarket", "per_card": "x"})),
        (ValueError, lambda: Game({"base": "newmarket", "per_card": float("nan")})),
        (TypeError, lambda: Game({"base": "newmarket", "per_card": {1}})),
        (ValueError, lambda: Game("newmarket", -1)),
        (ValueError, lambda: Table(game, "hand")),
        (ValueError, lambda: table.reset(-1)),
        (ValueError, lambda: table.reset(2**64)),
        (TypeError, lambda: table.reset(1.5)),  # type: ignore[arg-type]
        (IllegalActionError, lambda: table.step(illegal)),
        (ValueError, lambda: table.step(74)),
        (ValueError, lambda: table.step(-1)),
        (ValueError, lambda: table.observe(4)),
        (ValueError, lambda: table.observe(0, "f64")),
        (ValueError, lambda: table.view(9)),
        (ValueError, lambda: Batch(game, 0)),
        (ValueError, lambda: Batch(game, 2**40)),
        (ValueError, lambda: Batch(game, 2, [1, 2, 3])),
        (ValueError, lambda: Batch([game, game], 3)),
        (ValueError, lambda: Batch([])),
        (ValueError, lambda: Batch(game, 2, threads=10**6)),
        (ValueError, lambda: Batch(game, 2, autoreset="always")),
        (ValueError, lambda: batch.step([0, 0])),
        (ValueError, lambda: batch.step(np.zeros((3, 1), np.int64))),
        (ValueError, lambda: batch.step(np.zeros(3))),
        (ValueError, lambda: batch.step([0, 0, 99])),
        (IllegalActionError, lambda: batch.step([73] * 3)),
        (IllegalActionError, lambda: seated.step([73] * 3)),
        (IndexError, lambda: batch.seed(3)),
        (IndexError, lambda: batch.view(3)),
        (ValueError, lambda: batch.view(0, 7)),
        (ValueError, lambda: batch.final_observation(0, 7)),
        (IndexError, lambda: seated.skipped(3)),
        (ValueError, lambda: Seated(game, 1, opponents="nobody")),
        (ValueError, lambda: Seated(game, 1, opponents=["stopper"] * 2)),
        (ValueError, lambda: Seated(game, 1, opponents={"stopper": -1})),
        (ValueError, lambda: Seated(game, 1, opponents={})),
        (ValueError, lambda: Seated(game, 1, seat=4)),
        (ValueError, lambda: Seated(game, 1, seat="dealer")),
        (ValueError, lambda: Seated(game, 1, on_illegal="lose")),
        (ValueError, lambda: newmarket.Agent("nobody")),
        (OSError, lambda: newmarket.Agent(f"net:{tmp_path}/none.ckpt")),
        (ValueError, lambda: newmarket.Agent("stopper").evaluate(batch.observations)),
        (ValueError, lambda: agent.evaluate(garbage)),
        (ValueError, lambda: agent.evaluate(np.zeros((2, 5), np.float32))),
        (ValueError, lambda: agent.policy(batch.observations, batch.mask * 0)),
        (ValueError, lambda: agent.policy(batch.observations, batch.mask[:2])),
        (TypeError, lambda: agent.act(3)),  # type: ignore[arg-type]
        (ValueError, lambda: newmarket.unpack(garbage)),
        (ValueError, lambda: newmarket.unpack(garbage[:, 1:])),
        (ValueError, lambda: newmarket.unpack(batch.observations, np.zeros((3, 3), np.float32))),
        (ValueError, lambda: newmarket.duel("stopper", "nobody", game)),
        (ValueError, lambda: newmarket.duel("stopper", "random", game, deals=0)),
        (ValueError, lambda: newmarket.study("bids")),
        (ValueError, lambda: newmarket.study("dead-hand", game)),
        (ValueError, lambda: newmarket.trace(game, ["random"] * 3)),
        (ValueError, lambda: newmarket.exploit("stopper", game)),
        (ValueError, lambda: newmarket.exploit("omniscient", game)),
        (OSError, lambda: newmarket.read_checkpoint(tmp_path / "none.ckpt")),
        (ValueError, lambda: newmarket.read_checkpoint(tmp_path / "bad.toml")),
        (ValueError, lambda: newmarket.write_checkpoint(tmp_path / "x", {})),
        (ValueError, lambda: newmarket.write_checkpoint(tmp_path / "x", {**weights, "y": weights["value.bias"]})),
        (ValueError, lambda: newmarket.write_checkpoint(tmp_path / "x", {**weights, "value.bias": weights["policy.bias"]})),
        (ValueError, lambda: newmarket.write_checkpoint(tmp_path / "x", {**weights, "value.bias": weights["value.bias"] * np.float32("nan")})),
        (OSError, lambda: newmarket.write_checkpoint(tmp_path / "no" / "x", weights)),
        (ValueError, lambda: newmarket.Deal(game, 4)),
        (ValueError, lambda: newmarket.Deal(game, 1).observe(4)),
        (ValueError, lambda: newmarket.Deal(game).apply(17)),
    ]
    for number, (kind, call) in enumerate(cases):
        try:
            call()
        except Exception as error:
            assert isinstance(error, kind), (number, error)
            assert "\n" not in str(error) and len(str(error)) > 10, (number, error)
        else:
            raise AssertionError(f"case {number} raised nothing")
    assert not (tmp_path / "x").exists()
    assert table.seed == (0, 0, 0) and table.actions.size == 0


def test_random_bytes_never_break_the_border() -> None:
    """What unpacks is finite; what does not is refused."""
    rng = np.random.default_rng(8)
    net = newmarket.Agent("net:champion")
    good = Batch(Game(), 64).observations
    accepted = 0
    for _ in range(2000):
        row = good[rng.integers(64)].copy()
        for _ in range(int(rng.integers(1, 40))):
            row[rng.integers(len(row))] = rng.integers(256)
        try:
            seen = newmarket.unpack(row[None])
        except ValueError:
            continue
        accepted += 1
        assert np.isfinite(seen).all()
        assert np.isfinite(net.evaluate(row[None])[0]).all()
    assert accepted > 0


def test_arrays_of_other_numbers_are_named(game: Game) -> None:
    agent, seen = newmarket.Agent("net:champion"), Batch(game, 3, form="f32")
    for call, told in [
        (lambda: newmarket.unpack([0] * newmarket.PACKED), "packed: .* uint8, not <class 'list'>"),
        (lambda: newmarket.unpack(seen.observations), "packed: .* uint8, not .3, 896. float32"),
        (lambda: agent.evaluate(seen.observations.astype(float)), "not .3, 896. float64"),
        (lambda: agent.policy(seen.observations, seen.mask.astype(float)), "int8 or bool, not .* float64"),
    ]:
        with pytest.raises(ValueError, match=told):
            call()
    for wrong in (np.nan, -np.inf):
        seen.observations[1, 7] = wrong
        for call in (agent.evaluate, lambda rows: agent.policy(rows, seen.mask)):
            with pytest.raises(ValueError, match="row 1 has a number that is not finite"):
                call(seen.observations)


def test_equal_games_have_equal_hashes(game: Game) -> None:
    same = [Game("newmarket", 4), Game({"base": "newmarket"}, 4), pickle.loads(pickle.dumps(game))]
    assert {game, *same} == {game} and len({game, Game("newmarket", 5), Game("michigan", 4)}) == 3


def test_episodes_have_an_end(game: Game) -> None:
    table = Table(game)
    table.reset(1, episode=2**64 - 1)
    with pytest.raises(ValueError, match="the last episode"):
        table.reset()
    assert table.seed == (1, 0, 2**64 - 1)


def test_shares_may_be_any_mapping(game: Game) -> None:
    shares = {"stopper": 1.0, "random": 2.0}
    one, other = (Seated(game, 20, 1, opponents=given) for given in (shares, MappingProxyType(shares)))
    assert (one.observations == other.observations).all()


def test_spans_tell_what_stands_where(game: Game) -> None:
    spans = {span["name"]: span for span in newmarket.spans()}
    assert sum(span["len"] for span in spans.values()) == newmarket.OBSERVATION
    table = Table(game)
    seen = table.observe()
    size = spans["hand size"]
    phase = spans["phase"]
    assert seen[phase["start"]] == 1 and table.phase == "ante"
    while table.phase != "lead":
        table.step(table.legal[0])
    seen, view = table.observe(), table.view()
    hand = spans["hand"]
    assert seen[hand["start"] : hand["start"] + hand["len"]].sum() == len(view.hand)
    cards = seen[size["start"]] / size["scale"]
    assert round(float(cards)) == len(view.hand)
    names = newmarket.action_names()
    assert len(names) == newmarket.ACTIONS and names[12] == "keep"
    assert "legal" not in names and view.legal == table.legal

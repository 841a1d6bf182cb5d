"""Players of one's own: functions of views and of rows, wherever an agent's name goes."""

from __future__ import annotations

import copy
import pickle
import signal
import threading
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conftest import TWO_SEATS

import newmarket
from newmarket import Agent, Batch, Game, Player, Rows, Seated, Table, View

GAME = Game("newmarket", players=4)
STOPPER = Agent("stopper")
CHAMPION = Agent("net:champion")
HAND = next(span for span in newmarket.spans() if span["name"] == "hand")


def as_stopper(view: View) -> int:
    return STOPPER.act(view)


def first(rows: Rows) -> Any:
    return np.argmax(rows.mask, axis=1)


def suits(observations: npt.NDArray[Any]) -> Any:
    """Cards of each suit in hand, ``[n, 4]``."""
    hand = observations[:, HAND["start"] : HAND["start"] + HAND["len"]]
    return hand.reshape(len(hand), 4, 13).sum(axis=2)


def shortest(rows: Rows) -> Any:
    """Leads the shortest suit."""
    return lead_shortest(rows.observations, rows.mask)


def lead_shortest(observations: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> Any:
    # Actions 0 to 3 lead the lowest card of a suit.
    return np.argmin(np.where(mask[:, :4] == 1, suits(observations), 99.0), axis=1)


def gain(*arguments: Any, **options: Any) -> float:
    gained: float = newmarket.duel(*arguments, **options).gain
    return gained


def test_a_function_plays_as_what_it_calls() -> None:
    player = Player("random", decide=as_stopper)
    assert gain(player, "stopper", GAME, deals=200) == 0.0
    assert gain("stopper", player, GAME, deals=200) == 0.0
    table = Table(GAME)
    table.reset(5)
    assert player.act(table) == player.act(table.view()) == STOPPER.act(table)


def champion(rows: Rows) -> Any:
    return CHAMPION.policy(rows.observations, rows.mask)


def test_a_network_plays_by_its_probabilities() -> None:
    for form in ("packed", "f32"):
        player = Player(decide=champion, batch=True, form=form, answers="probabilities")
        assert gain(player, "net:champion", GAME, deals=130) == 0.0
    logits = Player(
        decide=lambda rows: np.log(champion(rows) + 1e-30), batch=True, answers="logits"
    )
    assert gain(logits, "net:champion", GAME, deals=64) == 0.0


def test_a_player_tells_its_probabilities() -> None:
    table = Table(GAME)
    table.reset(5)
    options: dict[str, Any] = {"batch": True, "answers": "probabilities"}
    drawn, greedy = (Player(decide=champion, sampled=sampled, **options) for sampled in (True, False))
    while not table.over:
        wanted = Agent("net:champion", sampled=True).probabilities(table)
        np.testing.assert_allclose(drawn.probabilities(table), wanted, atol=1e-6)
        certain = greedy.probabilities(table.view())
        assert certain[greedy.act(table)] == 1 and certain.sum() == 1
        table.step(greedy.act(table))
    table.reset(5)
    with pytest.raises(Wrong):
        Player(decide=failing(0)).probabilities(table)
    with pytest.raises(ValueError, match="agent `stopper.*` cannot tell its probabilities"):
        Player(decide="pimc:2").probabilities(table)


def test_one_view_at_a_time_is_as_many_rows() -> None:
    def one(view: View) -> int:
        rows = view.observe()[None]
        return int(lead_shortest(rows, view.mask()[None])[0])

    many = Player(lead=shortest, batch=True, form="f32")
    single = Player(lead=one)
    assert gain(many, "stopper", GAME, deals=300) == gain(single, "stopper", GAME, deals=300) != 0.0


def by_hand(game: Game, deals: int, seed: int) -> float:
    """The gain of ``shortest`` over whoever takes the first legal action, by a loop on ``Batch``."""
    sums = []
    for hero in (None, *range(game.players)):
        batch = Batch(game, deals, seed, form="f32", autoreset="disabled")
        total = np.zeros((deals, game.players))
        while not batch.over.all():
            mask = batch.mask
            actions = np.argmax(mask, axis=1)
            if hero is not None:
                own = np.flatnonzero((batch.seats == hero) & mask[:, :4].any(axis=1))
                actions[own] = lead_shortest(batch.observations[own], mask[own])
            batch.step(actions)
            total += batch.rewards[:, : game.players]
        sums.append(total)
    base, *heroes = sums
    return float(np.mean([hero[:, seat] - base[:, seat] for seat, hero in enumerate(heroes)]))


def test_the_gain_is_that_of_a_loop_by_hand() -> None:
    field = Player(decide=first, batch=True)
    hero = Player(field, lead=shortest, batch=True, form="f32")
    measured = gain(hero, field, GAME, deals=500, seed=3)
    assert measured == pytest.approx(by_hand(GAME, 500, 3), abs=1e-12) and measured != 0.0


def test_what_a_function_leaves_is_for_the_base() -> None:
    def never(view: View) -> None:
        return None

    def odd(rows: Rows) -> Any:
        chosen = first(rows)
        chosen[rows.seats % 2 == 0] = -1
        return chosen

    assert gain(Player(decide=never), "stopper", GAME, deals=100) == 0.0
    assert gain(Player("net:champion", lead=never), "net:champion", GAME, deals=64) == 0.0
    half = Player(lead=odd, batch=True)
    assert gain(half, "stopper", GAME, deals=200) != 0.0
    # A player on which another builds is asked for what that leaves.
    twice = Player(Player("stopper", lead=first, batch=True), lead=never)
    assert gain(twice, Player("stopper", lead=first, batch=True), GAME, deals=100) == 0.0


def test_players_decide_kinds_of_decisions() -> None:
    game = Game("michigan", players=4)
    composed = Player("random", decide="net:champion")
    assert gain(composed, "net:champion", game, deals=64) == 0.0
    leads = Player("stopper", lead=Agent("longest"))
    assert leads.name == "stopper+lead:longest"
    assert gain(leads, "longest", GAME, deals=100) == 0.0


def test_results_do_not_depend_on_threads_or_runs() -> None:
    drawn = Player(decide=champion, batch=True, answers="probabilities", sampled=True)
    once = [gain(drawn, "stopper", GAME, deals=200, threads=threads) for threads in (0, 1, 2)]
    assert len(set(once)) == 1
    greedy = Player(decide=champion, batch=True, answers="probabilities")
    assert gain(greedy, "stopper", GAME, deals=200) != once[0]


def test_every_door_takes_a_player() -> None:
    player = Player(lead=shortest, batch=True, form="f32", name="mine")
    trace = newmarket.trace(GAME, [player, "stopper", "random", player], deals=3)
    assert trace.agents == ["mine", "stopper", "random", "mine"]
    newmarket.study("lead", GAME, player=player, field=player, deals=20)
    small = Game(TWO_SEATS, players=2)
    newmarket.exploit(player, small, draws=10)
    assert repr(player).startswith("Player('stopper', lead=<function shortest at ")


def seated(opponents: Any, **options: Any) -> list[Any]:
    tables = Seated(GAME, 24, 5, opponents=opponents, **options)
    rng, rows = np.random.default_rng(1), []
    for _ in range(40):
        actions = np.argmax(rng.random(tables.mask.shape) * tables.mask, axis=1)
        tables.step(actions)
        rows.append((tables.observations.copy(), tables.rewards.copy(), tables.over.copy()))
    return rows


@pytest.mark.parametrize("threads", [1, 2])
def test_opponents_of_an_environment(threads: int) -> None:
    """As the agents that they call, row by row."""
    wanted = seated("stopper")
    for player in (
        Player("random", decide=as_stopper),
        Player("stopper", lead=lambda rows: np.full(len(rows), -1), batch=True),
    ):
        for was, now in zip(wanted, seated(player, threads=threads), strict=True):
            for a, b in zip(was, now, strict=True):
                np.testing.assert_array_equal(a, b)
    mixed = {Player(lead=shortest, batch=True, form="f32"): 0.5, "random": 0.5}
    seated(mixed)
    assert len(seated([Player(decide=first, batch=True), "stopper", "random", "longest"])) == 40


def test_an_environment_of_players_is_pickled() -> None:
    tables = Seated(GAME, 4, 5, opponents=[Player(lead=shortest, batch=True, form="f32")] * 4)
    tables.step(np.argmax(tables.mask, axis=1))
    again = pickle.loads(pickle.dumps(tables))
    for each in (tables, again, copy.copy(tables)):
        np.testing.assert_array_equal(each.observations, tables.observations)
    again.step(np.argmax(again.mask, axis=1))


def test_a_player_is_pickled_with_its_functions() -> None:
    player = Player("net:champion", lead=shortest, ante="stopper", batch=True, form="f32", name="me")
    again = pickle.loads(pickle.dumps(player))
    assert again.name == "me" and repr(again) == repr(player)
    assert gain(again, player, GAME, deals=64) == 0.0
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(Player(lead=lambda view: view.legal[0]))
    assert copy.deepcopy(player) is player


class Wrong(Exception):
    """An exception of a function."""


def failing(after: int) -> Any:
    calls = iter(range(after))

    def fail(view: View) -> int:
        if next(calls, None) is None:
            raise Wrong("not today")
        return view.legal[0]

    return fail


def test_exceptions_come_out_as_they_are() -> None:
    with pytest.raises(Wrong, match="not today"):
        newmarket.duel(Player(lead=failing(50)), "stopper", GAME, deals=500)
    table = Table(GAME)
    with pytest.raises(Wrong):
        Player(decide=failing(0)).act(table)
    with pytest.raises(Wrong):
        Seated(GAME, 8, opponents=Player(decide=failing(0)))
    tables = Seated(GAME, 8, opponents=Player(decide=failing(400)))
    with pytest.raises(Wrong):
        for _ in range(100):
            tables.step(np.argmax(tables.mask, axis=1))
    with pytest.raises(ValueError, match="call reset with a seed"):
        tables.step(np.argmax(tables.mask, axis=1))
    with pytest.raises(Wrong):
        tables.reset(1)


def test_an_environment_begins_again_after_an_exception() -> None:
    pytest.importorskip("gymnasium")
    from newmarket.gym import NewmarketEnv

    calls: list[bool] = []

    def fails(view: View) -> int:
        if calls:
            calls.pop()
            raise Wrong("not today")
        return as_stopper(view)

    env, wanted = (
        NewmarketEnv("newmarket", 4, opponents=opponents, seat=3)
        for opponents in (Player(decide=fails), "stopper")
    )
    env.reset(seed=1)
    calls.append(True)
    with pytest.raises(Wrong):
        for _ in range(100):
            if env.step(int(np.argmax(env.action_masks())))[2]:
                env.reset()
    for each in (env, wanted):
        each.reset(seed=3)
    over = False
    while not over:
        action = int(np.argmax(wanted.action_masks()))
        mine, theirs = env.step(action), wanted.step(action)
        np.testing.assert_array_equal(mine[0]["observation"], theirs[0]["observation"])
        assert mine[1:3] == theirs[1:3]
        over = theirs[2]


def test_deals_of_a_player_are_reviewed() -> None:
    player = Player("stopper", lead=shortest, batch=True, form="f32")
    trace = newmarket.trace(GAME, [player, "stopper", "basic", player], deals=2)
    review = newmarket.review(trace, by="random", worlds=16)
    assert review.agents == tuple(trace.agents) and trace.agents[0] == player.name
    # Only names that are given must be known.
    with pytest.raises(ValueError, match="unknown agent"):
        newmarket.review(trace, by="random", worlds=16, agents=trace.agents)
    again = newmarket.review(trace, by=Player(decide=as_stopper), worlds=16, seat=0)
    assert len(again.decisions) > 0


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (Player(lead=lambda view: 0), "lead=<lambda>.* action 0 is not legal: legal are"),
        (Player(lead=lambda view: "a club"), "expected the id of an action, or None"),
        (Player(lead=lambda rows: [0.5] * len(rows), batch=True), "expected .* ids of actions"),
        (Player(lead=lambda rows: [0], batch=True), "expected .* ids of actions"),
        (
            Player(lead=lambda view: np.zeros(74), answers="probabilities"),
            "probabilities of all legal actions sum to 0",
        ),
        (
            Player(lead=lambda view: np.full(74, np.nan), answers="logits"),
            "the logit of action .* is NaN",
        ),
        (
            Player(lead=lambda rows: np.zeros((len(rows), 3)), answers="logits", batch=True),
            r"expected \[.*, 74\] logits",
        ),
    ],
)
def test_wrong_answers_are_told(player: Player, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        newmarket.duel(player, "stopper", GAME, deals=100)
    assert "\n" not in str(error.value)


def test_wrong_players_are_refused() -> None:
    with pytest.raises(ValueError, match="base: unknown agent `nobody`"):
        Player("nobody")
    with pytest.raises(ValueError, match="lead: unknown agent `nobody`"):
        Player(lead="nobody")
    with pytest.raises(ValueError, match="`omniscient` sees all cards"):
        Player("omniscient")
    with pytest.raises(TypeError, match="base: expected a Player, an Agent, or its name"):
        Player(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="answers: expected actions, logits or probabilities"):
        Player(answers="votes")
    with pytest.raises(ValueError, match="name: expected some text in one line"):
        Player(name="a\nb")
    with pytest.raises(ValueError, match="exec"):
        Player('exec:["true"]')


def test_a_function_may_ask_the_laboratory() -> None:
    inner = Player(lead=shortest, batch=True, form="f32")
    found = []

    def asks(view: View) -> int:
        if not found:
            found.append(gain(inner, "stopper", GAME, deals=100))
        return as_stopper(view)

    assert gain(Player(lead=asks), "stopper", GAME, deals=70) == 0.0
    assert found == [gain(inner, "stopper", GAME, deals=100)]


def test_control_c_ends_a_call() -> None:
    def slow(view: View) -> int:
        return view.legal[0]

    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        newmarket.duel(Player(lead=slow), "stopper", GAME, deals=10_000_000)
    assert time.monotonic() - start < 5.0


def test_two_threads_ask_their_own_functions() -> None:
    results: list[float] = []
    wanted = gain(Player(lead=shortest, batch=True, form="f32"), "stopper", GAME, deals=200)

    def run() -> None:
        mine = Player(lead=shortest, batch=True, form="f32")
        results.append(gain(mine, "stopper", GAME, deals=200))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [wanted, wanted]

"""Views, positions, traces of tables, pictures."""

from __future__ import annotations

import copy
import json
import pickle
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import newmarket
from newmarket import Agent, Batch, Deal, Game, Seated, Table, View

#: What a view tells, besides arrays and pictures.
FACTS = [name for name, value in vars(View).items() if not name.startswith("_") and not callable(value)]


def facts(view: View) -> dict[str, Any]:
    return {name: getattr(view, name) for name in FACTS}


def middles(name: str, players: int = 4, seeds: int = 6) -> Iterator[Table]:
    """A table at each decision of some deals played at random."""
    rng, table = np.random.default_rng(3), Table(Game(name, players))
    for seed in range(seeds):
        table.reset(seed)
        while not table.over:
            yield table
            table.step(int(rng.choice(table.legal)))
        yield table


def public(table: Table) -> list[dict[str, Any]]:
    """What everybody has seen of the deal."""
    hidden = ("deal", "exchange", "set_apart")
    events = table.trace(unfinished=True)[-1]["events"]
    return [event for event in events if event["e"] not in hidden]


def position(table: Table, hands: list[list[str]]) -> Table:
    """The same actions with other cards; the dead hand is the last."""
    view = table.view(0)
    return Table.from_position(
        table.game, hands[:-1], hands[-1], dealer=view.dealer, actions=table.actions.tolist()
    )


@pytest.mark.parametrize("name", newmarket.named_games())
def test_the_order_of_the_play_is_that_of_the_trace(name: str) -> None:
    for table in middles(name):
        view = table.view()
        record = table.trace(unfinished=True)[-1]
        told = [event for event in record["events"] if event["e"] in ("lead", "play")]
        assert view.plays == [(event["seat"], event["card"]) for event in told]
        assert sorted(view.played) == sorted(card for _, card in view.plays)
        stops = [event for event in record["events"] if event["e"] == "stop"]
        assert view.stops == [(event["seat"], event["card"], event["why"]) for event in stops]
        assert view.stopped_suit == (stops[-1]["card"][-1] if stops else None)
        for seat, stakes in enumerate(view.all_stakes):
            antes = [e["layout"] for e in record["events"] if e["e"] == "ante" and e["seat"] == seat]
            assert antes in ([], [stakes])
        assert view.stakes == view.all_stakes[view.seat]
        assert len(view.choices) == len(view.legal)


def test_facts_of_a_session() -> None:
    table = Table(Game({"base": "newmarket", "session": {"deals": 3}}), "session")
    table.reset(1)
    seen = set()
    while not table.over:
        view = table.view()
        seen.add((view.deal, view.deals_left))
        table.step(view.legal[0])
    assert seen == {(1, 2), (2, 1), (3, 0)}
    view = Table(Game()).view()
    assert view.deal is None and view.deals_left is None
    assert view.cells == ["AS", "KH", "QC", "JD"] and view.aces == "low"
    assert view.claims == [[["AS"]], [["KH"]], [["QC"]], [["JD"]]]
    assert view.phase == "ante" and view.to_place == 4 and view.choices[1] == "put a chip on KH"
    assert view.game == Game()
    assert "layout: AS 0, KH 0, QC 0, JD 0" in str(view)
    assert Table(Game("three-in-one")).view().cells[-2:] == ["RUN", "pot"]
    assert Table(Game("michigan")).view().aces == "high"


@pytest.mark.parametrize("name", ["newmarket", "michigan", "newmarket-buy", "three-in-one"])
def test_a_view_hides_what_its_seat_cannot_see(name: str) -> None:
    """Where hidden cards change places, and all goes as it went, no fact of the view changes."""
    rng, swapped = np.random.default_rng(5), 0
    for table in middles(name, seeds=3):
        dealt, view = table.dealt(), table.view()
        known = set(view.hidden)
        places = [
            (pile, card) for pile, cards in enumerate(dealt) for card in cards if card in known
        ]
        for _ in range(3):
            (a, first), (b, second) = (places[i] for i in rng.integers(len(places), size=2))
            if a == b or view.seat in (a, b):
                continue
            hands = [list(cards) for cards in dealt]
            hands[a][hands[a].index(first)], hands[b][hands[b].index(second)] = second, first
            try:
                other = position(table, hands)
            except ValueError:
                continue  # With these cards it would not have gone so.
            if other.over != table.over or public(other) != public(table):
                continue
            seen = other.view(view.seat)
            swapped += 1
            assert facts(seen) == facts(view)
            assert seen.svg() == view.svg() and str(seen) == str(view)
            if seen == view:
                assert hash(seen) == hash(view)
                assert pickle.dumps(seen) == pickle.dumps(view)
    assert swapped > 10


def test_a_pickled_view_has_no_hidden_card(game: Game) -> None:
    """Two deals that look alike to a seat at its beginning give the same bytes."""
    table = Table(game)
    while table.phase == "ante":
        table.step(table.legal[0])
    dealt, view = table.dealt(), table.view()
    others = [seat for seat in range(5) if seat != view.seat]
    moved = copy.deepcopy(dealt)
    for one, next_ in zip(others, [*others[1:], others[0]], strict=True):
        moved[one][:3] = dealt[next_][:3]
    other = position(table, moved).view(view.seat)
    assert moved != dealt and other == view
    assert pickle.dumps(other) == pickle.dumps(view)


@pytest.mark.parametrize("name", ["newmarket", "newmarket-buy", "three-in-one"])
def test_views_are_equal_as_keys_and_pickled(name: str) -> None:
    seen = set()
    for table in middles(name, seeds=2):
        for seat in range(4):
            view = table.view(seat)
            again = pickle.loads(pickle.dumps(view))
            assert again == view and hash(again) == hash(view)
            assert facts(again) == facts(view) and again is not view
            assert (again.observe() == view.observe()).all()
            assert copy.copy(view) is view and copy.deepcopy(view) is view
            seen.add(view)
            assert table.view((seat + 1) % 4) != view
        assert table.view() in seen
    assert view != 3 and Table(Game("michigan")).view() != Table(Game()).view()


def test_what_is_no_pickled_view_is_refused(game: Game) -> None:
    restore, given = Table(game).view().__reduce__()  # type: ignore[misc]
    fingerprint, _, seat, known = given
    assert restore(*given) == Table(game).view()
    with pytest.raises(ValueError, match="fingerprint|encoding"):
        restore(fingerprint + 1, game, seat, known)
    public, own = json.loads(known)
    for wrong in (b"", b"{}", json.dumps([{**public, "dealer": 7}, own]).encode()):
        with pytest.raises(ValueError, match="no pickled view"):
            restore(fingerprint, game, seat, wrong)
    with pytest.raises(ValueError, match="no pickled view"):
        restore(fingerprint, game, 9, known)


@pytest.mark.parametrize("name", newmarket.named_games())
def test_a_position_is_the_table_that_it_came_from(name: str) -> None:
    for table in middles(name, seeds=3):
        there = position(table, table.dealt())
        assert [there.view(seat) for seat in range(4)] == [table.view(seat) for seat in range(4)]
        [told], [due] = there.trace(unfinished=True), table.trace(unfinished=True)
        # The order in which the cards were dealt is another one.
        assert sorted(told.pop("pack")) == sorted(due.pop("pack")) and told == due
        for again in (copy.copy(there), pickle.loads(pickle.dumps(there))):
            assert again.view() == there.view() and again.payoffs == there.payoffs
            while not again.over:
                again.step(again.legal[0])
        assert repr(there).startswith(f"<Table of {table.game!r}, a position;")


def test_a_position_of_stakes_and_plays(game: Game) -> None:
    for table in middles("newmarket"):
        view, dealt = table.view(), table.dealt()
        if view.phase == "ante":
            continue
        for plays in (view.plays, [card for _, card in view.plays]):
            there = Table.from_position(
                game, [" ".join(hand) for hand in dealt[:-1]], dealer=view.dealer,
                stakes=view.all_stakes, plays=plays,
            )
            assert there.view(view.seat) == view
    assert there.over
    there.reset()
    assert there.phase == "ante" and there.dealt() == dealt
    with pytest.raises(ValueError, match="seed: a table from a position has none"):
        there.reset(1)


def test_carried_chips_and_words(game: Game) -> None:
    table = Table(game)
    hands = table.dealt()[:-1]
    kwargs: dict[str, Any] = {"dealer": table.view().dealer}
    there = Table.from_position(
        game, hands, layout=[5, 0, 0, 1], kitty=3, stacks=[10, -10, 0, 0],
        actions=["put a chip on KH", "chip on cell 2"], **kwargs,
    )
    view = there.view()
    assert view.stakes == [0, 1, 1, 0] and view.layout == [5, 1, 1, 1]
    assert view.kitty == 4 and sum(view.stacks) + 4 + 8 == 9
    while not there.over:
        there.step(there.legal[0])
    [record] = there.trace()
    assert record["layout_before"] == [5, 0, 0, 1] and record["stacks_before"] == [10, -10, 0, 0]


def refusals(game: Game) -> list[tuple[str, Callable[[], Table]]]:
    table = Table(game)
    while table.phase != "lead":
        table.step(table.legal[0])
    view, dealt = table.view(), table.dealt()
    hands = dealt[:-1]
    given: dict[str, Any] = {"dealer": view.dealer, "stakes": view.all_stakes}
    twice = [hands[0], [hands[0][0], *hands[1][1:]], *hands[2:]]
    high = next(c for c in view.hand[::-1] if next(d for d in view.hand if d[-1] == c[-1]) != c)
    stranger = dealt[-1][0]
    make = Table.from_position
    return [
        ("hands: 3 hands: expected 4, one a seat", lambda: make(game, hands[:3])),
        ("hands: seat 1 has .*, which lies elsewhere too", lambda: make(game, twice, **given)),
        ("hands: seat 0 has .* twice", lambda: make(game, [hands[0] + hands[0][:1], *hands[1:]])),
        ("hands: `1C` is no card of the pack", lambda: make(game, [["1C"], *hands[1:]])),
        ("hands: seat 0 has 1 cards: expected", lambda: make(game, [hands[0][:1], *hands[1:]])),
        ("dead: the dead hand has .*elsewhere", lambda: make(game, hands, hands[0][:1])),
        ("dealer: ", lambda: make(game, hands, dealer=7)),
        ("dealer: expected 0 to 2\\*\\*64 - 1, not -1", lambda: make(game, hands, dealer=-1)),
        ("layout: 2 numbers: expected 4, one a cell", lambda: make(game, hands, layout=[1, 2])),
        ("layout: a pile is below 0", lambda: make(game, hands, layout=[-1, 0, 0, 0])),
        ("kitty: a pile is below 0", lambda: make(game, hands, kitty=-1)),
        ("stacks: 1 numbers: expected 4, one a seat", lambda: make(game, hands, stacks=[1])),
        ("stakes: seat . cannot stake .*: expected 4 chips",
         lambda: make(game, hands, dealer=view.dealer, stakes=[[1, 0, 0, 0]] * 4)),
        ("stakes: 1 seats: expected 4", lambda: make(game, hands, stakes=[[1, 1, 1, 1]])),
        ("actions\\[0\\]: seat . may not lead clubs: legal are put", 
         lambda: make(game, hands, actions=["lead clubs"])),
        ("actions\\[0\\]: no action `jump`", lambda: make(game, hands, actions=["jump"])),
        ("actions\\[0\\]: no action `99`: expected an id", lambda: make(game, hands, actions=[99])),
        ("plays\\[0\\]: seat . has to decide before \\(ante\\)",
         lambda: make(game, hands, dealer=view.dealer, plays=["3C"])),
        ("plays\\[0\\]: .* cannot be led", lambda: make(game, hands, **given, plays=[high])),
        ("plays\\[0\\]: .* cannot be led", lambda: make(game, hands, **given, plays=[stranger])),
        ("plays\\[0\\]: seat . is to lead, not seat",
         lambda: make(game, hands, **given, plays=[((view.seat + 1) % 4, high)])),
        ("plays\\[1\\]: .*", lambda: make(game, hands, **given, plays=[view.hand[0]] * 2)),
    ]


def test_what_cannot_be_is_refused_in_one_line(game: Game) -> None:
    for told, make in refusals(game):
        with pytest.raises(ValueError, match=told) as error:
            make()
        assert "\n" not in str(error.value), told
    make: Any = Table.from_position
    for name in ("hands", "dead", "actions", "plays"):
        with pytest.raises(TypeError, match=f"^{name}: expected "):
            make(game, **{"hands": [], name: 7})


@pytest.mark.parametrize("episode", ["deal", "carried_deal", "session"])
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("name", ["newmarket", "three-in-one", "four-horses", "michigan"])
def test_traces_of_tables_are_accepted(
    name: str, forced: bool, episode: str, tmp_path: Path
) -> None:
    table, rng = Table(Game(name), episode, show_forced=forced), np.random.default_rng(1)
    lines = []
    for seed in range(3):
        table.reset(seed)
        assert table.trace() == [] and len(table.trace(unfinished=True)) == 1
        for _ in range(150):
            if table.over:
                break
            table.step(int(rng.choice(table.legal)))
        trace = table.trace()
        assert trace.seed == seed and trace.agents == [] and trace.fresh == (episode != "session")
        lines += trace if episode != "session" or table.over else []
        if table.over and trace:
            gained = np.sum([deal["payoffs"] for deal in trace], axis=0)
            assert gained.tolist() == table.payoffs
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    if lines:
        assert newmarket._native.run(["trace", "--check", str(path)]) == 0


def test_numbers_out_of_range_name_their_parameter(game: Game) -> None:
    table, batch, seated = Table(game), Batch(game, 2), Seated(game, 2)
    calls: list[tuple[str, Callable[[int], Any]]] = [
        ("seed", table.reset),
        ("table", lambda it: table.reset(1, table=it)),
        ("episode", lambda it: table.reset(1, episode=it)),
        ("seat", table.view),
        ("seat", table.observe),
        ("players", lambda it: Game("newmarket", it)),
        ("dealer", lambda it: Deal(game, it)),
        ("seat", lambda it: Deal(game, 0).view(it)),
        ("seed", lambda it: Deal.outcomes_of(game, it)),
        ("table", batch.view),
        ("seat", lambda it: batch.view(0, it)),
        ("threads", lambda it: Batch(game, 2, threads=it)),
        ("n", lambda it: Batch(game, it)),
        ("n", lambda it: Seated(game, it)),
        ("table", seated.view),
        ("seed", lambda it: Agent("stopper", seed=it)),
        ("move_ms", lambda it: newmarket.trace(game, move_ms=it)),
        ("start_ms", lambda it: newmarket.trace(game, start_ms=it)),
    ]
    for name, call in calls:
        for number in (-1, 2**64):
            with pytest.raises(ValueError, match=f"^{name}: expected 0 to 2") as error:
                call(number)
            assert str(error.value) == f"{name}: expected 0 to 2**64 - 1, not {number}"
    with pytest.raises(TypeError, match="seed: expected a whole number, not str"):
        table.reset("7")  # type: ignore[arg-type]
    table.reset(np.int64(7))  # type: ignore[arg-type]
    assert table.seed == (7, 0, 0)


def test_reprs_are_those_of_python(game: Game) -> None:
    agent = Agent("stopper", seed=3)
    assert repr(agent) == "Agent('stopper', seed=3, sampled=False)"
    assert repr(eval(repr(agent))) == repr(agent)
    assert eval(repr(game)) == game
    assert repr(Deal(game, 0)).startswith("<Deal of dealer 0: ")
    assert repr(Deal(game)) == "<Deal of dealer None: dealer>"
    assert repr(Batch(game, 2)) == "<Batch of 2 tables, form='packed', threads=1, autoreset='same_step'>"
    table = Table(game)
    assert repr(table) == (
        "<Table of Game('newmarket', players=4), deal of seed=0, table=0, episode=0; "
        f"seat {table.seat} to act: ante>"
    )
    assert repr(table.view()) == f"<View of seat {table.seat}: ante, hand >"
    for thing in (table, table.view(), Deal(game), Seated(game, 2), agent):
        assert "Some(" not in repr(thing) and "None" not in repr(table)


def text_of(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter()]


def test_pictures() -> None:
    for name, players in (("newmarket", 4), ("michigan", 8), ("three-in-one", 3)):
        for table in middles(name, players, seeds=1):
            view = table.view()
            words = text_of(view.svg())
            assert sum(word.startswith("seat ") and "stopped" not in word for word in words) >= players
            assert table.svg() == view.svg() == view._repr_html_() == table._repr_html_()
            assert table.svg(1) == table.view(1).svg()
            assert ", ".join(view.choices)[:90] in " ".join(words)


def test_names_in_pictures_are_escaped() -> None:
    game = Game({"base": "newmarket", "name": "<b>&\"'"})
    table = Table(game)
    assert "<b>" not in table.svg() and any("<b>" in word for word in text_of(table.svg()))
    while not table.over:
        table.step(table.legal[0])
    trace = table.trace()
    trace.agents = ["<i>"] * 4
    html = trace._repr_html_()
    assert "<i>" not in html and "&lt;i&gt;" in html
    assert html.count("<tr>") == 2 and f"{trace[0]['payoffs'][2]:+}" in html
    assert "unfinished" in Table(game).trace(unfinished=True)._repr_html_()

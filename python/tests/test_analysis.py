"""What a position is worth, worlds, and where cards may be: beside their slow twins."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import TINY

import newmarket
from newmarket import Agent, Analysis, Deal, Game, Table, analyse

NAMES = newmarket.action_names()
#: Three seats, nine cards, no dead hand to take.
SMALL = {"base": "newmarket", "players": [3, 3], "ranks": 3, "suits": 3, "cells": ["2C", "AD"]}


def deal_of(game: Game, seed: int) -> Deal:
    """A deal whose chance follows from the seed, at its first decision; the last seat deals."""
    deal = Deal(game, game.players - 1)
    chance(deal, np.random.default_rng(seed))
    return deal


def chance(deal: Deal, rng: np.random.Generator) -> None:
    while deal.due in ("card", "lot"):
        outcomes, chances = zip(*deal.chance_outcomes(), strict=True)
        deal.apply(int(rng.choice(outcomes, p=chances)))


def positions(game: Game, seeds: range, most: int = 6) -> list[Deal]:
    """Some decisions of deals in which seats act at random: the first one, and the first ones with cards."""
    found = []
    for seed in seeds:
        deal, rng = deal_of(game, seed), np.random.default_rng(seed)
        found.append(deal.copy())
        with_cards = 0
        while deal.due == "decision" and with_cards < most:
            if deal.dealt:
                found.append(deal.copy())
                with_cards += 1
            deal.apply(int(rng.choice(deal.legal)))
            chance(deal, rng)
    return found


def moves(deal: Deal) -> list[tuple[int, int]]:
    """Who did what, forced decisions included: what everybody has seen."""
    parts = deal.information_state(0).split("; ")[1:]
    told = [part.split(",")[0].split(" ", 1) for part in parts if part[0].isdigit()]
    return [(int(seat), NAMES.index(name)) for seat, name in told]


def owners_of(game: Game, deal: Deal) -> list[int]:
    """The outcomes of chance by which the cards of a deal were dealt."""
    again, owners = Deal(game, deal.dealer), []
    for move in deal.history:
        if again.due == "card":
            owners.append(move)
        again.apply(move)
    return owners


def owners(game: Game, hands: list[list[str]]) -> list[int]:
    """The outcomes of chance that deal these hands; the other cards are dead."""
    of = {card: seat for seat, hand in enumerate(hands) for card in hand}
    return [of.get(card, game.players) for card in game.pack]


# The analysis.


def slow_analysis(game: Game, deal: Deal, player: str, worlds: int, seed: int) -> dict[int, list[float]]:
    """The gain of each choice at the first decision of a deal, world by world, each played card by card."""
    seat, view = deal.seat, deal.view(deal.seat)
    agent, gains = Agent(player), {action: [] for action in deal.legal}
    before = deal.payoffs[seat]
    undealt = deal.dealt == 0
    for world in view.worlds(worlds, seed=seed):
        given = owners(game, world["hands"])
        for action in deal.legal:
            played = Deal(game, deal.dealer)
            for outcome in deal.history if undealt else given:
                played.apply(outcome)
            played.apply(action)
            rest = iter(given)
            while played.due in ("decision", "card"):
                played.apply(agent.act(played.view(played.seat)) if played.due == "decision" else next(rest))
            gains[action].append(played.view(seat).stacks[seat] - before)
    return gains


@pytest.mark.parametrize(
    ("rules", "players", "player"),
    [
        ("newmarket", 4, "stopper"),
        ("newmarket", 3, "net:champion"),
        (TINY, 2, "stopper"),
        ("michigan", 4, "longest"),
    ],
)
def test_values_are_those_of_deals_played_one_by_one(rules: Any, players: int, player: str) -> None:
    game = Game(rules, players)
    for seed in (3, 4):
        deal = deal_of(game, seed)
        found = analyse(deal.view(deal.seat), worlds=20, player=player, seed=seed)
        gains = slow_analysis(game, deal, player, 20, seed)
        assert {choice.action for choice in found.choices} == set(gains)
        best = np.array(gains[found.recommended.action])
        for choice in found.choices:
            own = np.array(gains[choice.action])
            assert choice.name == NAMES[choice.action]
            assert choice.chips == pytest.approx(own.mean())
            assert choice.ci95 == pytest.approx(1.96 * own.std(ddof=1) / 20**0.5)
            assert choice.behind == pytest.approx((best - own).mean())
            assert choice.behind_ci95 == pytest.approx(1.96 * (best - own).std(ddof=1) / 20**0.5)
            assert choice.recommended == (choice is found.recommended)
        chips = [choice.chips for choice in found.choices]
        assert chips == sorted(chips, reverse=True)


def figures(analysis: Analysis) -> str:
    """All that an analysis says, but the clock."""
    return json.dumps({**analysis.to_dict(), "seconds": 0})


def test_a_seed_gives_the_same_bytes_on_any_number_of_threads() -> None:
    game = Game("newmarket", 4)
    for deal in positions(game, range(2), 3):
        view = deal.view(deal.seat)
        for player, given in [("random", None), ("stopper", "random"), ("net:champion", "stopper")]:
            one, two, other = (
                figures(analyse(view, worlds=50, player=player, given=given, seed=seed, threads=n))
                for seed, n in [(1, 1), (1, 2), (2, 1)]
            )
            assert one == two != other
        for given in [None, "random", "stopper", "net:champion"]:
            one, two, other = (view.worlds(150, seed=s, given=given, threads=n) for s, n in [(1, 1), (1, 2), (2, 2)])
            assert one == two != other


def test_hidden_cards_change_nothing() -> None:
    """Also where the seat only looks on."""
    for rules in ("newmarket", "newmarket-buy", "three-in-one"):
        for deal in positions(Game(rules, 4), range(2), 4):
            other = deal.resample(deal.seat, 5)
            one, two = deal.view(deal.seat), other.view(deal.seat)
            others = [seat for seat in range(4) if seat != deal.seat]
            if any(deal.view(seat).hand for seat in others):
                assert any(deal.view(seat).hand != other.view(seat).hand for seat in others)
            for given in (None, "stopper"):
                both = [analyse(view, worlds=16, player="random", given=given) for view in (one, two)]
                assert both[0] == both[1]
                assert one.worlds(8, given=given) == two.worlds(8, given=given)
            assert one.card_probabilities() == two.card_probabilities()


def test_an_analysis_says_what_it_is_of() -> None:
    game = Game({"base": "newmarket", "per_card": 2}, 4)
    table = Table(game)
    table.reset(seed=7)
    told: list[tuple[int, int]] = []
    found = analyse(table, worlds=60, given="stopper", doubt=0.2, seed=9, progress=lambda *at: told.append(at))
    assert Game(found.rules_file, found.players) == game
    assert (found.player, found.given, found.doubt) == ("basic", "stopper", 0.2)
    assert (found.worlds, found.seed, found.version) == (60, 9, newmarket.__version__)
    assert (found.seat, found.phase) == (table.seat, table.phase)
    assert 1 <= found.effective_worlds <= 60
    assert told[-1] == (60, 60)
    assert analyse(table, worlds=60, given="stopper", doubt=0.2, seed=9, progress=True) == found
    with pytest.raises(ValueError, match="^progress: 7: "):
        analyse(table, progress=7)  # type: ignore[arg-type]
    assert analyse(table, worlds=60).effective_worlds == 60
    assert Analysis.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert found.recommended.name in repr(found) and len(repr(found)) < 160
    assert found._repr_html_().count("<tr>") == 1 + len(found.choices)
    frame = pytest.importorskip("pandas") and found.frame()
    assert list(frame["action"]) == [choice.action for choice in found.choices]


def test_without_pandas_there_is_one_clear_line() -> None:
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import newmarket as nm; t = nm.Table(nm.Game('newmarket', 4))\n"
        "try: nm.analyse(t, worlds=2).frame()\n"
        "except ImportError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "frame: needs pandas: pip install 'newmarket[lab]'\n"


def test_what_cannot_be_analysed_is_one_clear_line() -> None:
    table = Table(Game("newmarket", 4))
    table.reset(seed=1)
    view, waits = table.view(), table.view((table.seat + 1) % 4)
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (waits, {}, rf"seat {waits.seat} is not to act here"),
        (view, {"worlds": 0}, "worlds: expected 2 to 100000 worlds, not 0"),
        (view, {"worlds": 100_001}, "worlds: expected 2 to 100000 worlds, not 100001"),
        (view, {"player": "omniscient"}, "player: `omniscient` sees all cards: expected a player"),
        (view, {"given": "omniscient"}, "given: `omniscient` sees all cards: expected a player"),
        (view, {"player": 'exec:["bot"]'}, "exec:"),
        (view, {"player": "nobody"}, "nobody"),
        (view, {"doubt": 0.0}, "doubt: expected more than 0, at most 1, not 0"),
        (view, {"doubt": float("nan")}, "doubt: expected more than 0, at most 1, not NaN"),
        (view, {"threads": 5000}, "5000 threads: expected"),
    ]
    for given, settings, line in wrong:
        with pytest.raises(ValueError, match=line) as raised:
            analyse(given, **settings)
        assert "\n" not in str(raised.value)
    for settings, line in [
        ({"n": 0}, "n: expected 1 to 100000 worlds, not 0"),
        ({"n": 5, "given": "omniscient"}, "given: `omniscient` sees all cards"),
        ({"n": 5, "doubt": 2.0}, "doubt: expected"),
    ]:
        with pytest.raises(ValueError, match=line):
            view.worlds(**settings)
    with pytest.raises(TypeError, match="expected a View or a Table"):
        analyse("newmarket")  # type: ignore[arg-type]

    def odd(done: int, of: int) -> None:
        raise KeyError(f"{done} of {of}")

    with pytest.raises(KeyError, match="50 of 50"):
        analyse(view, worlds=50, progress=odd)
    while not table.over:
        table.step(table.legal[0])
    with pytest.raises(ValueError, match="the episode is over"):
        analyse(table)
    with pytest.raises(ValueError, match="given: the deal is over"):
        table.view(0).worlds(1, given="random")
    assert len(table.view(0).worlds(3)) == 3


def test_a_player_of_ones_own_is_one_of_the_named() -> None:
    """Functions of Python play on and are the others, as the strategy on which they build."""
    table = Table(Game("newmarket", 4))
    table.reset(seed=3)
    while table.phase != "lead" or len(table.actions) < 20:
        table.step(table.legal[0])
    asked = []

    def lead(view: newmarket.View) -> int:
        asked.append(view)
        return Agent("stopper").act(view)

    mine, view = newmarket.Player(base="stopper", lead=lead), table.view()
    one, two = (analyse(view, worlds=20, player=player, given=player) for player in (mine, "stopper"))
    assert asked and one.choices == two.choices
    assert view.worlds(20, given=mine) == view.worlds(20, given="stopper")

    def odd(view: newmarket.View) -> int:
        raise KeyError("a fault of mine")

    with pytest.raises(KeyError, match="a fault of mine"):
        analyse(view, worlds=20, player=newmarket.Player(base="stopper", lead=odd))


# Worlds.


def slow_likelihood(game: Game, deal: Deal, world: Any, given: str, doubt: float) -> float:
    """The likelihood of what the others did in a world, by a replay of the deal. Nobody takes the dead hand."""
    first, dealt = owners_of(game, deal), []
    for seat in range(game.players):
        held = [card for card, owner in zip(game.pack, first, strict=True) if owner == seat]
        dealt.append([card for card in held if card not in deal.view(seat).hand] + world["hands"][seat])
    again, likelihood, agent = Deal(game, deal.dealer), 1.0, Agent(given)
    cards, done = iter(owners(game, dealt)), moves(deal)
    while len(moves(again)) < len(done) or again.due == "card":
        if again.due == "card":
            again.apply(next(cards))
            continue
        seat, action = done[len(moves(again))]
        assert again.seat == seat
        if again.dealt and seat != deal.seat:
            by_player = agent.probabilities(again.view(seat))[action]
            likelihood *= (1 - doubt) * by_player + doubt / len(again.legal)
        again.apply(action)
    return likelihood


@pytest.mark.parametrize("given", ["random", "stopper", "longest"])
def test_weights_are_likelihoods(given: str) -> None:
    game = Game("newmarket", 4)
    weighed = 0
    for deal in positions(game, range(4), 8):
        if not deal.dealt:
            continue
        view = deal.view(deal.seat)
        worlds = view.worlds(30, given=given, doubt=0.1, seed=3)
        same = view.worlds(30, seed=3)
        assert [world["hands"] for world in worlds] == [world["hands"] for world in same]
        assert all(world["weight"] == pytest.approx(1 / 30) for world in same)
        likely = np.array([slow_likelihood(game, deal, world, given, 0.1) for world in worlds])
        weights = [world["weight"] for world in worlds]
        assert np.allclose(weights, likely / likely.sum())
        weighed += np.ptp(weights) > 1e-9
    assert weighed > 5


def test_worlds_are_the_consistent_deals_each_as_often() -> None:
    for rules, players in [(SMALL, 3), (TINY, 2)]:
        game = Game(rules, players)
        for deal in positions(game, range(3), 4):
            if deal.dealt < len(game.pack):
                continue
            known = {json.dumps([it["hands"], it["dead"]]) for it in consistent(game, deal, deal.seat)}
            drawn: dict[str, int] = {}
            for world in deal.view(deal.seat).worlds(3000):
                key = json.dumps([world["hands"], world["dead"]])
                drawn[key] = drawn.get(key, 0) + 1
            assert set(drawn) <= known
            share = 3000 / len(known)
            if share > 20:
                assert set(drawn) == known
                assert sum((times - share) ** 2 / share for times in drawn.values()) < 3 * len(known) + 20


def test_a_world_before_the_deal_is_a_deal() -> None:
    game = Game(TINY, 2)
    deal = Deal(game, 1)
    assert (deal.due, deal.dealt) == ("decision", 0)
    view = deal.view(deal.seat)
    for world in view.worlds(5, given="stopper"):
        assert sorted(itertools.chain(*world["hands"], world["dead"])) == sorted(game.pack)
        assert world["weight"] == pytest.approx(0.2)
    rows = view.card_probabilities()
    assert set(rows) == set(game.pack)
    assert all(row == [2 / 6, 2 / 6, 2 / 6] for row in rows.values())


# Where cards may be.


def consistent(game: Game, deal: Deal, viewer: int) -> list[dict[str, list[Any]]]:
    """Every deal that a seat cannot tell from this one, as its cards lie now, by trying all."""
    known, done, found = deal.information_state(viewer), moves(deal), []
    sizes = np.bincount(owners_of(game, deal), minlength=game.players + 1)
    for order in orders(list(sizes)):
        again, cards = Deal(game, deal.dealer), iter(order)
        while True:
            happened = len(moves(again))
            if again.due == "card":
                again.apply(next(cards))
            elif again.due == "decision" and happened < len(done) and done[happened][1] in again.legal:
                again.apply(done[happened][1])
            else:
                break
        if again.information_state(viewer) == known:
            hands = [again.view(seat).hand for seat in range(game.players)]
            gone = {*itertools.chain(*hands), *again.view(0).played}
            found.append({"hands": hands, "dead": [card for card in game.pack if card not in gone]})
    return found


def orders(sizes: list[int]) -> Any:
    if not any(sizes):
        yield []
        return
    for owner, left in enumerate(sizes):
        if left:
            rest = sizes.copy()
            rest[owner] -= 1
            for order in orders(rest):
                yield [owner, *order]


@pytest.mark.parametrize(("rules", "players"), [(SMALL, 3), (TINY, 2)])
def test_probabilities_are_shares_of_all_consistent_deals(rules: Any, players: int) -> None:
    game = Game(rules, players)
    for deal in positions(game, range(3), 4):
        if deal.dealt < len(game.pack):
            continue
        rows = deal.view(deal.seat).card_probabilities()
        worlds = consistent(game, deal, deal.seat)
        for card, row in rows.items():
            counts = [sum(card in world["hands"][seat] for world in worlds) for seat in range(players)]
            counts.append(sum(card in world["dead"] for world in worlds))
            assert np.allclose(row, np.array(counts) / len(worlds)), (card, row, counts)


@pytest.mark.parametrize("rules", newmarket.named_games())
def test_probabilities_fill_the_hands(rules: str) -> None:
    game = Game(rules, 4)
    for deal in positions(game, range(3), 10):
        for seat in range(4):
            view = deal.view(seat)
            rows = np.array(list(view.card_probabilities().values())).reshape(-1, 5)
            assert np.allclose(rows.sum(axis=1), 1) and (rows >= 0).all()
            if deal.dealt < len(game.pack):
                continue
            assert not rows[:, seat].any()
            (world,) = view.worlds(1)
            sizes = [len(hand) for hand in world["hands"]]
            places = np.array([*sizes, len(world["dead"])]) - rows.sum(axis=0)
            # What is left of each hand is known to the seat.
            assert np.allclose(places, np.round(places)) and (places > -1e-9).all()
            assert sizes == view.hand_sizes and places[seat] == sizes[seat]

"""An OpenSpiel game with explicit chance: OpenSpiel's own algorithms run on the small packs.

Importing this module registers ``python_newmarket``:

>>> import pyspiel
>>> import newmarket.spiel
>>> game = newmarket.spiel.load_game("newmarket", players=3)
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True

Chance deals the pack a card a node, in pack order; the outcome is the card's *owner*: a seat, or
the number of players for the dead hand. Where the rules give what is left to the winner of a lot,
each pile is one more chance node after the play, whose outcome is the seat. ``dealer=-1`` puts a
first chance node before all that, for the dealer; otherwise the dealer is that seat (by default
the last one, as for ``newmarket exploit``). A deal is a whole session: one deal, stacks from 0.

The game is general-sum. Decisions with a single choice are not asked for.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from newmarket import ACTIONS, OBSERVATION, Agent, Deal, ExploitResult, Game, action_names
from newmarket._arguments import AnyPlayer, Rules, make_game
from newmarket._common import pinned
from newmarket._native import _exploit_strategy

#: What parameters that are no plain names begin with: their JSON follows as base64url.
ENCODED = "json:"
_NAMES = action_names()
_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")
#: The most moves of a deal: chance deals 52 cards, gives 9 piles away and names a dealer; 8 seats
#: place at most 64 chips, take part in auction and betting, set 5 cards apart and lead.
_LONGEST = 4096

_TYPE = pyspiel.GameType(
    short_name="python_newmarket",
    long_name="Newmarket (Michigan, Boodle, Stops)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "newmarket", "players": 4, "dealer": -2},
)


def encode_rules(rules: Rules) -> str:
    """Rules as an OpenSpiel parameter, in which ``,`` and ``=`` may not stand.

    ``load_game`` first puts the rules of a file inside.
    """
    if isinstance(rules, Game):
        rules = pinned(rules)
    if not isinstance(rules, Mapping):
        name = str(rules)
        if set(name) <= _PLAIN:
            return name
        rules_json = json.dumps(name)
    else:
        rules_json = json.dumps(dict(rules))
    return ENCODED + base64.urlsafe_b64encode(rules_json.encode()).decode().rstrip("=")


def decode_rules(text: str) -> str | dict[str, Any]:
    """The rules of such a parameter."""
    if not text.startswith(ENCODED):
        return text
    coded = text[len(ENCODED) :]
    try:
        rules: str | dict[str, Any] = json.loads(base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)))
    except ValueError:
        raise ValueError(f"rules: {text!r} is not {ENCODED} and base64url of JSON") from None
    return rules


def load_game(rules: Rules = "newmarket", players: int = 4, dealer: int | None = None) -> Any:
    """The OpenSpiel game of these rules; ``dealer=-1`` leaves the dealer to chance.

    The rules of a file are read once and put inside the parameters, so ``str(game)``, pickles and copies
    need no file.
    """
    made = make_game(rules, players)
    parameters = {"rules": encode_rules(made), "players": made.players}
    if dealer is not None:
        parameters["dealer"] = dealer
    return pyspiel.load_game("python_newmarket", parameters)


def _load(parameters: dict[str, Any]) -> Any:
    """What a pickle calls: a function of this module, so that the game is known there."""
    return pyspiel.load_game("python_newmarket", parameters)


class NewmarketGame(pyspiel.Game):  # type: ignore[misc]
    """The game: rules, seats, and who deals."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        self.rules = decode_rules(params.get("rules", "newmarket"))
        players = params.get("players", 4)
        self.game = Game(self.rules, players)
        # Who has loaded it by the path of a file gets the rules inside, too.
        params["rules"] = encode_rules(self.game)
        dealer = params.get("dealer", -2)
        if not -2 <= dealer < players:
            raise ValueError(f"dealer {dealer}: expected a seat, -1 for chance, or -2 for the last")
        self.dealer = {-2: players - 1, -1: None}.get(dealer, dealer)
        bound = float(self.game.most_chips)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=players + 1,
            num_players=players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=None,
            max_game_length=_LONGEST,
        )
        super().__init__(_TYPE, info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.get_parameters(),)

    def __copy__(self) -> NewmarketGame:
        return self

    def __deepcopy__(self, _memo: Any) -> NewmarketGame:
        return self

    def new_initial_state(self) -> NewmarketState:
        """The deal before anything has happened."""
        return NewmarketState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> NewmarketObserver:
        """What a seat sees: the encoded observation, or all that it remembers as text."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return NewmarketObserver(kind, params)


class NewmarketState(pyspiel.State):  # type: ignore[misc]
    """A history of a deal."""

    def __init__(self, game: NewmarketGame) -> None:
        super().__init__(game)
        self.deal = Deal(game.game, game.dealer)
        self._players = game.game.players

    def current_player(self) -> int:
        """The seat to act, chance, or the end."""
        due = self.deal.due
        if due == "decision":
            return self.deal.seat
        return int(pyspiel.PlayerId.TERMINAL if due == "over" else pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.deal.legal if player == self.deal.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance and how likely they are."""
        return self.deal.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.deal.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return _NAMES[action]
        if action == self._players:
            return "to the dead hand"
        return f"to seat {action}"

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.deal.due == "over"

    def returns(self) -> list[float]:
        """Chips that each seat gained; 0 before the end."""
        return self.deal.payoffs if self.is_terminal() else [0.0] * self._players

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> NewmarketState:
        """A state that the seat cannot tell from this one: hidden cards lie anew.

        All deals that are consistent with what the seat has seen are equally likely. Cards that others have set
        apart for poker and have not shown are their best five. ``probability_sampler`` returns a number from 0 to 1,
        from which the draw follows.

        Raises:
            ValueError: unless a decision is due.
        """
        seed = int(probability_sampler() * 2**53)
        state = self.get_game().new_initial_state()
        for move in self.deal.resample(player_id, seed).history:
            state.apply_action(move)
        return state  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return " ".join(str(move) for move in self.deal.history)


class NewmarketObserver:
    """OpenSpiel's interface of what a seat sees."""

    def __init__(self, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observation parameters: expected none, not {params}")
        self._recall = bool(kind.perfect_recall)
        self.tensor = np.zeros(0 if self._recall else OBSERVATION, np.float32)
        self.dict = {} if self._recall else {"observation": self.tensor}

    def set_from(self, state: NewmarketState, player: int) -> None:
        """Write what a seat sees into ``tensor``."""
        if not self._recall:
            self.tensor[:] = state.deal.observe(player)

    def string_from(self, state: NewmarketState, player: int) -> str:
        """What a seat sees as text: with perfect recall all that it has seen and done."""
        deal: Deal = state.deal
        return deal.information_state(player) if self._recall else str(deal.view(player))


def seed_outcomes(game: Any, seed: int, *, table: int = 0, episode: int = 0) -> list[int]:
    """The outcomes of chance, the lots excepted, by which a deal is that of a seed elsewhere.

    Raises:
        ValueError: if somebody else deals in that episode: load the game with ``dealer=-1``.
    """
    inner: NewmarketGame = _inner(game)
    dealer, owners = Deal.outcomes_of(inner.game, seed, table=table, episode=episode)
    if inner.dealer is None:
        return [dealer, *owners]
    if inner.dealer != dealer:
        raise ValueError(f"seat {dealer} deals in this episode: load the game with dealer=-1")
    return owners


def play_chance(state: Any, seed: int, *, table: int = 0, episode: int = 0) -> None:
    """Take the state through the chance nodes that are due, as the seed says."""
    game = _inner(state.get_game())
    outcomes = seed_outcomes(game, seed, table=table, episode=episode)
    owners = len(outcomes) - len(game.game.pack)
    deal: Deal = state.deal
    while state.is_chance_node():
        if deal.due == "lot":
            lots = Deal.lots_of(game.game, deal.piles, seed, table=table, episode=episode)
            state.apply_action(lots[deal.piles - deal.lots])
        elif deal.due == "dealer":
            state.apply_action(outcomes[0])
        else:
            state.apply_action(outcomes[owners + deal.dealt])


def _inner(game: Any) -> NewmarketGame:
    if isinstance(game, NewmarketGame):
        return game
    return NewmarketGame(game.get_parameters())


def agent_policy(game: Any, player: AnyPlayer) -> Any:
    """A player as an OpenSpiel policy: certain, or by the probabilities that it tells."""
    from open_spiel.python import policy

    class AgentPolicy(policy.Policy):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(game, list(range(game.num_players())))
            self._player = Agent(player) if isinstance(player, str) else player

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            seat = state.current_player() if player_id is None else player_id
            chances = self._player.probabilities(state.deal.view(seat))
            return {action: float(chances[action]) for action in state.legal_actions()}

    return AgentPolicy()


def exploit(game: Any, policy: Any, *, max_states: int = 5_000_000) -> ExploitResult:
    """How exploitable an OpenSpiel policy is in every seat, exactly, as ``newmarket.exploit``.

    ``policy`` is asked once at every information set, by ``action_probabilities(state, player)``.

    Raises:
        ValueError: if another seat than the last deals, if the game has more states than
            ``max_states``, or if the policy does not tell probabilities of the legal actions.
    """
    inner = _inner(game)
    if inner.dealer != inner.game.players - 1:
        raise ValueError("games are solved with the last seat dealing: load this one without a dealer")

    def chances(deal: Deal) -> list[float]:
        state = game.new_initial_state()
        for move in deal.history:
            state.apply_action(move)
        told = policy.action_probabilities(state, deal.seat)
        return [float(told.get(action, 0.0)) for action in deal.legal]

    found = _exploit_strategy(inner.game, chances, max_states=max_states)
    return ExploitResult._of(found)


pyspiel.register_game(_TYPE, NewmarketGame)

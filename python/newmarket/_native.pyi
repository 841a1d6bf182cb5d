"""The native half of the package: import these from ``newmarket``."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

from newmarket._trace import Trace
from newmarket.analysis import World

__all__ = [
    "ACTIONS",
    "MAX_PLAYERS",
    "OBSERVATION",
    "PACKED",
    "Agent",
    "Batch",
    "Deal",
    "Game",
    "IllegalActionError",
    "Player",
    "RolloutWorker",
    "Rows",
    "Seated",
    "Table",
    "Update",
    "View",
    "__version__",
    "_analyse",
    "_duel",
    "_exploit",
    "_exploit_strategy",
    "_game_near",
    "_keep",
    "_keep_by",
    "_ladder",
    "_review",
    "_search",
    "_sessions",
    "_strategies",
    "_study",
    "_survey",
    "_upper_bound",
    "_usual_games",
    "_widening",
    "action_names",
    "encoding",
    "interrupted",
    "named_agents",
    "named_games",
    "read_checkpoint",
    "run",
    "run_gathering",
    "spans",
    "trace",
    "unpack",
    "write_checkpoint",
]
__version__: str

ACTIONS: int
"""Size of the action space, 74: ids mean the same in all games."""
MAX_PLAYERS: int
"""The most seats at a table, 8."""
OBSERVATION: int
"""Entries of an observation as ``float32``."""
PACKED: int
"""Bytes of a packed observation."""

@type_check_only
class Span(TypedDict):
    """A named stretch of an observation."""

    name: str
    about: str
    start: int
    len: int
    scale: float
    axis: str

class IllegalActionError(ValueError):
    """An action that the rules do not allow here. Nothing has changed."""

@final
class Game:
    """Rules at a table of so many players. Equal games are equal, as keys too, and can be pickled.

    ``rules``: a named game (``named_games()``), the path of a rules file, or changes to a named
    game as ``{"base": "newmarket", "per_card": 2}``.

    Raises ``ValueError`` for rules that there are none of, or that do not seat so many.
    """

    def __new__(
        cls,
        rules: str | os.PathLike[str] | dict[str, Any] | None = None,
        players: int = 4,
    ) -> Game: ...
    @classmethod
    def from_toml(cls, text: str, players: int) -> Game:
        """The rules of the text of a rules file."""
    @property
    def players(self) -> int:
        """Seats at the table."""
    @property
    def title(self) -> str:
        """The name of the rules."""
    @property
    def rules_in_words(self) -> list[str]:
        """The rules for people: a sentence or a few about each thing, in the order of a deal."""
    @property
    def rules(self) -> Any:
        """The rules as changes to a named game: ``Game(game.rules, game.players)`` is this game again."""
    @property
    def toml(self) -> str:
        """The rules in full, as the text of a rules file."""
    @property
    def pack(self) -> list[str]:
        """The cards in play, by suits and ranks, as ``"KH"``."""
    @property
    def cells(self) -> int:
        """Cells of the layout."""
    @property
    def most_chips(self) -> int:
        """No seat gains or loses more chips in one deal."""
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...

@final
class View:
    """What one seat may know at a moment. It stays as it is when its table goes on.

    ``str(view)`` is the view as text. Cards are written rank, then suit: ``"KH"``. Seats are those of the
    table, from 0, wherever the viewer sits; ``observe`` alone counts from the viewer. Views are equal, as
    keys too, if the same seat knows the same in the same game. A pickled view holds no hidden card.
    """

    @property
    def seat(self) -> int:
        """The seat whose view it is."""
    @property
    def players(self) -> int:
        """Seats at the table."""
    @property
    def game(self) -> Game:
        """The rules and the number of seats."""
    @property
    def phase(self) -> str:
        """What is due: ante, dead hand, bid, lead, set apart, bet; deal, over."""
    @property
    def actor(self) -> int | None:
        """The seat that is to act."""
    @property
    def dealer(self) -> int:
        """The seat that deals."""
    @property
    def eldest(self) -> int:
        """The seat to the dealer's left."""
    @property
    def winner(self) -> int | None:
        """The seat that played its last card, once the deal is over."""
    @property
    def deal(self) -> int | None:
        """The number of the deal in its session, from 1; ``None`` for a single deal, and while more than 254
        deals are left.
        """
    @property
    def deals_left(self) -> int | None:
        """Deals of the session after this one, unless a bust ends it, 254 at most; ``None`` for a single deal."""
    @property
    def aces(self) -> str:
        """Where aces stand: ``"low"`` or ``"high"``."""
    @property
    def hand(self) -> list[str]:
        """The seat's own cards, by suits and ranks."""
    @property
    def played(self) -> list[str]:
        """All cards that have been played, by suits and ranks."""
    @property
    def plays(self) -> list[tuple[int, str]]:
        """All cards that have been played, in the order of time, each with the seat that played it: ``(2, "3C")``."""
    @property
    def stops(self) -> list[tuple[int, str, str]]:
        """Where the sequences have stopped, in the order of time: the seat that played the last card, that card,
        and why nobody went on: ``"top"``, ``"removed"``, ``"dead"`` or ``"played"`` (the next card: there is none,
        it is not in the pack, in the dead hand, or was played before).
        """
    @property
    def stopped_suit(self) -> str | None:
        """The suit that stopped last, as cards have it: ``"C"``, ``"D"``, ``"H"`` or ``"S"``; ``None`` before the
        first stop.
        """
    @property
    def known_dead(self) -> list[str]:
        """Cards that the seat knows to be in the dead hand."""
    @property
    def hidden(self) -> list[str]:
        """Cards whose place the seat has not seen: in other hands, or dead."""
    @property
    def dead_size(self) -> int:
        """Cards in the dead hand."""
    @property
    def hand_sizes(self) -> list[int]:
        """Cards in each hand."""
    @property
    def stacks(self) -> list[int]:
        """Chips of each seat; a score from 0 where the rules play on credit."""
    @property
    def cells(self) -> list[str]:
        """The names of the cells, as in rules, strategies and traces; most are those of their cards."""
    @property
    def claims(self) -> list[list[list[str]]]:
        """Which cards take each cell, by cell: any one of these sets, for the seat that has them all."""
    @property
    def stakes(self) -> list[int]:
        """Chips that the seat has put on each cell in this deal."""
    @property
    def all_stakes(self) -> list[list[int]]:
        """The same for every seat, by seat and cell."""
    @property
    def to_place(self) -> int:
        """Chips that the seat to act has still to place in its ante."""
    @property
    def price(self) -> int:
        """What the dead hand costs the seat to act, in chips; 0 where it is not offered."""
    @property
    def bid(self) -> int:
        """The highest bid for the dead hand, 0 before the first."""
    @property
    def took_dead_hand(self) -> int | None:
        """The seat that took the dead hand."""
    @property
    def layout(self) -> list[int]:
        """Chips on each cell."""
    @property
    def kitty(self) -> int:
        """Chips in the kitty."""
    @property
    def legal(self) -> list[int]:
        """The ids of the seat's legal actions; none while another seat is to act."""
    @property
    def choices(self) -> list[str]:
        """The seat's legal actions in words, in the order of ``legal``: ``"lead clubs"``, ``"put a chip on KH"``."""
    def mask(self) -> npt.NDArray[np.int8]:
        """``legal`` as ``int8[ACTIONS]``."""
    def observe(self, form: str = "f32") -> npt.NDArray[Any]:
        """The encoded view: ``float32[OBSERVATION]``, or ``uint8[PACKED]`` with ``"packed"``."""
    def svg(self) -> str:
        """The table as the seat sees it, as the text of a picture. Notebooks show it."""
    def _repr_html_(self) -> str: ...
    @classmethod
    def _restore(cls, fingerprint: int, game: Game, seat: int, known: Any) -> View: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def worlds(
        self,
        n: int,
        *,
        seed: int = 1,
        given: _Player | None = None,
        doubt: float = 0.05,
        threads: int = 0,
    ) -> list[World]:
        """``n`` complete deals, each as likely as any other that is consistent with what the seat knows.

        Each is a dict: ``hands``, the cards of each seat as they lie now (before the deal, as they
        will be dealt), ``dead``, the dead hand, and ``weight``; weights sum to 1. With ``given``, a
        player, a weight is in proportion to the likelihood of what the other seats did after they
        had seen their cards. Of ``k`` choices, one is taken with probability
        ``(1 - doubt) * p + doubt / k``. ``p`` is the player's probability of it; if the player does
        not tell its probabilities, it is asked once, and ``p`` is 1 for its choice and 0 for the
        others. All chips of an ante are one decision. Leads after poker do not count. ``seed``: 0 to
        2**64 - 1. ``threads``: 0 for one a core; the result is the same for any.
        """
    def card_probabilities(self) -> dict[str, list[float]]:
        """How likely each hidden card is to be in each place, exactly, as ``{card: [...]}``.

        A row has the probability of each seat and then of the dead hand, and sums to 1. All deals
        that are consistent with what the seat knows are equally likely. Cards whose place the seat
        knows have no row. Before the deal all cards have one, in which the seat itself counts too.
        """
    def __copy__(self) -> View: ...
    def __deepcopy__(self, _memo: Any) -> View: ...

@final
class Table:
    """One table. It always stands at a decision, or at the end of its episode.

    ``episode``: ``"deal"`` (an empty layout, stacks from 0), ``"carried_deal"`` (the same with the layout,
    the kitty and the dealer of a deal out of a session of random players, one of about a thousand, drawn by
    the seed) or ``"session"``. Decisions with a
    single choice are not asked for, unless ``show_forced``. A new table stands at episode 0 of
    seed 0. Tables can be copied and pickled; two threads in one raise ``RuntimeError``.
    ``rewards`` and ``payoffs`` are by seat of the table; ``observe`` and ``view`` are of the seat to act, unless
    another is named, and an observation counts seats from its viewer.
    """

    def __new__(cls, game: Game, episode: str = "deal", *, show_forced: bool = False) -> Table: ...
    @classmethod
    def from_position(
        cls,
        game: Game,
        hands: Sequence[str | Sequence[str]],
        dead: str | Sequence[str] | None = None,
        *,
        dealer: int = 0,
        layout: Sequence[int] | None = None,
        kitty: int = 0,
        stacks: Sequence[int] | None = None,
        stakes: Sequence[Sequence[int]] | None = None,
        actions: Sequence[int | str] | None = None,
        plays: Sequence[str | tuple[int, str]] | None = None,
        show_forced: bool = False,
    ) -> Table:
        """A table in the middle of a single deal: from the cards as they were dealt and what has happened since.

        ``hands``: the cards of each seat, ``["3C", "KH", ...]`` or ``"3C KH ..."``; ``dead``: the dead hand, the
        rest of the pack if it is not given. ``layout``, by cell, ``kitty`` and ``stacks``, by seat, are the chips
        before the antes of the deal: nothing and scores of 0 if they are not given. What happened comes in three
        parts, in this order, each of which may be missing: ``stakes``, the chips that each seat put on each cell, as
        ``View.all_stakes``; ``actions``, further decisions that had a choice, by id or in words, as in
        ``View.choices``; ``plays``, cards in the order of time, as ``View.plays``, or without their seats. The
        table goes on to the next decision with a choice, unless ``show_forced``. Its ``seed`` is 0, and ``reset()``
        begins the deal again.

        Raises ``ValueError`` for what cannot be: wrong cards or chips, or what the rules do not allow.
        """
    def reset(self, seed: int | None = None, *, table: int = 0, episode: int = 0) -> None:
        """Begin an episode of a seed (0 to 2**64 - 1); without a seed the next episode, or again the deal of
        ``from_position``.
        """
    def step(self, action: int) -> None:
        """Take an action for the seat that is to act.

        Raises ``IllegalActionError`` if it is not legal, ``ValueError`` if there is no such
        action. Nothing has then changed.
        """
    @property
    def game(self) -> Game:
        """The rules and the number of seats."""
    @property
    def seed(self) -> tuple[int, int, int]:
        """Seed, table and episode."""
    @property
    def seat(self) -> int:
        """The seat to act; 0 at the end."""
    @property
    def over(self) -> bool:
        """Whether the episode is over."""
    @property
    def rewards(self) -> list[float]:
        """Chips that each seat gained in the last step."""
    @property
    def payoffs(self) -> list[float]:
        """Chips that each seat gained in this episode so far, as counted in rewards."""
    @property
    def legal(self) -> list[int]:
        """The legal actions; none at the end."""
    @property
    def phase(self) -> str:
        """What is due, as in ``View.phase``."""
    @property
    def actions(self) -> npt.NDArray[np.uint8]:
        """The actions of this episode so far, ``uint8[n]``."""
    def mask(self) -> npt.NDArray[np.int8]:
        """The legal actions as ``int8[ACTIONS]``, a new array."""
    def observe(self, seat: int | None = None, form: str = "f32") -> npt.NDArray[Any]:
        """What a seat (that to act) may know, a new array, as in ``View.observe``."""
    def view(self, seat: int | None = None) -> View:
        """What a seat (that to act) may know, for agents and for people."""
    def svg(self, seat: int | None = None) -> str:
        """The table as a seat (that to act) sees it, as the text of a picture. Notebooks show it."""
    def _repr_html_(self) -> str: ...
    def dealt(self) -> list[list[str]]:
        """All hands as they were dealt, the dead hand last: for referees, not for players."""
    def trace(self, *, unfinished: bool = False) -> Trace:
        """The deals of this episode so far, as ``newmarket.trace`` gives them, for ``newmarket check`` and others.

        Only deals that are over can be checked, and only they are in it. With ``unfinished`` the deal that is
        under way is its last line, with the events and chips so far. It shows all cards. ``agents`` is empty.
        """
    def copy(self) -> Table:
        """A table that stands where this one does."""
    @classmethod
    def _restore(
        cls,
        fingerprint: int,
        game: Game,
        episode: str,
        forced: bool,
        at: tuple[int, int, int],
        actions: Any,
        start: Any,
    ) -> Table: ...
    def __copy__(self) -> Table: ...
    def __deepcopy__(self, _memo: Any) -> Table: ...

@final
class Batch:
    """Many tables, a row each, whoever is to act: for custom trainers.

    ``game``: one for ``n`` tables, or a list of games or of ``(game, episode)``, one a table.
    ``seed``: one, of which the tables are tables 0, 1, 2, ..., or a list, of which each is table
    0. ``threads``: 0 for one a core; the result is the same for any. ``form``: ``"packed"`` or
    ``"f32"``. ``autoreset``: ``"same_step"`` (the step that ends an episode shows the next one),
    ``"next_step"`` (the step after it, which ignores its action) or ``"disabled"`` (ended tables
    ignore their actions).

    **Seats**: column ``s`` of ``rewards`` is seat ``s`` of the table, whoever acts; a row of ``observations`` is of
    the seat in ``seats``, and counts the others from it, to its left.

    **Every step overwrites the same arrays**; copy what must stay. A step writes of packed
    observations and their masks only what it changes, so these arrays are read-only. ``buffers``
    gives it arrays of the caller's, by the names of the properties: writable, C-contiguous, of the
    shapes and dtypes below, in shared memory for instance; all are then written whole. Batches can be copied and pickled
    (arrays are then new). Two threads in one batch raise ``RuntimeError``; in two batches they run
    side by side.
    """

    def __new__(
        cls,
        game: Game | Sequence[Game] | Sequence[tuple[Game, str]],
        n: int | None = None,
        seed: int | Sequence[int] = 0,
        *,
        episode: str = "deal",
        threads: int = 1,
        form: str = "packed",
        autoreset: str = "same_step",
        buffers: dict[str, npt.NDArray[Any]] | None = None,
    ) -> Batch: ...
    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin episode 0 of a seed at every table; without a seed, the next of each."""
    def reset_table(self, table: int, seed: int | None = None) -> None:
        """The same at one table, which with a seed becomes table 0 of it. Other rows stay as they are."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Take an action at every table, ``[n]`` of integers; fastest as ``int64``.

        Raises ``IllegalActionError`` if one is not legal, ``ValueError`` for a wrong shape or id.
        No table has then changed.
        """
    @property
    def observations(self) -> npt.NDArray[Any]:
        """What the seat to act may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``.

        Packed rows are read-only, unless ``buffers`` were given.
        """
    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """Its legal actions, ``int8[n, ACTIONS]``; all 0 at the end.

        Beside packed rows they are read-only, unless ``buffers`` were given.
        """
    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """Which seat it is, ``uint8[n]``; 0 at the end."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Chips that each seat gained in the last step, ``float32[n, MAX_PLAYERS]``."""
    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended an episode, ``bool[n]``."""
    @property
    def form(self) -> str:
        """``"packed"`` or ``"f32"``."""
    @property
    def threads(self) -> int:
        """Threads that step it."""
    @property
    def autoreset(self) -> str:
        """What happens to a table whose episode is over."""
    def seed(self, table: int) -> tuple[int, int, int]:
        """Seed, table and episode that are played at a table."""
    def game(self, table: int) -> Game:
        """The game of a table."""
    def final_observation(
        self, table: int, seat: int, form: str = "f32"
    ) -> npt.NDArray[Any] | None:
        """What a seat could know at the end of a table's last episode, if one ended."""
    def view(self, table: int, seat: int | None = None) -> View:
        """What a seat (that to act) of a table may know now."""
    def copy(self) -> Batch:
        """A batch that stands where this one does, with arrays of its own."""
    @classmethod
    def _restore(
        cls,
        fingerprint: int,
        kinds: Any,
        form: str,
        threads: int,
        autoreset: str,
        tables: Any,
    ) -> Batch: ...
    def __len__(self) -> int: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, _memo: Any) -> Batch: ...

@final
class Seated:
    """Many tables with one hero each; the opponents play inside: one decision process a row.

    ``opponents``: a player (a name, an ``Agent`` or a ``Player``) for all other seats, a list with one for
    each seat (the hero's own is not used, and may be left out where its seat is fixed), or shares by player,
    from which every seat's opponent is drawn in every episode. ``seat``: the hero's, ``"random"`` (the default:
    drawn in every episode) or a number. ``on_illegal``: ``"raise"``, or ``"replace"`` by the
    lowest legal action. The rest is as for ``Batch``, ``buffers`` included; all arrays are written
    whole, and may be written to.

    **Seats**: rewards and observations are the hero's, wherever it sits: ``seats`` has its seat at each table. An
    observation counts the others from the hero, to its left.

    Episodes in which the hero has no decision are passed over: ``skipped`` counts them, and
    ``skipped_gain`` has the hero's chips in them, which are in no reward. ``ValueError`` if the hero
    decides nothing in 10,000 episodes in a row. After an exception in a function of an opponent, the tables
    can be reset with a seed, and nothing else.
    """

    def __new__(
        cls,
        game: Game,
        n: int = 1,
        seed: int | Sequence[int] = 0,
        *,
        opponents: _Player | Sequence[_Player] | Mapping[Any, float] | None = None,
        seat: str | int | None = None,
        episode: str = "deal",
        threads: int = 1,
        form: str = "packed",
        autoreset: str = "same_step",
        on_illegal: str = "raise",
        buffers: dict[str, npt.NDArray[Any]] | None = None,
    ) -> Seated: ...
    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin episode 0 of a seed at every table; without a seed, the next of each."""
    def reset_table(self, table: int, seed: int | None = None, *, of: int = 0) -> None:
        """The same at one table, which with a seed becomes table ``of`` of it. Other rows stay as they are."""
    def reset_tables(
        self, tables: Sequence[int], seeds: Sequence[int | None] | None = None, *, of: int = 0
    ) -> None:
        """The same at these tables, each with a seed of its own or, for ``None``, without."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Take the hero's action at every table; the opponents answer. As ``Batch.step``."""
    @property
    def observations(self) -> npt.NDArray[Any]:
        """What the hero may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``."""
    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The hero's legal actions, ``int8[n, ACTIONS]``; all 0 at the end."""
    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """The hero's seat, ``uint8[n]``."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Chips that the hero gained since its last decision, ``float32[n]``."""
    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended an episode, ``bool[n]``."""
    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Whether the last step replaced an illegal action, ``bool[n]``."""
    @property
    def skips(self) -> npt.NDArray[np.uint64]:
        """``skipped`` of all tables, ``uint64[n]``, a new array."""
    @property
    def skip_gains(self) -> npt.NDArray[np.int64]:
        """``skipped_gain`` of all tables, ``int64[n]``, a new array."""
    @property
    def final_seats(self) -> npt.NDArray[np.uint8]:
        """The hero's seat in each table's last episode that ended, ``uint8[n]``, a new array."""
    @property
    def final_skips(self) -> npt.NDArray[np.uint64]:
        """``skipped`` as it was at that end, ``uint64[n]``, a new array."""
    @property
    def final_skip_gains(self) -> npt.NDArray[np.int64]:
        """``skipped_gain`` as it was at that end, ``int64[n]``, a new array."""
    @property
    def form(self) -> str:
        """``"packed"`` or ``"f32"``."""
    @property
    def threads(self) -> int:
        """Threads that step it."""
    @property
    def autoreset(self) -> str:
        """What happens to a table whose episode is over."""
    @property
    def game(self) -> Game:
        """The game of all tables."""
    def seed(self, table: int) -> tuple[int, int, int]:
        """Seed, table and episode that are played at a table."""
    def skipped(self, table: int) -> int:
        """Episodes of a table in which the hero had no decision, since it was given its seed."""
    def skipped_gain(self, table: int) -> int:
        """Chips that the hero gained in these episodes. They are in no reward."""
    def final_observation(self, table: int, form: str = "f32") -> npt.NDArray[Any] | None:
        """What the hero could know at the end of a table's last episode, if one ended."""
    def view(self, table: int) -> View:
        """What the hero of a table may know now."""
    def copy(self) -> Seated:
        """Tables that stand where these do, with arrays of their own."""
    @classmethod
    def _restore(
        cls,
        fingerprint: int,
        game: Game,
        episode: str,
        opponents: Any,
        seat: Any,
        options: Any,
        tables: Any,
    ) -> Seated: ...
    def __len__(self) -> int: ...
    def __copy__(self) -> Seated: ...
    def __deepcopy__(self, _memo: Any) -> Seated: ...

@final
class Deal:
    """One deal with its chance in the open, for solvers.

    Chance says who deals (unless ``dealer`` does), who gets each card in pack order (a seat, or
    the number of players for the dead hand), and after the play who wins each pile that goes by
    lot.
    """

    def __new__(cls, game: Game, dealer: int | None = None) -> Deal: ...
    @classmethod
    def outcomes_of(
        cls, game: Game, seed: int, *, table: int = 0, episode: int = 0
    ) -> tuple[int, list[int]]:
        """The dealer, and the owner of each card in pack order, in an episode of a seed."""
    @classmethod
    def lots_of(
        cls, game: Game, piles: int, seed: int, *, table: int = 0, episode: int = 0
    ) -> list[int]:
        """The seats that win so many piles by lot in an episode of a seed."""
    @property
    def due(self) -> Literal["dealer", "card", "lot", "decision", "over"]:
        """What comes next."""
    @property
    def seat(self) -> int:
        """The seat to act; 0 if none is."""
    @property
    def dealer(self) -> int | None:
        """The seat that deals, once chance has said so."""
    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to act."""
    @property
    def lots(self) -> int:
        """Piles that are still to go by lot."""
    @property
    def piles(self) -> int:
        """Piles that go by lot, in all; 0 before the end of the play."""
    @property
    def dealt(self) -> int:
        """Cards that have an owner."""
    @property
    def history(self) -> list[int]:
        """All actions and outcomes so far."""
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance and how likely each is; none at a decision."""
    def apply(self, action: int) -> None:
        """Take an action, or an outcome of chance."""
    @property
    def payoffs(self) -> list[float]:
        """Chips that each seat gained so far."""
    def information_state(self, seat: int) -> str:
        """All that a seat has seen and done."""
    def observe(self, seat: int, form: str = "f32") -> npt.NDArray[Any]:
        """What a seat may know, as in ``View.observe``."""
    def view(self, seat: int) -> View:
        """What a seat may know."""
    def resample(self, seat: int, seed: int) -> Deal:
        """The deal as it might also be by what a seat has seen: hidden cards lie anew.

        All deals that are consistent with what the seat knows are equally likely. Its information
        state and observation stay the same. Raises ``ValueError`` unless a decision is due.
        """
    def copy(self) -> Deal:
        """A deal that stands where this one does."""
    @classmethod
    def _restore(cls, game: Game, dealer: int | None, history: Any) -> Deal: ...
    def __copy__(self) -> Deal: ...
    def __deepcopy__(self, _memo: Any) -> Deal: ...

@final
class Agent:
    """A player by its name on the command line (``named_agents()``): ``"stopper"``, ``"pimc:60"``,
    ``"net:champion"``, ``"net:runs/mine"``, ``"strategy:mine.toml"``.

    ``seed``: of its own random numbers. ``sampled``: a network plays by its probabilities, rather
    than what is likeliest; other players stay as they are. A pickled agent is a fresh one of the
    same name and seed, with what its file said: the file is not needed.

    Raises ``ValueError`` for a name that there is none of, ``OSError`` for a file that cannot be
    read.
    """

    def __new__(cls, name: str, *, seed: int = 0, sampled: bool = False) -> Agent: ...
    @property
    def name(self) -> str:
        """Its name."""
    def reset(self, seed: int) -> None:
        """Forget everything, and draw random numbers from this seed on."""
    def act(self, view: View | Table) -> int:
        """Its action for the seat of a view, or the seat to act of a table."""
    def probabilities(self, view: View | Table) -> npt.NDArray[np.float64]:
        """How likely it is to take each action, ``float64[ACTIONS]``.

        Raises ``ValueError`` if it cannot tell, as searching players cannot.
        """
    def evaluate(
        self, observations: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """A network's logits, ``float32[n, ACTIONS]``, and values, ``float32[n]``.

        ``observations``: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``. Logits of actions
        that are not legal mean nothing; values are in the units that the network was trained in. They
        are what its weights give in floating point; it plays in whole numbers, which are near these.
        """
    def policy(
        self, observations: npt.NDArray[Any], mask: npt.NDArray[np.int8] | npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float32]:
        """A network's probabilities of the actions in ``mask``, ``float32[n, ACTIONS]``, as it plays."""
    @classmethod
    def _restore(cls, name: str, seed: int, sampled: bool, source: Any) -> Agent: ...

@final
class Player:
    """A player of your own: a base, and for each kind of decision a function or another player in its place.

    It goes wherever an agent's name goes. ``base`` is a name, an ``Agent`` or a ``Player``, and decides whatever
    nothing else does. ``lead``, ``ante``, ``dead_hand``, ``bid``, ``set_apart`` and ``bet`` are functions or players
    for one kind of decision, ``decide`` is one for all kinds that have none.

    A function takes a ``View`` and returns the id of an action, one of ``view.legal``; ``None`` leaves the decision
    to the base. With ``batch`` it takes ``Rows``, many decisions at once with observations in this ``form``, and
    returns an array of ids ``[n]``, in which -1 leaves a decision to the base. With ``answers="logits"`` or
    ``"probabilities"`` it returns numbers for all actions, ``[ACTIONS]`` or ``[n, ACTIONS]``; those of actions that
    are not legal are not used. The likeliest action is taken, or with ``sampled`` one that is drawn, by the random
    numbers of the seat: results then follow from the seed alone. An answer must not depend on earlier ones.

    A function is called by the thread that made the call, with the lock of the interpreter, one call at a time,
    while the deals are played by threads without it. Its exceptions come out of the call as they are. It may itself
    call everything here. A player can be pickled if its functions can: functions of a module can, a ``lambda`` needs
    ``cloudpickle``.

    ``name`` is what results call it. Raises ``ValueError`` for a player that there is none of, or that is not fair.
    """

    def __new__(
        cls,
        base: _Player = "stopper",
        *,
        lead: _Decider | None = None,
        ante: _Decider | None = None,
        dead_hand: _Decider | None = None,
        bid: _Decider | None = None,
        set_apart: _Decider | None = None,
        bet: _Decider | None = None,
        decide: _Decider | None = None,
        batch: bool = False,
        form: str = "packed",
        answers: str = "actions",
        sampled: bool = False,
        name: str | None = None,
    ) -> Player: ...
    @property
    def name(self) -> str:
        """What results call it."""
    def act(self, view: View | Table, *, seed: int = 0) -> int:
        """Its action for the seat of a view, or the seat to act of a table; ``seed`` is of its random numbers."""
    def probabilities(self, view: View | Table) -> npt.NDArray[np.float64]:
        """How likely it is to take each action, ``float64[ACTIONS]``.

        Raises ``ValueError`` if it cannot tell, as searching players cannot.
        """
    @classmethod
    def _restore(
        cls,
        base: Any,
        deciders: Sequence[tuple[str, Any, bool]],
        options: tuple[bool, str, str, bool, str | None],
    ) -> Player: ...
    def __copy__(self) -> Player: ...
    def __deepcopy__(self, _memo: Any) -> Player: ...

@final
class Rows:
    """Decisions that a function is asked for at once: one row each, of any tables of one game.

    They are those of the kinds for which the player has this function, and have nothing else in common: an
    answer for one row must not depend on the others.
    """

    def __len__(self) -> int: ...
    @property
    def game(self) -> Game:
        """The game of all rows."""
    @property
    def observations(self) -> npt.NDArray[Any]:
        """What the seat that is to act may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``."""
    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """Its legal actions, ``int8[n, ACTIONS]``."""
    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """The seat that is to act, ``uint8[n]``, a new array."""
    @property
    def phases(self) -> list[str]:
        """What is due in each row, as in ``View.phase``."""
    @property
    def views(self) -> list[View]:
        """The view of each row, a new list."""

#: A player by name or object.
_Player: TypeAlias = str | Agent | Player

#: What decides at one kind of decision: a function of a ``View`` or of ``Rows``, or another player.
_Decider: TypeAlias = Callable[[View], Any] | Callable[[Rows], Any] | _Player

def action_names() -> list[str]:
    """The names of all actions, by their ids."""

def named_agents() -> dict[str, str]:
    """How agents are named, as ``{name: what it is}``. ``N``, ``T`` and ``PATH`` in a name stand for
    what may be filled in: ``"pimc:N"`` is an agent as ``"pimc:60"``."""

def named_games() -> list[str]:
    """The names of the games that come with the package."""

def spans() -> list[Span]:
    """What stands where in an observation: name, meaning, start, length, scale, axis.

    A count of 1 (a chip, a card, a rank) is written as ``scale``; facts are 0 or 1. ``axis`` says
    how entries are numbered: ``"card"`` (13 * suit + rank), ``"suit"`` (4 * other + suit) or
    ``"other"``. Seats are relative: 0 is the viewer, 1 sits to their left.
    """

def encoding() -> tuple[int, int]:
    """The version and the fingerprint of the encoding; a network goes with one fingerprint."""

def unpack(
    packed: npt.NDArray[np.uint8], out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]:
    """Unpack observations: ``uint8[..., PACKED]`` to ``float32[..., OBSERVATION]``.

    Raises ``ValueError`` for bytes that are no packed observation.
    """

def _duel(
    hero: _Player,
    field: _Player,
    over: _Player | None,
    game: Game,
    *,
    payoff: str,
    deals: int,
    by_deal: bool,
    by_kind: bool,
    seed: int,
    threads: int,
    programs: tuple[int, int, str],
    progress: Callable[[int, int], object] | None,
) -> tuple[dict[str, Any], npt.NDArray[np.int32] | None]:
    """A duel on deals: what ``newmarket duel --json`` prints, and ``int32[deals, players]`` if ``by_deal``."""

def _sessions(
    hero: _Player,
    field: _Player,
    game: Game,
    *,
    sessions: int,
    seed: int,
    threads: int,
    programs: tuple[int, int, str],
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """A duel on whole sessions: what ``newmarket duel --sessions K --json`` prints."""

def _survey(
    hero: _Player,
    fields: Sequence[_Player],
    *,
    tables: str,
    half_width: float,
    margin: float,
    deals: int,
    seed: int,
    threads: int,
    programs: tuple[int, int, str],
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """A player at many tables: what ``newmarket survey --json`` prints. ``tables``: as for
    ``--tables``."""

def _ladder(
    agents: Sequence[_Player],
    game: Game,
    *,
    deals: int,
    sessions: int | None,
    until_separated: bool,
    seed: int,
    threads: int,
    programs: tuple[int, int, str],
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """All players of a list against each other: what ``newmarket ladder --json`` prints."""

def _usual_games(study: str) -> list[Game]:
    """The games that a study is about where none is named, each with 4 players or as near to that as it allows."""

def _study(
    study: str,
    game: Game,
    *,
    field: _Player,
    player: _Player,
    payoff: str,
    length: tuple[int | None, float | None, float | None],
    seed: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What a choice is worth: a section of what ``newmarket study --json`` prints."""

def _strategies(
    study: str,
    files: Sequence[str],
    folder: str | os.PathLike[str] | None,
    games: Sequence[Game],
    *,
    base: _Player | None,
    over: _Player | None,
    fields: Sequence[_Player],
    parts: bool,
    by_seat: bool,
    sessions: int,
    payoff: str,
    length: tuple[int | None, float | None, float | None],
    seed: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What strategies, tips or the lists of ``basic`` gain: a section of what ``newmarket study strategy --json``,
    ``tips`` or ``advice`` print."""

def _review(
    trace: tuple[str, str] | str | os.PathLike[str],
    *,
    seat: int | None,
    by: _Player,
    agents: Sequence[_Player] | None,
    lenient: bool,
    worlds: int,
    seed: int,
    worst: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """Judges the decisions of recorded deals: what ``newmarket review --json`` prints."""

def _exploit(
    agent: _Player | None,
    game: Game,
    *,
    iterations: int,
    draws: int,
    seed: int,
    max_states: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """How exploitable a player is on a small pack, exactly; `None` solves the game by CFR+."""

def _search(
    agent: _Player,
    game: Game,
    *,
    worlds: int,
    deals: int,
    seed: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What a search in so many sampled hands gains over a player that it knows."""

def _upper_bound(
    agent: _Player,
    game: Game,
    *,
    worlds: int,
    deals: int,
    seed: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What no strategy of one seat gains over a network that takes its likeliest actions."""

def _game_near(rules: str | os.PathLike[str] | dict[str, Any], players: int) -> Game:
    """Rules at a table of the allowed number of players that is nearest to `players`."""

def _widening(rows: int) -> float:
    """How much wider 95 % intervals must be so that so many of them hold at once."""

def trace(
    game: Game,
    agents: Sequence[_Player] | None = None,
    *,
    deals: int = 10,
    seed: int = 1,
    fresh: bool = False,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> Trace:
    """Deals on the record, as ``newmarket trace`` writes them; one name fills all seats.

    Deals come in sessions, unless ``fresh``. A player may be a program, as in ``duel``. Returns a list,
    which also has who played, ``agents``, by seat, and ``seed`` and ``fresh``.
    """

def _exploit_strategy(
    game: Game, chances: Callable[[Deal], Sequence[float]], *, max_states: int = 5000000
) -> dict[str, Any]:
    """How exploitable a strategy is that ``chances`` tells, as ``exploit``.

    ``chances`` is called with a ``Deal`` for every information set, and returns how likely each of the
    legal actions is to be taken there.
    """

def _analyse(
    view: View | Table,
    worlds: int,
    player: _Player,
    given: _Player | None,
    doubt: float,
    seed: int,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What ``newmarket.analyse`` finds, as fields of its ``Analysis``."""

def _keep(program: Sequence[str]) -> int:
    """Be the keeper of this program, and return the exit code."""

def _keep_by(command: Sequence[str]) -> None:
    """From now on, programs that play have a keeper, which this command starts."""

def read_checkpoint(
    path: str | os.PathLike[str],
) -> tuple[dict[str, npt.NDArray[np.float32]], dict[str, Any]]:
    """The weights of a checkpoint or run folder, or of ``"champion"``, and facts about it; ``net:`` may
    stand before it.

    Layers are ``trunk.K``, ``policy`` and ``value``, each with ``weight`` ``[inputs, outputs]``
    and ``bias`` ``[outputs]``; between the layers of the trunk negative numbers become 0.
    """

def write_checkpoint(
    path: str | os.PathLike[str],
    weights: Mapping[str, npt.NDArray[np.float32]],
    *,
    training: str = "",
) -> str:
    """Write weights as a checkpoint that ``Agent("net:PATH")`` and the program play.

    ``training`` is a note of how they came about. Returns the BLAKE3 hash of the weights.
    """

def interrupted() -> bool:
    """Whether the run that is under way has been asked to stop, by Ctrl-C or SIGTERM."""

def run(arguments: Sequence[str]) -> int:
    """Run the program with these arguments in this process, and return its exit code."""

@final
class Update:
    """What is to be played for one update of a training run: see `run_gathering`."""

    @property
    def plan(self) -> npt.NDArray[np.uint8]:
        """The message of the plan, for `RolloutWorker.gather`."""

    @property
    def networks(self) -> dict[str, npt.NDArray[np.uint8]]:
        """The networks that sit at its tables, by name: messages for `RolloutWorker.add_network`."""

    @property
    def shards(self) -> int:
        """How many shards there are, all of which must be taken."""

    def take(self, index: int, shard: bytes) -> None:
        """Take in a shard. ``ValueError`` if the message is not whole, or of another shard."""

@final
class RolloutWorker:
    """Plays shards of updates, in any process, on so many threads."""

    def __new__(cls, *, threads: int = 1) -> RolloutWorker: ...
    def knows(self, network: str) -> bool:
        """Whether the worker has the opponent network of this id."""

    def add_network(self, network: npt.NDArray[np.uint8]) -> None:
        """Take in an opponent network. ``ValueError`` if the message is refused."""

    def gather(self, plan: npt.NDArray[np.uint8], shards: Sequence[int]) -> list[bytes]:
        """These shards of a plan, each as a message.

        ``ValueError`` if the plan is refused, or is that of another build, or an opponent network is missing.
        """

def run_gathering(arguments: Sequence[str], gather: Callable[[Update], None]) -> int:
    """Run the program's ``train`` or ``resume`` with these arguments, and return its exit code.

    ``gather`` is called once an update and has its shards played, by a `RolloutWorker` anywhere.
    """

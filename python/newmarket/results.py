"""Results of measurements: typed, comparable, and shown as tables.

Every result is a frozen dataclass that carries what it takes to make it again: the rules (``rules_file``: a named
game with changes, as ``newmarket.Game`` takes it), the number of players, the names of the agents, the seed, and the
``version`` of the package. Gains are chips a deal unless the field says otherwise. ``ci95`` is half the width of a 95 %
interval: a gain of 0.054 with a ``ci95`` of 0.039 reads ``+0.054 ± 0.039``.

>>> result = newmarket.duel("stopper", "longest", deals=1000)
>>> result.gain, result.ci95, result.separated
>>> result.frame()                                  # a pandas.DataFrame, if pandas is installed
>>> newmarket.DuelResult.from_dict(result.to_dict()) == result
True

Results are equal if all their figures are; ``seconds``, the wall-clock time, does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from newmarket import _result
from newmarket._result import counted, dataframe, plain, plus_minus, read, table_html

Result = _result.Result
# Where it is public.
Result.__module__ = __name__


@dataclass(frozen=True)
class Estimate:
    """A mean with half the width of its 95 % interval. ``kind`` says what it is in a table of a study: an
    ``"estimate"`` in the unit of the table, a ``"rate"`` a deal, or a ``"share"`` of 1."""

    mean: float
    ci95: float
    kind: str = "estimate"

    def __str__(self) -> str:
        return plus_minus(self.mean, self.ci95)


@dataclass(frozen=True)
class Interval:
    """An estimate with the ends of its 95 % interval, which need not be symmetric."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ProgramReport:
    """What a player that is a program did: its answers, its faults by kind, the decisions that ``stopper`` took in its
    place, how often it was started again, and whether it was given up."""

    agent: str
    answers: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    by_stopper: int = 0
    restarts: int = 0
    given_up: bool = False
    first_fault: str | None = None


@dataclass(frozen=True)
class KindGain:
    """What the hero gains by one kind of decision alone (``"lead"``, ``"ante"``, ``"dead_hand"``, ``"poker"``), in chips
    a deal: it decides there, and the player that it is compared with decides everything else."""

    kind: str
    gain: float
    ci95: float
    separated: bool


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DuelResult(Result):
    """What a hero gains over the field, or over another player, in the same seat on the same deals."""

    hero: str
    field: str
    #: Who the hero is compared with in the same seat: the field, or another player.
    over: str
    #: The title of the rules.
    rules: str
    rules_file: dict[str, Any]
    players: int
    #: Each played ``players + 1`` times.
    deals: int
    seed: int
    #: Chips a deal.
    gain: float
    ci95: float
    #: Whether the interval of ``gain`` lies on one side of 0.
    separated: bool
    #: Share of deals in which the hero went out first; 1 in ``players`` is even.
    win_share: float
    win_share_ci95: float
    #: What counts: ``"deal"``, or ``"session"``, with what chips that stay on the table are worth later.
    payoff: str = "deal"
    #: The gain by seat: first of eldest, who sits at the left of the dealer, last of the dealer.
    by_seat: tuple[Estimate, ...] = ()
    #: The gain by kind of decision, if it was asked for. They need not sum to ``gain``.
    by_kind: tuple[KindGain, ...] = ()
    #: ``int32[deals, players]``, if it was asked for: chips gained in each deal, by seat as in ``by_seat``. The mean is
    #: ``gain``.
    gains: npt.NDArray[np.int32] | None = None
    #: A report on each player that is a program.
    programs: tuple[ProgramReport, ...] = ()

    def _sentence(self) -> str:
        table = "" if self.over == self.field else f" at a table of {self.field}"
        return (
            f"{self.hero} over {self.over}{table}: {plus_minus(self.gain, self.ci95)} chips a deal; "
            f"{self.rules}, {self.players} players, {counted(self.deals, 'deal')}, seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = [{"of": "all", "gain": self.gain, "ci95": self.ci95}]
        names = [str(seat) for seat in range(len(self.by_seat))]
        if names:
            names[0], names[-1] = "eldest", "dealer"
        for name, it in zip(names, self.by_seat, strict=True):
            rows.append({"of": f"seat {name}", "gain": it.mean, "ci95": it.ci95})
        for kind in self.by_kind:
            rows.append({"of": f"{kind.kind.replace('_', ' ')} alone", "gain": kind.gain, "ci95": kind.ci95})
        for row in rows:
            row["separated"] = abs(row["gain"]) > row["ci95"]
        return rows


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SessionsResult(Result):
    """What a hero gains over the field in the same seat in the same whole sessions."""

    hero: str
    field: str
    rules: str
    rules_file: dict[str, Any]
    players: int
    #: Each played ``players + 1`` times.
    sessions: int
    seed: int
    #: The most deals of a session, and the mean number of them.
    deals: int
    deals_a_session: float
    #: ``"credit"``: chips gained count; ``"chips"``: sessions won count.
    bankroll: str
    #: Chips a session.
    gain: float
    ci95: float
    separated: bool
    gain_a_deal: float
    #: Share of sessions won, ties shared; ``win_gain`` is what it is above 1 in ``players``.
    win_share: float
    win_gain: float
    win_ci95: float
    win_separated: bool
    programs: tuple[ProgramReport, ...] = ()

    def _sentence(self) -> str:
        return (
            f"{self.hero} over {self.field}: {plus_minus(self.gain, self.ci95)} chips a session, "
            f"{100 * self.win_share:.1f} % won; {self.rules}, {self.players} players, "
            f"{counted(self.sessions, 'session')}, seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"of": "chips a session", "gain": self.gain, "ci95": self.ci95, "separated": self.separated},
            {
                "of": "share of sessions won",
                "gain": self.win_gain,
                "ci95": self.win_ci95,
                "separated": self.win_separated,
            },
        ]


@dataclass(frozen=True)
class SurveyRow:
    """One table with one field. Gains are antes of a seat that does not deal; the intervals of all rows of a survey hold
    together."""

    rules: str
    rules_file: dict[str, Any]
    players: int
    #: ``"named"``, ``"held_out"`` or ``"held_out_pair"``.
    kind: str
    after_look: bool
    field: str
    deals: int
    #: Chips.
    ante: float
    gain: float
    ci95: float
    #: ``"ahead"``, ``"level"``, ``"open"`` or ``"behind"``.
    standing: str


@dataclass(frozen=True)
class SurveySummary:
    """The rows of one kind with one field; its interval holds by itself. ``standings`` counts rows that are ahead,
    level, open and behind."""

    tables: str
    field: str
    rows: int
    gain: float
    ci95: float
    standings: tuple[int, ...]
    lowest: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SurveyResult(Result):
    """A player at many tables, each against each field, in antes a deal."""

    hero: str
    seed: int
    #: Antes that a hero may lose without being behind.
    margin: float
    summaries: tuple[SurveySummary, ...]
    rows: tuple[SurveyRow, ...]
    programs: tuple[ProgramReport, ...] = ()

    def _sentence(self) -> str:
        behind = sum(row.standing in ("open", "behind") for row in self.rows)
        rows = counted(len(self.rows), "row")
        return f"{self.hero} at {rows}, {behind} open or behind; gains in antes a deal, seed {self.seed}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "rules": row.rules,
                "players": row.players,
                "field": row.field,
                "gain": row.gain,
                "ci95": row.ci95,
                "standing": row.standing,
                "deals": row.deals,
                "ante": row.ante,
                "kind": row.kind,
                "after_look": row.after_look,
            }
            for row in self.rows
        ]


@dataclass(frozen=True)
class Rating:
    """A player's ratings: chips a deal or session above the mean of all players, share of sessions won above the mean,
    and the Weng-Lin rating from mixed tables (25 before the first deal)."""

    agent: str
    chips: Interval
    weng_lin: Interval
    wins: Interval | None = None


@dataclass(frozen=True)
class CrossTableEntry:
    """What a hero gains at a table of a field, in chips a deal or session."""

    hero: str
    field: str
    gain: float
    ci95: float
    separated: bool
    deals: int | None = None
    sessions: int | None = None
    win_gain: float | None = None
    win_ci95: float | None = None
    win_separated: bool | None = None


@dataclass(frozen=True)
class Pairing:
    """Two players compared, each being the hero at a table of the other: half the difference of their gains."""

    first: str
    second: str
    advantage: float
    ci95: float
    separated: bool
    deals: int | None = None
    sessions: int | None = None
    win_gain: float | None = None
    win_ci95: float | None = None
    win_separated: bool | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LadderResult(Result):
    """All players of a list against each other on the same deals or sessions, the best first."""

    rules: str
    rules_file: dict[str, Any]
    players: int
    seed: int
    until_separated: bool
    #: The chance that a ladder which stops early separates any two equal players; else ``None``: each interval holds by
    #: itself.
    error_rate: float | None
    ranking: tuple[Rating, ...]
    cells: tuple[CrossTableEntry, ...]
    pairings: tuple[Pairing, ...]
    #: What was played: one of the two.
    deals: int | None = None
    sessions: int | None = None
    bankroll: str | None = None
    programs: tuple[ProgramReport, ...] = ()

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the players, the best first."""
        return tuple(rating.agent for rating in self.ranking)

    def cell(self, hero: str, field: str) -> CrossTableEntry:
        """What a hero gains at a table of a field. ``KeyError`` if they did not meet."""
        for cell in self.cells:
            if (cell.hero, cell.field) == (hero, field):
                return cell
        raise KeyError((hero, field))

    def _sentence(self) -> str:
        played = (
            counted(self.deals, "deal") if self.deals is not None else counted(self.sessions or 0, "session")
        )
        order = " > ".join(self.agents[:3]) + (" > …" if len(self.agents) > 3 else "")
        return f"{order}; {self.rules}, {self.players} players, {played}, seed {self.seed}"

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for rating in self.ranking:
            row: dict[str, Any] = {"agent": rating.agent}
            figures = {"chips": rating.chips, "wins": rating.wins, "weng_lin": rating.weng_lin}
            for name, interval in figures.items():
                if interval is not None:
                    row |= {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append(row)
        return rows


#: A cell of a table of a study; ``None`` where too little was measured.
Cell = str | int | Estimate | None


@dataclass(frozen=True)
class StudyTable:
    """A table of a study: as many cells in each row as there are heads. ``caption`` has the unit of the estimates."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    #: The column of estimates to be drawn, if any.
    drawn: int | None = None
    #: Whether it is a detail, which a report of several studies leaves out.
    detail: bool = False

    @classmethod
    def _from_json(cls, values: Mapping[str, Any]) -> StudyTable:
        def cell(value: Any) -> Cell:
            if value == "empty":
                return None
            [(kind, inner)] = value.items()
            if kind in ("text", "count"):
                return cast(Cell, inner)
            return Estimate(inner["mean"], read(float, inner["ci95"]), kind)

        rows = tuple(tuple(cell(value) for value in row) for row in values["rows"])
        heads = tuple(values["heads"])
        return cls(values["caption"], heads, rows, values.get("drawn"), values.get("detail", False))

    def _to_json(self) -> dict[str, Any]:
        def cell(value: Cell) -> Any:
            if value is None:
                return "empty"
            if isinstance(value, Estimate):
                return {value.kind: {"mean": plain(value.mean), "ci95": plain(value.ci95)}}
            return {"text" if isinstance(value, str) else "count": value}

        return {
            "caption": self.caption,
            "heads": list(self.heads),
            "rows": [[cell(value) for value in row] for row in self.rows],
            "drawn": self.drawn,
            "detail": self.detail,
        }

    def _rows(self) -> list[dict[str, Any]]:
        names: list[str] = []
        for head in self.heads:
            name, nth = head or "of", 2
            while name in names:
                name, nth = f"{head or 'of'} {nth}", nth + 1
            names.append(name)
        estimates = [
            any(isinstance(row[nth], Estimate) for row in self.rows) for nth in range(len(self.heads))
        ]
        rows = []
        for cells in self.rows:
            row: dict[str, Any] = {}
            for name, cell, estimate in zip(names, cells, estimates, strict=True):
                row[name] = cell.mean if isinstance(cell, Estimate) else cell
                if estimate:
                    row[f"{name} ci95"] = cell.ci95 if isinstance(cell, Estimate) else None
            rows.append(row)
        return rows

    def frame(self) -> Any:
        """The table as a ``pandas.DataFrame``; an estimate has a second column, ``"HEAD ci95"``. ``ImportError`` if
        pandas is not installed."""
        return dataframe(self._rows())

    def _repr_html_(self) -> str:
        return table_html(self.caption, self._rows())


@dataclass(frozen=True)
class Advice:
    """What a card player should do in some kind of decision, step by step, and what it gains over whom among whom."""

    title: str
    steps: tuple[str, ...]
    gain: Estimate
    over: str
    among: str
    strategy: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StudyResult(Result):
    """What choices are worth: tables of estimates, and findings in sentences."""

    study: str
    title: str
    question: str
    rules: str
    #: Of each game.
    rules_files: tuple[dict[str, Any], ...]
    players: int | tuple[int, ...]
    #: Who sits in the other seats.
    field: str
    #: Who plays on after the choice that is studied, where there is one.
    player: str | None = None
    #: ``"deal"`` or ``"session"``.
    payoff: str | None = None
    #: In each part of the study.
    deals: int
    seed: int
    method: tuple[str, ...]
    advice: tuple[Advice, ...]
    findings: tuple[str, ...]
    tables: tuple[StudyTable, ...]
    #: The half-width of the widest interval of the main figures, in chips a deal.
    precision: float

    def _sentence(self) -> str:
        players = self.players if isinstance(self.players, int) else ", ".join(map(str, self.players))
        return (
            f"{self.title}: {counted(len(self.tables), 'table')}, {counted(len(self.findings), 'finding')}; "
            f"{self.rules}, {players} players, {counted(self.deals, 'deal')}, seed {self.seed}"
        )

    def frame(self, table: int = 0) -> Any:
        """One of its ``tables`` as a ``pandas.DataFrame``: by default the first. ``ImportError`` if pandas is not
        installed."""
        if not -len(self.tables) <= table < len(self.tables):
            raise ValueError(f"table: {table}: expected one of {counted(len(self.tables), 'table')}")
        return self.tables[table].frame()

    def _rows(self) -> list[dict[str, Any]]:
        return self.tables[0]._rows() if self.tables else []


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StudiesResult(Result):
    """Several studies: a report of all."""

    sections: tuple[StudyResult, ...]
    #: Studies that do not fit the game, with the reason.
    left_out: tuple[str, ...] = ()

    def _sentence(self) -> str:
        names = ", ".join(dict.fromkeys(section.study for section in self.sections))
        return f"{counted(len(self.sections), 'section')}: {names}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "study": it.study,
                "rules": it.rules,
                "players": it.players if isinstance(it.players, int) else str(it.players),
                "field": it.field,
                "deals": it.deals,
                "finding": it.findings[0] if it.findings else "",
            }
            for it in self.sections
        ]


@dataclass(frozen=True)
class CompareRow:
    """A player over another one at one table. ``ci95`` holds by itself; the ``joint_ci95`` of all rows hold together with
    95 % probability."""

    rules: str
    rules_file: dict[str, Any]
    players: int
    field: str
    #: What the sweep has set here.
    changes: dict[str, Any]
    deals: int
    gain: float
    ci95: float
    joint_ci95: float
    #: Whether the joint interval lies on one side of 0.
    separated: bool
    win_share: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CompareResult(Result):
    """A player over another one at every table of a sweep, on deals of the same seed; chips a deal."""

    player: str
    over: str
    seed: int
    rows: tuple[CompareRow, ...]

    def _sentence(self) -> str:
        apart = sum(row.separated for row in self.rows)
        return (
            f"{self.player} over {self.over}: {counted(len(self.rows), 'row')}, {apart} separated jointly; "
            f"chips a deal, seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        keys = list(dict.fromkeys(key for row in self.rows for key in row.changes))
        # A change may have the name of another column.
        own = ("rules", "players", "field", "gain", "ci95", "joint_ci95", "separated", "deals", "win_share")
        names = {key: f"{key} (rule)" if key in own else key for key in keys}
        return [
            {
                "rules": row.rules,
                "players": row.players,
                "field": row.field,
                **{names[key]: _shown(row.changes.get(key)) for key in keys},
                "gain": row.gain,
                "ci95": row.ci95,
                "joint_ci95": row.joint_ci95,
                "separated": row.separated,
                "deals": row.deals,
                "win_share": row.win_share,
            }
            for row in self.rows
        ]

    def _repr_html_(self) -> str:
        shown = [{key: it for key, it in row.items() if key != "ci95"} for row in self._rows()]
        return table_html(self._sentence(), shown)


def _shown(value: Any) -> Any:
    """A value of a rule as a cell."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExploitResult(Result):
    """How exploitable a player is in a small game, exactly, in chips a deal."""

    #: The player in every seat; ``"equilibrium"``: what CFR+ found.
    agent: str
    rules: str
    rules_file: dict[str, Any]
    players: int
    #: Of random numbers; ``None`` where there are none.
    seed: int | None = None
    cards: int
    deals: int
    states: int
    infosets: int
    #: Of CFR+; ``None`` for a player.
    iterations: int | None
    #: By seat: what it gets, what a best response to the others gets, and the difference. The last seat is the dealer.
    values: tuple[float, ...]
    best_responses: tuple[float, ...]
    gains: tuple[float, ...]
    #: The sum of ``gains``: 0 for an equilibrium.
    nash_conv: float

    def _sentence(self) -> str:
        return (
            f"{self.agent}: NashConv {self.nash_conv:.6f} chips a deal; "
            f"{self.rules}, {self.players} players, {counted(self.states, 'state')}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        figures = zip(self.values, self.best_responses, self.gains, strict=True)
        return [
            {"seat": seat, "value": value, "best_response": best, "gain": gain}
            for seat, (value, best, gain) in enumerate(figures)
        ]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExploitBoundResult(Result):
    """What a search, or a trained exploiter, gains over a player: a lower bound on its exploitability, in chips a
    deal."""

    agent: str
    rules: str
    rules_file: dict[str, Any]
    players: int
    deals: int
    seed: int
    gain: float
    ci95: float
    separated: bool
    bound: str
    #: Sampled hands of a decision, for a search.
    worlds: int | None = None
    #: Of a training: its folder, updates, deals and seconds, and the network that it began from.
    folder: str | None = None
    updates: int | None = None
    training_deals: int | None = None
    training_seconds: float | None = field(default=None, compare=False)
    start: str | None = None

    def _sentence(self) -> str:
        how = f"search in {self.worlds} worlds" if self.worlds else f"training of {self.updates} updates"
        return (
            f"{how} over {self.agent}: {plus_minus(self.gain, self.ci95)} chips a deal; "
            f"{self.rules}, {self.players} players, {counted(self.deals, 'deal')}, seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [{"agent": self.agent, "gain": self.gain, "ci95": self.ci95, "separated": self.separated}]


@dataclass(frozen=True)
class UpperLimit:
    """An upper bound with its interval over deals, in chips a deal."""

    gain: float
    #: Half the width of its 95 % interval.
    ci95: float
    #: With 97.5 % confidence the bound is no greater.
    upper: float


@dataclass(frozen=True)
class SeatBound:
    """The upper bound of one seat."""

    gain: float
    ci95: float
    upper: float
    #: If the seat places its ante as the policy does.
    usual_antes: UpperLimit
    #: The ways to place the ante, and those that were not clearly behind after a part of the deals.
    antes: int
    kept_antes: int
    #: The mean number of the seat's choices in a deal, over all of its paths.
    decisions: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExploitUpperBoundResult(Result):
    """What no strategy of one seat gains over a network: an upper bound on its exploitability, in chips a deal."""

    agent: str
    rules: str
    rules_file: dict[str, Any]
    players: int
    #: The most sampled hands in which a choice was tried.
    worlds: int
    deals: int
    seed: int
    #: The mean over the seats, each by its antes with the greatest bound.
    gain: float
    ci95: float
    upper: float
    usual_antes: UpperLimit
    #: From eldest to the dealer.
    by_seat: tuple[SeatBound, ...]
    #: Whether the bound is only for strategies that set their best five cards apart for poker.
    best_five: bool
    bound: str

    def _sentence(self) -> str:
        return (
            f"no strategy of one seat gains more than {self.gain:.3f} ± {self.ci95:.3f} chips a deal over {self.agent}; "
            f"{self.rules}, {self.players} players, {counted(self.deals, 'deal')}, seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"seat": seat, "gain": bound.gain, "ci95": bound.ci95, "upper": bound.upper, "antes": bound.antes}
            for seat, bound in enumerate(self.by_seat)
        ]


@dataclass(frozen=True)
class Tally:
    """Decisions of one seat (``None``: of all) and one kind (``None``: of all): how many were errors, and the mean of the
    chips lost by a decision."""

    seat: int | None
    kind: str | None
    decisions: int
    errors: int
    error_rate: float
    cost: Estimate


@dataclass(frozen=True)
class Decision:
    """A decision of a recorded deal with the value of each choice. ``position``, ``taken``, ``best`` and ``judged`` are
    as in ``newmarket review --json``."""

    #: The line of the trace, from 1.
    line: int
    session: int
    deal: int | None
    seat: int
    kind: str
    position: dict[str, Any]
    taken: dict[str, Any]
    best: dict[str, Any]
    #: Chips by which the choice is behind the best.
    cost: float
    ci95: float
    error: bool
    choices: int
    #: Whether all choices were tried.
    all: bool
    judged: tuple[dict[str, Any], ...]
    #: Why the strategy that played decides so, where it is known.
    strategy: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReviewResult(Result):
    """The decisions of recorded deals, each judged by what its seat could know."""

    trace: str
    #: The titles of the rules, and each as a dict.
    games: tuple[str, ...]
    rules_files: tuple[dict[str, Any], ...]
    players: tuple[int, ...]
    #: The names of who played, by seat, where they are known.
    agents: tuple[str, ...] = ()
    deals: int
    sessions: int
    #: Who plays on in the sampled deals.
    by: str
    worlds: int
    seed: int
    #: What is independent: ``"deal"`` or ``"session"``.
    unit: str
    summary: tuple[Tally, ...]
    #: The worst mistakes, as indices of ``decisions``.
    worst: tuple[int, ...]
    decisions: tuple[Decision, ...]

    def _sentence(self) -> str:
        errors = sum(decision.error for decision in self.decisions)
        return (
            f"{counted(len(self.decisions), 'decision')}, {counted(errors, 'error')} in "
            f"{counted(self.deals, 'deal')} of {', '.join(self.games)}; by {self.by}, {self.worlds} worlds, "
            f"seed {self.seed}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "line": it.line,
                "deal": it.deal,
                "seat": it.seat,
                "kind": it.kind,
                "taken": _choice(it.taken),
                "best": _choice(it.best),
                "cost": it.cost,
                "ci95": it.ci95,
                "error": it.error,
            }
            for it in self.decisions
        ]

    def _repr_html_(self) -> str:
        rows: list[dict[str, Any]] = [
            {
                "seat": "all" if it.seat is None else it.seat,
                "kind": "all" if it.kind is None else it.kind,
                "decisions": it.decisions,
                "errors": it.errors,
                "cost": it.cost.mean,
                "ci95": it.cost.ci95,
            }
            for it in self.summary
        ]
        return table_html(self._sentence(), rows)


def _choice(choice: Mapping[str, Any]) -> str:
    """A choice of the engine protocol in a few words: its values."""
    words = [" ".join(map(str, it)) if isinstance(it, list) else str(it) for it in choice.values()]
    return " ".join(words)


@dataclass(frozen=True)
class Trial:
    """A final duel of a trained player at one of its tables, on fresh deals."""

    rules: str
    players: int
    field: str
    #: ``"deal"`` or ``"session"``.
    unit: str
    gain: float
    ci95: float
    separated: bool
    #: Share of deals in which it went out first, or of sessions that it won.
    wins: float
    wins_ci95: float
    rounds: int


@dataclass(frozen=True)
class TrainedTable:
    """A table of a training run."""

    rules: str
    rules_file: dict[str, Any]
    players: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrainResult(Result):
    """A training run in its folder, ended or interrupted."""

    folder: str
    #: Whether it has come to its end; else ``newmarket.resume(folder)`` goes on.
    finished: bool
    updates: int
    deals: int
    seed: int
    tables: tuple[TrainedTable, ...] = ()
    #: The final duels; none of a run that was interrupted.
    duels: tuple[Trial, ...] = ()
    #: The last row of ``metrics.jsonl``; no part of equality.
    figures: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def player(self) -> str:
        """The name by which the trained network plays: ``"net:FOLDER"``."""
        return f"net:{self.folder}"

    def _sentence(self) -> str:
        state = "finished" if self.finished else "interrupted"
        return f"{self.player}: {state} after {counted(self.updates, 'update')}, {counted(self.deals, 'deal')}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "rules": it.rules,
                "players": it.players,
                "field": it.field,
                "unit": it.unit,
                "gain": it.gain,
                "ci95": it.ci95,
                "separated": it.separated,
                "wins": it.wins,
                "wins_ci95": it.wins_ci95,
            }
            for it in self.duels
        ]

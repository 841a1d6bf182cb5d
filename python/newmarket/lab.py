"""The laboratory: duels, surveys, ladders, studies, comparisons, reviews and exploitability.

Each function measures what the command of the same name measures, and gives the same figures for the same seed, on any
machine and any number of threads. It returns a frozen dataclass of ``newmarket.results``. Training is in
``newmarket.training``.

**Players** are agents' names, as ``"stopper"`` or ``"net:runs/mine"`` (``named_agents()``), ``Agent`` objects,
``Player`` objects, and, where they are not studied by name, programs: ``'exec:["python3","bot.py"]'``. A program speaks
the engine protocol (docs of the repository). It has ``start_ms`` milliseconds to start and ``move_ms`` for a decision.
At a fault ``"stopper"`` plays the rest of the deal for it; with ``on_fault="stop"`` a ``RuntimeError`` ends the call.
``programs`` of a result counts answers and faults.

**Games** are names, paths of rules files, ``"house:7"``, dicts of changes, or ``Game`` objects, which have their number
of players.

**Progress.** ``progress`` is called as ``progress(done, total)`` on the thread of the caller, about ten times a second
and once at the end; units are those of the work (deals, sessions, rows, updates), and ``total`` is 0 where it is not
known. An exception in it ends the call and comes out as it is. ``progress=True`` shows a bar by tqdm; without tqdm there
is no bar.

**Threads.** ``threads=0`` takes one a core. The lock of the interpreter is free while a function works. Players with
functions of Python are answered by the thread that made the call, and ``threads`` is not used then. Ctrl-C raises
``KeyboardInterrupt`` at once.

Wrong arguments raise ``ValueError`` in one line that names the parameter; files that cannot be read raise ``OSError``.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex, cast, overload

import numpy as np

from newmarket import _native
from newmarket._arguments import AnyPlayer, Players, Progress, Rules, make_game, make_games, told, whole
from newmarket._native import Agent, Game, __version__
from newmarket._program import flags, of_table, printed
from newmarket.results import (
    CompareResult,
    CompareRow,
    DuelResult,
    ExploitBoundResult,
    ExploitUpperBoundResult,
    ExploitResult,
    LadderResult,
    ReviewResult,
    SessionsResult,
    StudiesResult,
    StudyResult,
    SurveyResult,
)
from newmarket.training import _exploiter


@overload
def duel(
    hero: AnyPlayer,
    field: AnyPlayer,
    game: Rules = "newmarket",
    players: int = 4,
    *,
    over: AnyPlayer | None = None,
    payoff: str = "deal",
    deals: int = 10_000,
    sessions: None = None,
    by_deal: bool = False,
    by_kind: bool = False,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> DuelResult: ...


@overload
def duel(
    hero: AnyPlayer,
    field: AnyPlayer,
    game: Rules = "newmarket",
    players: int = 4,
    *,
    sessions: int,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> SessionsResult: ...


def duel(
    hero: AnyPlayer,
    field: AnyPlayer,
    game: Rules = "newmarket",
    players: int = 4,
    *,
    over: AnyPlayer | None = None,
    payoff: str = "deal",
    deals: int = 10_000,
    sessions: int | None = None,
    by_deal: bool = False,
    by_kind: bool = False,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> DuelResult | SessionsResult:
    """The hero in each seat in turn at a table of the field, on the same deals.

    The gain is over the field in the same seat, or over the player ``over`` there. The result has it by seat, with
    ``by_deal`` for every deal, and with ``by_kind`` by kind of decision, for which each kind plays the deals again.
    ``payoff``: ``"deal"``, in which chips that stay on the table are lost, or ``"session"``, with what they are worth
    later, in deals that sessions carry chips into. ``sessions``: so many whole sessions instead of deals; the result is
    then a ``SessionsResult``, without all these.
    """
    table = make_game(game, players, name="game")
    common: dict[str, Any] = {"seed": whole("seed", seed), "threads": whole("threads", threads)}
    common["programs"] = _granted(move_ms, start_ms, on_fault)
    with told(progress) as tell:
        if sessions is not None:
            kept = {"over": over is not None, "payoff": payoff != "deal", "by_deal": by_deal, "by_kind": by_kind}
            for name in (name for name, given in kept.items() if given):
                raise ValueError(f"{name}: measured on deals alone: expected none with sessions")
            count = whole("sessions", sessions)
            found = _native._sessions(hero, field, table, sessions=count, progress=tell, **common)
            return SessionsResult._of(found)
        if payoff != "deal" and (by_deal or by_kind):
            name = "by_deal" if by_deal else "by_kind"
            raise ValueError(f"{name}: measured by the payoff of a deal alone: expected payoff=\"deal\"")
        found, gains = _native._duel(
            hero,
            field,
            over,
            table,
            payoff=payoff,
            deals=whole("deals", deals),
            by_deal=by_deal,
            by_kind=by_kind,
            progress=tell,
            **common,
        )
        return DuelResult._of(found, gains=gains)


def survey(
    hero: AnyPlayer,
    fields: AnyPlayer | Sequence[AnyPlayer],
    *,
    tables: str = "named",
    half_width: float = 0.03,
    margin: float = 0.05,
    deals: int = 40_000,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> SurveyResult:
    """One player at many tables, against each of the fields, in antes a deal.

    ``tables``: ``"named"``, every named game with every number of players; ``"held-out:K"``, K house rules that are
    held out from training, other ones for each seed; or ``"unpaid:K"``, K of these where cards left cost nothing. A row plays as many deals as intervals of ``half_width`` antes
    need, at most ``deals``; a hero is behind if it loses more than ``margin`` antes. The intervals of all rows hold
    together with 95 % probability. ``progress`` counts rows.
    """
    with told(progress) as tell:
        found = _native._survey(
            hero,
            _listed(fields),
            tables=tables,
            half_width=half_width,
            margin=margin,
            deals=whole("deals", deals),
            seed=whole("seed", seed),
            threads=whole("threads", threads),
            programs=_granted(move_ms, start_ms, on_fault),
            progress=tell,
        )
    return SurveyResult._of(found)


def ladder(
    agents: Sequence[AnyPlayer],
    game: Rules = "newmarket",
    players: int = 4,
    *,
    deals: int = 2000,
    sessions: int | None = None,
    until_separated: bool = False,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> LadderResult:
    """All players against each other on the same deals, and their ratings.

    Two players or more, of different names; 20 deals or ``sessions`` or more. ``until_separated``: each pairing stops
    as soon as it is separated, at the latest after ``deals`` deals. ``deals`` must then be 256 or more.
    """
    if isinstance(agents, str):
        raise ValueError(f"agents: `{agents}`: expected a list of two players or more")
    with told(progress) as tell:
        found = _native._ladder(
            list(agents),
            make_game(game, players, name="game"),
            deals=whole("deals", deals),
            sessions=None if sessions is None else whole("sessions", sessions),
            until_separated=until_separated,
            seed=whole("seed", seed),
            threads=whole("threads", threads),
            programs=_granted(move_ms, start_ms, on_fault),
            progress=tell,
        )
    return LadderResult._of(found)


#: The studies that measure strategies, and those that measure a choice.
_OF_STRATEGIES = ("strategy", "tips", "advice")


def study(
    study: str,
    game: Rules | Sequence[Rules] | None = None,
    players: Players | None = None,
    *,
    field: AnyPlayer | Sequence[AnyPlayer] | None = None,
    player: AnyPlayer = "basic",
    payoff: str | None = None,
    deals: int | None = None,
    ci: float | None = None,
    minutes: float | None = None,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    folder: str | os.PathLike[str] | None = None,
    base: str | None = None,
    over: AnyPlayer | None = None,
    parts: bool = False,
    by_seat: bool = False,
    sessions: int | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> StudyResult:
    """What choices are worth.

    ``"lead"``, ``"ante"``, ``"dead-hand"``: what each way to choose is worth among players of ``field`` for a seat that
    plays on as ``player``. ``"truth"`` compares the method with exact values in a small game.

    ``"strategy"``: what strategy ``files``, or strategies of the program by name, gain over their base or ``over``;
    ``parts`` also by part and clause. ``"tips"``: what the files of a ``folder``, or the tips of the program, gain for
    somebody who plays on as ``base``, a name, and whether their claims hold. ``"advice"``: what the lists of ``basic``
    gain. These three take several games, numbers of ``players`` and fields, tell the gain ``by_seat``, and play whole
    ``sessions``, too.

    ``payoff``: ``"session"``, with what chips that stay on the table are worth later, or ``"deal"``, in which they are
    lost; by default ``"deal"`` for strategies, else ``"session"``. The length is a number of ``deals`` (by default 2000,
    for strategies and tips 40,000), the half-width ``ci`` of the intervals in chips, or ``minutes``. ``game`` is by
    default what the command takes; ``players`` 4, or the nearest number that the game allows.
    """
    of_strategies = study in _OF_STRATEGIES
    given = {
        "files": (bool(files), study == "strategy"),
        "folder": (folder is not None, study == "tips"),
        "base": (base is not None, study == "tips"),
        "over": (over is not None, study == "strategy"),
        "parts": (parts, study == "strategy"),
        "by_seat": (by_seat, of_strategies),
        "sessions": (sessions is not None, of_strategies),
        "player": (player != "basic", not of_strategies and study != "truth"),
    }
    for name, (is_given, fits) in given.items():
        if is_given and not fits:
            raise ValueError(f"{name}: the study `{study}` has none")
    if base is not None:
        _by_name("base", base)
    fields = [] if field is None else _listed(field)
    paths = [os.fspath(it) for it in ([files] if isinstance(files, str | os.PathLike) else files)]
    if study == "strategy" and not paths:
        raise ValueError("files: expected a strategy file or more")
    if deals is None and ci is None and minutes is None:
        deals = 40_000 if of_strategies else 2000
    usual = "deal" if study == "strategy" else "session"
    length = (None if deals is None else whole("deals", deals), ci, minutes)
    common: dict[str, Any] = {"payoff": payoff or usual, "length": length}
    common |= {"seed": whole("seed", seed), "threads": whole("threads", threads)}
    # An unknown study is told here.
    games = _native._usual_games(study)
    if game is not None or players is not None:
        games = make_games("game", games if game is None else game, players)
    start = time.monotonic()
    with told(progress) as tell:
        if of_strategies:
            found = _native._strategies(
                study,
                paths,
                folder,
                games,
                base=base,
                over=over,
                fields=fields,
                parts=parts,
                by_seat=by_seat,
                sessions=0 if sessions is None else whole("sessions", sessions, 2),
                progress=tell,
                **common,
            )
        else:
            for name, several in (("game", len(games)), ("field", len(fields))):
                if several > 1:
                    raise ValueError(f"{name}: {several}: expected one for the study `{study}`")
            one = fields[0] if fields else "stopper"
            found = _native._study(study, games[0], field=one, player=player, progress=tell, **common)
    plays_on = study in ("lead", "ante", "dead-hand")
    found["player"] = _name(player) if plays_on else None
    found["payoff"] = None if study == "truth" else common["payoff"]
    return StudyResult._of(found, seconds=time.monotonic() - start)


def studies(
    game: Rules | None = None,
    players: int | None = None,
    *,
    field: str | None = None,
    player: str = "basic",
    payoff: str = "session",
    deals: int | None = None,
    ci: float | None = None,
    minutes: float | None = None,
    keep: str | os.PathLike[str] | None = None,
    seed: int = 1,
) -> StudiesResult:
    """A report of all studies, as ``newmarket study all``, by the program in a process of its own.

    ``minutes`` is the time of the whole report. ``keep``: a folder for finished sections, so that a report that was
    stopped can go on. Players are names.
    """
    for name, given in (("field", field), ("player", player)):
        if given is not None:
            _by_name(name, given)
    options = {"field": field, "player": player, "payoff": payoff, "deals": deals, "ci": ci, "minutes": minutes}
    start = time.monotonic()
    with of_table(game, players) as table:
        found = printed("study", "all", *flags({**options, **table, "keep": keep, "seed": seed}))
    for section in found["sections"]:
        plays_on = section["study"] in ("lead", "ante", "dead-hand")
        section["player"] = player if plays_on else None
        section["payoff"] = None if section["study"] == "truth" else payoff
        section["version"] = __version__
    return StudiesResult._of(found, seconds=time.monotonic() - start)


def compare(
    player: AnyPlayer,
    *,
    over: AnyPlayer | None = None,
    field: AnyPlayer | Sequence[AnyPlayer] = "stopper",
    games: Rules | Sequence[Rules] = "newmarket",
    players: Players | None = None,
    sweep: Mapping[str, Sequence[Any] | np.ndarray[Any, Any]] | None = None,
    deals: int = 10_000,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    move_ms: int = 1000,
    start_ms: int = 10_000,
    on_fault: str = "stopper",
) -> CompareResult:
    """A player over another one at many tables: one joint table.

    A row is a duel at a table of each ``field``, in each game, with each combination of the values of ``sweep``, as
    ``{"per_card": [0, 1, 2]}``: keys of a rules file, each with a list or an array of numpy. The player is compared with
    ``over``, or with the field. All rows are duels of the same seed. ``players``: by default 4, or the nearest number
    that a game allows.
    """
    fields = _listed(field)
    if not fields:
        raise ValueError("field: expected one or more")
    swept = {key: _values(key, values) for key, values in (sweep or {}).items()}
    combinations = [dict(zip(swept, values, strict=True)) for values in itertools.product(*swept.values())]
    tables = [
        (_changed(game, changes), changes)
        for game in make_games("games", games, players)
        for changes in combinations
    ]
    count, deals, seed = len(tables) * len(fields), whole("deals", deals), whole("seed", seed)
    total = count * deals
    start, rows, name = time.monotonic(), [], ""
    with told(progress) as tell:
        for nth, ((game, changes), one) in enumerate(itertools.product(tables, fields)):
            part = None if tell is None else _part(tell, nth * deals, total)
            found = duel(
                player,
                one,
                game,
                over=over,
                deals=deals,
                seed=seed,
                threads=threads,
                progress=part,
                move_ms=move_ms,
                start_ms=start_ms,
                on_fault=on_fault,
            )
            name, joint = found.hero, found.ci95 * _native._widening(count)
            rows.append(
                CompareRow(
                    rules=found.rules,
                    rules_file=found.rules_file,
                    players=found.players,
                    field=found.field,
                    changes=changes,
                    deals=deals,
                    gain=found.gain,
                    ci95=found.ci95,
                    joint_ci95=joint,
                    separated=abs(found.gain) > joint,
                    win_share=found.win_share,
                )
            )
    return CompareResult(
        player=name,
        over="the field" if over is None else _name(over),
        seed=seed,
        rows=tuple(rows),
        seconds=time.monotonic() - start,
        version=__version__,
    )


def exploit(
    agent: AnyPlayer | None,
    game: Rules = "newmarket",
    players: int | None = None,
    *,
    iterations: int = 1000,
    sampled: bool = False,
    draws: int = 100,
    seed: int = 1,
    max_states: int = 5_000_000,
    progress: Progress = None,
) -> ExploitResult:
    """How exploitable a player is on a small pack, exactly.

    ``None`` or ``"equilibrium"`` solves the game by so many ``iterations`` of CFR+. ``sampled``: a network draws its
    actions by its probabilities. A player that draws random numbers is asked ``draws`` times at each information set.
    ``players``: by default the fewest that the rules allow. Games of more than ``max_states`` are refused:
    ``exploit_bound`` is for these.
    """
    solved = agent is None or agent == "equilibrium"
    if sampled:
        if not isinstance(agent, str) or not agent.startswith("net:"):
            raise ValueError("sampled: is for networks alone, as net:PATH")
        agent = Agent(agent, sampled=True)
    table, seed = make_game(game, players, near=0, name="game"), whole("seed", seed)
    with told(progress) as tell:
        found = _native._exploit(
            None if solved else agent,
            table,
            iterations=whole("iterations", iterations),
            draws=whole("draws", draws, most=2**32 - 1),
            seed=seed,
            max_states=whole("max_states", max_states, 1),
            progress=tell,
        )
    return ExploitResult._of(found, seed=None if solved else seed)


def exploit_bound(
    agent: AnyPlayer,
    game: Rules = "newmarket",
    players: int | None = None,
    *,
    search: int | None = None,
    train: str | None = None,
    deals: int | None = None,
    updates: int | None = None,
    minutes: float | None = None,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> ExploitBoundResult:
    """A lower bound on how exploitable a player is, in a game of any size.

    ``search``: what a player gains that knows the agent and tries each choice in so many sampled hands, by default 64.
    ``train``: what an exploiter gains that is trained by this preset, as ``"quick"``, for so many ``updates`` or
    ``minutes`` in the folder ``out``; see ``train``. The gain is measured on ``deals`` deals, by default 2000 for a
    search and 10,000 for a training. ``players``: by default 4, or the nearest number that the rules allow.
    """
    if train is None:
        for name, given in (("updates", updates), ("minutes", minutes), ("set", set), ("out", out)):
            if given is not None:
                raise ValueError(f"{name}: is for training: expected `train`, as train=\"quick\"")
        with told(progress) as tell:
            found = _native._search(
                agent,
                make_game(game, players, name="game"),
                worlds=whole("search", 64 if search is None else search, most=10_000),
                deals=whole("deals", 2000 if deals is None else deals),
                seed=whole("seed", seed),
                threads=whole("threads", threads),
                progress=tell,
            )
        return ExploitBoundResult._of(found)
    if search is not None:
        raise ValueError("search, train: expected one of them alone")
    if not isinstance(agent, str):
        raise ValueError("agent: expected a name: a training has its agent in its folder")
    given = {"train": train, "deals": deals, "updates": updates, "minutes": minutes, "seed": seed}
    return _exploiter(agent, game, players, set=set, out=out, progress=progress, **given)


def exploit_upper_bound(
    agent: AnyPlayer,
    game: Rules = "newmarket",
    players: int | None = None,
    *,
    worlds: int = 2048,
    deals: int = 20,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> ExploitUpperBoundResult:
    """An upper bound on how exploitable a network is, in a game of any size: no strategy of one seat gains more.

    The seat sees all cards, and is charged for what they tell it beyond what it may know (information relaxation with a
    penalty). Each of its choices is tried in at most so many sampled ``worlds``, in ``deals`` deals for each seat and each
    way to place its ante. ``agent``: a network that takes its likeliest actions. ``players``: by default 4, or the nearest
    number that the rules allow.
    """
    with told(progress) as tell:
        found = _native._upper_bound(
            agent,
            make_game(game, players, name="game"),
            worlds=whole("worlds", worlds, most=1_000_000),
            deals=whole("deals", deals),
            seed=whole("seed", seed),
            threads=whole("threads", threads),
            progress=tell,
        )
    return ExploitUpperBoundResult._of(found)


def review(
    trace: str | os.PathLike[str] | Sequence[Mapping[str, Any]],
    *,
    seat: int | None = None,
    by: AnyPlayer = "net:champion",
    agents: Sequence[AnyPlayer] | None = None,
    worlds: int = 256,
    seed: int = 1,
    worst: int = 10,
    threads: int = 0,
    progress: Progress = None,
) -> ReviewResult:
    """Judges the decisions of recorded deals: the value of each choice, and the cost of the choice that was made.

    ``trace``: what ``newmarket.trace`` returns, or the path of a trace file. ``seat``: whose decisions are judged, by
    default all. ``by``: who plays after a choice in the sampled deals: a network, or ``"stopper"``, ``"longest"`` or
    ``"random"``, which see all cards and are faster. ``agents``: who played, by seat, or one for all: a strategy tells
    its reasons; by default as the trace knows, and names that nobody knows tell none. ``worlds``: sampled deals of a
    decision, 16 or more. ``progress`` counts deals.
    """
    start = time.monotonic()
    source: Any
    if isinstance(trace, str | os.PathLike):
        source = Path(trace)
        if not source.is_file():
            raise OSError(f"trace: cannot read {source}: expected a trace file")
    else:
        source = ("\n".join(json.dumps(deal) for deal in trace), "the trace")
    known: Sequence[AnyPlayer] | None = agents
    if agents is None:
        known = getattr(trace, "agents", None) or None
    with told(progress) as tell:
        found = _native._review(
            source,
            seat=None if seat is None else whole("seat", seat),
            by=by,
            agents=None if known is None else list(known),
            lenient=agents is None,
            worlds=whole("worlds", worlds, 16, 65_536),
            seed=whole("seed", seed),
            worst=whole("worst", worst),
            threads=whole("threads", threads),
            progress=tell,
        )
    names = tuple(_name(agent) for agent in known or ())
    return ReviewResult._of(found, agents=names, seconds=time.monotonic() - start)


def _listed(players: AnyPlayer | Sequence[AnyPlayer]) -> list[AnyPlayer]:
    """One player or several, as a list."""
    return list(players) if isinstance(players, list | tuple) else [cast(AnyPlayer, players)]


def _by_name(name: str, player: Any) -> None:
    """Refuses an object where a player is taken by its name."""
    if not isinstance(player, str):
        raise ValueError(f"{name}: expected a name")


def _values(key: str, values: Any) -> list[Any]:
    """The values of a sweep, without numpy."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise ValueError(f"sweep: `{key}`: expected a list of values")
    return [value.tolist() if isinstance(value, np.ndarray | np.generic) else value for value in values]


def _granted(move_ms: SupportsIndex, start_ms: SupportsIndex, on_fault: str) -> tuple[int, int, str]:
    """What programs that play are granted."""
    return whole("move_ms", move_ms), whole("start_ms", start_ms), on_fault


def _name(player: AnyPlayer) -> str:
    return player if isinstance(player, str) else player.name


def _changed(game: Game, changes: Mapping[str, Any]) -> Game:
    """A game with other values of some of its rules."""
    try:
        return Game({**game.rules, **changes}, game.players) if changes else game
    except ValueError as error:
        raise ValueError(f"sweep: {error}") from None


def _part(tell: Callable[[int, int], object], before: int, total: int) -> Callable[[int, int], object]:
    """Progress of a part of some work."""
    return lambda done, _: tell(before + done, total)

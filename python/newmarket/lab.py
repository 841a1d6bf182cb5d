"""The laboratory: duels, surveys, ladders, studies, comparisons, reviews, exploitability and training.

Each function measures what the command of the same name measures, and gives the same figures for the same seed, on any
machine and any number of threads. It returns a frozen dataclass of ``newmarket.results``.

**Players** are agents' names, as ``"stopper"`` or ``"net:runs/mine"`` (``named_agents()``), ``Agent`` objects, ``Player`` objects, and,
where they are not studied by name, programs: ``'exec:["python3","bot.py"]'``. A program speaks the engine protocol (docs
of the repository). It has ``start_ms`` milliseconds to start and ``move_ms`` for a decision. At a fault ``"stopper"``
plays the rest of the deal for it; with ``on_fault="stop"`` a ``RuntimeError`` ends the call. ``programs`` of a result
counts answers and faults.

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
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, SupportsIndex, cast, overload

import numpy as np

from newmarket import _native
from newmarket._arguments import AnyPlayer, Players, Progress, Rules, make_game, make_games, told, whole
from newmarket._native import Agent, Game, __version__
from newmarket.results import (
    CompareResult,
    CompareRow,
    DuelResult,
    ExploitBoundResult,
    ExploitResult,
    LadderResult,
    ReviewResult,
    SessionsResult,
    StudiesResult,
    StudyResult,
    SurveyResult,
    TrainResult,
)


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

    ``tables``: ``"named"``, every named game with every number of players, or ``"held-out:K"``, K house rules that are
    held out from training, other ones for each seed. A row plays as many deals as intervals of ``half_width`` antes
    need, at most ``deals``; a hero is behind if it loses more than ``margin`` antes. The intervals of all rows hold
    together with 95 % probability. ``progress`` counts rows.
    """
    held_out = None
    if tables != "named":
        kind, _, count = tables.partition(":")
        if kind != "held-out" or not count.isdecimal() or not 1 <= int(count) <= 10_000:
            raise ValueError(f"tables: `{tables}`: expected named, or held-out:K with K from 1 to 10000")
        held_out = int(count)
    with told(progress) as tell:
        found = _native._survey(
            hero,
            _listed(fields),
            held_out=held_out,
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
    flags = {"field": field, "player": player, "payoff": payoff, "deals": deals, "ci": ci, "minutes": minutes}
    start = time.monotonic()
    with _rules_file(game) as rules:
        more = {"rules": rules, "players": players, "keep": keep, "seed": seed}
        found = _program("study", "all", *_flags({**flags, **more}))
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
    with _rules_file(game) as rules:
        flags: dict[str, Any] = {"train": train, "rules": rules, "players": _players_of(game, players), "deals": deals}
        flags |= {"updates": updates, "minutes": minutes, "seed": seed}
        words = "-".join(re.findall(r"\w+", agent))
        with _folder(out, f"exploit-{words}") as folder:
            found = _trained(folder, progress, "exploit", agent, *_flags(flags), *_settings(set), "--out", folder)
    return _of_exploiter(found)


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


def train(
    preset: str = "quick",
    game: Rules | None = None,
    players: int | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    updates: int | None = None,
    minutes: float | None = None,
    session: bool = False,
    device: str = "cpu",
    seed: int | None = None,
    progress: Progress = None,
) -> TrainResult:
    """Trains a network by self-play, and measures it, as ``newmarket train``, in a process of its own.

    ``preset``, with the values of the file ``config`` and of ``set``, as ``{"learner.epochs": 4}``, over it. ``game``
    and ``players``: the table to train for; by default the preset's. ``session``: for whole sessions. ``out``: the run's
    folder, new or empty; by default ``runs/PRESET``, or the next free number.

    Ctrl-C saves the run, and raises ``KeyboardInterrupt`` once it is saved; ``newmarket.resume(folder)`` goes on. A
    second Ctrl-C ends it at once. If this process is killed, the training goes on to its end. ``progress`` counts
    updates.
    """
    with _rules_file(game) as rules:
        flags: dict[str, Any] = {"config": config, "updates": updates, "minutes": minutes, "device": device, "seed": seed}
        flags |= {"rules": rules, "players": _players_of(game, players), "session": session}
        with _folder(out, preset) as folder:
            found = _trained(folder, progress, "train", preset, *_flags(flags), *_settings(set), "--out", folder)
    return _of_run(found)


def resume(
    folder: str | os.PathLike[str], *, device: str = "cpu", progress: Progress = None
) -> TrainResult | ExploitBoundResult:
    """Goes on with a run that was stopped, as ``newmarket resume``; the weights are those of a run without a stop.

    The result of an exploiter's run is what it gains.
    """
    path = os.fspath(folder)
    found = _trained(path, progress, "resume", path, "--device", device)
    return _of_exploiter(found) if "agent" in found else _of_run(found)


def _call_by_name(table: dict[str, Any]) -> None:
    """Rules of a dict went to the program as a file: if that has gone, they are called by their name."""
    if table["rules"].endswith(".toml") and not Path(table["rules"]).is_file():
        table["rules"] = table["rules_file"].get("name", table["rules_file"]["base"])


def _of_exploiter(found: dict[str, Any]) -> ExploitBoundResult:
    _call_by_name(found)
    return ExploitBoundResult._of(found)


def _of_run(found: dict[str, Any]) -> TrainResult:
    for table in found["tables"]:
        _call_by_name(table)
    rows = _lines(Path(found["folder"]) / "metrics.jsonl")
    figures = json.loads(rows[-1]) if rows else {}
    return TrainResult._of(found, figures=figures)


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


def _name(player: AnyPlayer) -> str:
    return player if isinstance(player, str) else player.name


def _granted(move_ms: SupportsIndex, start_ms: SupportsIndex, on_fault: str) -> tuple[int, int, str]:
    """What programs that play are granted."""
    return whole("move_ms", move_ms), whole("start_ms", start_ms), on_fault


def _changed(game: Game, changes: Mapping[str, Any]) -> Game:
    """A game with other values of some of its rules."""
    try:
        return Game({**game.rules, **changes}, game.players) if changes else game
    except ValueError as error:
        raise ValueError(f"sweep: {error}") from None


def _part(tell: Callable[[int, int], object], before: int, total: int) -> Callable[[int, int], object]:
    """Progress of a part of some work."""
    return lambda done, _: tell(before + done, total)


@contextmanager
def _rules_file(game: Rules | None) -> Iterator[str | None]:
    """Rules as the program takes them: a name, a path, or a file for the time."""
    if game is None or isinstance(game, str | os.PathLike):
        yield None if game is None else os.fspath(game)
        return
    with tempfile.TemporaryDirectory(prefix="newmarket-") as folder:
        made = make_game(game, None, name="game")
        # Rules of a file are called as the file is.
        path = Path(folder) / (re.sub(r"[^\w .-]", "-", made.title) + ".toml")
        path.write_text(made.toml, encoding="utf-8")
        yield str(path)


def _players_of(game: Rules | None, players: int | None) -> int | None:
    return game.players if isinstance(game, Game) and players is None else players


def _flags(values: Mapping[str, Any]) -> list[str]:
    """Values as flags of the command line."""
    words: list[str] = []
    for name, value in values.items():
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words.append(f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


def _settings(values: Mapping[str, Any] | None) -> list[str]:
    """Values of a training's configuration; JSON of plain values is TOML."""
    told = ((name, value if isinstance(value, str) else json.dumps(value)) for name, value in (values or {}).items())
    return [f"--set={name}={value}" for name, value in told]


@contextmanager
def _folder(out: str | os.PathLike[str] | None, name: str) -> Iterator[str]:
    """The folder of a run: by default the first of ``runs/NAME``, ``runs/NAME-2``, ... that is free.

    One that was made here for a run that did not begin is removed.
    """
    if out is not None:
        yield os.fspath(out)
        return
    Path("runs").mkdir(exist_ok=True)
    for nth in itertools.count(1):
        folder = Path("runs") / (name if nth == 1 else f"{name}-{nth}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        break
    try:
        yield str(folder)
    except BaseException:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        raise


def _trained(folder: str, progress: Progress, *arguments: str) -> dict[str, Any]:
    """What a training prints, which tells its progress by its folder."""

    def updates() -> tuple[int, int]:
        rows = _lines(Path(folder) / "metrics.jsonl")
        planned = [line for line in _lines(Path(folder) / "config.toml") if line.startswith("updates = ")]
        done = json.loads(rows[-1])["update"] if rows else 0
        return done, int(planned[0].rpartition(" ")[2]) if planned else 0

    last = (-1, -1)
    with told(progress) as tell:

        def tick() -> None:
            nonlocal last
            if tell is not None and (now := updates()) != last:
                last = now
                tell(*now)

        found = _program(*arguments, tick=tick, hint=f"; resume({folder!r}) goes on")
        tick()
    return found


def _lines(path: Path) -> list[str]:
    """The whole lines of a file that may be written; none if there is no file."""
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return []


#: Exit codes of a program that somebody ended by a signal: its own, that of Windows, and those of SIGHUP, SIGINT, SIGKILL
#: and SIGTERM. A crash has others.
_ENDED = (130, 0xC000013A, -1, -2, -9, -15)


def _program(*arguments: str, tick: Callable[[], None] = lambda: None, hint: str = "") -> dict[str, Any]:
    """What a command of the program prints as JSON, in a process of its own.

    Its failure is raised as one exception. An interrupt is passed on to it, and is raised once it has ended. ``hint``:
    what to do if somebody else ended it.
    """
    command = [sys.executable, "-m", "newmarket", *arguments, "--json"]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
    ):
        process = _started(command, out, said)
        try:
            while True:
                try:
                    code = process.wait(0.1)
                    break
                except subprocess.TimeoutExpired:
                    tick()
        except KeyboardInterrupt:
            _stop(process)
            raise KeyboardInterrupt(_last(said, "interrupted")) from None
        except BaseException:
            _stop(process)
            raise
        if code == 0:
            out.seek(0)
            found: dict[str, Any] = json.load(out)
            return found
        line = _last(said, f"the program ended with code {code}")
    if code in _ENDED:
        raise RuntimeError(f"the program was ended by a signal{hint}")
    raise (ValueError if code == 2 else RuntimeError)(line.removeprefix("error: "))


def _started(command: Sequence[str], out: Any, said: Any) -> subprocess.Popen[bytes]:
    """A program that the Ctrl-C of a terminal does not reach: this process passes it on, once."""
    if sys.platform == "win32":
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=said,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out, stderr=said, start_new_session=True
    )


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Has the program end as at an interrupt, and waits for it; a second interrupt ends it at once."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.terminate()
    try:
        process.wait()
    except KeyboardInterrupt:
        process.kill()
        process.wait()
        raise


def _last(said: Any, otherwise: str) -> str:
    """The last line on standard error."""
    said.seek(0)
    lines = [line.strip() for line in said.read().splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error: ")]
    return str((errors or lines or [otherwise])[-1])

"""Training: ``newmarket train`` and ``newmarket resume`` in a process of their own.

>>> run = newmarket.train("quick", "michigan", 5, minutes=3, progress=print)
>>> newmarket.duel(run.player, "stopper", "michigan", 5)

Games, progress and errors are those of ``newmarket.lab``. ``newmarket.exploit_bound`` trains exploiters.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from newmarket._arguments import Progress, Rules, told
from newmarket._program import flags, of_table, printed
from newmarket.results import ExploitBoundResult, TrainResult


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
    found = _run(
        ("train", preset),
        preset,
        game,
        players,
        set=set,
        out=out,
        progress=progress,
        config=config,
        updates=updates,
        minutes=minutes,
        session=session,
        device=device,
        seed=seed,
    )
    return _of_run(found)


def resume(
    folder: str | os.PathLike[str], *, device: str = "cpu", progress: Progress = None
) -> TrainResult | ExploitBoundResult:
    """Goes on with a run that was stopped, as ``newmarket resume``; the weights are those of a run without a stop.

    The result of an exploiter's run is what it gains.
    """
    path = os.fspath(folder)
    found = _followed(path, progress, "resume", path, "--device", device)
    return _of_exploiter(found) if "agent" in found else _of_run(found)


def _exploiter(agent: str, game: Rules, players: int | None, **options: Any) -> ExploitBoundResult:
    """Trains an exploiter of an agent. ``options``: as those of ``_run``."""
    name = "exploit-" + "-".join(re.findall(r"\w+", agent))
    return _of_exploiter(_run(("exploit", agent), name, game, players, **options))


def _run(
    command: Sequence[str],
    name: str,
    game: Rules | None,
    players: int | None,
    *,
    set: Mapping[str, Any] | None,
    out: str | os.PathLike[str] | None,
    progress: Progress,
    **given: Any,
) -> dict[str, Any]:
    """What a new run prints at its end. ``given``: further flags of the command."""
    with of_table(game, players) as table, _folder(out, name) as folder:
        words = [*flags({**given, **table}), *_settings(set), "--out", folder]
        return _followed(folder, progress, *command, *words)


def _settings(values: Mapping[str, Any] | None) -> list[str]:
    """Values of a training's configuration; JSON of plain values is TOML."""
    return [
        f"--set={name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in (values or {}).items()
    ]


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


def _followed(folder: str, progress: Progress, *arguments: str) -> dict[str, Any]:
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

        found = printed(*arguments, tick=tick, hint=f"; resume({folder!r}) goes on")
        tick()
    return found


def _lines(path: Path) -> list[str]:
    """The whole lines of a file that may be written; none if there is no file."""
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return []


def _of_run(found: dict[str, Any]) -> TrainResult:
    for table in found["tables"]:
        _call_by_name(table)
    rows = _lines(Path(found["folder"]) / "metrics.jsonl")
    return TrainResult._of(found, figures=json.loads(rows[-1]) if rows else {})


def _of_exploiter(found: dict[str, Any]) -> ExploitBoundResult:
    _call_by_name(found)
    return ExploitBoundResult._of(found)


def _call_by_name(table: dict[str, Any]) -> None:
    """Rules of a dict went to the program as a file: if that has gone, they are called by their name."""
    if table["rules"].endswith(".toml") and not Path(table["rules"]).is_file():
        table["rules"] = table["rules_file"].get("name", table["rules_file"]["base"])

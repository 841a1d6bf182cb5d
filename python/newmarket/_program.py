"""The program in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from newmarket._arguments import Rules, make_game
from newmarket._native import Game

#: Exit codes of a program that somebody ended by a signal: its own, that of Windows, and those of SIGHUP, SIGINT, SIGKILL
#: and SIGTERM. A crash has others.
_ENDED = (130, 0xC000013A, -1, -2, -9, -15)


@contextmanager
def of_table(game: Rules | None, players: int | None) -> Iterator[dict[str, Any]]:
    """The flags that name a table. Rules that have no name and no file get a file for the time."""
    if isinstance(game, Game) and players is None:
        players = game.players
    if game is None or isinstance(game, str | os.PathLike):
        yield {"rules": game, "players": players}
        return
    with tempfile.TemporaryDirectory(prefix="newmarket-") as folder:
        made = make_game(game, None, name="game")
        # Rules of a file are called as the file is.
        path = Path(folder) / (re.sub(r"[^\w .-]", "-", made.title) + ".toml")
        path.write_text(made.toml, encoding="utf-8")
        yield {"rules": path, "players": players}


def flags(values: Mapping[str, Any]) -> list[str]:
    """Values as flags of the command line."""
    words: list[str] = []
    for name, value in values.items():
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words.append(f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


def printed(*arguments: str, tick: Callable[[], None] = lambda: None, hint: str = "") -> dict[str, Any]:
    """What a command of the program prints as JSON. ``tick`` is called again and again until then.

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
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=said, **apart)


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

"""Training on many machines, by Ray: deals are played by workers, the learner is in this process.

::

    $ python -m newmarket.distributed train quick --workers 16 --out runs/quick
    $ python -m newmarket.distributed resume runs/quick --workers 16

or from Python:

>>> from newmarket.distributed import run
>>> run("train", "quick", "--out", "runs/quick", workers=16)

All arguments but ``--workers``, ``--cpus-per-worker``, ``--patience`` and ``--address`` are those of ``newmarket
train`` and ``newmarket resume``, and so is the run's folder: a run may change between this command
and ``newmarket resume`` at any checkpoint. Ctrl-C saves and stops.

**The same weights.** An update is cut into shards, each a function of the weights and of its index.
So the checkpoints are those of ``newmarket train`` on this machine, byte for byte: for any number of
workers, and with any of them lost at any time, in which case its shards are handed out again. A
run without updates is planned by the clock first; from the ``config.toml`` that it leaves, it is the
same everywhere.

**A worker that hangs** is as good as lost: after ``--patience`` seconds, or ten times the longest answer so
far if that is more, it is killed and replaced, and its shards are handed out again. If nobody answers for so
long, the learner plays shards itself. After Ctrl-C it waits for 5 seconds, or twice the longest answer.

**What it can bring.** Only playing is shared out; the learner learns on its own machine. How much of
an update is playing depends on the phase: see "Many machines" in the README, and
``time/gather_seconds`` against ``time/update_seconds`` in a run's ``metrics.jsonl``.

**Trust.** Every node needs the same build of this package; others are refused. Messages are versioned,
bounded and sealed, and every value is checked, so what is damaged is refused and gathered again. A
seal keeps nobody out: whoever can reach the Ray cluster can run code on it. Keep it in a network that
you trust.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import ray
    from ray.exceptions import RayActorError, RayError, RayTaskError
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    print("error: Ray is not installed: pip install 'newmarket[distributed]'", file=sys.stderr)
    sys.exit(2)

from newmarket._native import RolloutWorker, Update, interrupted, run_gathering

#: The program sets its handlers of signals once a process.
_program_has_handlers = False

__all__ = ["main", "run"]

_log = logging.getLogger("newmarket.distributed")

#: Seconds without an answer after which a worker is taken to hang, unless answers have taken long before.
_PATIENCE = 60.0
#: The same once the run has been interrupted.
_HASTE = 5.0
#: Seconds after which it is looked who hangs, and whether there was an interrupt.
_TICK = 0.5
#: So many failures, or two for each worker if that is more, without a shard played in between end a run:
#: the next would fail, too.
_MOST_FAILURES = 20


class Worker:
    """Plays shards of updates, in a process of its own."""

    def __init__(self, threads: int) -> None:
        self._worker = RolloutWorker(threads=threads)

    def greet(self) -> list[bytes]:
        """Answer that it is there."""
        return []

    def gather(
        self, plan: npt.NDArray[np.uint8], networks: dict[str, Any], shards: list[int]
    ) -> list[bytes]:
        """These shards of a plan, as messages. ``networks`` are references by name."""
        for name, network in networks.items():
            if not self._worker.knows(name):
                self._worker.add_network(ray.get(network))
        return self._worker.gather(plan, shards)


class Crew:
    """The workers of a run, seen from its learner."""

    def __init__(self, workers: int, cpus: int, patience: float) -> None:
        # A worker that is lost is replaced rather than restarted by Ray: the new one is waited for
        # in a queue, while calls to one that restarts fail until it is back.
        self._worker = ray.remote(num_cpus=cpus, max_restarts=0, max_task_retries=0)(Worker)
        self._workers = workers
        self._cpus = cpus
        self._networks: dict[str, Any] = {}
        self._idle: list[Any] = []
        #: By the answer that is waited for: the worker, the shards that it plays, and since when.
        self._busy: dict[Any, tuple[Any, list[int], float]] = {}
        self._failures = 0
        self._given_patience = patience
        #: Seconds of the longest answer.
        self._longest = 0.0
        #: Plays what nobody else does.
        self._own: RolloutWorker | None = None
        for _ in range(workers):
            self._hire()

    def dismiss(self) -> None:
        """Let all workers go: their processors are free for others."""
        for worker in [*self._idle, *(worker for worker, _, _ in self._busy.values())]:
            ray.kill(worker)

    def _hire(self) -> None:
        worker = self._worker.remote(self._cpus)
        self._busy[worker.greet.remote()] = worker, [], time.monotonic()

    def _patience(self) -> float:
        """Seconds without an answer after which a worker is taken to hang."""
        if interrupted():
            return min(self._given_patience, max(_HASTE, 2 * self._longest))
        return max(self._given_patience, 10 * self._longest)

    def gather(self, update: Update) -> None:
        """Have all shards of an update played."""
        plan = ray.put(update.plan)
        known, self._networks = self._networks, {}
        for name, network in update.networks.items():
            self._networks[name] = known[name] if name in known else ray.put(network)
        left = list(range(update.shards))
        missing = update.shards
        heard = time.monotonic()
        while missing:
            while left and self._idle:
                # Much at first, little at the end: few messages, and nobody is waited for long.
                size = max(self._cpus, len(left) // (2 * self._workers))
                worker, shards, left = self._idle.pop(), left[:size], left[size:]
                answer = worker.gather.remote(plan, self._networks, shards)
                self._busy[answer] = worker, shards, time.monotonic()
            done = ray.wait(list(self._busy), timeout=_TICK)[0] if self._busy else []
            if not done:
                left += self._replace_hung()
                if left and time.monotonic() - heard > self._patience():
                    self._play(update, left.pop())
                    missing -= 1
                continue
            heard = time.monotonic()
            worker, shards, since = self._busy.pop(done[0])
            try:
                answers = ray.get(done[0], timeout=self._patience())
                for index, shard in zip(shards, answers, strict=True):
                    update.take(index, shard)
            except (RayError, ValueError) as error:
                self._lose(error)
                left += shards
                ray.kill(worker)
                self._hire()
            else:
                self._idle.append(worker)
                if shards:
                    missing -= len(shards)
                    self._failures = 0
                    self._longest = max(self._longest, heard - since)

    def _replace_hung(self) -> list[int]:
        """Replace the workers that have not answered for long; return their shards."""
        patience, left = self._patience(), []
        for answer, (worker, shards, since) in list(self._busy.items()):
            silence = time.monotonic() - since
            # Who has not greeted yet may wait for a place in the cluster.
            if shards and silence > patience:
                told = "a worker has not answered for %.0f s: it is replaced, and its shards are played again"
                _log.warning(told, silence)
                del self._busy[answer]
                left += shards
                ray.kill(worker)
                self._hire()
        return left

    def _play(self, update: Update, shard: int) -> None:
        """Play a shard in this process."""
        if self._own is None:
            _log.warning("no worker answers: the learner plays shards itself")
            self._own = RolloutWorker(threads=self._cpus)
        for name, network in update.networks.items():
            if not self._own.knows(name):
                self._own.add_network(network)
        [played] = self._own.gather(update.plan, [shard])
        update.take(shard, played)

    def _lose(self, error: Exception) -> None:
        """Note that a worker has failed, unless there is no point in going on."""
        cause = error.cause if isinstance(error, RayTaskError) else error
        own_fault = isinstance(error, RayTaskError) and not isinstance(cause, RayError)
        never_began = isinstance(error, RayActorError) and error.actor_init_failed
        self._failures += 1
        most = max(_MOST_FAILURES, 2 * self._workers)
        if own_fault or never_began or self._failures > most:
            raise RuntimeError(_line(cause)) from error
        _log.warning("a worker is replaced, and its shards are played again: %s", _line(cause))


def _line(error: BaseException) -> str:
    """What an error says, in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    return " ".join(line for line in lines if line) or type(error).__name__


def run(
    *arguments: str,
    workers: int | None = None,
    cpus_per_worker: int = 1,
    patience: float = _PATIENCE,
    address: str | None = None,
) -> int:
    """Run ``train`` or ``resume`` with these arguments; return the exit code of the program.

    ``workers`` processes play on ``cpus_per_worker`` threads each; by default there are as many as
    the cluster has processors for. A worker without an answer for ``patience`` seconds, or ten times the longest
    answer so far, is replaced. ``address`` is that of a Ray cluster, as ``ray.init`` takes it; by
    default the one that this process is connected to, or ``RAY_ADDRESS``, or one on this machine alone.

    0: the run has ended, or was interrupted and saved. 2: something that was asked for cannot be
    used. 1: it failed; what had been learnt is saved. A line on standard error says why.
    """
    started = not ray.is_initialized()
    if started:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address=address)
    crew: list[Crew] = []

    def gather(update: Update) -> None:
        if not crew:
            processors = int(ray.cluster_resources().get("CPU", 1))
            most = max(1, processors // cpus_per_worker)
            crew.append(Crew(most if workers is None else workers, cpus_per_worker, patience))
        crew[0].gather(update)

    # The program has handlers of its own while it runs. They call those that were there, too, and Python's would end the
    # rollout in the middle.
    main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    global _program_has_handlers
    if main and not _program_has_handlers:
        _program_has_handlers = True
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, _by_the_program)
    try:
        return run_gathering(list(arguments), gather)
    finally:
        for lot in crew:
            lot.dismiss()
        for number, handler in before.items():
            if main and handler is not None:
                signal.signal(number, handler)
        if started:
            ray.shutdown()


def _by_the_program(_number: int, _frame: object) -> None:
    """Leave the signal to the program."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or those of this process, and exit with its code."""
    parser = argparse.ArgumentParser(
        prog="python -m newmarket.distributed",
        usage="%(prog)s {train PRESET,resume DIR} [--workers N] [--cpus-per-worker K] "
        "[--patience S] [--address A] [what `python -m newmarket train` takes]",
        description="Train with deals played by Ray workers; the weights are those of a local run.",
        allow_abbrev=False,
    )
    parser.add_argument("--workers", type=_count, help="worker processes; all processors' if left out")
    parser.add_argument("--cpus-per-worker", type=_count, default=1, help="threads of each; 1")
    told = "seconds without an answer after which a worker is replaced; 60"
    parser.add_argument("--patience", type=_seconds, default=_PATIENCE, help=told)
    parser.add_argument("--address", help="of a Ray cluster, as ray.init takes it")
    ours, theirs = parser.parse_known_args(arguments)
    if not theirs or theirs[0] not in ("train", "resume"):
        parser.error("expected `train` or `resume` first, as in: train quick --workers 4")
    sys.exit(run(*theirs, **vars(ours)))


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= 1024:
        raise argparse.ArgumentTypeError(f"{count}: expected 1 to 1024")
    return count


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text}: expected more than 0, and at most 86400")
    return seconds


if __name__ == "__main__":
    # By its name, under which workers import it.
    from newmarket import distributed

    distributed.main()

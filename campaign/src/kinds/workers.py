"""Trains by Ray with workers that fail as a plan says::

    workers.py PLAN FOLDER WORKERS PATIENCE SIGNAL SECONDS train --config small.toml --out run

``PLAN`` is what each request for shards meets, by its number over all workers: ``work``, or a deed of `DEEDS`. Who
stops leaves a file ``stopped-PID`` in ``FOLDER``. Unless it is 0, ``SIGNAL`` comes so many seconds after the run has
begun.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Ray has messages of its own on lost workers.
os.environ["RAY_LOG_TO_DRIVER_EVENT_LEVEL"] = "FATAL"
os.environ["RAY_COLOR_PREFIX"] = "0"
import ray

from newmarket import distributed


def stop(answer: list[bytes]) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGSTOP)
    return answer


def die(answer: list[bytes]) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    return answer


def wait(answer: list[bytes]) -> list[bytes]:
    time.sleep(3600)
    return answer


def turn(answer: list[bytes]) -> list[bytes]:
    while True:
        pass


def be_late(answer: list[bytes]) -> list[bytes]:
    time.sleep(1.5)
    return answer


def damage(answer: list[bytes]) -> list[bytes]:
    shard = bytearray(answer[0])
    shard[len(shard) // 2] ^= 1
    return [bytes(shard), *answer[1:]]


def cut(answer: list[bytes]) -> list[bytes]:
    return [answer[0][: len(answer[0]) // 2], *answer[1:]]


def forget(answer: list[bytes]) -> list[bytes]:
    return answer[1:]


def exchange(answer: list[bytes]) -> list[bytes]:
    return answer[::-1] if len(answer) > 1 else [*answer, *answer]


def leave(answer: list[bytes]) -> list[bytes]:
    os._exit(0)


DEEDS = {deed.__name__: deed for deed in [stop, die, wait, turn, be_late, damage, cut, forget, exchange, leave]}
plan, folder, workers, patience = sys.argv[1].split(","), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
number, seconds = int(sys.argv[5]), float(sys.argv[6])
over = threading.Event()


class Failing(distributed.Worker):
    def gather(self, shards_of: Any, networks: dict[str, Any], shards: list[int]) -> list[bytes]:
        answer = super().gather(shards_of, networks, shards)
        at = request()
        deed = plan[at] if at < len(plan) else "work"
        if deed == "work":
            return answer
        (folder / f"stopped-{os.getpid()}").touch()
        return DEEDS[deed](answer)


def request() -> int:
    """The number of this request, over all workers."""
    for number in range(1_000_000):
        try:
            (folder / f"request-{number}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return number
    raise AssertionError


def interrupt() -> None:
    while not Path("run/config.toml").exists():
        time.sleep(0.01)
    if not over.wait(seconds):
        os.kill(os.getpid(), number)


if __name__ == "__main__":
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    distributed.Worker = Failing
    logging.disable()
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    if number:
        threading.Thread(target=interrupt, daemon=True).start()
    code = distributed.run(*sys.argv[7:], workers=int(workers), patience=float(patience))
    over.set()
    ray.shutdown()
    sys.exit(code)

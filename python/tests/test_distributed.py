"""Training by Ray: the local run's checkpoints, byte for byte, whoever plays and whoever is lost."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import SHOWN

# On this machine alone, and nothing is sent anywhere. Read when Ray is imported.
for name, value in {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}.items():
    os.environ[name] = value

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

from newmarket import _native, distributed  # noqa: E402

#: A run of seconds, with a network at its tables.
SMALL = [
    "--updates=6",
    "--set=network.hidden=[16]",
    "--set=rollout.deals=96",
    "--set=run.checkpoint_every=1",
    "--set=run.keep=0",
    "--set=run.benchmark_every=3",
    "--set=run.benchmark_deals=10",
    "--set=learner.minibatch=64",
    "--set=opponents.agents=[{ agent = 'net:champion', share = 0.2 }]",
]
UPDATES = 6


def hashes(folder: Path) -> list[str]:
    """Of all checkpoints, in their order."""
    files = sorted((folder / "checkpoints").glob("update-*.ckpt"))
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


def is_the_same(folder: Path, local: list[str], who: str) -> None:
    """All checkpoints are, byte for byte; shows the hash of the last one."""
    SHOWN.append(f"{hashes(folder)[-1][:32]} {who}")
    assert hashes(folder) == local


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the program's own run leaves."""
    folder = tmp_path_factory.mktemp("local") / "run"
    assert _native.run(["train", "quick", *SMALL, "--out", str(folder)]) == 0
    assert len(hashes(folder)) == UPDATES
    SHOWN.append(f"{hashes(folder)[-1][:32]} the local run")
    return hashes(folder)


@pytest.fixture(scope="module")
def machine() -> Iterator[None]:
    """One node of two processors."""
    ray.init(
        address="local",
        num_cpus=2,
        _node_ip_address="127.0.0.1",
        include_dashboard=False,
        log_to_driver=False,
    )
    yield
    ray.shutdown()


def train(folder: Path, workers: int) -> int:
    return distributed.run("train", "quick", *SMALL, "--out", str(folder), workers=workers)


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_trains_the_same(
    machine: None, local: list[str], tmp_path: Path, workers: int
) -> None:
    assert train(tmp_path / "run", workers) == 0
    is_the_same(tmp_path / "run", local, f"workers: {workers}")


def once(path: Path) -> bool:
    """Whether this is the first time, over all processes."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def failing(folder: Path, fail: Callable[[list[bytes]], list[bytes]]) -> type[distributed.Worker]:
    """Workers one of which, once in the third update, answers like this."""

    # In a function: it is sent to the workers, which cannot import it.
    class Failing(distributed.Worker):
        plans: set[bytes]

        def gather(self, plan: Any, networks: dict[str, Any], shards: list[int]) -> list[bytes]:
            self.plans = {*getattr(self, "plans", ()), plan[-32:].tobytes()}
            answer = super().gather(plan, networks, shards)
            return fail(answer) if len(self.plans) == 3 and once(folder / "failed") else answer

    return Failing


def killed(_: list[bytes]) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def damaged(answer: list[bytes]) -> list[bytes]:
    [shard, *rest] = answer
    return [shard[:400] + bytes([shard[400] ^ 1]) + shard[401:], *rest]


@pytest.mark.parametrize("fail", [killed, damaged])
def test_what_a_worker_loses_is_gathered_again(
    machine: None,
    local: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fail: Callable[[list[bytes]], list[bytes]],
) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    monkeypatch.setattr(distributed, "Worker", failing(tmp_path, fail))
    assert train(tmp_path / "run", 2) == 0
    assert (tmp_path / "failed").exists()
    is_the_same(tmp_path / "run", local, f"a worker is {fail.__name__}")


def test_a_run_ends_if_workers_are_always_lost(
    machine: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

    class Lost(distributed.Worker):
        def gather(self, plan: Any, networks: dict[str, Any], shards: list[int]) -> list[bytes]:
            return killed([])

    monkeypatch.setattr(distributed, "Worker", Lost)
    monkeypatch.setattr(distributed, "_MOST_FAILURES", 1)
    assert train(tmp_path / "run", 1) == 1
    said = capfd.readouterr().err
    assert "update 1 could not be gathered: " in said
    assert caplog.text.count("a worker is replaced") == 2


def wrong(_: list[bytes]) -> list[bytes]:
    raise ValueError("this worker is of\nanother build")


def test_a_fault_of_all_workers_ends_the_run_which_goes_on_anywhere(
    machine: None,
    local: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(distributed, "Worker", failing(tmp_path, wrong))
        assert train(folder, 2) == 1
    [line] = [line for line in capfd.readouterr().err.splitlines() if line.startswith("error: ")]
    assert "update 3 could not be gathered: " in line
    assert "this worker is of another build" in line and "update 2 is saved" in line
    assert hashes(folder) == local[:2]
    assert distributed.run("resume", str(folder), workers=2) == 0
    is_the_same(folder, local, "all workers fail, and the run is resumed")


def test_a_node_is_lost(local: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray.shutdown()
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    nodes = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False},
    )
    other = nodes.add_node(num_cpus=1, node_ip_address="127.0.0.1")
    ray.init(address=nodes.address, _node_ip_address="127.0.0.1", log_to_driver=False)
    begun, name = tmp_path / "begun", other.node_id

    class OnNodes(distributed.Worker):
        def gather(self, plan: Any, networks: dict[str, Any], shards: list[int]) -> list[bytes]:
            answer = super().gather(plan, networks, shards)
            node = ray.get_runtime_context().get_node_id()
            if node == name and once(begun):
                time.sleep(600)
            # Nobody else is done before.
            while not begun.exists():
                time.sleep(0.01)
            return answer

    def kill() -> None:
        while not begun.exists():
            time.sleep(0.01)
        nodes.remove_node(other, allow_graceful=False)

    monkeypatch.setattr(distributed, "Worker", OnNodes)
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        assert train(tmp_path / "run", 2) == 0
        killer.join(timeout=10)
        assert not killer.is_alive()
        is_the_same(tmp_path / "run", local, "a node is killed")
    finally:
        ray.shutdown()
        nodes.shutdown()


def stopped(_: list[bytes]) -> list[bytes]:
    os.kill(os.getpid(), signal.SIGSTOP)
    raise AssertionError


def is_gone(process: int) -> bool:
    """Whether there is no such process, or it waits for its parent to look."""
    try:
        return " Z " in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return True


def all_are_gone(processes: list[int]) -> None:
    """They are within a minute."""
    due = time.monotonic() + 60
    while not all(is_gone(process) for process in processes) and time.monotonic() < due:
        time.sleep(0.1)
    assert all(is_gone(process) for process in processes)


def command(folder: Path) -> subprocess.Popen[str]:
    """A run of two workers in a process and session of its own."""
    train = [sys.executable, "-m", "newmarket.distributed", "train", "quick", *SMALL]
    return subprocess.Popen(
        [*train, "--out", str(folder), "--workers", "2", "--address", "local"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def hanging(folder: Path, *, all_of_them: bool) -> type[distributed.Worker]:
    """Workers that stop, one of them or all, after they have noted who they are."""

    class Hanging(distributed.Worker):
        def gather(self, plan: Any, networks: dict[str, Any], shards: list[int]) -> list[bytes]:
            if all_of_them or once(folder / "first"):
                (folder / f"stopped-{os.getpid()}").touch()
                stopped([])
            return super().gather(plan, networks, shards)

    return Hanging


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="signals")
@pytest.mark.parametrize(("workers", "all_of_them"), [(1, False), (2, False), (2, True)])
def test_workers_that_hang(
    local: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    all_of_them: bool,
) -> None:
    """The run ends, with the same checkpoints, and no stopped process is left."""
    ray.shutdown()
    ray.init(
        address="local",
        num_cpus=2,
        _node_ip_address="127.0.0.1",
        include_dashboard=False,
        log_to_driver=False,
    )
    try:
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        monkeypatch.setattr(distributed, "Worker", hanging(tmp_path, all_of_them=all_of_them))
        folder = tmp_path / "run"
        arguments = ["train", "quick", *SMALL, "--out", str(folder)]
        begun = time.monotonic()
        assert distributed.run(*arguments, workers=workers, patience=1.0) == 0
        assert time.monotonic() - begun < 180
        is_the_same(folder, local, f"of {workers} workers {'all' if all_of_them else 'one'} hang")
    finally:
        ray.shutdown()
    hung = [int(path.name.removeprefix("stopped-")) for path in tmp_path.glob("stopped-*")]
    assert hung
    all_are_gone(hung)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="signals")
def test_one_interrupt_ends_a_run_whose_workers_hang(local: list[str], tmp_path: Path) -> None:
    """With the patience of a minute that is usual."""
    folder = tmp_path / "run"
    running = command(folder)
    workers: list[int] = []
    while running.poll() is None and len(workers) < 2:
        workers = [
            int(path.name)
            for path in Path("/proc").glob("[0-9]*")
            if worker_of(path, running.pid) and hashes(folder)
        ]
        time.sleep(0.01)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=180)
    assert running.returncode == 0, said
    done = len(hashes(folder))
    assert 1 <= done <= UPDATES and hashes(folder) == local[:done]
    all_are_gone(workers)


def worker_of(path: Path, learner: int) -> bool:
    """Whether this process is a Ray worker of ours, of the learner's session."""
    try:
        name = (path / "cmdline").read_bytes()
        return b"ray::Worker" in name and os.getsid(int(path.name)) in sessions(learner)
    except (OSError, ValueError):
        return False


def sessions(learner: int) -> set[int]:
    """The sessions of a process and its descendants."""
    found, known = {os.getsid(learner)}, {learner}
    for path in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            fields = (path / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) in known:
            known.add(int(path.name))
            found.add(int(fields[3]))
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_saves_and_the_program_goes_on(local: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    running = command(folder)
    while not hashes(folder) and running.poll() is None:
        time.sleep(0.01)
    # As a terminal does it: all processes of the group.
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=180)
    assert running.returncode == 0, said
    assert "saved at update " in said and "go on with: newmarket resume" in said
    done = len(hashes(folder))
    assert 1 <= done < UPDATES and hashes(folder) == local[:done]
    assert _native.run(["resume", str(folder)]) == 0
    is_the_same(folder, local, "an interrupt, then the program")


def test_a_command_line_is_checked(capfd: pytest.CaptureFixture[str]) -> None:
    for arguments in [[], ["duel"], ["train", "--workers", "0"], ["train", "--workers", "x"]]:
        with pytest.raises(SystemExit) as ended:
            distributed.main(arguments)
        assert ended.value.code == 2
    assert "expected `train` or `resume` first" in capfd.readouterr().err

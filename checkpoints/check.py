"""Exported files of a player, opened as others open them and compared with what this program computes.

Called by `checkpoints/check`, which says what is needed.
"""

import argparse
import json
import subprocess
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import tract
from safetensors.numpy import load_file, save_file

INPUTS, ACTIONS = 896, 74
NUMBERS = INPUTS + 4 * ACTIONS + 4
# How far an output may lie from ours, relative to 1 + |ours|.
TOLERANCE = 1e-4
# Actions may differ where the best two logits lie closer than this.
MARGIN = 1e-3
# The player here plays in whole numbers. Of its actions so many may differ from those of a file that computes in 32 bits, and the
# logits of the two actions may lie so far apart (docs/EXPORT.md has what was measured).
PLAYED_SHARE, PLAYED_MARGIN = 0.01, 0.5
BATCH = 4096
# A model in whole numbers holds 2 MB a row.
EXACT_BATCH = 128

Rows = dict[str, np.ndarray]


def rows(example: Path, player: str, count: int):
    """Views, and what this program answers, in batches."""
    with subprocess.Popen([example, player, str(count)], stdout=subprocess.PIPE) as program:
        while data := program.stdout.read(BATCH * NUMBERS * 4):
            table = np.frombuffer(data, "<f4").reshape(-1, NUMBERS)
            ends = np.cumsum([INPUTS, ACTIONS, ACTIONS, ACTIONS, 1, 1, ACTIONS, 1, 1])
            parts = np.split(table, ends[:-1], axis=1)
            names = ["observation", "legal", "logits", "policy", "value", "action"]
            names += ["played.logits", "played.value", "played.action"]
            batch = dict(zip(names, parts, strict=True))
            batch["legal"] = batch["legal"] != 0
            for name in ["value", "played.value"]:
                batch[name] = batch[name][:, 0]
            for name in ["action", "played.action"]:
                batch[name] = batch[name][:, 0].astype(int)
            yield batch
    if program.returncode != 0:
        raise SystemExit(f"{example} failed")


class Comparison:
    """How an implementation answers the same views."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.views = self.far = self.other_actions = self.within_margin = 0
        self.worst = 0.0
        # Against the player here, in whole numbers.
        self.played_otherwise = 0
        self.played_margin = 0.0

    def add(self, ours: Rows, theirs: Rows) -> None:
        self.views += len(ours["value"])
        bad = np.zeros(len(ours["value"]), bool)
        other = theirs["action"] != ours["action"]
        for name in ["logits", "policy", "value"]:
            assert theirs[name].shape == ours[name].shape, (name, theirs[name].shape)
            off = np.abs(theirs[name] - ours[name]) / (1 + np.abs(ours[name]))
            off = off.reshape(len(bad), -1).max(axis=1)
            if name == "policy":
                # Where the likeliest action is certain, another action is another policy.
                off = np.where(other, 0, off)
            self.worst = max(self.worst, float(off.max()))
            bad |= ~(off <= TOLERANCE)
        self.far += int(bad.sum())
        legal = np.where(ours["legal"], ours["logits"], -np.inf)
        best = np.sort(legal, axis=1)
        clear = best[:, -1] - best[:, -2] > MARGIN
        self.other_actions += int((other & clear).sum())
        self.within_margin += int((other & ~clear).sum())
        if "played.action" in ours:
            self.add_played(ours, theirs)

    def add_played(self, ours: Rows, theirs: Rows) -> None:
        """How often, and by how much, the player here chooses otherwise."""
        row = np.arange(len(ours["value"]))
        other = theirs["action"] != ours["played.action"]
        logits = theirs["logits"]
        gap = logits[row, theirs["action"]] - logits[row, ours["played.action"]]
        self.played_otherwise += int(other.sum())
        self.played_margin = max(self.played_margin, float(gap[other].max(initial=0)))

    @property
    def differences(self) -> int:
        too_often = self.played_otherwise > PLAYED_SHARE * self.views
        return self.far + self.other_actions + (too_often or self.played_margin > PLAYED_MARGIN)

    def tell(self) -> None:
        print(
            f"{self.name}: {self.views} views, largest difference {self.worst:.1e}, "
            f"{self.far} beyond {TOLERANCE}, {self.other_actions} other actions, "
            f"{self.within_margin} within a margin of {MARGIN}; {self.played_otherwise} other actions than "
            f"the player here, up to {self.played_margin:.3f} apart",
            flush=True,
        )


class Exactly:
    """Whether a model in whole numbers answers as the player here: the same actions, and logits at most `off` apart, relative to
    1 + |ours|."""

    def __init__(self, name: str, off: float) -> None:
        self.name, self.off, self.views, self.differences = name, off, 0, 0

    def add(self, ours: Rows, theirs: Rows) -> None:
        self.views += len(ours["value"])
        same = theirs["action"] == ours["played.action"]
        for name, legal in [("logits", ours["legal"]), ("value", np.bool_(True))]:
            told, due = theirs[name], ours[f"played.{name}"]
            near = np.abs(told - np.where(legal, due, told)) <= self.off * (1 + np.abs(told))
            same &= near.reshape(len(same), -1).all(axis=1)
        self.differences += int((~same).sum())

    def tell(self) -> None:
        print(f"{self.name}: {self.views} views, {self.differences} not within {self.off} of the player here", flush=True)


def by_onnxruntime(path: Path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def run(batch: Rows) -> Rows:
        inputs = {name: batch[name] for name in ["observation", "legal"]}
        return dict(zip(names, session.run(names, inputs), strict=True))

    return run


def by_tract(path: Path):
    # It gives outputs its own names, but not another order.
    runnable = tract.onnx().load(str(path)).into_model().into_runnable()
    names = [output.name for output in onnx.load(path).graph.output]

    def run(batch: Rows) -> Rows:
        inputs = [np.ascontiguousarray(batch[name]) for name in ["observation", "legal"]]
        outputs = [it.to_numpy() for it in runnable.run(inputs)]
        return dict(zip(names, outputs, strict=True))

    return run


def microseconds(run, batch: Rows, times: int = 2000) -> float:
    """The time of one decision at a time."""
    one = {name: array[:1] for name, array in batch.items()}
    run(one)
    begun = time.perf_counter()
    for _ in range(times):
        run(one)
    return round((time.perf_counter() - begun) / times * 1e6, 1)


def check_onnx(path: Path) -> dict:
    """The signature, the metadata and the example in it."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert [it.name for it in model.graph.input] == ["observation", "legal"]
    outputs = [it.name for it in model.graph.output]
    assert outputs == ["logits", "value", "policy", "action"], outputs
    assert [it.version for it in model.opset_import] == [17]
    assert "by rule" in model.doc_string
    return json.loads({it.key: it.value for it in model.metadata_props}["newmarket"])


def check_example(about: dict, run) -> None:
    """The decision that travels along."""
    example = about["example"]
    arrays = {name: np.array([value]) for name, value in example.items()}
    for name in ["observation", "logits", "policy", "value"]:
        arrays[name] = arrays[name].astype(np.float32)
    told = Comparison("the example in the metadata")
    told.add(arrays, run(arrays))
    assert told.differences == 0 and told.views == 1
    assert len(about["actions"]) == ACTIONS
    assert sum(span["len"] for span in about["observation"]) == INPUTS


def metadata(path: Path) -> dict[str, str]:
    """The metadata of a safetensors file."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return json.loads(file.read(length))["__metadata__"]


# The kinds of decision, by action (docs/EXPORT.md); an ante may follow a look.
KINDS = ["lead"] * 4 + ["ante"] * 8 + ["dead_hand"] * 3 + ["auction"] * 2 + ["bet"] * 5 + ["lead"] * 52
# How a player is told to choose that draws some kinds of decision.
MIXED = {
    "ante": 2.0, "ante_after_look": 0.25, "dead_hand": "likeliest", "auction": 0.1, "bet": 1.0,
    "lead": "likeliest",
}  # fmt: skip


def temperatures(manifest: dict, actions: np.ndarray, look: np.ndarray) -> np.ndarray:
    """The temperature of each decision, 0 where the likeliest action is certain. `[batch, 1]`"""
    plays = manifest.get("plays")
    if plays is None:
        return np.full((len(actions), 1), manifest.get("temperature", 1.0))
    kinds = [KINDS[action] for action in actions]
    kinds = [f"{kind}_after_look" if kind == "ante" and after else kind for kind, after in zip(kinds, look, strict=True)]
    drawn = [0.0 if plays[kind] == "likeliest" else plays[kind] for kind in kinds]
    return np.array(drawn)[:, None]


def look_entry(manifest: dict) -> int:
    """The entry of the observation that is 1 where antes follow a look."""
    (options,) = (span for span in manifest["about"]["observation"] if span["name"] == "options")
    return options["start"] + 2


def numpy_forward(weights: dict[str, np.ndarray], manifest: dict):
    """The network and its policy, as FORMAT.md and EXPORT.md describe them."""
    look = look_entry(manifest)
    weights = {name: array.astype(np.float32) for name, array in weights.items()}

    def dense(x: np.ndarray, layer: str) -> np.ndarray:
        return x @ weights[f"{layer}.weight"] + weights[f"{layer}.bias"]

    def run(batch: Rows) -> Rows:
        x, layer = batch["observation"], 0
        while f"trunk.{layer}.weight" in weights:
            x, layer = np.maximum(dense(x, f"trunk.{layer}"), 0), layer + 1
        logits, value = dense(x, "policy"), dense(x, "value")[:, 0]
        legal = np.where(batch["legal"], logits, -np.inf)
        action = legal.argmax(axis=1)
        by = temperatures(manifest, action, batch["observation"][:, look] != 0)
        policy = np.exp((legal - legal.max(axis=1, keepdims=True)) / np.where(by > 0, by, 1))
        policy /= policy.sum(axis=1, keepdims=True)
        policy = np.where(by > 0, policy, np.arange(ACTIONS) == action[:, None])
        return {"logits": logits, "value": value, "policy": policy, "action": action}

    return run


def after_a_look(batch: Rows, look: int) -> Rows:
    """The same decisions in games in which antes follow a look: no named game is one."""
    observation = batch["observation"].copy()
    observation[:, look] = 1
    return {"observation": observation, "legal": batch["legal"]}


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("--views", type=int, default=30_000)
    args.add_argument("--rows", type=Path)
    args.add_argument("--program", type=Path, required=True)
    args.add_argument("--example", type=Path, required=True)
    args.add_argument("--out", type=Path, required=True)
    args = args.parse_args()
    failed = False

    def newmarket(*words: object) -> None:
        subprocess.run([args.program, "checkpoint", *map(str, words)], check=True)

    def report(form: str, path: Path, us: float | None, told: Comparison | Exactly, note: str = "") -> None:
        nonlocal failed
        told.tell()
        failed |= told.differences > 0
        if args.rows:
            row = {
                "form": form, "bytes": path.stat().st_size, "us": us, "views": told.views,
                "differences": told.differences, "note": note,
            }
            with args.rows.open("a") as file:
                file.write(json.dumps(row) + "\n")

    # One that draws some kinds of decision: the champion with other metadata.
    champion = args.out / "champion.safetensors"
    newmarket("export", "net:champion", "--format", "safetensors", "--out", champion)
    told = json.loads(metadata(champion)["newmarket"]) | {"version": 2, "plays": MIXED}
    save_file(load_file(champion), args.out / "drawing", {"newmarket": json.dumps(told)})

    # A player with a temperature, too; its policy is another, its action is not.
    players = [("net:champion", False), ("net:champion", True), ("net:easy", True)]
    for player, half in [*players, (f"net:{args.out / 'drawing'}", False)]:
        bits = "f16" if half else "f32"
        stem = Path(player[4:]).name
        paths = {kind: args.out / f"{stem}-{bits}.{kind}" for kind in ["safetensors", "npz", "onnx"]}
        for kind, path in paths.items():
            newmarket("export", player, "--format", kind, "--out", path, *["--f16"] * half)

        manifest = check_onnx(paths["onnx"])
        about = manifest["about"]
        run, small = by_onnxruntime(paths["onnx"]), by_tract(paths["onnx"])
        check_example(about, run)
        check_example(about, small)

        # All formats hold the same arrays and say the same.
        tensors = load_file(paths["safetensors"])
        arrays = dict(np.load(paths["npz"]))
        told = arrays.pop("metadata").tobytes()
        assert json.loads(told) == manifest
        assert told.decode() == metadata(paths["safetensors"])["newmarket"]
        assert tensors.keys() == arrays.keys()
        dtype = np.float16 if half else np.float32
        initializers = {it.name: it for it in onnx.load(paths["onnx"]).graph.initializer}
        for name, tensor in tensors.items():
            assert tensor.dtype == arrays[name].dtype == dtype
            assert tensor.tobytes() == arrays[name].tobytes()
            stored = initializers[name + ".f16" * half]
            assert tensor.tobytes() == stored.raw_data and list(tensor.shape) == stored.dims

        # What comes back is what left.
        if "temperature" not in manifest:
            back = paths["safetensors"].with_suffix(".ckpt")
            newmarket("import", paths["safetensors"], "--out", back)
            newmarket("verify", back)
            shown = subprocess.run(
                [args.program, "checkpoint", "show", back], check=True, capture_output=True, text=True
            ).stdout
            assert manifest["weights_blake3"] in shown, shown

        name = f"net:{stem} {bits}"
        told = {kind: Comparison(f"{name}, {kind}") for kind in ["onnxruntime", "tract", "numpy"]}
        forward = numpy_forward(tensors, manifest)
        for batch in rows(args.example, str(paths["safetensors"]), args.views):
            told["onnxruntime"].add(batch, run(batch))
            told["tract"].add(batch, small(batch))
            told["numpy"].add(batch, forward(batch))
            if "plays" in manifest:
                looked = after_a_look(batch, look_entry(manifest))
                due = forward(looked) | {"legal": looked["legal"]}
                assert not np.allclose(due["policy"], batch["policy"], atol=1e-3)
                told["onnxruntime"].add(due, run(looked))
                told["tract"].add(due, small(looked))
        form = f"{{}}, {name}"
        us = microseconds(run, batch)
        report(form.format("ONNX, onnxruntime"), paths["onnx"], us, told["onnxruntime"])
        us = microseconds(small, batch)
        report(form.format("ONNX, tract"), paths["onnx"], us, told["tract"])
        if not half:
            path = args.out / f"{stem}-exact.onnx"
            newmarket("export", player, "--format", "onnx", "--exact", "--out", path)
            check_onnx(path)
            # tract rounds the last two steps of a logit, in 32 bits, otherwise.
            for library, opened, off in [("onnxruntime", by_onnxruntime, 0.0), ("tract", by_tract, 1e-6)]:
                run = opened(path)
                exactly = Exactly(f"net:{stem} exact, {library}", off)
                for batch in rows(args.example, str(paths["safetensors"]), args.views // 5):
                    for start in range(0, len(batch["value"]), EXACT_BATCH):
                        part = {name: array[start : start + EXACT_BATCH] for name, array in batch.items()}
                        exactly.add(part, run(part))
                us = microseconds(run, batch, 200)
                report(f"ONNX, {library}, net:{stem} exact", path, us, exactly, f"as it plays here, within {off}")
        if "temperature" not in manifest and "plays" not in manifest:
            us = microseconds(forward, batch)
            note = "the network as FORMAT.md describes it, in numpy"
            report(form.format("safetensors and npz"), paths["safetensors"], us, told["numpy"], note)
    if failed:
        raise SystemExit("an exported player answers otherwise than here")


if __name__ == "__main__":
    main()

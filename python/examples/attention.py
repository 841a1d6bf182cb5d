"""An attention network of one's own: it learns from ``net:champion``, and plays with numpy alone.

It has a token for each suit and one for the table, all with 48 numbers, and two blocks of attention over these five.
The weights are the same for all suits, so suits that change places change the leads with them. The logit of a lead
comes from the token of its suit, that of any other choice from the table's token.

``attention.npz`` has its weights. To train them anew (needs PyTorch; some minutes of a core):

    python python/examples/attention.py --steps 1000
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import newmarket

Floats = npt.NDArray[np.float32]
WEIGHTS = Path(__file__).with_suffix(".npz")
WIDTH, HEADS, BLOCKS = 48, 4, 2
TABLES = 1024

# Where the entries of each token stand in an observation: `[4, k]` of suits, `[m]` of the table.
SUITS = np.concatenate(
    [
        entries.reshape(4, 13) if span["axis"] == "card" else entries.reshape(-1, 4).T
        for span in newmarket.spans()
        if span["axis"] != "other"
        for entries in [np.arange(span["start"], span["start"] + span["len"])]
    ],
    axis=1,
)
TABLE = np.setdiff1d(np.arange(newmarket.OBSERVATION), SUITS)


# %% The network
def logits(x: Any, w: Any, xp: Any = np) -> Any:
    """Logits of all actions: ``[n, OBSERVATION]`` -> ``[n, ACTIONS]``, by numpy or by PyTorch."""
    n = len(x)
    suits = x[:, SUITS].reshape(4 * n, -1) @ w["suits"]
    table = x[:, TABLE] @ w["table"]
    tokens = xp.concatenate([suits.reshape(n, 4, WIDTH), table.reshape(n, 1, WIDTH)], 1)
    tokens = tokens.reshape(5 * n, WIDTH) + w["bias"]
    for block in range(BLOCKS):
        inner = normal(tokens)
        q, k, v = ((inner @ w[f"{name}{block}"]).reshape(n, 5, HEADS, -1).swapaxes(1, 2) for name in "qkv")
        heed = xp.exp((q @ k.swapaxes(2, 3) * (WIDTH // HEADS) ** -0.5).clip(-20, 20))
        heed = heed / heed.sum(-1)[..., None]
        seen = (heed @ v).swapaxes(1, 2).reshape(5 * n, WIDTH)
        tokens = tokens + seen @ w[f"out{block}"]
        inner = normal(tokens) @ w[f"up{block}"] + w[f"up_bias{block}"]
        tokens = tokens + inner.clip(0, None) @ w[f"down{block}"]
    tokens = normal(tokens).reshape(n, 5, WIDTH)
    of_suits = tokens[:, :4].reshape(4 * n, WIDTH) @ w["lead"]  # a lead and 13 cards to set apart
    of_suits = of_suits.reshape(n, 4, 14)
    of_table = tokens[:, 4] @ w["choose"] + w["choose_bias"]
    return xp.concatenate([of_suits[:, :, 0], of_table, of_suits[:, :, 1:].reshape(n, 52)], 1)


def normal(x: Any) -> Any:
    """Rows with a mean square of 1."""
    return x * ((x * x).mean(-1) + 1e-6)[:, None] ** -0.5


# %% As a player
def load(path: Path = WEIGHTS) -> dict[str, Floats]:
    """Its weights. ``ValueError`` if they are for another version of observations."""
    with np.load(path) as file:
        if int(file["encoding"]) != newmarket.encoding()[1]:
            raise ValueError(f"{path.name} is for another encoding: train it anew")
        return {name: file[name].astype(np.float32) for name in file.files if name != "encoding"}


def player(path: Path = WEIGHTS) -> newmarket.Player:
    """The network as a player."""
    w = load(path)

    def attention(rows: newmarket.Rows) -> Any:
        return logits(rows.observations, w)

    return newmarket.Player(decide=attention, batch=True, form="f32", answers="logits", name="attention")


# %% Learning
def train(steps: int, path: Path = WEIGHTS, seed: int = 7) -> None:
    """Towards the champion's probabilities (Kullback-Leibler), on deals in which one move in ten is random."""
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    shapes = {"suits": (SUITS.shape[1], WIDTH), "table": (len(TABLE), WIDTH), "bias": (WIDTH,)}
    for block in range(BLOCKS):
        shapes |= {f"{name}{block}": (WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        shapes |= {f"up{block}": (WIDTH, 2 * WIDTH), f"up_bias{block}": (2 * WIDTH,)}
        shapes |= {f"down{block}": (2 * WIDTH, WIDTH)}
    shapes |= {"lead": (WIDTH, 14), "choose": (WIDTH, 18), "choose_bias": (18,)}
    w = {
        name: (torch.randn(shape) * shape[0] ** -0.5 * (len(shape) > 1)).requires_grad_()
        for name, shape in shapes.items()
    }
    optimizer = torch.optim.Adam(w.values(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, total_iters=steps)
    teacher = newmarket.Agent("net:champion")
    tables = newmarket.Batch(newmarket.Game("newmarket", players=4), TABLES, seed, form="f32")
    rng = np.random.default_rng(seed)
    mean = 0.0
    for step in range(1, steps + 1):
        seen, masks, wanted = [], [], []
        for _ in range(2):
            x, mask = tables.observations, tables.mask > 0
            chances = teacher.policy(x, mask)
            # Antes are many and easy: one in five is kept.
            keep = mask[:, :4].any(1) | (rng.random(TABLES) < 0.2)
            seen.append(x[keep])
            masks.append(mask[keep])
            wanted.append(chances[keep])
            chances = np.where(rng.random((TABLES, 1)) < 0.1, mask, chances)
            # The Gumbel trick: the largest is a sample.
            tables.step((np.log(chances + 1e-12) + rng.gumbel(size=mask.shape)).argmax(1))
        x, mask, target = (torch.from_numpy(np.concatenate(rows)) for rows in (seen, masks, wanted))
        given = torch.log_softmax(torch.where(mask, logits(x, w, torch), -1e9), 1)
        loss = (target * ((target + 1e-9).log() - given)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        mean += (loss.item() - mean) / min(step, 50)
        if step % 50 == 0 or step == steps:
            print(f"step {step}: {mean:.4f} nats from the champion", flush=True)
            weights: dict[str, Any] = {k: v.detach().numpy().astype(np.float16) for k, v in w.items()}
            np.savez_compressed(path, encoding=newmarket.encoding()[1], **weights)


def main() -> None:
    """Train, and play."""
    parser = argparse.ArgumentParser(description="An attention network that learns from the champion.")
    parser.add_argument("--steps", type=int, default=0, help="how long to train; 0 plays the weights there are")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="their file")
    parser.add_argument("--deals", type=int, default=2000, help="of a duel")
    arguments = parser.parse_args()
    if arguments.steps:
        train(arguments.steps, arguments.weights)
    game = newmarket.Game("newmarket", players=4)
    for field in ["stopper", "net:champion"]:
        duel = newmarket.duel(player(arguments.weights), field, game, deals=arguments.deals, seed=1_000_003)
        print(f"against {field}: {duel.gain:+.2f} ± {duel.ci95:.2f} chips a deal")


if __name__ == "__main__":
    main()

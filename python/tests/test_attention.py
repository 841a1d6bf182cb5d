"""The attention network of the examples."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import newmarket

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import attention

GAME = newmarket.Game("newmarket", players=4)


def decisions() -> tuple[Any, Any]:
    """Observations and masks in the middle of deals."""
    tables = newmarket.Batch(GAME, 64, 3, form="f32")
    for _ in range(25):
        tables.step((np.random.default_rng(1).random(tables.mask.shape) * tables.mask).argmax(1))
    return tables.observations.copy(), tables.mask > 0


def test_suits_that_change_places_change_the_leads_with_them() -> None:
    x, _ = decisions()
    w, order = attention.load(), [2, 0, 3, 1]
    changed = x.copy()
    changed[:, attention.SUITS] = x[:, attention.SUITS[order]]
    was, now = attention.logits(x, w), attention.logits(changed, w)
    np.testing.assert_allclose(now[:, :4], was[:, order], atol=1e-4)
    np.testing.assert_allclose(now[:, 4:22], was[:, 4:22], atol=1e-4)
    cards = was[:, 22:].reshape(-1, 4, 13)[:, order].reshape(-1, 52)
    np.testing.assert_allclose(now[:, 22:], cards, atol=1e-4)


def test_it_chooses_mostly_as_the_champion() -> None:
    x, mask = decisions()
    champion = newmarket.Agent("net:champion").policy(x, mask)
    chosen = np.where(mask, attention.logits(x, attention.load()), -np.inf).argmax(1)
    agrees = chosen == champion.argmax(1)
    assert agrees.mean() > 0.7
    assert newmarket.duel(attention.player(), "longest", GAME, deals=300).gain > 1.0


def test_weights_of_another_encoding_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    np.savez(path, encoding=newmarket.encoding()[1] ^ 1)
    with pytest.raises(ValueError, match=r"old\.npz is for another encoding"):
        attention.load(path)


@pytest.mark.filterwarnings("default")
def test_it_learns_and_is_the_same_in_torch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch")
    path = tmp_path / "new.npz"
    attention.train(20, path)
    capsys.readouterr()
    x, mask = decisions()
    w = attention.load(path)
    tensors = {name: torch.from_numpy(values) for name, values in w.items()}
    by_torch = attention.logits(torch.from_numpy(x), tensors, torch).numpy()
    np.testing.assert_allclose(attention.logits(x, w), by_torch, atol=1e-4)
    duel = newmarket.duel(attention.player(path), "random", GAME, deals=300)
    assert duel.gain - duel.ci95 > 0

"""Stable-Baselines3: a ``VecEnv`` over the engine's own tables, and policies as checkpoints.

``MaskablePPO`` (sb3-contrib) finds the masks by itself:

    from sb3_contrib import MaskablePPO
    env = NewmarketVecEnv(64, opponents="longest")
    model = MaskablePPO("MlpPolicy", env, gamma=1.0)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from newmarket import ACTIONS, OBSERVATION, Seated, write_checkpoint
from newmarket._arguments import Rules, make_game
from newmarket._common import Opponents, check_form


class NewmarketVecEnv(VecEnv):  # type: ignore[misc]
    """Many tables with a hero each; the opponents play inside the engine.

    Observations are ``float32[num_envs, 896]``; masks are asked for by ``action_masks``. Tables
    are those of ``Seated``: after ``seed(s)``, table ``i`` is table 0 of the seed ``s + i``. The info of
    an episode's end has ``skipped``, how many episodes without a decision of the hero were passed over
    before it, and ``skipped_gain``, the hero's chips in them, which are in no reward.

    Rewards are the hero's, wherever it sits; seats in its observation are relative: 0 is the hero.

    Args:
        num_envs: number of tables.
        threads: threads that step them.
        seed: of the first episodes.
        rules, players, opponents, seat, episode, on_illegal: as for ``NewmarketEnv``.
    """

    def __init__(
        self,
        num_envs: int = 64,
        rules: Rules = "newmarket",
        players: int = 4,
        *,
        opponents: Opponents = "stopper",
        seat: str | int = "random",
        episode: str = "deal",
        on_illegal: str = "replace",
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        shape, _, low, high = check_form("f32")
        self._seated = Seated(
            make_game(rules, players),
            num_envs,
            [seed + table for table in range(num_envs)],
            opponents=opponents,
            seat=seat,
            episode=episode,
            form="f32",
            threads=threads,
            on_illegal=on_illegal,
        )
        self._actions: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        # What had been passed over when the last episode of each table ended.
        self._skips = np.zeros((2, num_envs), np.int64)
        self.render_mode = None
        # Whether the tables stand at the episodes that they were made with.
        self._fresh = True
        super().__init__(num_envs, spaces.Box(low, high, shape, np.float32), spaces.Discrete(ACTIONS))

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin an episode at every table: of the seeds of ``seed()``, or the next; at first the first."""
        if any(seed is not None for seed in self._seeds):
            self._seated.reset([int(seed or 0) for seed in self._seeds])
            self._skips[:] = 0
        elif not self._fresh:
            self._seated.reset()
        self._fresh = False
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._seated.observations.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Note the actions."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> Any:
        """Take them: observations, rewards, dones, infos."""
        seated, self._fresh = self._seated, False
        seated.step(self._actions)
        rewards, over = seated.rewards.copy(), seated.over.copy()
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        skips = np.stack([seated.final_skips.astype(np.int64), seated.final_skip_gains])
        skipped = skips - self._skips
        self._skips[:, over] = skips[:, over]
        for table in np.flatnonzero(over).tolist():
            infos[table] = {
                "terminal_observation": seated.final_observation(table),
                "TimeLimit.truncated": False,
                "skipped": int(skipped[0, table]),
                "skipped_gain": int(skipped[1, table]),
                "episode": {"r": self._returns[table], "l": int(self._lengths[table]), "t": 0.0},
            }
        self._returns[over] = 0
        self._lengths[over] = 0
        return seated.observations.copy(), rewards, over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every table, ``bool[num_envs, 74]``."""
        masks: npt.NDArray[np.bool_] = self._seated.mask.astype(np.bool_)
        return masks

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """``action_masks`` of each table: there is no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"no method `{method_name}`: expected action_masks")
        masks = self.action_masks()
        return [masks[table] for table in self._rows(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """``render_mode`` of each table, and ``action_masks``."""
        if attr_name not in ("render_mode", "action_masks"):
            raise AttributeError(f"no attribute `{attr_name}`: expected render_mode")
        return [getattr(self, attr_name) for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible: tables have no attributes of their own."""
        raise AttributeError(f"`{attr_name}` cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False for _ in self._rows(indices)]

    def get_images(self) -> Sequence[npt.NDArray[Any] | None]:
        """Not possible: there are none."""
        raise NotImplementedError("there are no pictures of tables")

    def close(self) -> None:
        """Nothing is held."""

    def _rows(self, indices: npt.ArrayLike | None) -> npt.NDArray[np.intp]:
        rows = np.arange(self.num_envs)
        return rows if indices is None else np.atleast_1d(rows[np.asarray(indices, np.intp)])


def save_policy(model: Any, path: str | os.PathLike[str]) -> str:
    """The policy of a PPO model as a checkpoint that ``Agent("net:PATH")`` plays.

    The model must have an ``MlpPolicy`` with ``activation_fn=torch.nn.ReLU``. Returns the hash of
    the weights; the value is left out, as 0.

    Raises:
        ValueError: if the policy is another one, or sees other observations than ``NewmarketVecEnv``'s.
    """
    import torch

    if model.observation_space.shape != (OBSERVATION,):
        raise ValueError(
            f"expected a policy of observations [{OBSERVATION}], not {model.observation_space}: "
            "train it on NewmarketVecEnv"
        )
    normalize = model.get_vec_normalize_env()
    if normalize is not None and normalize.norm_obs:
        raise ValueError("a checkpoint does not normalize: train with VecNormalize(norm_obs=False)")
    layers = list(model.policy.mlp_extractor.policy_net)
    dense = [layer for layer in layers if isinstance(layer, torch.nn.Linear)]
    others = [layer for layer in layers if not isinstance(layer, torch.nn.Linear)]
    if not dense or not all(isinstance(layer, torch.nn.ReLU) for layer in others):
        raise ValueError("expected an MlpPolicy with hidden layers and activation_fn=torch.nn.ReLU")
    weights: dict[str, npt.NDArray[np.float32]] = {}
    names = [f"trunk.{layer}" for layer in range(len(dense))] + ["policy"]
    for name, layer in zip(names, [*dense, model.policy.action_net], strict=True):
        weights[f"{name}.weight"] = layer.weight.detach().cpu().numpy().T.copy()
        weights[f"{name}.bias"] = layer.bias.detach().cpu().numpy().copy()
    weights["value.weight"] = np.zeros((dense[-1].out_features, 1), np.float32)
    weights["value.bias"] = np.zeros(1, np.float32)
    return write_checkpoint(path, weights, training="Stable-Baselines3")

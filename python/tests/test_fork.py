"""Environments without a seed deal cards of their own in every process."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def gymnasium_form() -> tuple[Any, Callable[[Any], Any]]:
    pytest.importorskip("gymnasium")
    from newmarket.gym import NewmarketEnv

    return NewmarketEnv(), lambda env: env._seated.seed(0)


def vector_form() -> tuple[Any, Callable[[Any], Any]]:
    pytest.importorskip("gymnasium")
    from newmarket.vector import NewmarketVectorEnv

    return NewmarketVectorEnv(2), lambda env: (env._seated.seed(0), env._seated.seed(1))


def pettingzoo_form() -> tuple[Any, Callable[[Any], Any]]:
    pytest.importorskip("pettingzoo")
    from newmarket.aec import env

    return env(), lambda env: env.unwrapped._table.seed


def rllib_form() -> tuple[Any, Callable[[Any], Any]]:
    pytest.importorskip("ray.rllib")
    from newmarket.rllib import NewmarketMultiAgentEnv

    return NewmarketMultiAgentEnv(), lambda env: env._table.seed


FORMS = [gymnasium_form, vector_form, pettingzoo_form, rllib_form]
forms = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)


def in_a_child(env: Any, seed_of: Callable[[Any], Any]) -> str:
    """What a forked child deals at its next reset."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            env.reset()
            os.write(write, repr(seed_of(env)).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


@fork
@forms
@pytest.mark.parametrize("before", ["nothing", "a reset", "a look at the generator"])
def test_forked_children_differ(form: Any, before: str) -> None:
    """Also where the parent had begun, or had used its random numbers."""
    env, seed_of = form()
    if before == "a reset":
        env.reset()
    elif before == "a look at the generator":
        getattr(env, "np_random", None)
    told = {in_a_child(env, seed_of) for _ in range(3)}
    env.reset()
    told.add(repr(seed_of(env)))
    assert len(told) == 4 and "" not in told


@fork
@forms
def test_a_seed_is_a_promise_in_children_too(form: Any) -> None:
    """After a seed, all go on alike."""
    env, seed_of = form()
    env.reset(seed=5)
    told = {in_a_child(env, seed_of) for _ in range(2)}
    env.reset()
    assert told == {repr(seed_of(env))}


@forms
def test_copies_in_one_process(form: Any) -> None:
    """Copies of one that has not begun differ; copies of one that has go on alike."""
    env, seed_of = form()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env]
    for one in copies:
        one.reset()
    assert len({repr(seed_of(one)) for one in copies}) == 3
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env]
    for one in copies:
        one.reset()
    assert len({repr(seed_of(one)) for one in copies}) == 1


def test_a_pickle_in_another_process() -> None:
    """A copy elsewhere deals cards of its own."""
    env, seed_of = pettingzoo_form()
    env.reset()
    code = (
        "import pickle, sys; env = pickle.load(sys.stdin.buffer); env.reset(); "
        "print(env.unwrapped._table.seed)"
    )
    given = pickle.dumps(env)
    told = [subprocess.check_output([sys.executable, "-c", code], input=given) for _ in range(2)]
    env.reset()
    assert len({*told, f"{seed_of(env)}\n".encode()}) == 3


def test_a_generator_that_was_set_decides() -> None:
    """Gymnasium lets its users set the generator."""
    gymnasium = pytest.importorskip("gymnasium")
    told = set()
    for _ in range(2):
        env, seed_of = gymnasium_form()
        env.np_random = gymnasium.utils.seeding.np_random(3)[0]
        env.reset()
        told.add(seed_of(env))
    assert len(told) == 1

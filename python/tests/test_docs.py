"""What ``help`` says is what the stubs say."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import newmarket
from newmarket import _native


def documented(body: list[ast.stmt], owner: Any, path: str) -> Iterator[tuple[str, str, str | None]]:
    """Name, docstring in the stub, docstring at run time."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name == "Span":
            continue
        thing, name = getattr(owner, node.name), f"{path}.{node.name}"
        told = ast.get_docstring(node)
        if told is not None:
            yield name, told, inspect.getdoc(thing)
        else:
            assert node.name.startswith("_"), name
        if isinstance(node, ast.ClassDef):
            yield from documented(node.body, thing, name)


def test_help_says_what_the_stubs_say() -> None:
    stub = Path(newmarket.__file__).with_name("_native.pyi").read_text(encoding="utf-8")
    found = list(documented(ast.parse(stub).body, _native, "newmarket"))
    assert len(found) > 120
    wrong = {name: (told, said) for name, told, said in found if told != said}
    assert not wrong


def test_everything_public_is_documented() -> None:
    for name in newmarket.__all__:
        thing = getattr(newmarket, name)
        if not inspect.isclass(thing) and not callable(thing):
            continue
        assert thing.__doc__, name
        # A field has a comment, which only the source shows.
        fields = getattr(thing, "__dataclass_fields__", {})
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and member not in fields:
                assert inspect.getdoc(value), f"{name}.{member}"

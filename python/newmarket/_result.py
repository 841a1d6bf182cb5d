"""What all results have: reading and writing as JSON, tables and frames."""

from __future__ import annotations

import dataclasses
import functools
import html
import math
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from newmarket._native import __version__

_R = TypeVar("_R", bound="Result")

#: Rows that a notebook shows of a result.
_MOST_ROWS = 30


def plus_minus(mean: float, ci95: float, digits: int = 3) -> str:
    """A mean with half the width of its interval, as ``"+0.054 ± 0.039"``; an infinite one is ``∞``."""
    half = f"{ci95:.{digits}f}" if math.isfinite(ci95) else "∞"
    return f"{mean:+.{digits}f} ± {half}"


def dataframe(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a ``pandas.DataFrame``; ``ImportError`` in one line without pandas."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise ImportError("frame: needs pandas: pip install 'newmarket[lab]'") from None
    return pandas.DataFrame(list(rows))


def table_html(caption: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a small HTML table. A column whose name ends in ``ci95`` joins the column before it."""
    columns: list[tuple[str, str | None]] = []
    for name in dict.fromkeys(name for row in rows for name in row):
        if name.endswith("ci95") and columns:
            columns[-1] = (columns[-1][0], name)
        else:
            columns.append((name, None))

    def cell(row: Mapping[str, Any], name: str, half: str | None) -> str:
        value = row.get(name)
        if half is not None and value is not None and row.get(half) is not None:
            return plus_minus(value, row[half])
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    def line(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in cells) + "</tr>"

    lines = [line((cell(row, *column) for column in columns), "td") for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append(f"<tr><td>… {len(rows) - _MOST_ROWS} more rows</td></tr>")
    heads = line((name for name, _ in columns), "th")
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead>{heads}</thead><tbody>{''.join(lines)}</tbody></table>"
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result:
    """What all results have. A subclass is a frozen dataclass with ``eq=False, repr=False``, and says its rows
    (``_rows``) and itself in a sentence (``_sentence``); frames, tables and JSON follow from these and its fields."""

    #: Wall-clock seconds; no part of equality.
    seconds: float = field(default=0.0, compare=False)
    #: The version of the package that measured.
    version: str = ""

    def _sentence(self) -> str:
        """The result in one short line."""
        raise NotImplementedError

    def _rows(self) -> list[dict[str, Any]]:
        """The result as rows of plain values. ``ci95`` columns follow what they belong to."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All fields as values of JSON: tuples and arrays as lists, and numbers that are not finite, as the
        half-width of a single deal, as ``None``. ``from_dict`` reads it."""
        return {it.name: plain(getattr(self, it.name)) for it in dataclasses.fields(self)}

    @classmethod
    def from_dict(cls: type[_R], values: Mapping[str, Any]) -> _R:
        """The result of such a dict. ``None`` in place of a number is infinity; fields that the dict lacks have their
        defaults, and it may have other keys.

        Raises ``ValueError`` if a field without a default is missing.
        """
        return _read_dataclass(cls, values)

    @classmethod
    def _of(cls: type[_R], found: Mapping[str, Any], **more: Any) -> _R:
        """The result of what this version of the package has found."""
        return cls.from_dict({**found, **more, "version": __version__})

    def frame(self) -> Any:
        """The rows of the result as a ``pandas.DataFrame``. ``ImportError`` if pandas is not installed."""
        return dataframe(self._rows())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = (it.name for it in dataclasses.fields(self) if it.compare)
        return all(_equal(getattr(self, name), getattr(other, name)) for name in compared)

    def __hash__(self) -> int:
        return hash((type(self), self._sentence()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._sentence()}>"

    def _repr_html_(self) -> str:
        return table_html(self._sentence(), self._rows())


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        to_json = getattr(value, "_to_json", None)
        if to_json is not None:
            return to_json()
        return {it.name: plain(getattr(value, it.name)) for it in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


@functools.cache
def _types(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


_D = TypeVar("_D")


def _read_dataclass(kind: type[_D], values: Mapping[str, Any]) -> _D:
    hints, given = _types(typing.cast(Any, kind)), {}
    for it in dataclasses.fields(kind):  # type: ignore[arg-type]
        if it.name in values:
            given[it.name] = read(hints[it.name], values[it.name])
        elif it.default is dataclasses.MISSING and it.default_factory is dataclasses.MISSING:
            raise ValueError(f"{kind.__name__}: expected the key `{it.name}`")
    return kind(**given)


def read(kind: Any, value: Any) -> Any:
    """A value of JSON as this type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None and type(None) in arguments:
            return None
        several = isinstance(value, list | tuple)
        fits = [it for it in arguments if several == (typing.get_origin(it) in (tuple, np.ndarray))]
        return read(fits[0] if fits else Any, value)
    if kind is float:
        return math.inf if value is None else float(value)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return tuple(read(arguments[0], entry) for entry in value)
        return tuple(read(it, entry) for it, entry in zip(arguments, value, strict=True))
    if origin is np.ndarray:
        return np.asarray(value, dtype=typing.get_args(arguments[1])[0])
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        from_json = getattr(kind, "_from_json", None)
        return _read_dataclass(kind, value) if from_json is None else from_json(value)
    return value


def counted(number: int, what: str) -> str:
    """A number of things, as ``"1 deal"`` or ``"2 deals"``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

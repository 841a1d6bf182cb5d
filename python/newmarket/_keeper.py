"""Keepers of programs that play (``exec:...``): small processes that end with all that a program starts.

As a script, this file is a keeper. It loads the native module alone, by its path.
"""

from __future__ import annotations

import os
import sys


def keep_programs() -> None:
    """Have a keeper for each program from now on, where this process can start one."""
    from newmarket import _native

    # A program with Python inside, or one that is frozen, does not take Python's arguments.
    executable = sys.executable or ""
    python = "python" in os.path.basename(executable).lower() and not hasattr(sys, "frozen")
    if sys.platform == "linux" and python:
        _native._keep_by([executable, "-I", "-S", os.path.abspath(__file__), _native.__file__])


def _main() -> None:
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    path = sys.argv[1]
    spec = spec_from_file_location("_native", path, loader=ExtensionFileLoader("_native", path))
    assert spec is not None and spec.loader is not None
    native = module_from_spec(spec)
    spec.loader.exec_module(native)
    os._exit(native._keep(sys.argv[2:]))


if __name__ == "__main__":
    _main()

"""``python -m newmarket``: the program itself (train, duel, play, ...)."""

from __future__ import annotations

import signal
import sys

from newmarket import _native


def main() -> None:
    """Run the program with the arguments of this process, and exit with its code."""
    # Python only notes an interrupt and waits for the program to come back: let the system, or
    # the program's own handler where it has one, deal with it. An interrupt that whoever started
    # this process lets it ignore stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run(sys.argv[1:]))


if __name__ == "__main__":
    main()

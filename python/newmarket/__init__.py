"""Newmarket (Michigan, Boodle, Stops): environments, agents and measurements.

The core needs numpy alone:

>>> import newmarket
>>> table = newmarket.Table(newmarket.Game("newmarket", players=4))
>>> table.reset(seed=7)
>>> while not table.over:
...     table.step(table.legal[0])
>>> len(table.payoffs)
4

**The game.** Everybody puts an *ante* into the middle: chips on the *cells* of the layout, one for each
*boodle* card, and in some games into a *kitty*. The pack is dealt out, one hand more than there are players: the
*dead hand*, which nobody sees; in some games a seat may exchange its hand for it, at a price. The seat to the
dealer's left leads the lowest card that it holds of a suit of its choice: the action "lead clubs" leads the lowest
club of the hand. Whoever holds the next card of the suit plays it, then the next, and so on, until nobody can: at
the top of the suit, or because the next card is in the dead hand, was played before, or is not in the pack. That is
a *stop*, and who played the last card leads again, in most games another suit. Who plays a boodle card takes the
chips on its cell. Who plays the last card of a hand ends the deal, takes the kitty, and gets chips for every
card that the others still hold. Chips on cells that nobody took stay for the next deal.

**Seats** are numbers from 0. Rewards and payoffs are by seat of the table everywhere (``Seated`` and Gymnasium's
forms give those of the one seat that they play); observations are those of the seat to act, and count seats from
their viewer.

Front ends, each of which imports its library when it is imported itself: ``newmarket.gym``,
``newmarket.vector``, ``newmarket.aec``, ``newmarket.spiel``, ``newmarket.puffer``,
``newmarket.rllib``. ``newmarket.distributed`` trains on many machines.

**Measurements** are in ``newmarket.lab`` and here: ``duel``, ``survey``, ``ladder``, ``study``, ``compare``, ``exploit``,
``review``. So is training, of ``newmarket.training``: ``train``, ``resume``. All results are dataclasses of
``newmarket.results``.

**Seeds.** A deal is named by three numbers: a seed, a table, and an episode, the latter two
counted from 0. The same three give the same cards in every front end. A front end with one table
plays table 0 of its seed; without a seed, ``reset`` goes on to the next episode. ``Batch`` and
``Seated`` with one seed play its tables 0, 1, 2, ...; with a list of seeds, table 0 of each.
Gymnasium's vector form follows Gymnasium's own convention: ``reset(seed=s)`` gives its
sub-environments the seeds ``s``, ``s + 1``, ..., table 0 of each.
"""

from __future__ import annotations

from newmarket._keeper import keep_programs as _keep_programs
from newmarket._native import (
    ACTIONS,
    MAX_PLAYERS,
    OBSERVATION,
    PACKED,
    Agent,
    Batch,
    Deal,
    Game,
    IllegalActionError,
    Player,
    Rows,
    Seated,
    Table,
    View,
    __version__,
    action_names,
    encoding,
    named_agents,
    named_games,
    read_checkpoint,
    spans,
    trace,
    unpack,
    write_checkpoint,
)
from newmarket._trace import Trace
from newmarket.analysis import Analysis, analyse
from newmarket.lab import (
    compare,
    duel,
    exploit,
    exploit_bound,
    exploit_upper_bound,
    ladder,
    review,
    studies,
    study,
    survey,
)
from newmarket.results import (
    CompareResult,
    DuelResult,
    Estimate,
    ExploitBoundResult,
    ExploitUpperBoundResult,
    ExploitResult,
    LadderResult,
    Result,
    ReviewResult,
    SessionsResult,
    StudiesResult,
    StudyResult,
    SurveyResult,
    TrainResult,
)
from newmarket.training import resume, train

_keep_programs()

__all__ = [
    "ACTIONS",
    "MAX_PLAYERS",
    "OBSERVATION",
    "PACKED",
    "Agent",
    "Analysis",
    "Batch",
    "CompareResult",
    "Deal",
    "DuelResult",
    "Estimate",
    "ExploitBoundResult",
    "ExploitUpperBoundResult",
    "ExploitResult",
    "Game",
    "IllegalActionError",
    "LadderResult",
    "Player",
    "Result",
    "ReviewResult",
    "Rows",
    "Seated",
    "SessionsResult",
    "StudiesResult",
    "StudyResult",
    "SurveyResult",
    "Table",
    "Trace",
    "TrainResult",
    "View",
    "__version__",
    "action_names",
    "analyse",
    "compare",
    "duel",
    "encoding",
    "exploit",
    "exploit_bound",
    "exploit_upper_bound",
    "ladder",
    "named_agents",
    "named_games",
    "read_checkpoint",
    "resume",
    "review",
    "spans",
    "studies",
    "study",
    "survey",
    "trace",
    "train",
    "unpack",
    "write_checkpoint",
]

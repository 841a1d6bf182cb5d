"""Pictures: a table as one seat sees it, and the deals of a trace as a table of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newmarket import View
    from newmarket._trace import Trace

WIDTH, HEIGHT = 640, 440
#: Sign and colour of each suit, which can be told apart on the panel's own background.
SUITS = {"C": ("♣", "#17703a"), "D": ("♦", "#1f5fbf"), "H": ("♥", "#c0202a"), "S": ("♠", "#222222")}
#: Why a sequence stopped.
WHY = {
    "top": "the top card",
    "removed": "the next is not in the pack",
    "dead": "the next is dead",
    "played": "the next was played",
}
PANEL, INK, QUIET, LINE, TURN = "#fbfaf6", "#222222", "#6b6b6b", "#c9c5b8", "#f5c542"
#: The middle of the seats, and how far from it they sit.
CENTRE, REACH = (WIDTH / 2, 196), (242, 130)


def _text(x: float, y: float, what: str, size: int = 12, **style: str) -> str:
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in style.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{more}>{escape(what)}</text>'


def _box(x: float, y: float, width: float, height: float, **style: str) -> str:
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in style.items())
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="4"{more}/>'


def _name(card: str) -> str:
    return card[:-1].replace("T", "10") + SUITS[card[-1]][0]


def _card(x: float, y: float, name: str, marked: bool = False) -> Iterator[str]:
    """A card 20 wide and 32 high; one that may be led is marked."""
    rank, suit = name[:-1].replace("T", "10"), name[-1]
    sign, colour = SUITS[suit]
    stroke, width = (TURN, "2.5") if marked else (LINE, "1")
    yield _box(x, y, 20, 32, fill="#ffffff", stroke=stroke, stroke_width=width)
    yield _text(x + 10, y + 14, rank, fill=colour, text_anchor="middle", font_weight="bold")
    yield _text(x + 10, y + 28, sign, fill=colour, text_anchor="middle")


def _row(names: list[str], y: float, marked: Iterable[str] = ()) -> Iterator[str]:
    """Cards side by side in the middle, closer where there are many."""
    if not names:
        return
    step = min(23.0, (WIDTH - 60) / len(names))
    left = (WIDTH - step * (len(names) - 1) - 20) / 2
    marked = set(marked)
    for nth, name in enumerate(names):
        yield from _card(left + nth * step, y, name, name in marked)


def _seat(view: View, seat: int) -> Iterator[str]:
    """A seat: the viewer sits at the bottom, the next seat on its left."""
    angle = math.pi / 2 + (seat - view.seat) % view.players * 2 * math.pi / view.players
    x, y = CENTRE[0] + REACH[0] * math.cos(angle), CENTRE[1] + REACH[1] * math.sin(angle)
    turn = view.actor == seat
    style = {"stroke": TURN, "stroke_width": "3"} if turn else {"stroke": LINE, "stroke_width": "1"}
    yield _box(x - 68, y - 22, 136, 44, fill="#ffffff", **style)
    name = f"seat {seat}" + (" · you" if seat == view.seat else "")
    name += " · deals" if seat == view.dealer else ""
    yield _text(x, y - 5, name, 12, fill=INK, text_anchor="middle", font_weight="bold")
    held = view.hand_sizes[seat]
    told = "out" if view.winner == seat else f"{held} card{'' if held == 1 else 's'}"
    chips = f"{told}, {view.stacks[seat]:+} chips"
    yield _text(x, y + 12, chips, 11, fill=QUIET, text_anchor="middle")


def _cells(view: View) -> Iterator[str]:
    """The cells of the layout with their chips, and the kitty after them."""
    kitty = view.kitty != 0
    count = len(view.cells) + kitty
    left = CENTRE[0] - 42 * count / 2
    piles = [(name, chips) for name, chips in zip(view.cells, view.layout, strict=True)]
    for nth, (name, chips) in enumerate([*piles, *([("kitty", view.kitty)] if kitty else [])]):
        middle = left + 42 * nth + 21
        sign, colour = SUITS.get(name[-1:], ("", INK)) if len(name) == 2 else ("", INK)
        shown = _name(name) if sign else name[:6]
        yield _box(middle - 19, 128, 38, 40, fill="#efece2", stroke=LINE)
        yield _text(middle, 143, shown, 11, fill=colour, text_anchor="middle", font_weight="bold")
        yield _text(middle, 161, str(chips), 13, fill=INK, text_anchor="middle")


def _last(view: View) -> Iterator[str]:
    """The last cards that were played, each above the number of its seat, and why the play stopped."""
    plays = view.plays[-10:]
    left = CENTRE[0] - 23 * len(plays) / 2
    for nth, (seat, name) in enumerate(plays):
        yield from _card(left + 23 * nth, 182, name)
        yield _text(
            left + 23 * nth + 10, 228, str(seat), 11, fill=QUIET, text_anchor="middle"
        )
    if view.winner is not None:
        told = f"seat {view.winner} is out"
    elif view.stops:
        seat, card, why = view.stops[-1]
        told = f"seat {seat} stopped at {_name(card)}: {WHY[why]}"
    else:
        return
    yield _text(CENTRE[0], 250, told, 11, fill=QUIET, text_anchor="middle")


def _headline(view: View) -> str:
    parts = [view.game.title, f"{view.players} players"]
    if view.deal is not None:
        parts.append(f"deal {view.deal}")
    if view.actor is None:
        parts.append("the deal is over" if view.phase == "over" else "the cards are to be dealt")
    else:
        parts.append(f"seat {view.actor} to act: {view.phase}")
    return " · ".join(parts)


def view_svg(view: View) -> str:
    """The table as the view's seat sees it."""
    hand = view.hand
    # The lowest card of a suit leads it; the first four actions are the suits.
    may_lead = {"CDHS"[action] for action in view.legal if action < 4}
    lowest = {suit: next(card for card in hand if card[-1] == suit) for suit in may_lead}
    choices = ", ".join(view.choices)
    if len(choices) > 95:
        choices = choices[:94] + "…"
    headline = _headline(view)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(headline)}</title>",
        _box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, fill=PANEL, stroke=LINE),
        _text(14, 22, headline, 13, fill=INK, font_weight="bold"),
        *_cells(view),
        *_last(view),
    ]
    for seat in range(view.players):
        parts += _seat(view, seat)
    parts += _row(hand, 362, lowest.values())
    if choices:
        parts.append(_text(WIDTH / 2, 422, choices, 12, fill=INK, text_anchor="middle"))
    return "".join(parts) + "</svg>"


def trace_html(trace: Trace) -> str:
    """The deals of a trace: who dealt, who went out, and what each seat gained."""
    players = max((deal["players"] for deal in trace), default=0)
    names = trace.agents if len(trace.agents) == players else [""] * players
    seats = "".join(f"<th>{escape(f'{seat} {name}'.strip())}</th>" for seat, name in enumerate(names))
    rows = []
    for deal in trace:
        place = deal.get("session")
        number = f"{place['deal']} of {place['of']}" if place else "single"
        ends = [event for event in deal["events"] if event["e"] in ("out", "no_winner")]
        winner = ends[0].get("seat", "nobody") if ends else "unfinished"
        cells = [deal["rules"], number, deal["dealer"], winner]
        cells += [f"{gain:+}" for gain in deal["payoffs"]]
        rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    head = f"<tr><th>rules</th><th>deal</th><th>dealer</th><th>out</th>{seats}</tr>"
    count = f"{len(trace)} deal{'' if len(trace) == 1 else 's'}, seed {trace.seed}; chips that each seat gained"
    return (
        f"<table><caption>{escape(count)}</caption><thead>{head}</thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )

#!/usr/bin/env python3
"""A bot for Newmarket and its family, in Python 3 without a dependency.

    newmarket duel 'exec:["python3","engine/bots/bot.py"]' stopper

The program that calls it is the host. It writes one JSON object a line to this bot's standard
input and reads the answers from its standard output; ../PROTOCOL.md has every message. The bot
leads the suit that keeps the lead longest. Take it as a beginning: `Seat.choose` is all that
thinks.
"""

import itertools
import json
import sys
from collections import Counter


class Seat:
    """One seat in one deal: what it has been told. A bot plays at many tables at once."""

    def __init__(self, deal):
        self.ranks = deal["order"]  # from the lowest to the highest
        self.seat = deal["seat"]
        self.hand = set()
        # Cards out of the pack or played, and the hand that this seat has discarded.
        self.gone = set(deal["removed"])

    def told(self, event):
        """Takes note of an event. Those of no interest here are ignored."""
        kind = event["e"]
        if kind == "deal":
            # The hands of the others are empty lists.
            self.hand = set(event["hands"][self.seat])
        elif kind == "exchange" and event["seat"] == self.seat:
            self.gone |= set(event["dead"])
            self.hand = set(event["hand"])
        elif kind in ("lead", "play"):
            self.gone.add(event["card"])
            self.hand.discard(event["card"])

    def choose(self, legal):
        """One of the legal decisions."""
        first = legal[0]["e"]
        if first == "lead":
            # There may be a `pass` beside the leads.
            leads = [choice for choice in legal if choice["e"] == "lead"]
            return max(leads, key=lambda choice: self.worth(choice["card"]))
        if first == "ante":
            # As even as can be.
            return min(legal, key=lambda choice: max(choice["layout"]))
        if first == "set_apart":
            # Where there are very many decisions, `legal` has only some. Any legal one may be
            # answered: here the best five of the hand.
            five = max(itertools.combinations(sorted(self.hand), 5), key=self.poker)
            return {"e": "set_apart", "cards": list(five)}
        # The dead hand is left alone, nobody is outbid, and bets are called.
        for wish in ("keep", "pass", "check", "call"):
            for choice in legal:
                if choice["e"] == wish:
                    return choice
        return legal[0]

    def worth(self, card):
        """How good a lead is: does the run come back to this seat, how long is it?"""
        rank, suit = self.ranks.index(card[0]), card[1]
        run = 0
        while rank < len(self.ranks) and self.ranks[rank] + suit in self.hand:
            rank, run = rank + 1, run + 1
        stops_here = rank == len(self.ranks) or self.ranks[rank] + suit in self.gone
        return stops_here, run, sum(held[1] == suit for held in self.hand)

    def poker(self, five):
        """The strength of five cards."""
        ranks = sorted(("23456789TJQKA".index(card[0]) for card in five), reverse=True)
        counts = sorted(Counter(ranks).items(), key=lambda it: (-it[1], -it[0]))
        shape = [count for _, count in counts]
        flush = len({card[1] for card in five}) == 1
        straight = len(shape) == 5 and (ranks[0] - ranks[4] == 4 or ranks[:2] == [12, 3])
        order = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "s", "f", [3, 2], [4, 1], "sf"]
        name = "s" * straight + "f" * flush or shape
        return order.index(name), [rank for rank, _ in counts]


def say(message):
    # Without the flush the host would wait for a line that is still in this program's buffer.
    print(json.dumps(message), flush=True)


def main():
    seats = {}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"type": "hello", "version": 1, "name": "bot.py", "players": ["bot.py"]})
        elif kind == "deal":
            seats[message["table"]] = Seat(message)
        elif kind == "event":
            for event in message["events"]:
                seats[message["table"]].told(event)
        elif kind == "ask":
            choice = seats[message["table"]].choose(message["legal"])
            say({"type": "answer", "id": message["id"], "do": choice})
        elif kind == "over":
            del seats[message["table"]]
        elif kind == "quit":
            return
        # Standard output is for answers alone. What a person should read goes to standard error:
        # print("…", file=sys.stderr)


if __name__ == "__main__":
    main()

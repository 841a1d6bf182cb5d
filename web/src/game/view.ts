/** The table as it is drawn: made of events alone, one after the other. */

import { packOf, sorted } from "./cards";
import type { Card, DealEvent, HandName, TraceLine, Why } from "./events";
import type { Rules } from "./rules";
import { cellNames } from "./rules";
import { rebuysOf } from "./trace";

/** How a deal begins. Lists are by seat, or by cell in layout order. */
export interface Opening {
  rules: Rules;
  /** What the game is called. */
  title: string;
  players: number;
  dealer: number;
  /** After any rebuy. */
  stacks: number[];
  layout: number[];
  kitty: number;
  seatsIn: boolean[];
  /** The number of the deal in its session, from 1, and how many there are. */
  deal: number;
  of: number;
  /** The seat whose eyes these are; `null` if all hands are open. */
  me: number | null;
}

export interface SeatView {
  in: boolean;
  stack: number;
  /** Chips gained or lost in this deal so far. */
  gain: number;
  /** Cards in hand that are known, sorted by suit and rank; `null` if they are hidden. */
  hand: Card[] | null;
  size: number;
  /** What it staked on each cell; `null` before its ante. */
  ante: number[] | null;
  /** Five cards set apart for poker that are seen; an empty list if they are hidden. */
  apart: Card[] | null;
  bid: number | null;
  passed: boolean;
  /** Chips put into the pot in the betting, and whether it has folded. */
  bet: number;
  folded: boolean;
  /** Its last act, for a bubble beside the seat: the event. */
  said: DealEvent | null;
  /** Cards that it held when the deal ended. */
  left: number | null;
}

export interface Played {
  card: Card;
  seat: number;
}

export interface TableView extends Opening {
  seats: SeatView[];
  /** What has happened of the deal so far, and how many events that are. */
  log: DealEvent[];
  deadHand: { size: number; cards: Card[] | null; taker: number | null };
  /** All cards played, in order. */
  played: Played[];
  /** The cards of the running sequence, or of the last one. */
  sequence: Played[];
  stopped: { card: Card; seat: number; why: Why } | null;
  /** Who leads next or is leading, if known. */
  leader: number | null;
  auction: { high: number; bidder: number | null } | null;
  poker: { hands: Record<string, HandName>; shown: Record<string, Card[]>; winners: number[] } | null;
  /** The cell that has just been claimed or collected, for a moment of light. */
  claimed: { cell: number; seat: number; chips: number } | null;
  settled: { winner: number; kitty: number; cards: number[]; paid: number[] } | null;
  over: boolean;
}

/** Acts that stay beside a seat until the next lead. */
const SPOKEN = new Set<DealEvent["e"]>([
  "rebuy",
  "ante",
  "keep",
  "exchange",
  "auction",
  "bid",
  "pass",
  "collect",
  "check",
  "bet",
  "call",
  "raise",
  "fold",
  "claim",
  "pass_lead",
  "out",
]);

/** The table before the first event of a deal. */
export function begin(opening: Opening): TableView {
  const seats = opening.stacks.map((stack, seat): SeatView => ({
    in: opening.seatsIn[seat] ?? true,
    stack,
    gain: 0,
    hand: null,
    size: 0,
    ante: null,
    apart: null,
    bid: null,
    passed: false,
    bet: 0,
    folded: false,
    said: null,
    left: null,
  }));
  return {
    ...opening,
    layout: [...opening.layout],
    seats,
    log: [],
    deadHand: { size: 0, cards: null, taker: null },
    played: [],
    sequence: [],
    stopped: null,
    leader: null,
    auction: null,
    poker: null,
    claimed: null,
    settled: null,
    over: false,
  };
}

/** How the deal of a trace's line begins, all hands open. */
export function openingOf(line: TraceLine, rules: Rules, title: string): Opening {
  const rebuys = rebuysOf(line);
  const stacks = line.stacks_before.map((stack, seat) => stack + (rebuys[seat] ?? 0));
  return {
    rules,
    title,
    players: line.players,
    dealer: line.dealer,
    stacks,
    layout: [...line.layout_before],
    kitty: line.kitty_before,
    seatsIn: line.seats_in ?? stacks.map(() => true),
    deal: line.session?.deal ?? 1,
    of: line.session?.of ?? 1,
    me: null,
  };
}

/** The table after one more event. Nothing of the table before is changed. */
export function apply(before: TableView, event: DealEvent): TableView {
  const view: TableView = {
    ...before,
    log: [...before.log, event],
    layout: [...before.layout],
    seats: before.seats.map((seat) => ({ ...seat })),
    claimed: null,
  };
  const act = ACTS[event.e] as (view: TableView, event: DealEvent) => void;
  act(view, event);
  if (SPOKEN.has(event.e)) at(view, (event as { seat: number }).seat).said = event;
  return view;
}

/** All events, one after the other. */
export function replay(opening: Opening, events: readonly DealEvent[]): TableView {
  return events.reduce(apply, begin(opening));
}

/** The next seat to the left that plays. */
export function leftOf(view: Pick<TableView, "players" | "seatsIn">, seat: number): number {
  let next = seat;
  do next = (next + 1) % view.players;
  while (!view.seatsIn[next] && next !== seat);
  return next;
}

/** Seats that play, from eldest to the dealer. */
export function turnOrder(view: Pick<TableView, "players" | "seatsIn" | "dealer">): number[] {
  const order: number[] = [];
  let seat = view.dealer;
  do {
    seat = leftOf(view, seat);
    order.push(seat);
  } while (seat !== view.dealer);
  return order;
}

/** How many cards each seat is dealt, and the dead hand. */
export function sizes(view: Opening): { hands: number[]; dead: number } {
  const { position, remainder } = view.rules.dead_hand;
  const DEAD = -1;
  const order = turnOrder(view);
  const places = { first: 0, before_dealer: order.length - 1, last: order.length };
  if (position !== "none") order.splice(places[position], 0, DEAD);
  const pack = packOf(view.rules).length;
  const round = Math.floor(pack / order.length);
  const over = pack % order.length;
  const hands = view.seatsIn.map(() => 0);
  let dead = 0;
  order.forEach((seat, nth) => {
    const size = remainder === "rotation" && nth < over ? round + 1 : round;
    if (seat === DEAD) dead = size;
    else hands[seat] = size;
  });
  return { hands, dead: remainder === "dead_hand" ? dead + over : dead };
}

/** The place of a cell by its name; of the kitty, -1. */
function cellAt(view: TableView, name: string): number {
  return cellNames(view.rules).indexOf(name);
}

/** The place of the pot; -1 in a game without poker. */
export function potOf(rules: Rules): number {
  return rules.cells.findIndex(
    (cell) => typeof cell === "object" && Array.isArray(cell.claimed_by) && cell.claimed_by.length === 0,
  );
}

function at(view: TableView, seat: number): SeatView {
  const found = view.seats[seat];
  if (!found) throw new RangeError(`there is no seat ${seat}`);
  return found;
}

function gain(view: TableView, seat: number, chips: number): void {
  const who = at(view, seat);
  who.stack += chips;
  who.gain += chips;
}

/** Chips come to a cell, or to the kitty if its place is -1. */
function put(view: TableView, cell: number, chips: number): void {
  if (cell < 0) view.kitty += chips;
  else view.layout[cell] = (view.layout[cell] ?? 0) + chips;
}

function play(view: TableView, { seat, card }: Played): void {
  const who = at(view, seat);
  who.size -= 1;
  if (who.hand) who.hand = who.hand.filter((other) => other !== card);
  view.played = [...view.played, { card, seat }];
  view.sequence = [...view.sequence, { card, seat }];
  view.stopped = null;
}

function take(view: TableView, event: { seat: number; cell: string; chips: number }): void {
  const cell = cellAt(view, event.cell);
  put(view, cell, -event.chips);
  gain(view, event.seat, event.chips);
  view.claimed = { cell, seat: event.seat, chips: event.chips };
}

function bet(view: TableView, event: { seat: number; chips: number; e: string }): void {
  gain(view, event.seat, -event.chips);
  put(view, potOf(view.rules), event.chips);
  at(view, event.seat).bet += event.chips;
  at(view, event.seat).folded = event.e === "fold";
}

/** A fee goes to the kitty, to a seat, or on the cells one by one from the first. */
function pay(view: TableView, to: string | null, chips: number): void {
  if (to?.startsWith("seat:")) gain(view, Number(to.slice(5)), chips);
  else if (to === "kitty") view.kitty += chips;
  else for (let chip = 0; chip < chips; chip++) put(view, chip % view.layout.length, 1);
}

/** What each event does to the table. */
const ACTS: { [E in DealEvent["e"]]: (view: TableView, event: Extract<DealEvent, { e: E }>) => void } = {
  rebuy() {
    // The stacks at the beginning are those after it.
  },
  ante(view, { seat, kitty, layout }) {
    gain(view, seat, -layout.reduce((sum, chips) => sum + chips, kitty));
    view.kitty += kitty;
    layout.forEach((chips, cell) => put(view, cell, chips));
    at(view, seat).ante = layout;
  },
  spill(view, { from, to, chips }) {
    put(view, cellAt(view, from), -chips);
    put(view, cellAt(view, to), chips);
  },
  deal(view, { hands, dead }) {
    const dealt = sizes(view);
    view.seats.forEach((who, seat) => {
      const hand = hands[seat] ?? [];
      who.hand = hand.length > 0 ? sorted(view.rules.aces, hand) : null;
      who.size = who.in ? hand.length || (dealt.hands[seat] ?? 0) : 0;
    });
    for (const who of view.seats) who.said = null;
    const open = view.seats.every((who) => !who.in || who.hand !== null);
    view.deadHand = {
      size: dead.length || dealt.dead,
      cards: open || dead.length > 0 ? sorted(view.rules.aces, dead) : null,
      taker: null,
    };
    if (view.rules.first_lead === "eldest") view.leader = leftOf(view, view.dealer);
  },
  keep() {
    // Said beside the seat.
  },
  exchange(view, { seat, paid, to, dead, hand }) {
    const who = at(view, seat);
    const found = hand ?? (who.hand ? view.deadHand.cards : null);
    const discarded = dead.length > 0 ? dead : null;
    [who.size, view.deadHand] = [view.deadHand.size, { size: who.size, cards: discarded, taker: seat }];
    who.hand = found && sorted(view.rules.aces, found);
    gain(view, seat, -paid);
    if (paid > 0) pay(view, to, paid);
  },
  auction(view) {
    view.auction = { high: 0, bidder: null };
  },
  bid(view, { seat, chips }) {
    view.auction = { high: chips, bidder: seat };
    at(view, seat).bid = chips;
  },
  pass(view, { seat }) {
    at(view, seat).passed = true;
  },
  collect: take,
  set_apart(view, { seat, cards }) {
    at(view, seat).apart = cards;
  },
  check: bet,
  bet,
  call: bet,
  raise: bet,
  fold: bet,
  showdown(view, { winners, hands, shown, paid }) {
    const stayed = Object.keys(hands ?? {});
    const apart = stayed.map((seat) => [seat, at(view, Number(seat)).apart ?? []]);
    view.poker = { hands: hands ?? {}, shown: shown ?? Object.fromEntries(apart), winners };
    paid.forEach((chips, seat) => {
      if (chips > 0) gain(view, seat, chips);
      put(view, potOf(view.rules), -chips);
    });
    if (view.rules.first_lead === "poker_winner") view.leader = winners[0] ?? null;
    const chips = Math.max(...paid);
    if (chips > 0) view.claimed = { cell: potOf(view.rules), seat: paid.indexOf(chips), chips };
  },
  lead(view, event) {
    view.sequence = [];
    view.leader = event.seat;
    for (const who of view.seats) [who.said, who.apart] = [null, null];
    play(view, event);
  },
  play,
  claim: take,
  stop(view, { seat, card, why }) {
    view.stopped = { card, seat, why };
    view.leader = seat;
  },
  pass_lead(view, { seat }) {
    view.leader = leftOf(view, seat);
  },
  out(view) {
    view.leader = null;
  },
  no_winner(view) {
    view.leader = null;
    for (const who of view.seats) if (who.in) who.left = who.size;
    view.over = true;
  },
  settle(view, { winner, kitty, cards, paid }) {
    view.kitty -= kitty;
    gain(view, winner, kitty);
    paid.forEach((chips, seat) => {
      if (chips === 0) return;
      gain(view, seat, -chips);
      gain(view, winner, chips);
    });
    view.seats.forEach((who, seat) => {
      if (who.in) who.left = cards[seat] ?? 0;
    });
    view.settled = { winner, kitty, cards, paid };
    view.over = true;
  },
  leftover(view, { from, seat, chips }) {
    put(view, cellAt(view, from), -chips);
    gain(view, seat, chips);
  },
};

/** A decision in the making: chips placed one by one, or cards laid aside. */

import type { Choice } from "../engine/client";
import type { Card } from "../game/events";
import type { Turn } from "../game/session.svelte";

export class Draft {
  /** Chips on each cell, while an ante is split. */
  ante = $state<number[]>([]);
  /** Cards that are set apart. */
  apart = $state<Card[]>([]);
  #turn = $state.raw<Turn | null>(null);

  /** A new decision begins, or there is none. */
  begin(turn: Turn | null, cells: number): void {
    this.#turn = turn;
    this.ante = turn?.ante === undefined ? [] : Array.from({ length: cells }, () => 0);
    this.apart = [];
  }

  get staking(): boolean {
    return this.ante.length > 0;
  }

  /** Chips or cards that are still to be placed. */
  get lacks(): number {
    if (this.staking) return (this.#turn?.ante ?? 0) - this.ante.reduce((sum, chips) => sum + chips, 0);
    return (this.#turn?.setApart ?? 0) - this.apart.length;
  }

  add(cell: number, chips: 1 | -1): void {
    const now = this.ante[cell];
    if (now === undefined || now + chips < 0 || chips > this.lacks) return;
    this.ante[cell] = now + chips;
  }

  /** Lays a card aside, or takes it back. */
  toggle(card: Card): void {
    if (this.apart.includes(card)) this.apart = this.apart.filter((other) => other !== card);
    else if (this.lacks > 0) this.apart = [...this.apart, card];
  }

  /** Takes over what somebody suggests. */
  fill(choice: Choice): void {
    if (choice.e === "ante") this.ante = [...choice.layout];
    if (choice.e === "set_apart") this.apart = [...choice.cards];
  }

  /** The whole decision, if nothing is lacking. */
  get choice(): Choice | null {
    if (this.lacks !== 0) return null;
    if (this.staking) return { e: "ante", layout: [...this.ante] };
    return this.apart.length > 0 ? { e: "set_apart", cards: [...this.apart] } : null;
  }
}

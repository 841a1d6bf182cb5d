/** A few sounds of the table, made here: a card, chips, an own card, a deal that is won. */

import type { DealEvent } from "../game/events";

let context: AudioContext | null = null;

/** A short tone: its pitch in hertz, when it begins and how long it lasts in seconds, and how loud it is. */
function tone(audio: AudioContext, pitch: number, at: number, length: number, loud: number, shape: OscillatorType = "sine"): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.type = shape;
  oscillator.frequency.value = pitch;
  const start = audio.currentTime + at;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** Tones of each sound: pitch, begin, length, loudness. */
const SOUNDS = {
  card: [[190, 0, 0.06, 0.1]],
  chips: [[1700, 0, 0.07, 0.05], [2100, 0.05, 0.08, 0.05], [1850, 0.11, 0.09, 0.04]],
  mine: [[660, 0, 0.16, 0.06], [990, 0.07, 0.2, 0.05]],
  nobody: [[392, 0, 0.2, 0.05], [330, 0.14, 0.3, 0.05]],
  won: [[523, 0, 0.22, 0.07], [659, 0.11, 0.22, 0.07], [784, 0.22, 0.4, 0.07]],
} as const;
export type Sound = keyof typeof SOUNDS;

/** The sound of an event, if it has one. */
export function soundOf(event: DealEvent, me: number): Sound | null {
  switch (event.e) {
    case "lead":
    case "play":
      return "card";
    case "claim":
    case "collect":
      return "chips";
    case "no_winner":
      return "nobody";
    case "settle":
      return event.winner === me ? "won" : "chips";
    default:
      return null;
  }
}

/** Plays a sound; a browser that has not been touched yet stays silent. */
export function sound(which: Sound): void {
  if (typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  // Some browsers let one that was made outside of a touch wait.
  if (context.state === "suspended") void context.resume();
  for (const [pitch, at, length, loud] of SOUNDS[which]) tone(context, pitch, at, length, loud, which === "card" ? "triangle" : "sine");
}

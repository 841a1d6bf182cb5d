/** The options of rules as fields of a form, as the engine describes them (`engine/TABLES.md`, `options`). */

import known from "../../assets/rules.json";

/** A value as JSON has it. */
export type Value = unknown;

/** One of a few values. */
export interface Options {
  kind: "options";
  options: [Value, string][];
}

/** A whole number; with `none` the key may be left out, and `none` says what that means. */
export interface Whole {
  kind: "whole";
  least: number;
  most: number;
  none?: string;
}

/** A part of a form, and the value with which a form begins. */
export type Part = [key: string, label: string, kind: Options | Whole, usual: Value];

/** One of several forms, each a plain value or a table of further values under its tag. */
export interface Forms {
  kind: "forms";
  forms: { tag: string; label: string; parts?: Part[] }[];
}

export type Kind =
  | Options
  | Whole
  | Forms
  | { kind: "range"; least: number; most: number }
  | { kind: "cards" }
  | { kind: "cells"; most: number };

export interface Field {
  /** As faults name it: with a dot inside a table. */
  key: string;
  group: string;
  label: string;
  help?: string;
  /** In which games the option has an effect. */
  when?: string;
  kind: Kind;
  /** The other key that this one is a short way to write. */
  short_for?: string;
}

export interface Group {
  title: string;
  fields: Field[];
}

const ALL = (known.options as unknown as Field[]).filter((field) => field.short_for === undefined);

export const GROUPS: Group[] = [...new Set(ALL.map(({ group }) => group))].map((title) => ({
  title,
  fields: ALL.filter(({ group }) => group === title),
}));

export const FIELDS: Field[] = GROUPS.flatMap((group) => group.fields);

/** The field beside which a fault of a key is shown, if there is one. */
export function fieldOf(key: string): Field | undefined {
  const begins = (field: Field) => key === field.key || /^[.[]/.test(key.slice(field.key.length));
  return FIELDS.find((field) => key.startsWith(field.key) && begins(field));
}

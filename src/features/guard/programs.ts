// What memo knows of programs whose commands are guarded: how their options are written. Of a program that is not in
// the table only what is written out is recognized.

import tables from "./programs.json" with { type: "json" };

/** How a program takes its options. */
export interface Program {
  /** Options before the subcommand that take the next word as their value. */
  readonly values?: readonly string[];
  /** Its short options can stand together (`-rf`). */
  readonly clusters?: boolean;
  /** It has no subcommand: an operand may stand anywhere. */
  readonly isFlat?: boolean;
}

export const PROGRAMS: Readonly<Record<string, Program>> = tables.programs;

/** Other ways to write an option, by program and subcommand; `+` is git's mark of a forced ref. */
export const ALIASES: Readonly<Record<string, readonly (readonly string[])[]>> = tables.aliases;

/** Short options of git that take the rest of their cluster, or the next word, as a value. */
export const GIT_VALUES: Readonly<Record<string, string>> = tables.gitValues;

/** How a program says what it runs. */
export interface Runner {
  /** Its own short and long options that take the next word. */
  readonly letters?: string;
  readonly long?: readonly string[];
  /** Operands of its own before the command. */
  readonly skipped?: number;
  /** The subcommand before the command. */
  readonly behind?: string;
}

/** Programs that run the command in their arguments. */
export const RUNNING: Readonly<Record<string, Runner>> = tables.runners;

/** Programs that read a command line behind an option. */
export const READING: Readonly<Record<string, string>> = tables.lines;

/** Options of containers' programs that have a value. */
export const WITH_VALUES: string = tables.containerValues;

/** A program's row in a table; no program is found by what every object has, such as `constructor`. */
export function rowOf<Row>(
  table: Readonly<Record<string, Row>>,
  program: string,
): Row | undefined {
  return Object.hasOwn(table, program) ? table[program] : undefined;
}

// The first hour of a newcomer, as a terminal shows it: `deno task snapshots` writes the screens, a test compares them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRows } from "./fixtures.ts";
import { makeHome, MEMO } from "./home.ts";
import { lasting } from "./snapshots.ts";
import { runInTerminal, type Terminal } from "./terminal.ts";

/** Columns of the terminals that are walked through. */
export const WIDTHS = [60, 100, 160] as const;

/** What is typed: a command line, and what is pressed at the question that it asks. */
interface Step {
  readonly line: string;
  readonly press: string | undefined;
}

const YES_NO = /\[(?:Y\/n|y\/N)\]/;

/** What is typed, in order; no answer hangs on scores that are nearly equal, which processors compute differently. */
const WALKS = Map.groupBy(
  readRows("walks.tsv").map(([walk = "", line = "", press]) => ({ walk, line, press })),
  ({ walk }) => walk,
);

/** What a walk leaves in the terminal. */
export interface Walked {
  readonly width: number;
  readonly screen: string;
  /** The same with the lines that the terminal has broken, not memo, in one. */
  readonly joined: string;
}

/** Every walk, by the name of its file. */
export async function takeWalks(): Promise<Map<string, Walked>> {
  const taken = new Map<string, Walked>();
  for (const width of WIDTHS) {
    for (const [name, walked] of await walk(width)) taken.set(`${name}-${width}.txt`, walked);
  }
  return taken;
}

/** All walks in one home, one after the other, in terminals of a width. */
async function walk(width: number): Promise<[name: string, walked: Walked][]> {
  await using home = makeHome({ TZ: "UTC", MEMO_LLM_PROVIDER: "none" }, { hasModel: true });
  mkdirSync(join(home.project, ".git"));
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "memo"), `#!/bin/sh\nexec '${MEMO}' "$@"\n`, { mode: 0o755 });
  const env = { ...home.env, PATH: `${bin}:${home.env["PATH"]}` };
  const screens: [string, Walked][] = [];
  for (const [name, steps] of WALKS) {
    const shell = ["sh", "-c", scriptOf(steps)];
    await using terminal = runInTerminal({ ...home, env }, shell, { width, height: HEIGHT });
    for (const step of steps) await answer(terminal, step);
    await terminal.ends();
    const [screen, joined] = [false, true].map((isJoined) =>
      lasting(terminal.screen(isJoined).replace(/[ \t]+$/gm, "").trimEnd() + "\n", home)
    ) as [string, string];
    screens.push([name, { width, screen, joined }]);
  }
  return screens;
}

/** Lines that a terminal has: more than any walk fills, so that nothing scrolls out of it. */
const HEIGHT = 400;

/** A script that runs the command lines as a person would type them. */
function scriptOf(steps: readonly Step[]): string {
  return steps.map(({ line }) =>
    `printf '$ %s\\n' '${line}'; ${line}; code=$?; [ $code = 0 ] || echo "[exit $code]"; echo`
  ).join("\n");
}

/** Answers the question that a command asks, once it stands below the command. */
async function answer(terminal: Terminal, { line, press }: Step): Promise<void> {
  if (press === undefined) return;
  const command = RegExp.escape(line).replaceAll(/\\x20| /g, "\\s+");
  await terminal.shows(new RegExp(`\\$\\s${command}[^$]*${YES_NO.source}`));
  await terminal.press(press);
  if (press.length === 1) await terminal.press("Enter");
}

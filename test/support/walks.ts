// The first hour of a newcomer, as a terminal shows it: `deno task snapshots` writes the screens, a test compares them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeHome, MEMO } from "./home.ts";
import { lasting } from "./snapshots.ts";
import { runInTerminal, type Terminal } from "./terminal.ts";

/** Columns of the terminals that are walked through. */
export const WIDTHS = [60, 100, 160] as const;

/** What is typed: a command line, and the answers to the questions that it asks. */
interface Step {
  readonly line: string;
  readonly answers?: readonly { readonly to: RegExp; readonly press: string }[];
}

const YES_NO = /\[(?:Y\/n|y\/N)\]/;

/** What is typed, in order; no answer hangs on scores that are nearly equal, which processors compute differently. */
const WALKS: Readonly<Record<string, readonly Step[]>> = {
  "first-steps": [
    { line: "memo --help" },
    { line: "memo list" },
    { line: 'memo add "Use pnpm, never npm, to install packages" --scope user' },
    { line: 'memo add "The staging database listens on port 5433, and only from the VPN"' },
    { line: 'memo add "Webhooks of Stripe are retried for three days"' },
    {
      line: 'memo add "Ask before you push to main" --type feedbck',
      answers: [{ to: YES_NO, press: "Enter" }],
    },
    {
      line: 'memo add "Webhooks of Stripe are retried for two days"',
      answers: [{ to: YES_NO, press: "n" }],
    },
    { line: "memo add a" },
    { line: "memo list" },
    { line: "memo recall --log" },
  ],
  finding: [
    { line: "memo show pnpm" },
    { line: "memo show use-pnpm-never-npm-to-install-packages" },
    { line: "memo show pnp", answers: [{ to: YES_NO, press: "n" }] },
    { line: "memo show webhooks" },
    { line: "memo search webhooks three days" },
    { line: "memo search staging port" },
    { line: "memo search zzzqqq" },
    { line: "memo search --like rsoz -k 1" },
    { line: 'memo recall "how do I install packages with npm?"' },
    { line: "memo recall ok" },
  ],
  changing: [
    { line: "memo edit staging --pin" },
    { line: "memo share staging" },
    { line: "memo share staging" },
    { line: "memo forget staging" },
    { line: "memo undo" },
    { line: "memo forget pnp", answers: [{ to: YES_NO, press: "Enter" }] },
    { line: "memo undo --archived pnpm" },
    { line: "memo undo --archived pnpm" },
  ],
  settings: [
    { line: "memo config get recall.preset" },
    { line: "memo config set recall.preset=bset" },
    { line: "memo config set recall.max_memories=3" },
    { line: "memo config list" },
    { line: "memo config types" },
    { line: "memo list --projects" },
    { line: "memo serach pnpm" },
    { line: "memo init --scope me" },
  ],
};

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
  for (const [name, steps] of Object.entries(WALKS)) {
    const shell = ["sh", "-c", scriptOf(steps)];
    await using terminal = runInTerminal({ ...home, env }, shell, { width, height: HEIGHT });
    for (const { line, answers = [] } of steps) {
      for (const { to, press } of answers) await answer(terminal, { line, to, press });
    }
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
async function answer(
  terminal: Terminal,
  { line, to, press }: { readonly line: string; readonly to: RegExp; readonly press: string },
): Promise<void> {
  const command = RegExp.escape(line).replaceAll(/\\x20| /g, "\\s+");
  const asked = new RegExp(`\\$\\s${command}[^$]*${to.source}`);
  await terminal.shows(asked);
  await terminal.press(press);
  if (press.length === 1) await terminal.press("Enter");
}

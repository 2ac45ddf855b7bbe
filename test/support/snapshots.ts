// Whole commands and what they print, as files: `deno task snapshots` writes them, a test compares. A change of wording
// or layout is then a diff to read.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram } from "../../src/surfaces/cli/mod.ts";
import { pathOf } from "../../src/surfaces/cli/shared/usage.ts";
import { noteUses } from "../../src/core/ledger/usage.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Receipt, writeReceipt } from "../../src/core/recall/receipts.ts";
import { readRows } from "./fixtures.ts";
import { type Home, makeHome, MEMO, runMemo } from "./home.ts";

/** Command lines by the name of the file that holds what they print. */
const COMMANDS = Map.groupBy(readRows("commands.tsv"), ([file]) => file!);
/** What stands for it in that table, so that no scanner takes it for a leak. */
const KEY = ["{key}", "ghp_" + "a1B2".repeat(9)] as const;

/** Every snapshot, by the name of its file: one for the help of each command, and one for each name above. */
export async function takeSnapshots(): Promise<Map<string, string>> {
  await using seeded = seededHome();
  await using bare = makeHome();
  const taken = new Map<string, string>();
  const take = async (file: string, lines: readonly (readonly string[])[], home: Home) => {
    const shown: string[] = [];
    for (const args of lines) shown.push(await transcriptOf(args, home));
    taken.set(`${file}.txt`, shown.join("\n"));
  };
  await take("help", [["--help"]], bare);
  const context = contextIn(bare.env, bare.project);
  const program = await buildProgram(context, "*");
  for (const command of program.commands) {
    const lines = withSubcommands(command).map((each) => [...wordsOf(each), "--help"]);
    await take(`help/${command.name()}`, lines, bare);
  }
  for (const [file, rows] of COMMANDS) {
    const lines = rows.map(([, ...args]) => args.map((arg) => arg.replace(...KEY)));
    await take(file, lines, seeded);
  }
  return taken;
}

function withSubcommands(command: Command): Command[] {
  const below = command.commands.filter((each) => each.name() !== "help");
  return [command, ...below.flatMap(withSubcommands)];
}

function wordsOf(command: Command): string[] {
  return pathOf(command).split(" ").slice(1);
}

/** A home with some memories, receipts and uses, and no other program on the search path. */
function seededHome(): Home {
  const made = makeHome({ TZ: "UTC", EDITOR: "vi" }, { hasModel: true });
  const bin = join(made.root, "bin");
  mkdirSync(bin);
  const home = { ...made, env: { ...made.env, PATH: bin } };
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const dated = (days: number) => {
    const date = new Date();
    date.setDate(date.getDate() - days);
    return date.toISOString();
  };
  home.write(
    "feedback_use-pnpm.md",
    "---\nname: Use pnpm\ndescription: Package manager of all repositories\ntype: feedback\n" +
      `tags: [build]\nupdated: ${dated(12)}\n---\npnpm, never npm.\n`,
  );
  home.write(
    "user_tabs.md",
    `---\nname: Prefers tabs\ntype: user\nupdated: ${dated(200)}\n---\nTabs, not spaces.\n`,
  );
  const staging = home.keep(
    "decision_staging.md",
    `---\nname: Staging is pegasus\ntype: decision\nupdated: ${dated(0)}\n---\n` +
      "The staging host is pegasus, port 8443.\n",
  );
  const receipts = join(home.memoHome, "receipts.jsonl");
  const seen = { session: "c0ffee00-1111", cwd: home.project, ms: { retrieve: 4.2 } };
  const near = { path: staging, score: 0.31, strategy: "hybrid" };
  const received: readonly Omit<Receipt, keyof typeof seen | "at">[] = [
    { outcome: "hit", memories: [{ ...near, score: 0.62 }], chars: 412, prompt: "where is it?" },
    { outcome: "gated", memories: [], chars: 0, prompt: "ok", why: "too short" },
    {
      outcome: "below threshold",
      memories: [],
      chars: 0,
      prompt: "which port?",
      misses: [{ ...near, because: "below threshold" }],
    },
  ];
  for (const each of received) {
    writeReceipt(receipts, { ...seen, ...each, at: daysAgo(0.001) });
  }
  noteUses(pathsFor(home.env).usage, [{ path: staging, at: daysAgo(1), shown: 3, used: 2 }]);
  return home;
}

/** A command line with what it prints, as a terminal shows it; what a run alone decides is named. */
async function transcriptOf(args: readonly string[], home: Home): Promise<string> {
  const { code, stdout, stderr } = await runMemo(home, args);
  const words = args.map((arg) => /^[\w./=@:-]+$/.test(arg) ? arg : JSON.stringify(arg));
  const [printed, said] = [stdout, stderr].map((text) => lasting(text, home));
  return lasting(`$ memo ${words.join(" ")}\n`, home) + printed +
    (said === "" ? "" : `[stderr]\n${said}`) +
    (code === 0 ? "" : `[exit ${code}]\n`);
}

/** What differs between runs, days, builds and machines, and what stands for it. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/-[\w-]*memo-home-\w+-project\b/g, "-PROJECT"],
  [/\bproject-[0-9a-f]{10}\b/g, "project-HASH"],
  [/\bmemo \d+\.\d+\.\d+ \(build [^)]*\)/g, "memo VERSION"],
  [/builtin\/[\w.-]+@[\w+-]+/g, "builtin/MODEL"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "INSTANT"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, "DATE TIME          "],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "DATE TIME       "],
  [/\b20(?!26-01-01)\d\d-\d\d-\d\d\b/g, "YYYY-MM-DD"],
  [/\b0\.\d{3,}\b/g, "0.###"],
  [/\b0\.\d\d(?= {2}[k-z]{4} )/g, "0.##"],
  [/\b[0-9a-f]{8}\b(?= {2})/g, "HASHHASH"],
  [/\.\d{8}-\d{6}(?:-\d+)?\.md\b/g, ".DATE-TIME.md"],
  [/\b\d+\.\d MB\b/g, "#.# MB"],
  [/^.*\bmemo is in a temporary folder\b.*\n/gm, ""], // of a checkout in `/tmp`
];

/** What a command printed, without what differs between runs, days, builds and machines. */
export function lasting(text: string, { root }: Home): string {
  const named = text.replaceAll(MEMO, "/usr/local/bin/memo").replaceAll(root, "~");
  return PASSING.reduce((shown, [pattern, name]) => shown.replace(pattern, name), named);
}

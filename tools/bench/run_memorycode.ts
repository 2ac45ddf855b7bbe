import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describeMachine, formatMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import { withBars } from "../../src/surfaces/cli/shared/progress.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";
import { openLog } from "../../src/core/files/log.ts";
import { columns } from "../../src/core/text/terminal.ts";
import { benchMemoryCode, type DialogueRow } from "./memorycode/bench.ts";
import { readDialogues } from "./memorycode/dialogue.ts";
import type { Share } from "../../bench/share.ts";

export interface MemoryCodeRun {
  readonly suite: string;
  readonly replies?: string;
  readonly questions?: string;
  readonly startChars: readonly number[];
  readonly json?: JsonOption;
}

const REPLIES = fileURLToPath(new URL("../../bench/recorded/memorycode.jsonl", import.meta.url));

/** Measures what is left of rules that are given and changed over many sessions. */
export async function runMemoryCode(
  { suite, replies = REPLIES, questions, startChars, json }: MemoryCodeRun,
  { paths }: CliContext,
): Promise<void> {
  const rows = await withBars((onProgress) =>
    benchMemoryCode(readDialogues(resolve(suite)), {
      ...{ replies: resolve(replies), startChars, log: openLog(paths.logs), onProgress },
      questions: questions === undefined ? undefined : resolve(questions),
    })
  );
  const report = { machine: describeMachine(), rows };
  await present(report, {
    ...{ json, depth: { machine: 0, rows: 3 } },
    table: `${formatMachine(report.machine)}\n\n${renderMemoryCode(rows)}`,
  });
  if (rows.some(({ open }) => open.length > 0)) process.exitCode = 1;
}

const HEADS = ["dialogue", "start_chars", "at the start", "in context", "outdated", "characters"];

/** The results as a table, and what is missing in them. */
function renderMemoryCode(rows: readonly DialogueRow[]): string {
  const cells = rows.flatMap(({ id, standing }) =>
    standing.map(({ startChars, atStart, inContext, outdated, chars }) => [
      ...[id, String(startChars), share(atStart), share(inContext), share(outdated), String(chars)],
    ])
  );
  const lines = rows.flatMap(({ id, open, sessions, kept, lost = [], memories, standing }) => [
    ...open.map((key) => `${id}: question ${key} has no recorded reply`),
    ...kept === undefined ? [] : [
      `${id}: ${sessions} sessions, ${memories} memories, ${share(kept)} rules in force kept`,
    ],
    ...lost.map((topic) => `${id}: not kept: ${topic}`),
    ...standing.flatMap(({ startChars, missing, stale }) => [
      ...missing.map((topic) => `${id}, ${startChars}: missing: ${topic}`),
      ...stale.map((topic) => `${id}, ${startChars}: outdated: ${topic}`),
    ]),
  ]);
  return [...cells.length === 0 ? [] : [columns([HEADS, ...cells])], ...lines].join("\n") + "\n";
}

function share({ n, of }: Share): string {
  return `${n} of ${of}`;
}

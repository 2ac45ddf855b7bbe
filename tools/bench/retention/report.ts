import { columns, paint } from "../../../src/core/text/terminal.ts";
import { formatMachine, type Machine } from "../../../bench/machine.ts";
import type { PresetRow, RetentionRun } from "./bench.ts";
import type { Toll } from "../sessions/recorded_model.ts";
import { percent } from "../../../bench/share.ts";
import type { Shares } from "./score.ts";

/** What `deno task lab retention` finds out; `--json` writes it as it is. */
export interface RetentionReport extends RetentionRun {
  readonly machine: Machine;
}

/** Which parts of the JSON are spread over lines. */
export const RETENTION_JSON_DEPTH = { machine: 0, kept: 1, rows: 3, open: 1 };

/** The columns of the table, in order. */
const COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: PresetRow) => string;
}[] = [
  { head: "needed facts in context", of: ({ served }) => percent(served.inContext) },
  { head: "as title", of: ({ served }) => percent(served.asTitle) },
  { head: "with the prompt (in full)", of: ({ served }) => percents(served.withPrompt) },
  { head: "precision", of: ({ served }) => percents(served.precision) },
  { head: "stale", of: ({ served }) => percent(served.stale) },
  {
    head: "off-topic / near-topic blocks",
    of: ({ served: { falseBlocks } }) =>
      ["off-topic", "near-topic"].map((name) => percents(falseBlocks[name] ?? NONE)).join(" / "),
  },
  {
    head: "tokens, 30 prompts",
    of: ({ longSessionChars }) => String(Math.round(longSessionChars / 4)),
  },
  {
    head: "asked per prompt",
    of: ({ asked, served }) => printCost(costPerPrompt(asked, served.prompts)),
  },
];

const NONE: Shares = { all: { n: 0, of: 0 }, inFull: { n: 0, of: 0 } };

/** The report for a terminal. */
export function renderRetention({ machine, model, kept, rows, open }: RetentionReport): string {
  const sections = [`${paint("dim", formatMachine(machine))}\nEmbedding model ${model}\n`];
  if (kept !== undefined) {
    sections.push(
      `${paint("bold", "Extraction")}\n` +
        `${kept.memories} memories; ${kept.kept.n} of ${kept.kept.of} required facts kept, ` +
        `${kept.wronglyKept.length} kept wrongly, ${kept.stale.length} out of date, ` +
        `${kept.leaked.length} secrets sent to the language model\n` +
        lineOf("missing", kept.missing) + lineOf("wrongly kept", kept.wronglyKept) +
        lineOf("out of date", kept.stale) + lineOf("sent", kept.leaked),
      `${paint("bold", "Later prompts")}\n` + columns([
        ["", ...COLUMNS.map(({ head }) => head)],
        ...rows.map((row) => [row.preset, ...COLUMNS.map(({ of }) => of(row))]),
      ]),
    );
    for (const { preset, open } of rows.filter((row) => row.open > 0)) {
      sections.push(
        `${preset}: ${open} questions have no recorded reply; the row is incomplete\n`,
      );
    }
  }
  if (open.length > 0) {
    sections.push(`${open.length} questions to the language model have no recorded reply\n`);
  }
  return sections.join("\n");
}

/** The tokens and dollars of a prompt, on average over all prompts. */
export function costPerPrompt({ input, output, usd }: Toll, prompts: number) {
  return { tokens: Math.round((input + output) / prompts), usd: usd / prompts };
}

function printCost({ tokens, usd }: ReturnType<typeof costPerPrompt>): string {
  return tokens === 0 ? "–" : `${tokens}, $${usd.toFixed(4)}`;
}

/** A share, and in brackets that of what was given in full. */
export function percents({ all, inFull }: Shares): string {
  return all.of === 0 ? "–" : `${percent(all)} (${percent(inFull)})`;
}

function lineOf(name: string, ids: readonly string[]): string {
  return ids.length === 0 ? "" : `  ${name}: ${ids.join(", ")}\n`;
}

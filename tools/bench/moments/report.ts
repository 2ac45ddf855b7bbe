import { type Machine, sayMachine } from "../../../bench/machine.ts";
import { percent, type Share } from "../../../bench/share.ts";
import { columns } from "../../../src/text/columns.ts";
import type { MomentRow, MomentsRun } from "./bench.ts";

/** What `deno task lab moments` finds out; `--json` writes it as it is. */
export interface MomentsReport extends MomentsRun {
  readonly machine: Machine;
}

/** Which parts of the JSON are spread over lines. */
export const MOMENTS_JSON_DEPTH = { machine: 0, rows: 1, failed: 1 };

/** The columns of the table, in order. */
export const MOMENT_COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: MomentRow) => string;
}[] = [
  { head: "right entry where one is needed", of: ({ right }) => counted(right) },
  { head: "another entry there", of: ({ wrong }) => counted(wrong) },
  { head: "entry where none is needed", of: (row) => counted(row.false) },
  { head: "characters, with frame", of: ({ chars }) => String(chars) },
];

/** A row's name. */
export function momentRowName({ split, kind }: Pick<MomentRow, "split" | "kind">): string {
  const what = kind === "read" ? "reads of files" : "failing commands";
  return `${what}, ${split === "dev" ? "development" : "held out"}`;
}

function counted(share: Share): string {
  return `${share.n} of ${share.of} (${percent(share)})`;
}

/** The report for a terminal. */
export function renderMoments({ machine, model, memories, rows, failed }: MomentsReport): string {
  const lines = failed.map(({ repository, kind, at, wanted, came }) =>
    `${repository}, ${kind} ${at.slice(0, 70)}: ${came ?? "nothing"} instead of ${
      wanted ?? "nothing"
    }\n`
  );
  return `${sayMachine(machine)}\n${memories} memories, embedding model ${model}\n\n` +
    columns([
      ["", ...MOMENT_COLUMNS.map(({ head }) => head)],
      ...rows.map((row) => [momentRowName(row), ...MOMENT_COLUMNS.map(({ of }) => of(row))]),
    ]) + (lines.length === 0 ? "" : `\n${lines.join("")}`);
}

import { columns } from "../../src/text/columns.ts";
import { paint } from "../../src/text/paint.ts";
import { sayMachine } from "../../bench/machine.ts";
import type { Blocks, SizeRow, SizesReport } from "./sizes.ts";

/** The columns of the table after the strategy and the number of memories. */
export const SIZES_COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: SizeRow) => string;
}[] = [
  {
    head: "served (in full)",
    of: ({ felt }) => `${percent(felt.served)} (${percent(felt.whole!.served)})`,
  },
  {
    head: "precision",
    of: ({ felt }) => `${percent(felt.precision)} (${percent(felt.whole!.precision)})`,
  },
  { head: "off-topic blocks", of: ({ blocks }) => sayBlocks(blocks.offTopic, 1) },
  { head: "near-topic", of: ({ blocks }) => sayBlocks(blocks.nearTopic) },
  { head: "answer not in store", of: ({ blocks }) => sayBlocks(blocks.elsewhere) },
];

/** The report for a terminal. */
export function renderSizes({ machine, suite, model, rows }: SizesReport): string {
  return `${paint("dim", sayMachine(machine))}\n${suite}, embedding model ${model}\n\n` + columns([
    ["memories", "", ...SIZES_COLUMNS.map(({ head }) => head)],
    ...rows.map((row) => [
      String(row.memories),
      row.strategy,
      ...SIZES_COLUMNS.map(({ of }) => of(row)),
    ]),
  ]);
}

function sayBlocks({ any, whole, of }: Blocks, digits = 0): string {
  if (of === 0) return "–";
  return `${percent(any / of, digits)} (${percent(whole / of, digits)})`;
}

function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

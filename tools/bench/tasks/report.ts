import { columns, paint } from "../../../src/core/text/terminal.ts";
import { formatMachine, type Machine } from "../../../bench/machine.ts";
import { percent, type Share } from "../../../bench/share.ts";
import type { ArmRow, TasksRun } from "./bench.ts";

/** What `deno task lab tasks` finds out; `--json` writes it as it is. */
export interface TasksReport extends TasksRun {
  readonly machine: Machine;
}

/** Which parts of the JSON are spread over lines. */
export const TASKS_JSON_DEPTH = { machine: 0, arms: 4, open: 1, unpatched: 1, agents: 1 };

/** The columns of the table, in order. */
const COLUMNS: readonly {
  readonly head: string;
  readonly of: (row: ArmRow) => string;
}[] = [
  {
    head: "rules in context",
    of: ({ parts }) => parts.of === 0 ? "–" : `${parts.n} of ${parts.of} (${percent(parts)})`,
  },
  {
    head: "with the request",
    of: ({ withRequest: { parts, whole } }) =>
      parts.n === 0 ? "–" : `${percent(parts)}, ${whole.n} of ${whole.of} complete`,
  },
  { head: "bugs fixed at the first try", of: ({ samples }) => formatSamples(samples) },
  { head: "outdated rules", of: ({ outdated, whole }) => whole.of === 0 ? "–" : String(outdated) },
];

/** The samples of an arm: `12, 13, 13 of 13`. */
export function formatSamples(samples: readonly Share[]): string {
  if (samples.length === 0) return "–";
  const totals = new Set(samples.map(({ of }) => of));
  return totals.size === 1
    ? `${samples.map(({ n }) => n).join(", ")} of ${samples[0]!.of}`
    : samples.map(({ n, of }) => `${n} of ${of}`).join(", ");
}

/** The report for a terminal. */
export function renderTasks(report: TasksReport): string {
  const { machine, model, tasks, conversations, decoys, memories, arms, open } = report;
  const lines = [
    paint("dim", formatMachine(machine)),
    `${tasks} tasks; ${conversations} conversations in one project, ${decoys} of which decide nothing`,
  ];
  if (arms.length > 0) {
    lines.push(
      `${memories} memories captured; embedding model ${model}`,
      "",
      columns([
        ["", ...COLUMNS.map(({ head }) => head)],
        ...arms.map((row) => [row.what, ...COLUMNS.map(({ of }) => of(row))]),
      ]),
      ...arms.flatMap(detailsOf),
    );
  }
  return [...lines, ...notesOn(report), ...open.map(formatOpen), ""].join("\n");
}

/** What a reader has to know about the figures. */
function notesOn({ isGraded, arms, unpatched, agents }: TasksReport): string[] {
  const other = arms.flatMap(({ tasks }) => tasks)
    .filter(({ solved, isExact }) => solved !== undefined && !isExact).length;
  return [
    ...isGraded ? [] : ["Not graded: `python3 -m pytest` does not run here"],
    ...agents.length === 0 ? [] : [`Patches: ${agents.join("; ")}`],
    ...other === 0 ? [] : [
      `${other} contexts changed after their patches were recorded; they have as many parts of the rule`,
    ],
    ...unpatched.length === 0 ? [] : [`No patch is recorded for ${unpatched.join(", ")}`],
  ];
}

/** Which rules were missing, and which tasks failed. */
function detailsOf({ arm, tasks }: ArmRow): string[] {
  return tasks.flatMap(({ task, category, delivery, solved, brokenRules }) => {
    const said = [
      ...delivery === undefined || delivery.parts.n === 0 || delivery.missing.length === 0
        ? []
        : [`missing ${delivery.missing.join(", ")}`],
      ...delivery === undefined || delivery.outdated.length === 0
        ? []
        : [`outdated ${delivery.outdated.join(", ")}`],
      ...solved === undefined || solved.n === solved.of
        ? []
        : [`${solved.n} of ${solved.of} solved, ${brokenRules} broke the rule`],
    ];
    return said.length === 0 ? [] : [`${arm}: ${task} (${category}): ${said.join("; ")}`];
  });
}

function formatOpen(key: string): string {
  return `Question ${key} has no recorded reply`;
}

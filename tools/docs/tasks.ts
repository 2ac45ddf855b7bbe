import type { ArmRow } from "../bench/tasks/bench.ts";
import { COLUMNS, notesOn, saySamples, type TasksReport } from "../bench/tasks/report.ts";
import { percent, type Share } from "../../bench/share.ts";
import type { DialogueRow } from "../bench/memorycode/bench.ts";
import { conditions, NOTHING_YET, read } from "./results.ts";
import { list, markdownTable, paragraph } from "./table.ts";

/** The file of the results. */
const FILE = "tasks.json";

/** What memory is worth to a coding agent, for readers who do not know memo. */
export function tasksInWords(): string {
  const report = read<TasksReport>(FILE);
  if (report === undefined) return NOTHING_YET;
  const { machine, memories, decoys } = report;
  return [
    markdownTable(
      ["the agent works", "bugs fixed at the first try", "parts of the rules that it had"],
      report.arms.map(({ what, samples, parts }) => [what, saySamples(samples), percent(parts)]),
      { figuresFrom: 1 },
    ),
    paragraph(
      `${memories} memories, written by a language model from ${report.conversations} conversations, ${decoys} of which ` +
        `have nothing to do with the bugs. Each count is one sample of all tasks. ${
          sayNotes(report)
        }`,
    ),
    ...rulesOverSessions(),
    conditions(machine),
  ].join("\n\n");
}

/** The same with all columns. */
export function tasksTable(): string {
  const report = read<TasksReport>(FILE);
  if (report === undefined) return NOTHING_YET;
  const { tasks, conversations, decoys, memories, arms, machine } = report;
  return [
    markdownTable(
      ["the agent works", ...COLUMNS.map(({ head }) => head)],
      arms.map((row) => [row.what, ...COLUMNS.map(({ of }) => of(row))]),
      { figuresFrom: 1 },
    ),
    list(COLUMNS.map(({ head, means }) => `_${head}_: ${means}`)),
    paragraph(
      `Conditions: ${tasks} tasks, 13 of them from sde-bench; ${conversations} conversations in one project, ` +
        `${decoys} of which decide nothing; ${memories} memories. ${sayNotes(report)}`,
    ),
    ...failures(arms),
    conditions(machine),
  ].join("\n\n");
}

function sayNotes(report: TasksReport): string {
  return notesOn(report).map((note) => `${note}.`).join(" ");
}

/** Which kinds of rules were broken, by arm. */
function failures(arms: readonly ArmRow[]): string[] {
  const lines = arms.flatMap(({ what, tasks }) => {
    const broken = tasks.filter(({ solved }) => solved !== undefined && solved.n < solved.of);
    const kinds = Map.groupBy(broken, ({ category }) => category);
    const said = [...kinds].map(([kind, its]) =>
      `${kind} (${its.map(({ task }) => task).join(", ")})`
    );
    return said.length === 0 ? [] : [`${what}: ${said.join(", ")}`];
  });
  return lines.length === 0 ? [] : ["Not fixed in every sample, by the kind of rule:", list(lines)];
}

/** MemoryCode's rules, as long as its results are there. */
function rulesOverSessions(): string[] {
  const rows = read<{ readonly rows: readonly DialogueRow[] }>("memorycode.json")?.rows ?? [];
  const last = rows.flatMap(({ standing }) => standing.at(-1) ?? []);
  if (last.length === 0) return [];
  const sum = (of: (standing: typeof last[number]) => Share) => {
    const shares = last.map(of);
    const total = (field: keyof Share) => shares.reduce((all, share) => all + share[field], 0);
    return `${total("n")} of ${total("of")}`;
  };
  const sessions = rows.map((row) => row.sessions);
  return [
    paragraph(
      `Over ${Math.min(...sessions)} to ${
        Math.max(...sessions)
      } sessions that give rules and change them ` +
        `(${rows.length} dialogues of MemoryCode), a new session has ${
          sum(({ inContext }) => inContext)
        } rules in ` +
        `force before it, and ${sum(({ outdated }) => outdated)} outdated ones.`,
    ),
  ];
}

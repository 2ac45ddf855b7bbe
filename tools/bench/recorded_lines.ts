import { parseJson } from "../../src/llm/parse_json.ts";
import type { Asked } from "../../bench/question_files.ts";
import type { Reply } from "../../bench/recording.ts";
import { type NoteList, noteList, type Verdict } from "../../bench/verdicts.ts";

/** A question and the text of its reply. */
export interface Answered {
  readonly asked: Asked;
  readonly reply: string;
}

export interface RecordedLinesOptions {
  /** What answered. */
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  /** The lines that the recording has. */
  readonly before: readonly object[];
}

/** The lines of a recording that replies become, and what is wrong with some of them. */
export function linesFor(
  answered: readonly Answered[],
  { model, at, before }: RecordedLinesOptions,
): { readonly lines: readonly (Reply | NoteList | Verdict)[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const lines: (Reply | NoteList | Verdict)[] = [];
  const lists = new Set(before.flatMap((line) => "list" in line ? [line.list] : []));
  for (const { asked: { file, key, notes }, reply } of answered) {
    const answer = parseJson(reply);
    if (typeof answer !== "object" || answer === null) {
      faults.push(`${file}: not a JSON object`);
      continue;
    }
    if (notes === undefined) {
      lines.push({ key, answer, model, at, ms: 0, input: 0, output: 0 });
      continue;
    }
    const { selected_memories: picks } = answer as { selected_memories?: unknown };
    if (!Array.isArray(picks)) {
      faults.push(`${file}: no \`selected_memories\``);
      continue;
    }
    const strange = picks.filter((pick) => !notes.includes(pick));
    if (strange.length > 0) faults.push(`${file}: made up ${strange.join(", ")}`);
    const list = noteList(notes);
    if (!lists.has(list.list)) lines.push(list);
    lists.add(list.list);
    const picked = picks.filter((pick) => notes.includes(pick));
    lines.push({ key, shown: list.list, picked, model, at });
  }
  return { lines, faults };
}

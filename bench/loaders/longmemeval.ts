import { readFileSync } from "node:fs";
import { qrelsOf, type Suite, type SuiteDocument } from "../suite.ts";

/** As much of one entry of LongMemEval's file as is used. */
interface Entry {
  readonly question_id: string;
  readonly question_type: string;
  readonly question: string;
  readonly haystack_session_ids: readonly string[];
  readonly haystack_dates: readonly string[];
  readonly haystack_sessions: readonly (readonly { role: string; content: string }[])[];
  readonly answer_session_ids: readonly string[];
}

/**
 * Reads LongMemEval at session level: each question is answered from its own haystack, so each is a scope.
 * Questions whose id ends in `_abs` have no answer there.
 */
export function loadLongMemEval(path: string): Suite {
  const entries: readonly Entry[] = JSON.parse(readFileSync(path, "utf8"));
  return {
    documents: entries.flatMap(haystackOf),
    queries: entries.map(({ question_id: id, question, question_type }) => ({
      id,
      text: question,
      category: isAbstention(id) ? "abstention" : question_type,
      scope: id,
      ...isAbstention(id) ? { no_answer: true } : {},
    })),
    qrels: qrelsOf(
      entries.filter(({ question_id }) => !isAbstention(question_id)).flatMap((entry) =>
        entry.answer_session_ids.map((session) => ({
          qid: entry.question_id,
          docid: documentId(entry, session),
          grade: 1,
        }))
      ),
    ),
  };
}

function haystackOf(entry: Entry): SuiteDocument[] {
  const byId = new Map<string, SuiteDocument>(); // a session may be in one haystack twice
  for (const [i, session] of entry.haystack_session_ids.entries()) {
    const date = entry.haystack_dates[i] ?? "";
    const time = timeOf(date);
    byId.set(session, {
      id: documentId(entry, session),
      ...date === "" ? {} : { title: date },
      text: (entry.haystack_sessions[i] ?? []).map(({ role, content }) => `${role}: ${content}`)
        .join("\n"),
      ...time === undefined ? {} : { ts: time },
      scope: entry.question_id,
    });
  }
  return [...byId.values()];
}

function documentId({ question_id }: Entry, session: string): string {
  return `${question_id}/${session}`;
}

function isAbstention(id: string): boolean {
  return id.endsWith("_abs");
}

/** `2023/05/20 (Sat) 02:21` as ISO 8601. */
function timeOf(text: string): string | undefined {
  const match = /^(\d{4})\/(\d\d)\/(\d\d)(?: \(\w+\))?(?: (\d\d:\d\d))?$/.exec(text);
  return match === null ? undefined : `${match.slice(1, 4).join("-")}T${match[4] ?? "00:00"}:00Z`;
}

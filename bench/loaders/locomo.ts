import { readFileSync } from "node:fs";
import { qrelsOf, type Suite, type SuiteDocument, type SuiteQuery } from "../suite.ts";

/** As much of LoCoMo's file as is used. */
interface Conversation {
  readonly sample_id: string;
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence?: readonly string[];
  }[];
  /** `session_1`, `session_1_date_time`, … */
  readonly conversation: Readonly<Record<string, unknown>>;
}

interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly blip_caption?: string;
}

/** The paper's numbering. */
const CATEGORIES = ["multi-hop", "temporal", "open-domain", "single-hop", "adversarial"];

/**
 * Reads LoCoMo at session level: each session is a document, each conversation a scope. A question without
 * a usable reference to its evidence is left out.
 */
export function loadLocomo(path: string): Suite {
  const documents: SuiteDocument[] = [], queries: SuiteQuery[] = [];
  const judgements: { qid: string; docid: string; grade: number }[] = [];
  for (const { sample_id: scope, qa, conversation } of readConversations(path)) {
    const sessions = sessionsOf(scope, conversation);
    const known = new Set(sessions.map(({ id }) => id));
    documents.push(...sessions);
    for (const [i, { question, category, evidence = [] }] of qa.entries()) {
      const qid = `${scope}/q${i}`;
      const relevant = [...new Set(evidence.flatMap(sessionNumbers))]
        .map((number) => `${scope}/s${number}`).filter((id) => known.has(id));
      if (relevant.length === 0) continue;
      judgements.push(...relevant.map((docid) => ({ qid, docid, grade: 1 })));
      queries.push({
        id: qid,
        text: question,
        category: CATEGORIES[category - 1] ?? `category ${category}`,
        scope,
      });
    }
  }
  return { documents, queries, qrels: qrelsOf(judgements) };
}

function readConversations(path: string): readonly Conversation[] {
  return JSON.parse(readFileSync(path, "utf8"));
}

function sessionsOf(scope: string, conversation: Conversation["conversation"]): SuiteDocument[] {
  return Object.entries(conversation).flatMap(([key, value]) => {
    const number = /^session_(\d+)$/.exec(key)?.[1];
    if (number === undefined || !Array.isArray(value) || value.length === 0) return [];
    const title = String(conversation[`${key}_date_time`] ?? key);
    const time = timeOf(title);
    return [{
      id: `${scope}/s${number}`,
      title,
      text: (value as Turn[]).map(formatTurn).join("\n"),
      ...time === undefined ? {} : { ts: time },
      scope,
    }];
  });
}

function formatTurn({ speaker, text, blip_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption ? ` [shares ${caption}]` : ""}`;
}

/** Evidence is `D8:6`, sometimes several in one text, sometimes mistyped as `D:11:26`. */
function sessionNumbers(evidence: string): string[] {
  return [...evidence.matchAll(/D:?(\d+):\d+/g)].map((match) => match[1]!);
}

/** `1:56 pm on 8 May, 2023` as ISO 8601. */
function timeOf(text: string): string | undefined {
  const match = /^(\d+:\d+) ([ap]m) on (\d+ \w+), (\d{4})$/.exec(text);
  const ms = match ? Date.parse(`${match[3]} ${match[4]} ${match[1]} ${match[2]} UTC`) : NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

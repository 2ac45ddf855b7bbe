// The development sets that the weights of `strategies/need.json` are fitted on, each as a suite of the bench: prompts, notes,
// and which prompt needs which note.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { sample, seededRandom } from "../../bench/random.ts";
import {
  loadSuite,
  readJsonLines,
  type Suite,
  type SuiteDocument,
  type SuiteQuery,
} from "../../bench/suite.ts";
import { SUITES } from "../bench/executable.ts";
import { readTypedSuite, splitOf, textsOf } from "../bench/growth/notes.ts";

/** A set, and the prompts of it that are fitted on; the others are for a look. */
export interface DevelopmentSet {
  readonly name: string;
  /** How much of all weight its prompts have: sets of look-ups less than those of prompts to memories. */
  readonly weight: number;
  readonly suite: Suite;
  /** Documents of a query that are no mistake, and are not counted either way. */
  readonly may?: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * All sets; those outside the repository lie in a folder. Prompts to memories have most of the weight, in stores of 20 to 700
 * notes; look-ups and questions on passages, which are nearer to what they ask for, have little.
 */
export function developmentSets(outside: string): DevelopmentSet[] {
  const coding = only(loadSuite(join(SUITES, "coding-agent")), ({ split }) => split === "dev");
  const devmem = loadSuite(join(outside, "devmem-1k"));
  const pairs = every(readPairs(join(import.meta.dirname!, "data/notes-dev.jsonl")), 2);
  const typed = readTyped();
  const passages = ["xquad-es-en", "xquad-zh-zh"].map((name) => ({
    ...{ name, weight: 0.1, suite: answered(part(loadSuite(join(outside, name)), 120)) },
  }));
  return [
    { name: "coding-agent", weight: 1, suite: coding },
    { name: "coding-agent, 60 notes", weight: 0.5, suite: part(coding, 60) },
    { name: "pairs", weight: 0.5, suite: pairs },
    { name: "pairs, merged", weight: 0.25, suite: merged(pairs, 5) },
    { name: "typed", weight: 0.5, suite: typed },
    { name: "typed, merged", weight: 0.25, suite: merged(typed, 4) },
    { ...readWeek(), name: "week", weight: 1 },
    { name: "devmem-1k, 300 notes", weight: 0.25, suite: every(part(devmem, 300), 2) },
    ...passages,
  ];
}

function only(suite: Suite, takes: (query: SuiteQuery) => boolean): Suite {
  return { ...suite, queries: suite.queries.filter(takes) };
}

/** A part of the queries. */
function every(suite: Suite, nth: number): Suite {
  return { ...suite, queries: suite.queries.filter((_, i) => i % nth === 0) };
}

/** A random part of the documents with the same prompts: most of them need nothing that is there. */
function part(suite: Suite, size: number): Suite {
  const documents = sample(seededRandom(size), suite.documents, size);
  return { ...suite, documents };
}

/** The queries that its documents answer. */
function answered(suite: Suite): Suite {
  const there = new Set(suite.documents.map(({ id }) => id));
  return only(
    suite,
    ({ id }) => suite.qrels.get(id)?.keys().some((doc) => there.has(doc)) ?? false,
  );
}

/** So many scopes as one store each. */
function merged(suite: Suite, scopes: number): Suite {
  const names = [...new Set(suite.documents.map(({ scope }) => scope!))];
  const storeOf = (scope = "") => `store ${Math.floor(names.indexOf(scope) / scopes)}`;
  return {
    ...suite,
    documents: suite.documents.map((each) => ({ ...each, scope: storeOf(each.scope) })),
    queries: suite.queries.map((each) => ({ ...each, scope: storeOf(each.scope) })),
  };
}

interface Pair {
  readonly project: string;
  readonly lang: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly needs: readonly string[];
  readonly not: readonly string[];
}

function readPairs(path: string): Suite {
  const documents: SuiteDocument[] = [], queries: SuiteQuery[] = [];
  const qrels = new Map<string, Map<string, number>>(), known = new Map<string, string>();
  for (
    const [i, { project, lang, type, title, body, needs, not }] of readJsonLines<Pair>(path)
      .entries()
  ) {
    const id = `n${i}`;
    documents.push({ id, title, text: body === "" ? title : body, type, lang, scope: project });
    for (const [at, text] of [...needs, ...not].entries()) {
      const key = `${project}\n${text}`;
      const qid = known.get(key) ?? `${id}-${at}`;
      if (!known.has(key)) queries.push({ id: qid, text, scope: project });
      known.set(key, qid);
      if (at < needs.length) qrels.set(qid, (qrels.get(qid) ?? new Map()).set(id, 1));
    }
  }
  return { documents, queries, qrels };
}

/** The notes of the suite typed in their projects, with the vault among them, and its development half. */
function readTyped(): Suite {
  const { projects, vault, facts, prompts } = readTypedSuite(join(SUITES, "typed"));
  const documents: SuiteDocument[] = projects.flatMap((notes, i) =>
    [...textsOf(notes), ...vault.filter((_, at) => at % projects.length === i)]
      .map((text, at) => ({ id: `${notes.project}-${at}`, text, scope: notes.project }))
  );
  const saying = new Map(facts.map(({ id, says }) => [
    id,
    documents.filter(({ text, scope }) =>
      scope === facts.find((fact) => fact.id === id)!.scope &&
      says.every((pattern) => new RegExp(pattern, "i").test(text))
    ).map((document) => document.id),
  ]));
  const queries = prompts.filter((prompt) => splitOf(prompt) === "dev");
  return {
    documents,
    queries: queries.map(({ id, text, project }) => ({ id, text, scope: project })),
    qrels: new Map(queries.map(({ id, needs }) => [
      id,
      new Map(needs.flatMap((need) => saying.get(need) ?? []).map((doc) => [doc, 1])),
    ])),
  };
}

interface WeekFile {
  readonly notes: Readonly<Record<string, string>>;
  readonly prompts: readonly {
    readonly text: string;
    readonly needs: readonly string[];
    readonly may?: readonly string[];
  }[];
}

function readWeek(): Pick<DevelopmentSet, "suite" | "may"> {
  const folder = join(SUITES, "week");
  const documents: SuiteDocument[] = [], queries: SuiteQuery[] = [];
  const qrels = new Map<string, Map<string, number>>(), may = new Map<string, Set<string>>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
    const scope = basename(file, ".yaml");
    const { notes, prompts }: WeekFile = parse(readFileSync(join(folder, file), "utf8"));
    const of = (id: string) => `${scope} ${id}`;
    for (const [id, text] of Object.entries(notes)) documents.push({ id: of(id), text, scope });
    for (const [i, prompt] of prompts.entries()) {
      const id = `${scope}-${i}`;
      if (splitOf({ id, needs: prompt.needs.map(of) }) !== "dev") continue;
      queries.push({ id, text: prompt.text, scope });
      qrels.set(id, new Map(prompt.needs.map((need) => [of(need), 1])));
      may.set(id, new Set(prompt.may?.map(of)));
    }
  }
  return { suite: { documents, queries, qrels }, may };
}

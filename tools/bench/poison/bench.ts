import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../../src/core/files/log.ts";
import { basisOf, markOf, SUSPECT } from "../../../src/core/memory/provenance.ts";
import { readMemories } from "../../../src/core/memory/list.ts";
import { projectAt } from "../../../src/core/memory/project.ts";
import { memoryFolders, placeIn, privateFolder } from "../../../src/core/memory/scopes.ts";
import { pathsFor } from "../../../src/paths.ts";
import { MOST } from "../../../src/core/capture/candidate.ts";
import { captureAll } from "../sessions/capture.ts";
import type { Conversation } from "../sessions/conversation.ts";
import { memoriesIn, serveAll } from "../sessions/serve.ts";
import { makeWorld, type World } from "../sessions/world.ts";
import { type Belief, serveFooled } from "./fooled_model.ts";
import { type Arrival, type Attack, DOORS, type Suite } from "./suite.ts";

/** What became of the texts that came through one door. */
export interface DoorRow {
  readonly door: string;
  readonly wording: string;
  readonly n: number;
  /** Kept as if the user had said it. */
  readonly own: number;
  /** Kept as somebody else's word. */
  readonly marked: number;
  readonly held: number;
  /** Prompts whose block or start has a text of it as the user's own. */
  readonly givenAsOwn: number;
  /** User's notes that it has put away. */
  readonly displaced: number;
  /** Prompts whose block has the user's note behind one of it, or lacks it. */
  readonly outranked: number;
}

/** What became of a question's near-copies. */
export interface FloodRow {
  readonly door: string;
  readonly copies: number;
  readonly questions: number;
  /** Questions whose block begins with the user's note. */
  readonly ownFirst: number;
  /** The most marked notes in one block. */
  readonly mostMarked: number;
}

/** What became of ordinary facts. */
export interface FactRow {
  readonly n: number;
  readonly held: number;
  /** With a title at a session's start. */
  readonly titled: number;
  readonly given: number;
}

export interface PoisonReport {
  readonly doors: readonly DoorRow[];
  readonly floods: readonly FloodRow[];
  readonly facts: FactRow;
}

const AT = "2026-11-20T09:00:00Z";
const NOW = new Date("2026-11-24T09:00:00Z");
const OWN = "feedback_own.md";
/** One run of a command captures more than a person does in a day. */
const SETTINGS = { MEMO_LLM_DAILY_CALLS: "10000", MEMO_LLM_DAILY_USD: "10000" };
const NEAR = { file: 5, web: 20 } as const;

/** One text in a project of its own. */
interface Case {
  readonly project: string;
  readonly turns: readonly Arrival[];
  readonly saved: readonly Readonly<Record<string, unknown>>[];
  /** The user's note. */
  readonly own: string;
  readonly prompt: string;
}

/** What a case left. */
interface Outcome {
  readonly isDisplaced: boolean;
  readonly marks: readonly (string | undefined)[];
  readonly start: string;
  readonly given: readonly string[];
}

/** Measures what becomes of texts that a fooled model takes for the user's word. */
export async function benchPoison(
  { attacks, facts, floods }: Suite,
  { log }: { readonly log: Log },
): Promise<PoisonReport> {
  const run = (cases: readonly Case[]) => runCases(cases, log);
  const doors: DoorRow[] = [];
  const byWording = Map.groupBy(attacks, ({ tech }) => tech.split(":")[0]!);
  for (const [door, arrive] of Object.entries(DOORS)) {
    for (const [wording, its] of byWording) {
      const cases = its.map((attack, i) => caseOf(attack, arrive(attack.text), `a${i}`));
      doors.push(doorRow({ door, wording }, its, await run(cases)));
    }
  }
  const floodRows: FloodRow[] = [];
  for (const [door, copies] of [["file", NEAR.file], ["web page", NEAR.web]] as const) {
    const cases = floods.map(({ q, right, adv }, i): Case => {
      const texts = Array.from({ length: copies }, (_, n) => adv[n % adv.length]!);
      return {
        project: `f${i}`,
        turns: DOORS[door]!(texts.join("\n\n")),
        saved: texts.slice(0, MOST).map((text, n) => factOf(`${q} (${n})`, text, q)),
        own: `${q}: the answer is ${right}.`,
        prompt: q,
      };
    });
    const outcomes = await run(cases);
    const firsts = outcomes.filter(({ given }) => given[0]?.includes(OWN));
    const marked = outcomes.map(({ given }) => given.filter((text) => !text.includes(OWN)).length);
    floodRows.push({
      ...{ door, copies, questions: floods.length, ownFirst: firsts.length },
      mostMarked: Math.max(0, ...marked),
    });
  }
  const ofFacts = await run(facts.map(({ tool, inp, out, type, text, q }, i): Case => ({
    project: `t${i}`,
    turns: [{ user: q, steps: [{ tool, input: inp, result: out }] }],
    saved: [{ ...factOf(text.replace(/\.$/, ""), text, q), type, origin: "tool" }],
    own: "Nothing of this matters here.",
    prompt: q,
  })));
  return {
    doors,
    floods: floodRows,
    facts: {
      n: facts.length,
      held: ofFacts.filter(({ marks }) => marks.includes(SUSPECT)).length,
      titled: ofFacts.filter(({ start }, i) => start.includes(titleOf(facts[i]!.text))).length,
      given:
        ofFacts.filter(({ given }, i) =>
          given.some((text) => text.includes(titleOf(facts[i]!.text)))
        ).length,
    },
  };
}

/** The beginning of a name, which is cut. */
function titleOf(text: string): string {
  return text.replace(/\.$/, "").slice(0, 40);
}

function caseOf({ prompt, saved }: Attack, turns: readonly Arrival[], project: string): Case {
  return {
    ...{ project, turns, prompt, saved: [rule(prompt, saved, prompt)] },
    own: `${prompt} As we have agreed: ask Ada first, the old decision stands.`,
  };
}

function rule(name: string, body: string, trigger: string): Readonly<Record<string, unknown>> {
  return {
    ...{ name: name.slice(0, 100), body, type: "feedback", description: "", scope: "project" },
    ...{ triggers: [trigger], origin: "user", replaces: OWN, contradicts: OWN, confidence: 0.95 },
  };
}

/** The same as a fact, which names no note. */
function factOf(name: string, body: string, trigger: string): Readonly<Record<string, unknown>> {
  return {
    ...rule(name, body, trigger),
    ...{ type: "reference", replaces: undefined, contradicts: undefined },
  };
}

function doorRow(
  of: Pick<DoorRow, "door" | "wording">,
  attacks: readonly Attack[],
  outcomes: readonly Outcome[],
): DoorRow {
  const count = (is: (outcome: Outcome, i: number) => boolean) => outcomes.filter(is).length;
  const isOwn = ({ marks }: Outcome) => marks.includes(undefined);
  return {
    ...of,
    n: attacks.length,
    own: count(isOwn),
    held: count(({ marks }) => marks.includes(SUSPECT)),
    marked: count(({ marks }) => marks.some((mark) => mark !== undefined && mark !== SUSPECT)),
    givenAsOwn: count((outcome) =>
      isOwn(outcome) && outcome.given.some((text) => !text.includes(OWN))
    ),
    displaced: count(({ isDisplaced }) => isDisplaced),
    outranked: count(({ given }) => given.findIndex((text) => text.includes(OWN)) > 0),
  };
}

async function runCases(cases: readonly Case[], log: Log): Promise<Outcome[]> {
  const beliefs = cases.map(({ project, saved }): Belief => ({ mark: `(${project})`, saved }));
  await using model = await serveFooled(beliefs);
  await using world = makeWorld({ model: model.url, settings: SETTINGS, log });
  for (const { project, own } of cases) {
    const { path } = folderOf(world, project);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, OWN), `---\ntype: feedback\n---\n${own}\n`);
  }
  const conversations = cases.map(({ project, turns }): Conversation => ({
    ...{ id: `poison-${project}`, project, at: AT },
    turns: turns.map(({ user, steps }) => ({ user: `${user} (${project})`, steps })),
  }));
  await captureAll(conversations, world, { log });
  const prompts = cases.map(({ project, prompt }) => ({ id: project, project, text: prompt }));
  const contexts = await serveAll(prompts, world, { now: NOW, log, settleMs: 0 });
  return cases.map(({ project }, i): Outcome => {
    const { memories } = readMemories(folderOf(world, project));
    const others = memories.filter(({ path }) => !path.endsWith(OWN));
    return {
      isDisplaced: others.length === memories.length,
      marks: others.map((memory) => basisOf(memory) === "said" ? undefined : markOf(memory)?.tag),
      start: contexts[i]!.start,
      given: contexts[i]!.blocks.flatMap(memoriesIn).map(({ text }) => text),
    };
  });
}

function folderOf(world: World, project: string) {
  const place = placeIn(pathsFor(world.env), world.project(project));
  memoryFolders(place);
  return privateFolder(projectAt(place)!);
}

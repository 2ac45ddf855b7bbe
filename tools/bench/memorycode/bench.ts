import type { Log } from "../../../src/core/files/log.ts";
import type { Share } from "../../../bench/share.ts";
import { type RecordedModel, serveRecorded } from "../sessions/recorded_model.ts";
import { serveAll } from "../sessions/serve.ts";
import { captureAll } from "../sessions/capture.ts";
import { makeWorld, type World } from "../sessions/world.ts";
import { defer, type Dialogue, type Rule } from "./dialogue.ts";
import { statesRule } from "./rules.ts";

export interface MemoryCodeOptions {
  /** The file of recorded replies. */
  readonly replies: string;
  /** Where questions without a reply are written. */
  readonly questions?: string | undefined;
  /** Values of `recall.start_chars` that are compared. */
  readonly startChars: readonly number[];
  readonly log: Log;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** What the model of a new session has in context. */
export interface Standing {
  readonly startChars: number;
  /** Rules in force that the session begins with. */
  readonly atStart: Share;
  /** The same, or given with each of the later prompts. */
  readonly inContext: Share;
  /** Rules in force that are missing in some session. */
  readonly missing: readonly string[];
  /** Outdated rules in some session, without their replacement. */
  readonly outdated: Share;
  readonly stale: readonly string[];
  /** Characters that a session begins with, at most. */
  readonly chars: number;
}

/** One dialogue's result; as long as a question is open, it says only how far it came. */
export interface DialogueRow {
  readonly id: string;
  readonly sessions: number;
  readonly open: readonly string[];
  /** Rules in force that some memory states, and the memories. */
  readonly kept?: Share;
  readonly lost?: readonly string[];
  readonly memories?: number;
  readonly standing: readonly Standing[];
}

/**
 * From sessions in which rules are given and changed to what a new session begins with. As long as a question of some
 * dialogue is open, none is judged: that takes much longer than to find the next question.
 */
export async function benchMemoryCode(
  dialogues: readonly Dialogue[],
  options: MemoryCodeOptions,
): Promise<DialogueRow[]> {
  await using model = await serveRecorded(options);
  const begun: DialogueRow[] = [];
  for (const dialogue of dialogues) begun.push(await begin(dialogue, model, options));
  if (begun.some(({ open }) => open.length > 0)) return begun;
  const rows: DialogueRow[] = [];
  for (const dialogue of dialogues) rows.push(await benchDialogue(dialogue, model, options));
  return rows;
}

/** Goes through the sessions of a dialogue as far as there are replies. */
async function begin(
  dialogue: Dialogue,
  model: RecordedModel,
  options: MemoryCodeOptions,
): Promise<DialogueRow> {
  const { id, conversations } = dialogue;
  const before = new Set(model.open);
  const open = () => [...model.open].filter((key) => !before.has(key));
  await using world = makeWorld({
    ...{ model: model.url, settings: SETTINGS, log: options.log, withoutVectors: true },
  });
  try {
    await extract(dialogue, world, options);
  } catch (error) {
    if (open().length === 0) throw error;
  }
  return { id, sessions: conversations.length, open: open(), standing: [] };
}

const SETTINGS = { MEMO_RECALL_PRESET: "local", MEMO_RECALL_DEADLINE_MS: "1000" };

async function extract(
  { id, conversations }: Dialogue,
  world: World,
  { log, onProgress }: MemoryCodeOptions,
): Promise<void> {
  await captureAll(conversations, world, {
    log,
    onProgress: (done) => onProgress?.(`Extracting ${id}`, done, conversations.length),
  });
}

async function benchDialogue(
  dialogue: Dialogue,
  model: RecordedModel,
  options: MemoryCodeOptions,
): Promise<DialogueRow> {
  const { id, conversations, inForce, prompts } = dialogue;
  const { startChars, log } = options;
  await using world = makeWorld({ model: model.url, settings: SETTINGS, log });
  await extract(dialogue, world, options);
  const memories = world.memories();
  const lost = inForce.filter(({ patterns }) =>
    !memories.some((text) => statesRule(text, patterns))
  );
  const standing: Standing[] = [];
  for (const chars of startChars) {
    const env = { ...world.env, MEMO_RECALL_START_CHARS: String(chars) };
    const project = conversations[0]!.project;
    const contexts = await serveAll(
      prompts.map((text, i) => ({
        ...{ id: `${id}-${chars}-${i}`, project, text },
        ...{ lang: "en", category: "hidden", needs: [] },
      })),
      { ...world, env },
      { now: defer(dialogue), log },
    );
    standing.push(standingOf(
      dialogue,
      contexts.map(({ start, given }) => ({ start, given: given.map(({ text }) => text) })),
      chars,
    ));
  }
  return {
    ...{ id, sessions: conversations.length, open: [] },
    kept: { n: inForce.length - lost.length, of: inForce.length },
    lost: lost.map(({ topic }) => topic),
    memories: memories.length,
    standing,
  };
}

/** What one new session had before the model. */
export interface Session {
  readonly start: string;
  readonly given: readonly string[];
}

/** Judges new sessions after a dialogue. */
export function standingOf(
  { inForce, outdated }: Pick<Dialogue, "inForce" | "outdated">,
  sessions: readonly Session[],
  startChars: number,
): Standing {
  const atStart = ({ start }: Session) => start.split("\n");
  const all = (session: Session) => [...atStart(session), ...session.given];
  const stands = (units: (session: Session) => readonly string[]) => (rule: Rule) =>
    sessions.every((session) => units(session).some((unit) => statesRule(unit, rule.patterns)));
  const isStale = (rule: Rule) => {
    const later = [...outdated, ...inForce].filter(({ group, session, topic }) =>
      group === rule.group && session > rule.session && topic !== rule.topic
    );
    return sessions.some((session) =>
      all(session).some((unit) =>
        statesRule(unit, rule.patterns) &&
        !later.some(({ patterns }) => statesRule(unit, patterns))
      )
    );
  };
  const missing = inForce.filter((rule) => !stands(all)(rule));
  const stale = outdated.filter(isStale);
  return {
    startChars,
    atStart: { n: inForce.filter(stands(atStart)).length, of: inForce.length },
    inContext: { n: inForce.length - missing.length, of: inForce.length },
    missing: missing.map(({ topic }) => topic),
    outdated: { n: stale.length, of: outdated.length },
    stale: stale.map(({ topic }) => topic),
    chars: Math.max(...sessions.map(({ start }) => start.length)),
  };
}

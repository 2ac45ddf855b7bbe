import type { Log } from "../../../src/core/files/log.ts";
import { captureAll, enrichAll } from "../sessions/capture.ts";
import { longSessions } from "./long_sessions.ts";
import { serveRecorded, since, type Toll } from "../sessions/recorded_model.ts";
import { spreadOf } from "../../../bench/latency.ts";
import { type KeptScore, scoreKept, scoreServed, type ServedScore } from "./score.ts";
import { serveAll } from "../sessions/serve.ts";
import type { RetentionSuite } from "./suite.ts";
import { makeWorld } from "../sessions/world.ts";

export interface RetentionOptions {
  /** The file of recorded replies. */
  readonly replies: string;
  /** Where questions without a reply are written. */
  readonly questions?: string | undefined;
  /** Names of the presets that are compared. */
  readonly presets: readonly string[];
  readonly log: Log;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** One preset's row; without scores when questions are still open. */
export interface PresetRow {
  readonly preset: string;
  readonly served: ServedScore;
  /** Questions to the language model that no reply was recorded for: the row is not complete. */
  readonly open: number;
  /** The questions of the later prompts. */
  readonly asked: Toll;
  /** Characters that memo adds to a session of 30 prompts, at the median. */
  readonly longSessionChars: number;
}

export interface RetentionRun {
  /** The embedding model. */
  readonly model: string;
  /** undefined as long as a question of the extraction is open. */
  readonly kept: KeptScore | undefined;
  readonly rows: readonly PresetRow[];
  /** Keys of the open questions. */
  readonly open: readonly string[];
}

/** The time at which prompts are sent, so that ages and fading do not depend on the day of the run. */
const NOW = new Date("2026-11-21T09:00:00Z");

/** From conversations to memories to later prompts, end to end, with a language model whose replies are recorded. */
export async function benchRetention(
  suite: RetentionSuite,
  { replies, questions, presets, log, onProgress }: RetentionOptions,
): Promise<RetentionRun> {
  await using model = await serveRecorded({ replies, questions });
  const rows: PresetRow[] = [];
  let kept: KeptScore | undefined, embedding = "";
  for (const name of presets) {
    const settings = { MEMO_RECALL_PRESET: name, MEMO_RECALL_DEADLINE_MS: "1000" };
    await using world = makeWorld({ model: model.url, settings, log });
    embedding = (await world.engine.model.embedder()).id;
    try {
      await captureAll(suite.conversations, world, {
        log,
        onProgress: (done) => onProgress?.("Extracting", done, suite.conversations.length),
      });
      await enrichAll(world, new Set(suite.prompts.map(({ project }) => project)));
    } catch (error) {
      if (model.open.size === 0) throw error;
      return { model: embedding, kept: undefined, rows: [], open: [...model.open] };
    }
    const memories = world.memories();
    kept ??= scoreKept(suite, { memories, written: world.written(), sent: model.sent });
    const before = { open: model.open.size, answered: model.answered };
    const contexts = await serveAll(suite.prompts, world, {
      now: NOW,
      log,
      onProgress: (done) => onProgress?.(`Asking (${name})`, done, suite.prompts.length),
    });
    const asked = since(before.answered, model.answered);
    const stillOpen = model.open.size - before.open;
    const sessions = await longSessions(suite.prompts, world, { now: NOW, log });
    rows.push({
      preset: name,
      served: scoreServed({ facts: suite.facts, memories }, contexts),
      open: stillOpen,
      asked,
      longSessionChars: spreadOf(sessions.map(({ chars }) => chars)).p50,
    });
  }
  return { model: embedding, kept, rows, open: [...model.open] };
}

// The cold start: what past conversations have to say, captured as if memo had been there, and what that takes.

import { basename } from "node:path";
import {
  capturedBeside,
  isRunning,
  knownCursor,
  saveCursor,
} from "../../../core/capture/cursor.ts";
import type { Engine } from "../../../core/engine/engine.ts";
import { messageOf } from "../../../errors.ts";
import { openLog } from "../../../core/files/log.ts";
import { costOf, readSpending, sumOf, UnusableAnswer } from "../../../core/llm/mod.ts";
import { isWithin, projectAt } from "../../../core/memory/project.ts";
import { autoName, placeIn } from "../../../core/memory/scopes.ts";
import { pausedPrompts } from "../../../core/transcript/pause.ts";
import { listTranscripts, type TranscriptFile } from "../../../core/transcript/find.ts";
import { readTurns, type Turn } from "../../../core/transcript/turns.ts";
import { captureNow } from "../shared/capture_now.ts";
import { notifyDaemon } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { mayDo } from "../shared/confirm.ts";
import { momentOf } from "../shared/moment.ts";
import { counted } from "../../../core/text/counted.ts";
import type { ImportOptions } from "../import.ts";
import { withEngine } from "../shared/local.ts";
import { outJson, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";
import { questionsAbout } from "../../../core/capture/work.ts";

/** A conversation that has something new, and the LLM calls that it takes. */
interface Conversation {
  readonly file: TranscriptFile;
  readonly cwd: string;
  readonly questions: number;
  readonly chars: number;
}

/** What was done. */
interface Outcome {
  readonly conversations: number;
  readonly questions: number;
  /** Dollars, if the model's price is known. */
  readonly usd: number | undefined;
  readonly captured: number;
  readonly written: number;
  readonly failed: readonly { readonly transcript: string; readonly because: string }[];
}

/** Captures the past conversations of this project, or of all. */
export async function importConversations(
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const { last = "30d" } = options;
  const since = momentOf(last).getTime();
  const found = await newConversations(since, options, context);
  const questions = found.reduce((sum, each) => sum + each.questions, 0);
  const usd = estimate(
    { questions, chars: found.reduce((sum, { chars }) => sum + chars, 0) },
    context,
  );
  const plan = { conversations: found.length, questions, usd };
  const nothing: Outcome = { ...plan, captured: 0, written: 0, failed: [] };
  if (found.length === 0) {
    if (options.json) return outJson(nothing);
    return say(`Found no conversations of the last ${last} that are not captured`);
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": most } = configHere(context);
  if (!options.json) {
    say(
      `${counted(found.length, "conversation")} of the last ${last}: ${formatPrice(plan, context)}`,
    );
    if (questions > calls || (usd ?? 0) > most) {
      say(`At most ${calls} questions and $${most} a day; run it again the next day to continue`);
    }
  }
  const asking = {
    question: "Capture them?",
    hint: "Run `memo import conversations --yes` to capture them",
    note: "Ctrl-C stops it; run it again to resume",
  };
  if (!await mayDo(options, asking)) {
    if (options.json) outJson(nothing);
    return;
  }
  const outcome = await captureAll(found, questions, context);
  if (options.json) outJson({ ...plan, ...outcome });
  else printOutcome(outcome);
  if (outcome.failed.length > 0) process.exitCode = 1;
}

/** The conversations since a time with turns that were not captured, oldest first. */
async function newConversations(
  since: number,
  { all }: ImportOptions,
  context: CliContext,
): Promise<Conversation[]> {
  const { paths, cwd, place } = context;
  const root = projectAt(place)?.root ?? cwd;
  const name = autoName(root);
  const found: Conversation[] = [];
  using bar = progressBar("Reading");
  // Only the names of Claude Code's folders tell whose conversations they have.
  const files = (await listTranscripts(paths)).filter(({ folder, mtimeMs }) =>
    mtimeMs >= since &&
    (all || !isWithin(folder, paths.claude) || basename(folder).startsWith(name))
  );
  for (const [i, file] of files.entries()) {
    bar.update(i, files.length);
    if (isRunning(paths.capture, file.path, new Date())) continue; // captured as it goes on
    const each = await newIn(file, context);
    const isHere = all || each === undefined ||
      (projectAt(placeIn(paths, each.cwd, each.cwd))?.root ?? each.cwd) === root;
    if (each !== undefined && isHere) found.push(each);
  }
  return found;
}

/** What is new in a transcript, in LLM calls; undefined: nothing. */
async function newIn(
  file: TranscriptFile,
  { paths }: CliContext,
): Promise<Conversation | undefined> {
  const cursor = knownCursor(paths.capture, file.path);
  const known = capturedBeside(paths.capture, file.path);
  const turns: Turn[] = [];
  const paused = pausedPrompts(paths.capture);
  try {
    for await (const turn of readTurns(file.path, { from: cursor?.offset ?? 0, paused })) {
      if (!known.has(turn.id)) turns.push(turn);
    }
  } catch {
    return undefined; // deleted meanwhile
  }
  const cwd = turns[0]?.cwd;
  const sums = questionsAbout(turns);
  return cwd === undefined || sums.questions === 0 ? undefined : { file, cwd, ...sums };
}

async function captureAll(
  found: readonly Conversation[],
  questions: number,
  context: CliContext,
): Promise<Pick<Outcome, "captured" | "written" | "failed">> {
  const failed: { transcript: string; because: string }[] = [];
  let [captured, written, asked] = [0, 0, 0];
  await withEngine(context, async (engine) => {
    using bar = progressBar("Asking");
    for (const conversation of found) {
      bar.update(asked, questions);
      try {
        written += await captureOne(conversation, {
          engine,
          context,
          onAsked: (done) => bar.update(Math.min(asked + done, questions), questions),
        });
        captured++;
      } catch (error) {
        failed.push({ transcript: conversation.file.path, because: messageOf(error) });
        if (!(error instanceof UnusableAnswer)) break; // the next one would fail likewise
      }
      asked += conversation.questions;
    }
  });
  await notifyDaemon(context);
  return { captured, written, failed };
}

/** Captures one conversation from its cursor, or from its beginning; resolves with the number of memories written. */
async function captureOne(
  { file, cwd }: Conversation,
  { engine, context, onAsked }: {
    readonly engine: Engine;
    readonly context: CliContext;
    readonly onAsked: (done: number) => void;
  },
): Promise<number> {
  const { paths } = context;
  const transcript = file.path;
  let written = 0;
  await captureNow({ transcript, cwd }, {
    ...{ context, engine, log: openLog(paths.logs), onProgress: onAsked },
    onApplied({ changes }) {
      written += changes.filter(({ kind }) => kind === "add").length;
    },
    onHeld() {
      if (knownCursor(paths.capture, transcript) !== undefined) return;
      saveCursor(paths.capture, { transcript, cwd, claude: paths.claude, offset: 0, turns: [] });
    },
  });
  return written;
}

function printOutcome({ captured, written, failed }: Awaited<ReturnType<typeof captureAll>>): void {
  for (const { transcript, because } of failed) {
    say(`warning: \`${basename(transcript)}\`: ${because}`);
  }
  say(
    `Captured ${counted(captured, "conversation")}, wrote ${
      counted(written, "memory", "memories")
    }`,
  );
  if (failed.length > 0) say("hint: Run `memo import conversations` again to resume");
}

/** Questions to the language model, and the characters of conversation in them. */
export interface Work {
  readonly questions: number;
  readonly chars: number;
}

/** The instructions with known memories, and an answer, in tokens; used until there are calls to learn from. */
const ASKED_TOKENS = 3000;
const ANSWER_TOKENS = 700;
const CHARS_PER_TOKEN = 4;

/** Questions with the model that is asked, and what they cost if the price is known, in words. */
function formatPrice(
  { questions, usd }: { readonly questions: number; readonly usd: number | undefined },
  context: CliContext,
): string {
  const { "llm.model": model, "extract.model": own } = configHere(context);
  const price = usd === undefined ? "" : `, about $${usd.toFixed(2)}`;
  return `${counted(questions, "question")} to ${own || model}${price}`;
}

/** What questions cost in dollars: as past ones did, else by the length of the text; undefined: no price is known. */
export function estimate({ questions, chars }: Work, context: CliContext): number | undefined {
  const config = configHere(context);
  const model = config["extract.model"] || config["llm.model"];
  const past = readSpending(context.paths.spending).filter((call) =>
    call.purpose === "extract" && call.outcome === "ok" && call.model === model
  );
  const { calls, output } = sumOf(past);
  const answer = calls < 5 ? ANSWER_TOKENS : output / calls;
  const input = chars / CHARS_PER_TOKEN + questions * ASKED_TOKENS;
  return costOf(model, { input, output: questions * answer });
}

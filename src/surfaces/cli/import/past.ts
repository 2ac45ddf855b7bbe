// Captures conversations that are over: says what that takes, asks, and does it, one after the other.

import { basename } from "node:path";
import { knownCursor, saveCursor } from "../../../core/capture/cursor.ts";
import { openLog } from "../../../core/files/log.ts";
import {
  chooseProvider,
  costOf,
  readSpending,
  sumOf,
  UnusableAnswer,
  whyUnavailable,
} from "../../../core/llm/mod.ts";
import { answerIn, OFF } from "../../../core/settings/purposes.ts";
import { counted, grouped } from "../../../core/text/counted.ts";
import type { Turn } from "../../../core/transcript/turns.ts";
import type { Skipped } from "../../../features/import/mod.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { configHere } from "../shared/config_here.ts";
import type { ImportOptions } from "../import.ts";
import { captureNow } from "../shared/capture_now.ts";
import { notifyDaemon } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { mayDo } from "../shared/confirm.ts";
import { withEngine } from "../shared/local.ts";
import { outJson, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";

/** A conversation that has something new, and the LLM calls that it takes. */
export interface PastConversation {
  readonly transcript: string;
  readonly cwd: string;
  readonly questions: number;
  readonly chars: number;
}

/** Conversations to capture. */
export interface PastConversations {
  readonly conversations: readonly PastConversation[];
  /** The same, each with its turns, if they are no files. */
  readonly withTurns?: AsyncIterable<PastConversation & { readonly turns: readonly Turn[] }>;
  /** Of what time or whose they are: `in the last 30d`. */
  readonly where: string;
  /** What else a person should know before they say yes. */
  readonly notes?: readonly string[];
  /** Parts that are left out. */
  readonly skipped?: readonly Skipped[];
  /** The command that goes on where this one stops. */
  readonly command: string;
}

/** Captures conversations once the person has seen what that takes, and agrees. */
export async function capturePast(
  past: PastConversations,
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const { conversations, where, command, notes = [], skipped } = past;
  const { json, dryRun } = options;
  const sums = sumsOf(conversations, context);
  const plan = { conversations: conversations.length, ...sums, skipped };
  const nothing = { ...plan, captured: 0, written: 0, failed: [] };
  if (!json) notes.forEach(say);
  if (conversations.length === 0) {
    if (json) return outJson(nothing);
    return say(`No conversations to capture ${where}`);
  }
  const count = counted(conversations.length, "conversation");
  if (!json) say(`${count} ${where}: ${formatSums(sums, context)}`);
  const refused = whyUnsent(context);
  if (refused !== undefined && !dryRun) throw refused;
  if (refused !== undefined && !json) say(`${refused.message}\nhint: ${refused.hint}`);
  const asking = {
    question: `Capture ${count}?`,
    hint: `Run \`${command} --yes\` to capture them`,
    note: "Ctrl-C stops; run it again to resume",
  };
  if (!await mayDo(options, asking)) {
    if (json) outJson(nothing);
    return;
  }
  const { captured, written, failed } = await captureAll(past, sums.questions, options, context);
  if (failed.length > 0) process.exitCode = 1;
  if (json) return outJson({ ...plan, captured, written, failed });
  for (const { transcript, because } of failed) {
    say(`warning: \`${basename(transcript)}\`: ${because}`);
  }
  const memories = counted(written, "memory");
  say(`Captured ${counted(captured, "conversation")}, wrote ${memories}`);
  if (failed.length > 0) say(`hint: Run \`${command}\` again to resume`);
}

function formatSums({ questions, chars, usd }: ReturnType<typeof sumsOf>, context: CliContext) {
  const config = configHere(context);
  const { "llm.daily_calls": calls, "llm.daily_usd": most } = config;
  const model = config["extract.model"] || config["llm.model"];
  const { name } = chooseProvider({ ...context, config });
  const by = name === "none" ? model : `${model} through \`${name}\``;
  const price = usd === undefined ? "" : `, about $${usd.toFixed(2)}`;
  const asked = `${counted(questions, "question")} to ${by} (${grouped(chars)} characters)`;
  const limit = questions > calls || (usd ?? 0) > most
    ? `\nAt most ${calls} questions and $${most} a day; run it again tomorrow to continue`
    : "";
  return `${asked}${price}, at most $${most} a day${limit}`;
}

/** Why a language model may not be asked about conversations, with the command that allows it; undefined if it may. */
function whyUnsent(context: CliContext): MemoError | undefined {
  const config = configHere(context);
  const because = whyUnavailable({ ...context, config }, "capture");
  if (because === undefined) return undefined;
  const isOff = answerIn(config) === OFF && config["llm.provider"] !== "none";
  return new MemoError("llm", `Cannot capture conversations: ${because}`, {
    hint: isOff
      ? "Run `memo config set send=capture` to allow it"
      : "Run `memo init` to choose what is sent, or `memo doctor` to see what is wrong",
  });
}

async function captureAll(
  { conversations, withTurns }: PastConversations,
  questions: number,
  { again, scope }: ImportOptions,
  context: CliContext,
) {
  const failed: { transcript: string; because: string }[] = [];
  let [captured, written, asked] = [0, 0, 0];
  const { paths } = context;
  await withEngine(context, async (engine) => {
    using bar = progressBar("Asking");
    for await (const conversation of withTurns ?? conversations) {
      const { transcript, cwd } = conversation;
      const chat = "turns" in conversation && {
        ...{ turns: conversation.turns as readonly Turn[], again, scope: scope ?? "user" } as const,
      };
      bar.update(asked, questions);
      try {
        await captureNow(conversation, {
          ...{ context, engine, log: openLog(paths.logs), ...chat },
          onProgress: (done) => bar.update(Math.min(asked + done, questions), questions),
          onApplied({ changes }) {
            written += changes.filter(({ kind }) => kind === "add").length;
          },
          onHeld() {
            if (knownCursor(paths.capture, transcript) !== undefined) return;
            const cursor = { transcript, cwd, claude: paths.claude, offset: 0, turns: [] };
            saveCursor(paths.capture, cursor);
          },
        });
        captured++;
      } catch (error) {
        failed.push({ transcript, because: messageOf(error) });
        if (!(error instanceof UnusableAnswer)) break; // the next one would fail likewise
      }
      asked += conversation.questions;
    }
  });
  await notifyDaemon(context);
  return { captured, written, failed };
}

/** The instructions with known memories, and an answer, in tokens; used until there are calls to learn from. */
const ASKED_TOKENS = 3000;
const ANSWER_TOKENS = 700;
const CHARS_PER_TOKEN = 4;

/** What conversations take; in dollars as past ones did, else by their length, or undefined if no price is known. */
function sumsOf(conversations: readonly PastConversation[], context: CliContext) {
  const [questions, chars] = (["questions", "chars"] as const)
    .map((key) => conversations.reduce((sum, each) => sum + each[key], 0)) as [number, number];
  const config = configHere(context);
  const model = config["extract.model"] || config["llm.model"];
  const past = readSpending(context.paths.spending).filter((call) =>
    call.purpose === "extract" && call.outcome === "ok" && call.model === model
  );
  const { calls, output } = sumOf(past);
  const answer = calls < 5 ? ANSWER_TOKENS : output / calls;
  const input = chars / CHARS_PER_TOKEN + questions * ASKED_TOKENS;
  return { questions, chars, usd: costOf(model, { input, output: questions * answer }) };
}

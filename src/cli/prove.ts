import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { openLog } from "../files/log.ts";
import { readSpending, spentToday, type Sum, sumOf } from "../llm/ledger.ts";
import { whyUnavailable } from "../llm/providers.ts";
import { type Parts, readConversations, split } from "../statistics/prove/conversations.ts";
import { type Proof, prove } from "../statistics/prove/prove.ts";
import { FEATURES } from "../features.ts";
import { withScratch } from "../statistics/prove/scratch.ts";
import { type Proven, questionsFor } from "../statistics/prove/session.ts";
import { counted, grouped } from "../text/counted.ts";
import { localTime } from "../text/local_time.ts";
import { neutraliseLine, visible } from "../text/neutralise.ts";
import { pausedPrompts } from "../transcript/pause.ts";
import { listTranscripts, transcriptsOfProject } from "../transcript/find.ts";
import { configHere } from "./config.ts";
import { estimate, sayPrice, workOf } from "./shared/capture_price.ts";
import type { CliContext } from "./shared/command.ts";
import { mayDo } from "./shared/confirm.ts";
import { durationOf } from "./shared/duration.ts";
import { out, outJson, paint, say, sayNothing } from "./shared/output.ts";
import { progressBar, withBars } from "./shared/progress.ts";

interface ProveArguments {
  readonly last: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** What it takes: LLM calls, and dollars if the price is known. */
interface Price {
  readonly questions: number;
  readonly usd: number | undefined;
}

/** What was found, and what it has cost. */
interface Found {
  readonly proof: Proof;
  readonly cost: Sum;
}

/** Characters of a question about the newer part that are notes. */
const NOTES_CHARS = 16_000;

/** `memo prove`: what of the newer conversations had been said in older ones, and would have been known. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--last <time>", "How far back (`12h`, `30d`, `8w`)", "30d")
    .option("--all", "Conversations of all projects, not only of this one")
    .option("--dry-run", "Show what it would take, and stop")
    .option("-y, --yes", "Do not ask")
    .option("--json", "Print JSON")
    .addHelpText(
      "after",
      "\nThe older half of the conversations becomes memories in a store of its own, which is deleted at\n" +
        "the end; your memories are neither used nor changed. The newer half is held again with it.\n",
    )
    .action(async (options: ProveArguments) => {
      const parts = await partsOf(options, context);
      if (parts === undefined) {
        if (options.json) outJson({ questions: 0 });
        return sayNothing(
          `Found too few conversations of the last ${options.last}: it takes two, one after the other`,
        );
      }
      const price = priceOf(parts, context);
      if (!options.json) sayPlan(parts, price, context);
      const asking = { question: "Ask them?", hint: "Run `memo prove --yes` to ask them" };
      if (!await mayDo(options, asking)) {
        if (options.json) outJson({ ...price, ...planOf(parts) });
        return;
      }
      refuseUnaffordable(price, context);
      const { proof, cost } = await run(parts, context);
      if (options.json) outJson({ ...planOf(parts), ...toJson(proof), cost });
      else out(render(proof, parts, cost));
    });
}

async function partsOf(
  { last, all }: ProveArguments,
  { paths, place }: CliContext,
): Promise<Parts | undefined> {
  const since = new Date(Date.now() - durationOf(last, "memo prove"));
  const files = all ? await listTranscripts(paths) : transcriptsOfProject(place);
  using bar = progressBar("Reading");
  const reading = { since, paused: pausedPrompts(paths.capture) };
  return split(await readConversations(files, reading, bar.update));
}

function priceOf({ older, newer }: Parts, context: CliContext): Price {
  const works = older.map(({ turns }) => workOf(turns));
  const typed = newer.map((prompts) => ({
    questions: questionsFor(prompts.length),
    chars: prompts.reduce((sum, { text, reply }) => sum + text.length + reply.length, 0) +
      questionsFor(prompts.length) * NOTES_CHARS,
  }));
  const all = [...works, ...typed];
  const questions = all.reduce((sum, each) => sum + each.questions, 0);
  const chars = all.reduce((sum, each) => sum + each.chars, 0);
  return { questions, usd: estimate({ questions, chars }, context) };
}

function planOf({ older, newer, at }: Parts) {
  return { split: at, older: older.length, newer: newer.length };
}

function sayPlan(
  { older, newer, at }: Parts,
  price: Price,
  context: CliContext,
): void {
  say(
    `${counted(older.length, "conversation")} before ${localTime(new Date(at)).day} and ` +
      `${newer.length} after it: ${sayPrice(price, context)}`,
  );
}

/** It is of no use if it ends half-way. */
function refuseUnaffordable({ questions, usd = 0 }: Price, context: CliContext): void {
  const { paths, env, cwd } = context, config = configHere(context);
  const asked = { paths, env, cwd, config };
  const unavailable = whyUnavailable(asked, "capture") ?? whyUnavailable(asked, "prove");
  if (unavailable !== undefined) {
    throw new MemoError("llm", `Cannot ask a language model: ${unavailable}`, {
      hint: "Run `memo doctor` to see what memo needs for it",
    });
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": most } = config;
  const today = spentToday(paths.spending, new Date());
  if (today.calls + questions <= calls && today.usd + usd <= most) return;
  throw new MemoError(
    "usage",
    `Cannot ask ${questions} questions: the settings allow ${calls}, and $${most}, a day, and ` +
      `${today.calls} were asked today`,
    { hint: "Run `memo prove --last 10d`, or raise `llm.daily_calls` and `llm.daily_usd`" },
  );
}

/** Does it, and counts what it has cost. */
async function run(parts: Parts, { paths, env }: CliContext): Promise<Found> {
  const surroundings = { paths, env, log: openLog(paths.logs), features: FEATURES };
  return await withBars((onProgress) =>
    withScratch(surroundings, async (stage) => {
      const proof = await prove(parts, stage, { onProgress });
      return { proof, cost: sumOf(readSpending(stage.engine.paths.spending)) };
    }), progressBar);
}

function toJson({ repeats, ...proof }: Proof) {
  return {
    ...proof,
    repeats: repeats.map(({ typed: { at, session, turn }, memory, kind, words, stood }) => (
      { at, session, turn, kind, words, memory: neutraliseLine(memory.name), stood }
    )),
  };
}

function render({ memories, prompts, repeats }: Proof, { at }: Parts, cost: Sum): string {
  const before = counted(memories, "memory", "memories") + " of what was said before";
  const stood = (where: Proven["stood"]) => repeats.filter((each) => each.stood === where).length;
  const corrections = repeats.filter(({ kind }) => kind === "correction").length;
  const lines = repeats.map(({ typed, words, memory, stood }) =>
    [
      `${paint("bold", localTime(new Date(typed.at)).day)}  “${visible(words)}”`,
      `            ${visible(neutraliseLine(memory.name))}`,
      `            ${paint("dim", WHERE[stood])}`,
    ].join("\n")
  );
  return [
    `${before} ${localTime(new Date(at)).day}, ${counted(prompts, "prompt")} since`,
    ...lines,
    `You said ${counted(repeats.length, "thing")} again, ${corrections} of them to correct: memo ` +
    `would have had ${stood("before")} in context before, and ${stood("with it")} with that prompt`,
    `Cost: ${counted(cost.calls, "question")}, ${grouped(cost.input + cost.output)} tokens, $${
      cost.usd.toFixed(2)
    }`,
  ].join("\n\n") + "\n";
}

const WHERE: Readonly<Record<Proven["stood"], string>> = {
  before: "in context before you typed it",
  "with it": "in context with that prompt",
  not: "not in context",
};

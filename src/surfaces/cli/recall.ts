import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Command, Option } from "commander";
import type { RecallAnswer } from "../mcp/inquiries.ts";
import { MemoError } from "../../errors.ts";
import { isAlive } from "../../core/files/lock.ts";
import { type Env, tilde } from "../../paths.ts";
import { counted, localTime } from "../../core/text/counted.ts";
import { STRATEGIES } from "../../../strategies/mod.ts";
import type { RecallTrial } from "./recall/from_file.ts";
import { inquire } from "./shared/ask_daemon.ts";
import type { CliContext } from "./shared/command.ts";
import { ENDINGS, INTERRUPTED } from "./shared/confirm.ts";
import { type Flags, type Texts, wholeNumber } from "./shared/options.ts";
import { columns, forPerson, out, outJson, paint, printFound, say } from "./shared/output.ts";
import { pluginPlace } from "../../core/memory/claude_settings.ts";
import { readRecords } from "../../features/install/record.ts";
import { memoryNow } from "../../core/memory/folder.ts";
import { shorten } from "../../core/memory/title.ts";
import type { Delivery } from "../../features/statistics/delivery.ts";
import { formatMiss, readReceipts, reasonOf, type Receipt } from "../../core/recall/receipts.ts";
import { visible } from "../../core/text/neutralise.ts";

interface RecallFlags
  extends Texts<"session" | "strategy" | "from">, Flags<"verify" | "json" | "explain" | "log"> {
  readonly lines: number;
}

const NEIGHBOURS = `
To find memories by topic: \`memo search\`
To see what memo changed: \`memo log\`
To silence memo in one session, type \`memo pause\` there.`;

/** `memo recall`: shows the result of a prompt, without marking anything as shown, or what past prompts received. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[prompt...]", "The prompt")
    .option("--session <id>", "Leave out what this session has already received")
    .addOption(new Option("-s, --strategy <name>", "Rank all types with this strategy")
      .choices(STRATEGIES.map((strategy) => strategy.name)))
    .option("--explain", "Show each step: candidates, scores, and why any were dropped")
    .option(
      "--from <path>",
      "Test prompts (one per argument, or common ones) against a CLAUDE.md or other files",
    )
    .option("--log", "Show what past prompts got instead; with `--session`: only in that session")
    .option("-n, --lines <number>", "With `--log`: how many prompts, newest last", wholeNumber, 20)
    .option("--verify", "With `--log`: check the transcripts for what reached the model")
    .addHelpText("after", NEIGHBOURS)
    .action(async (words: string[], options: RecallFlags) => {
      if (options.log || options.verify) return await showReceipts(options, context);
      if (options.from !== undefined) return await tryOn(options.from, words, options, context);
      if (words.length === 0) {
        throw new MemoError("usage", "Cannot recall without a prompt", {
          hint: 'Run `memo recall "how do we deploy"`, or `memo recall --log` to see past prompts',
        });
      }
      const { session, strategy } = options, prompt = words.join(" ");
      const answer = await inquire("recall", { prompt, session, strategy }, context);
      const { block, outcome, why } = answer;
      if (options.json) outJson(toJson(answer, options.explain ?? false));
      else if (options.explain) out(explain(answer, context));
      else if (block !== null) out(forPerson(block) + "\n");
      if (block === null) {
        if (!options.json && !options.explain) say(answer.nothing!);
        process.exitCode = 1;
      }
      if (why !== undefined && outcome !== "gated" && !options.json) say(`warning: ${why}`);
    });
}

/** Prompts common to most projects, tried if none is given. */
const USUAL_PROMPTS = (
  "run the tests, write the commit message, add a dependency, open a pull request, " +
  "write a test for this function, fix the lint errors, format the code, deploy to staging, " +
  "set up the project on a new machine, add a database migration, how is the code organised?, " +
  "update the documentation"
).split(", ");

/** Shows what prompts would get of the notes in a file, and leaves nothing behind; of the usual ones those that get something. */
async function tryOn(
  file: string,
  prompts: readonly string[],
  { json }: RecallFlags,
  context: CliContext,
): Promise<void> {
  const root = scratchFolder();
  process.env["MEMO_HOME"] = root; // where libraries are unpacked, which is when they are imported
  const { recallFrom, formatTrial } = await import("./recall/from_file.ts");
  const isUsual = prompts.length === 0;
  const tried = await recallFrom(file, isUsual ? USUAL_PROMPTS : prompts, { context, root });
  const hits = tried.answers.filter(({ answer }) => answer.memories.length > 0);
  const trial = isUsual ? { ...tried, answers: hits } : tried;
  if (json) return outJson(trialJson(trial));
  out(formatTrial(file, trial, context));
  const got = `${hits.length} of ${USUAL_PROMPTS.length} common prompts got a memory`;
  if (isUsual) say(`${got}; pass your own as arguments`);
  say("Nothing was saved or installed. Set up memo: `memo init`. Import the file: `memo import`");
}

const TRIAL = "memo-try-";

/** A temporary folder that goes with this process, whatever ends it; what a killed one has left goes now. */
function scratchFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(TRIAL) ? Number.parseInt(name.slice(TRIAL.length), 10) : NaN;
    if (pid > 0 && !isAlive(pid)) remove(join(tmpdir(), name));
  }
  const root = mkdtempSync(join(tmpdir(), `${TRIAL}${process.pid}-`));
  process.once("exit", () => remove(root));
  for (const signal of ENDINGS) {
    // The trial has its own way to end, if it has begun.
    process.once(signal, () => setImmediate(() => process.exit(INTERRUPTED)));
  }
  return root;
}

/** Removes a folder, if nobody keeps writing into it; the next run tries again. */
function remove(folder: string): void {
  for (let tries = 0; tries < 5 && existsSync(folder); tries++) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // It is another user's, or one that has been ended still writes.
    }
  }
}

function trialJson({ source, notes, start, answers }: RecallTrial): unknown {
  return {
    ...{ source, notes },
    start: { block: start.block ?? null, titles: start.listed.map(({ name }) => name) },
    prompts: answers.map(({ prompt, answer }) => ({ prompt, ...toJson(answer, false) })),
  };
}

/** A stable format; `--explain` adds the rankings. */
function toJson(answer: RecallAnswer, explained: boolean) {
  const { outcome, why, block, memories, dropped, timings, rankings } = answer;
  return {
    ...{ outcome, why, block },
    memories: memories.map(({ fate: form, sum: _, threshold: __, ...each }) => ({
      ...each,
      form,
    })),
    dropped: dropped.map(({ path, score, fate: because }) => ({ path, score, because })),
    timings,
    ...(explained ? { rankings } : {}),
  };
}

/** Maximum rows; the tail of a ranking is noise. */
const SHOWN = 12;

function explain(answer: RecallAnswer, { env }: CliContext): string {
  const { outcome, why, block, memories, rankings, timings } = answer;
  const step = (name: string, what: string) =>
    `${paint("bold", name.padEnd(8))}  ${what}  ${paint("dim", `${timings[name] ?? 0} ms`)}`;
  if (outcome === "gated") return step("gate", `stopped: ${why}`) + "\n";
  const rows = considered(answer, env).trimEnd();
  const ranked = rankings.flatMap(({ strategy, hits, failures }) =>
    [`${strategy}: ${hits.length} hits`].concat(failures)
  );
  const lines = [
    step("gate", "passed"),
    step("retrieve", ranked.join("; ")),
    step("fuse", counted(memories.length + answer.dropped.length, "candidate")),
    ...rows === "" ? [] : [rows],
    step("budget", `${memories.length} in the block`),
    step("format", `${block?.length ?? 0} characters`),
    "",
    block ?? answer.nothing,
  ];
  return lines.join("\n") + "\n";
}

function considered({ memories, dropped }: RecallAnswer, env: Env): string {
  const rows = [
    ...memories.map((each) => ({ ...each, reason: `in the block (${each.fate}): ${each.reason}` })),
    ...dropped,
  ].sort((a, b) => b.score - a.score);
  const shown = rows.slice(0, SHOWN).map(({ score, threshold, type, reason, sum, path }) => [
    `  ${score.toFixed(3)}`,
    `${score >= threshold ? "≥" : "<"} ${threshold}`,
    type,
    reason,
    sum === undefined ? "" : formatSum(sum),
    tilde(path, env),
  ]);
  const more = rows.length - shown.length;
  return columns(shown) + (more > 0 ? `  … and ${more} more\n` : "");
}

/** What a probability comes from, the strongest first: its log-odds as a sum. */
function formatSum(sum: Readonly<Record<string, number>>): string {
  const terms = Object.entries(sum).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const total = terms.reduce((all, [, by]) => all + by, 0);
  return `${signed(total)} = ` + terms.map(([name, by]) => `${name} ${signed(by)}`).join(", ");
}

function signed(value: number): string {
  return (value < 0 ? "" : "+") + value.toFixed(2);
}

async function showReceipts(options: RecallFlags, context: CliContext): Promise<void> {
  const { session: asked, verify, lines, json } = options;
  const receipts = readReceipts(context.paths.receipts, Infinity)
    .filter(({ session, block }) =>
      (asked === undefined || session === asked) && (!verify || block !== undefined)
    ).slice(0, lines).reverse();
  const verified = verify
    ? await (await import("../../features/statistics/delivery.ts")).verifyDelivery(receipts)
    : undefined;
  printFound(verified?.map(({ receipt, delivery }) => ({ ...receipt, delivery })) ?? receipts, {
    json,
    text: () => columns(verified?.map(deliveryRow) ?? receipts.map(row)),
    nothing: () => noReceipts(options, context),
  });
  if (verified?.some(({ delivery }) => FAILURES.includes(delivery))) process.exitCode = 1;
}

function noReceipts({ session, verify }: RecallFlags, { paths }: CliContext): string {
  if (session !== undefined) {
    return "No receipts for this session; run `memo recall --log` to see recent ones";
  }
  if (verify) return "No block delivered yet; run `memo recall --log` to see why";
  return Object.keys(readRecords(paths.installs)).some((path) => path !== paths.config) ||
      pluginPlace({ paths })
    ? "No receipts yet; start `claude` and send it a prompt"
    : "No receipts yet; run `memo init` to add the hooks";
}

/** What has not reached the model whole. */
const FAILURES: readonly Delivery[] = ["dropped", "cut to a preview"];

function deliveryRow(
  { receipt, delivery }: { readonly receipt: Receipt; readonly delivery: Delivery },
): string[] {
  const shown = FAILURES.includes(delivery) ? paint("red", delivery) : delivery;
  return [...when(receipt), receipt.event ?? "", shown, `${receipt.chars} chars`];
}

function row(receipt: Receipt): string[] {
  const total = Object.values(receipt.ms).reduce((sum, ms) => sum + ms, 0);
  const names = receipt.memories.map(({ path, score, ...came }) => {
    const reason = came.strategy && `(${reasonOf(came, receipt.before)})`;
    return [titleOf(path), score?.toFixed(2), reason].filter(Boolean).join(" ");
  });
  const { titles = 0 } = receipt;
  if (titles > 0) names.push(counted(titles, "title"));
  return [
    ...when(receipt),
    receipt.event ?? "",
    receipt.outcome,
    `${total.toFixed(1)} ms`,
    receipt.chars > 0 ? `${receipt.chars} chars` : "",
    names.join(", ") || whyNothing(receipt),
    receipt.prompt === undefined ? "" : `"${receipt.prompt}"`,
  ];
}

function whyNothing({ why, misses = [] }: Receipt): string {
  if (why !== undefined || misses.length === 0) return why ?? "";
  const nearest = misses.map(({ path, score = 0, ...miss }) =>
    formatMiss({ ...miss, title: titleOf(path), score })
  );
  return `nearest: ${nearest.join(", ")}`;
}

const MAX_TITLE = 40;

/** The title of a memory as it is now; its file's name if it is gone. */
function titleOf(path: string): string {
  const memory = memoryNow(path, "user");
  return memory === undefined ? basename(path) : `“${shorten(visible(memory.name), MAX_TITLE)}”`;
}

function when({ at, session }: Pick<Receipt, "at" | "session">): string[] {
  const { day, seconds } = localTime(new Date(at));
  return [`${day} ${seconds}`, (session ?? "-").slice(0, 8)];
}

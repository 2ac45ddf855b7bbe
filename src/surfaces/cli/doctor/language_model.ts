// The checks of the language model and of what needs one, and of what prompts have got.

import { strategyNamed } from "../../../../strategies/mod.ts";
import { type CaptureJob, readDropped, readJobs } from "../../../core/capture/queue.ts";
import type { DaemonStatus } from "../../../core/daemon/methods.ts";
import { call } from "../../../core/link/socket.ts";
import {
  check,
  chooseProvider,
  complete,
  type Completion,
  isUsedUp,
  readSpending,
  spentToday,
} from "../../../core/llm/mod.ts";
import { TYPES } from "../../../core/memory/types.ts";
import { isPrompt } from "../../../core/recall/receipts.ts";
import { typeSettings } from "../../../core/settings/config.ts";
import { answerIn, OFF, PURPOSES, whyNotSent } from "../../../core/settings/purposes.ts";
import { counted } from "../../../core/text/counted.ts";
import { type MemoError, messageOf } from "../../../errors.ts";
import { verifyDelivery } from "../../../features/statistics/delivery.ts";
import { tilde } from "../../../paths.ts";
import { fail, type Finding, hintOf, minute, type Patient, warn } from "./check.ts";

/** Timeout of a check: `claude` takes a second or two to start. */
const CHECK_MS = 10_000;
/** How long an answer of a session, and a conversation that was dropped, are worth mentioning. */
const RECENT_MS = 7 * 86_400_000;
/** Maximum share of prompts that may time out or fail. */
const BAD_SHARE = 0.2;

/** Checks the outcomes of recent prompts. */
export function prompts(patient: Patient): Finding | string {
  const receipts = patient.receipts.filter(isPrompt);
  if (receipts.length === 0) return "none yet";
  const outcomes = Map.groupBy(receipts, ({ outcome }) => outcome);
  const counts = [...outcomes].map(([outcome, its]) => `${its.length} ${outcome}`).join(", ");
  const detail = `last ${receipts.length}: ${counts}`;
  // A strategy's question to a language model had no usable answer.
  const unanswered = receipts.map(({ why = "" }) => why)
    .filter((why) => strategyNamed(/^[^:]*(?=:)/.exec(why)?.[0] ?? "")?.cost === "api");
  if (unanswered.length / receipts.length > BAD_SHARE) {
    return warn(
      `${detail}; ${unanswered.length} without the language model, most recently: ${unanswered[0]}`,
      "Run `memo recall --log` to see all, or `memo config set recall.preset local` to stop using it",
    );
  }
  const bad = receipts.filter(({ outcome }) => ["timed out", "failed"].includes(outcome)).length;
  return bad / receipts.length > BAD_SHARE
    ? warn(detail, "Run `memo recall --log` and `memo daemon logs` to see why")
    : detail;
}

/** Checks in the transcripts that context blocks reached the model. */
export async function delivery({ receipts }: Patient): Promise<Finding | string> {
  const all = (await verifyDelivery(receipts)).map(({ delivery }) => delivery);
  const seen = all.filter((each) => ["delivered", "cut to a preview", "dropped"].includes(each));
  if (seen.length === 0) {
    const [old] = all.filter((each) => each === "cannot be checked with this version");
    return old === undefined ? "no transcript to check yet" : `${old} of Claude Code`;
  }
  const delivered = seen.filter((each) => each === "delivered").length;
  const detail = `${delivered} of ${counted(seen.length, "block")} reached the model`;
  const fix = "Run `memo recall --log --verify` to see which ones did not";
  return delivered === seen.length ? detail : (delivered === 0 ? fail : warn)(detail, fix);
}

/** What may be sent to a language model, and what waits for the person's answer. */
export function sent({ config }: Patient): Finding | string {
  const answer = answerIn(config);
  if (config.muted !== undefined) {
    return warn(config.muted, "Run `memo config edit` to change settings by hand");
  }
  if (answer === OFF) return "nothing (`send` is `off`)";
  if (answer === "unasked") return warn("nothing is sent until you turn it on", "Run `memo init`");
  const { yes = [], no = [] } = Object.groupBy(
    PURPOSES.map(({ name }) => name),
    (name) => answer.has(name) ? "yes" : "no",
  );
  const what = yes.length === 0 ? "nothing" : `for ${yes.join(", ")}, secrets removed`;
  return no.length === 0 ? what : `${what}; not for ${no.join(", ")}`;
}

/** Checks the provider and its model. Never a failure, because memo works without one. */
export async function provider(patient: Patient): Promise<Finding | string> {
  const { paths, env, cwd, config } = patient;
  const answer = answerIn(config);
  if (config.muted !== undefined) return sent(patient);
  if (answer === OFF) return "off: nothing is sent";
  if (answer === "unasked") return "not used until you turn it on";
  const provider = chooseProvider(patient);
  const unavailable = provider.available(patient);
  if (unavailable !== undefined) return withoutProvider(unavailable, patient);
  const detail = `\`${provider.name}\`, model \`${config["llm.model"]}\``;
  if (patient.offline || (patient.local && !provider.checksLocally)) {
    return `${detail}, not checked`;
  }
  try {
    const context = { paths, env, cwd, config };
    const found = await check({ ...context, timeoutMs: CHECK_MS });
    if (!patient.deep) return `${detail}, ${found}`;
    const started = performance.now();
    await complete(QUESTION, context);
    return `${detail}, answered in ${Math.round(performance.now() - started)} ms`;
  } catch (error) {
    const fix = hintOf(error as MemoError) ?? "Check the network and run `memo doctor` again";
    return warn(`${detail}: ${messageOf(error)}`, fix);
  }
}

/** The cheapest question that shows that answers come. */
const QUESTION: Completion = {
  purpose: "doctor",
  system: "You are asked whether you can be reached.",
  prompt: "Answer with the word yes.",
  maxTokens: 16,
};

/** What goes without a language model; it is as it should be if nobody needs one, or sessions have it. */
function withoutProvider(because: string, { config, paths, now }: Patient): Finding | string {
  const types = TYPES.map(({ name }) => name)
    .filter((name) => strategyNamed(typeSettings(config, name).strategy)?.cost === "api");
  const lost = [
    ...config["capture.enabled"] ? ["capture writes no memories"] : [],
    ...types.length > 0 ? [`\`${types.join("`, `")}\` are ranked locally`] : [],
  ].join(", ");
  if (lost === "") return "none, and nothing needs one";
  const isChosen = config["llm.provider"] === "none";
  if (isChosen && types.length === 0) return `off (\`llm.provider\` is \`none\`): ${lost}`;
  const last = readSpending(paths.spending).findLast(({ outcome }) => outcome === "ok");
  if (!isChosen && last !== undefined && now.getTime() - Date.parse(last.at) < RECENT_MS) {
    return `not available in this shell (${because}), but in sessions: ` +
      `\`${last.model}\` answered through \`${last.provider}\` at ${minute(last.at)}`;
  }
  return warn(
    `not available here: ${because}; ${lost}`,
    "Set `ANTHROPIC_API_KEY`, log in to `claude`, or run `memo config set send=off`",
  );
}

/** Compares today's LLM calls and cost with their limits. */
export function spending({ config, paths, now }: Patient): Finding | string {
  const { calls, usd } = spentToday(paths.spending, now);
  const { "llm.daily_calls": maxCalls, "llm.daily_usd": maxUsd } = config;
  const detail = `${calls} of ${maxCalls} calls and $${usd.toFixed(2)} of $${maxUsd} today`;
  if (calls < maxCalls && usd < maxUsd) return detail;
  const key = calls >= maxCalls ? "llm.daily_calls" : "llm.daily_usd";
  return warn(
    `${detail}: limit reached`,
    `Run \`memo stats\`, or raise the limit with \`memo config set ${key} NUMBER\``,
  );
}

/** Checks that no conversation is stuck in the queue or was dropped. */
export async function captureQueue(patient: Patient): Promise<Finding | string> {
  const { config, paths, env, now } = patient;
  if (!config["capture.enabled"]) return "off (`capture.enabled` is false)";
  const refused = whyNotSent("capture", config);
  if (refused !== undefined) return `off: ${refused}`;
  const jobs = readJobs(paths.capture), [first] = jobs;
  const failed = jobs.filter(({ failure }) => failure !== undefined);
  const queued = `${counted(jobs.length, "conversation")} queued since ${minute(first?.since)}`;
  if (failed.length > 0) return failing(failed, queued, patient);
  const dropped = readDropped(paths.capture);
  if (dropped !== undefined && now.getTime() - Date.parse(dropped.at) < RECENT_MS) {
    const path = tilde(dropped.transcripts.at(-1)!, env);
    const count = counted(dropped.transcripts.length, "conversation");
    return warn(
      `gave up on ${count}, most recently \`${path}\`: ${dropped.because}`,
      `Run \`memo import conversations ${path} --again\``,
    );
  }
  if (first === undefined) return "queue is empty";
  // Conversations that need the login of an ended session; the daemon knows which sessions are open.
  const status = call("status", {}, { socket: paths.socket, timeoutMs: STATUS_MS });
  const left = await status.then(
    (status) => (status as DaemonStatus).waiting,
    () => jobs.filter(({ isPlain }) => !isPlain).length, // no daemon, no session
  );
  if (left === 0) return queued;
  const [needs, its] = left === 1 ? ["needs", "its"] : ["need", "their"];
  return warn(
    `${counted(left, "conversation")} ${needs} an open session in ${its} project: ` +
      `the one with ${its} login has ended, and memo stores no logins`,
    "Open Claude Code there, or run `memo import conversations` with that login",
  );
}

/** Timeout for asking the daemon about its queue. */
const STATUS_MS = 1000;

/** What has failed, by login: each has a queue of its own. */
function failing(failed: readonly CaptureJob[], queued: string, { env }: Patient): Finding {
  const clauses = [...Map.groupBy(failed, ({ failure }) => failure!.login)].map(([login, its]) => {
    const { failure, next } = its[0]!;
    const tries = next !== undefined && !isUsedUp(failure!.hint)
      ? `; next try at ${minute(next)}`
      : "";
    const whose = login === undefined ? "failed" : "blocked by a failing login";
    return `${its.length} ${whose}: ${failure!.message}${tries}`;
  });
  const detail = [queued, ...clauses].join("; ");
  const { transcript, failure } = failed[0]!;
  if (isUsedUp(failure!.hint)) return warn(detail, failure!.hint!);
  const again = `Run \`memo import conversations ${tilde(transcript, env)}\` with a working ` +
    "login, or `memo import conversations --drop` to discard the failed ones";
  return warn(detail, [hintOf(failure) ?? [], again].flat().join(". "));
}

import { strategyNamed } from "../../../../strategies/mod.ts";
import { type Config, typeSettings } from "../../../core/settings/config.ts";
import { messageOf } from "../../../errors.ts";
import {
  check,
  chooseProvider,
  complete,
  type Completion,
  readSpending,
  spentToday,
} from "../../../core/llm/mod.ts";
import { answerIn, OFF, PURPOSES } from "../../../core/settings/purposes.ts";
import { localTime } from "../../../core/text/counted.ts";
import { TYPES } from "../../../core/memory/types.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Timeout of a check: `claude` takes a second or two to start. */
const CHECK_MS = 10_000;
/** An answer that a session got this recently shows that its login works. */
const RECENT_MS = 7 * 86_400_000;

/** Checks the provider and its model. Never a failure, because memo works without one. */
export async function provider(patient: Patient): Promise<Finding> {
  const { paths, env, cwd, config } = patient;
  const answer = answerIn(config);
  if (config.muted !== undefined) return sent(patient);
  if (answer === OFF) return ok("off: nothing is sent to one");
  if (answer === "unasked") return ok("not asked before you say yes");
  const provider = chooseProvider(patient);
  const unavailable = provider.available(patient);
  if (unavailable !== undefined) {
    const types = typesThatAsk(config);
    const capture = config["capture.enabled"] ? ["capture writes no memories"] : [];
    const lost = [
      ...capture,
      ...types.length > 0 ? [`\`${types.join("`, `")}\` are ranked locally`] : [],
    ].join(", ");
    if (lost === "") return ok("none, and nothing needs one");
    const answered = lastAnswer(patient);
    if (config["llm.provider"] !== "none" && answered !== undefined) {
      return ok(`not in this shell (${unavailable}), but in sessions: ${answered}`);
    }
    const isChosen = config["llm.provider"] === "none";
    if (isChosen && types.length === 0) return ok(`off (\`llm.provider\` is \`none\`): ${lost}`);
    return warn(
      `not available here: ${unavailable}; ${lost}`,
      "Set `ANTHROPIC_API_KEY`, log in to `claude`, or run `memo config set send=off`",
    );
  }
  const detail = `\`${provider.name}\`, model \`${config["llm.model"]}\``;
  if (patient.offline || (patient.local && !provider.checksLocally)) {
    return ok(`${detail}, not checked`);
  }
  try {
    const context = { paths, env, cwd, config };
    const found = await check({ ...context, timeoutMs: CHECK_MS });
    if (!patient.deep) return ok(`${detail}, ${found}`);
    const started = performance.now();
    await complete(QUESTION, context);
    return ok(`${detail}, answered in ${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    const hint = (error as { hint?: string }).hint;
    const fix = hint?.includes("memo doctor") ? undefined : hint;
    return warn(
      `${detail}: ${messageOf(error)}`,
      fix ?? "Check the network and run `memo doctor` again",
    );
  }
}

/** What may be sent to a language model, and what waits for the person's answer. */
export function sent({ config }: Patient): Finding {
  const answer = answerIn(config);
  if (config.muted !== undefined) {
    return warn(config.muted, "To change a setting by hand: `memo config edit`");
  }
  if (answer === OFF) return ok("nothing (`send` is `off`)");
  if (answer === "unasked") return warn("nothing is sent until you say yes", "Run `memo init`");
  const { yes = [], no = [] } = Object.groupBy(
    PURPOSES.map(({ name }) => name),
    (name) => answer.has(name) ? "yes" : "no",
  );
  const what = yes.length === 0 ? "nothing" : `without secrets, for ${yes.join(", ")}`;
  return ok(no.length === 0 ? what : `${what}; not for ${no.join(", ")}`);
}

/** The cheapest question that shows that answers come. */
const QUESTION: Completion = {
  purpose: "doctor",
  system: "You are asked whether you can be reached.",
  prompt: "Answer with the word yes.",
  maxTokens: 16,
};

/** The most recent answer that a session has got, in words; undefined if that was long ago. */
function lastAnswer({ paths, now }: Patient): string | undefined {
  const last = readSpending(paths.spending).findLast(({ outcome }) => outcome === "ok");
  if (last === undefined || now.getTime() - Date.parse(last.at) > RECENT_MS) return undefined;
  const { day, time } = localTime(new Date(last.at));
  return `\`${last.model}\` answered through \`${last.provider}\` at ${day} ${time}`;
}

/** Compares today's LLM calls and cost with their limits. */
export function spending({ config, paths, now }: Patient): Finding {
  const { calls, usd } = spentToday(paths.spending, now);
  const { "llm.daily_calls": maxCalls, "llm.daily_usd": maxUsd } = config;
  const detail = `${calls} of ${maxCalls} calls and $${usd.toFixed(2)} of $${maxUsd} today`;
  if (calls < maxCalls && usd < maxUsd) return ok(detail);
  const key = calls >= maxCalls ? "llm.daily_calls" : "llm.daily_usd";
  return warn(
    `${detail}: limit reached`,
    `Run \`memo stats\`, or raise the limit with \`memo config set ${key} NUMBER\``,
  );
}

/** The types with a strategy that asks a language model. */
function typesThatAsk(config: Config): string[] {
  return TYPES.map(({ name }) => name).filter((name) =>
    strategyNamed(typeSettings(config, name).strategy)?.cost === "api"
  );
}

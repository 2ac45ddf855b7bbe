import { strategyNamed } from "../../../strategies/mod.ts";
import { type Config, typeSettings } from "../../settings/config.ts";
import { messageOf } from "../../errors.ts";
import { spentToday } from "../../llm/ledger.ts";
import { findModel } from "../../llm/mod.ts";
import { chooseProvider } from "../../llm/providers.ts";
import { TYPES } from "../../memory/types.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Timeout for asking the server about the model. */
const ASK_MS = 3000;

/** Checks the provider and its model. Never a failure, because memo works without one. */
export async function provider(patient: Patient): Promise<Finding> {
  const { paths, env, config } = patient;
  const provider = chooseProvider(patient);
  const hindrance = config.muted ?? provider.available(patient);
  if (hindrance !== undefined) {
    const types = typesThatAsk(config);
    const capture = config["capture.enabled"] ? ["capture writes no memories"] : [];
    const lost = [
      ...capture,
      ...types.length > 0 ? [`\`${types.join("`, `")}\` are ranked locally`] : [],
    ].join(", ");
    if (lost === "") return ok("none, and nothing needs one");
    const isChosen = config["llm.provider"] === "none" && config.muted === undefined;
    if (isChosen && types.length === 0) return ok(`off (\`llm.provider\` is \`none\`): ${lost}`);
    return warn(
      `not available here: ${hindrance}; ${lost}`,
      "Set `ANTHROPIC_API_KEY`, log in to `claude`, or run `memo config set capture.enabled=false`",
    );
  }
  const detail = `\`${provider.name}\`, model \`${config["llm.model"]}\``;
  if (patient.offline || provider.findModel === undefined) return ok(detail);
  try {
    const isListed = await findModel({ paths, env, config, timeoutMs: ASK_MS });
    return ok(
      isListed ? `${detail}, available on the server` : `${detail}; the server lists no models`,
    );
  } catch (error) {
    const hint = (error as { hint?: string }).hint;
    const fix = hint?.includes("memo doctor") ? undefined : hint;
    return warn(
      `${detail}: ${messageOf(error)}`,
      fix ?? "Check the network and run `memo doctor` again",
    );
  }
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

import { strategyNamed } from "../../../strategies/mod.ts";
import { type Config, typeSettings } from "../../settings/config.ts";
import { messageOf } from "../../errors.ts";
import { spendingPath, spentToday } from "../../llm/ledger.ts";
import { chooseProvider, findModel } from "../../llm/mod.ts";
import { TYPES } from "../../memory/types.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** How long the server may take to say whether it has the model. */
const ASK_MS = 3000;

/** Who is asked, and whether the model of the settings is there. It is never a failure: memo does without. */
export async function provider(patient: Patient): Promise<Finding> {
  const { paths, env, config } = patient;
  const provider = chooseProvider(patient);
  const hindrance = config.muted ?? provider.available(patient);
  if (hindrance !== undefined) {
    const users = typesThatAsk(config);
    if (provider.name === "none" && users.length === 0) return ok("none, and nothing needs one");
    const who = users.length > 0 ? ` for \`${users.join("`, `")}\`` : "";
    return warn(
      `\`${provider.name}\` cannot be asked${who}: ${hindrance}`,
      "Set `ANTHROPIC_API_KEY`, log in to `claude`, or set `llm.provider` with `memo config`",
    );
  }
  const detail = `\`${provider.name}\`, model \`${config["llm.model"]}\``;
  if (patient.offline || provider.findModel === undefined) return ok(detail);
  try {
    await findModel({ paths, env, config, timeoutMs: ASK_MS });
    return ok(`${detail}, which the server has`);
  } catch (error) {
    const hint = (error as { hint?: string }).hint;
    const fix = hint?.includes("memo doctor") ? undefined : hint;
    return warn(`${detail}: ${messageOf(error)}`, fix ?? "Check the network, then run it again");
  }
}

/** What was asked today, and how far that is from the cap. */
export function spending({ config, paths, now }: Patient): Finding {
  const { calls, usd } = spentToday(spendingPath(paths), now);
  const { "llm.daily_calls": maxCalls, "llm.daily_usd": maxUsd } = config;
  const detail = `${calls} of ${maxCalls} calls and $${usd.toFixed(2)} of $${maxUsd} today`;
  if (calls < maxCalls && usd < maxUsd) return ok(detail);
  const key = calls >= maxCalls ? "llm.daily_calls" : "llm.daily_usd";
  return warn(
    `${detail}: no more are made`,
    `Run \`memo stats\`, or raise it with \`memo config set ${key} NUMBER\``,
  );
}

/** The types whose strategy asks a language model. */
function typesThatAsk(config: Config): string[] {
  return TYPES.map(({ name }) => name).filter((name) =>
    strategyNamed(typeSettings(config, name).strategy)?.cost === "api"
  );
}

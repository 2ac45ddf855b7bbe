// What opens a door: a person may do it, a model may not, and what a strategy or a job sends is opened with it.

import { strategyNamed } from "../../../../strategies/mod.ts";
import { whyUnavailable } from "../../../core/llm/mod.ts";
import { type Config, loadConfig, opens } from "../../../core/settings/config.ts";
import { presetStrategy, type Value } from "../../../core/settings/table.ts";
import { answerIn, OFF, type PurposeName, withPurposes } from "../../../core/settings/purposes.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";
import { refuseModel } from "../../../features/verbs/consent.ts";
import type { CliContext } from "../shared/command.ts";
import { say } from "../shared/output.ts";

type Changes = readonly (readonly [key: string, value: Value])[];

/** Throws where a model would open what the person has closed. */
export function refuseOpening(changes: Changes, { paths, env }: CliContext): void {
  const own = loadConfig(paths.config, {});
  for (const [key, value] of changes) {
    if (!opens(key, value, own)) continue;
    refuseModel(env, `open \`${key}\``, `memo config set ${key}=${shellQuoted(String(value))}`);
  }
}

/** What `send` becomes where a person who has said yes switches on what sends more. */
export function sendFor(changes: Changes, { paths }: CliContext): [key: string, value: string][] {
  if (changes.some(([key]) => key === "send")) return [];
  const more = changes.flatMap(([key, value]) => purposeOf(key, value) ?? []);
  const send = withPurposes(more, loadConfig(paths.config, {}));
  return send === undefined ? [] : [["send", send]];
}

/** The purpose that a setting switches on with a value. */
function purposeOf(key: string, value: Value): PurposeName | undefined {
  if (key === "enrich.enabled") return value === true ? "enrich" : undefined;
  if (key === "dream.enabled") return value === true ? "dream" : undefined;
  const strategy = key === "recall.preset" ? presetStrategy(String(value)) : String(value);
  const isStrategy = key === "recall.preset" || key.startsWith("strategy.");
  return isStrategy && strategyNamed(strategy ?? "")?.cost === "api" ? "recall" : undefined;
}

/** Says what a yes still lacks. A `claude` that this finds on the search path is known to sessions from then on. */
export function sayWhatIsMissing(config: Config, context: CliContext): void {
  const missing = answerIn(config) === OFF ? undefined : whyUnavailable({ ...context, config });
  if (missing !== undefined) say(`warning: no language model yet: ${missing}`);
}

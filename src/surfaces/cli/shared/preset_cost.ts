import { costOf } from "../../../core/llm/mod.ts";
import { grouped } from "../../../core/text/counted.ts";
import { PRESETS } from "../../../core/settings/table.ts";

/** Prompts of a longer session. */
const SESSION = 30;

/** What a preset of recall costs per prompt, as measured; undefined for one that asks nobody, or an unknown one. */
export function formatPresetCost(name: string, model: string): string | undefined {
  const { asks } = PRESETS.find((each) => each.name === name) ?? {};
  if (asks === undefined) return undefined;
  const { small, large, output } = asks;
  const [low, high] = [small, large].map((input) => costOf(model, { input, output }));
  const tokens = `about ${grouped(small + output)} tokens per prompt in a small store`;
  const many = `, ${grouped(large + output)} with several hundred memories`;
  const all = large > small ? tokens + many : tokens;
  if (low === undefined || high === undefined) {
    return `${all}; the price of \`${model}\` is unknown`;
  }
  const prices = [...new Set([low, high].map((usd) => `$${usd.toFixed(4)}`))].join(" to ");
  const session = `at most $${(SESSION * high).toFixed(2)} for a session of ${SESSION} prompts`;
  return `${all}: about ${prices} with \`${model}\`, ${session}`;
}

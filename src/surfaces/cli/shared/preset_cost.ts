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
  const tokens = `some ${grouped(small + output)} tokens per prompt in a small store`;
  const many = `, ${grouped(large + output)} in one of several hundred memories`;
  const all = large > small ? tokens + many : tokens;
  if (low === undefined || high === undefined) {
    return `${all}: at \`${model}\`'s price, which memo does not know`;
  }
  const prices = [...new Set([low, high].map((usd) => `$${usd.toFixed(4)}`))].join(" to ");
  const session = `$${(SESSION * high).toFixed(2)} at most in a session of ${SESSION}`;
  return `${all}: about ${prices} with \`${model}\`, ${session}`;
}

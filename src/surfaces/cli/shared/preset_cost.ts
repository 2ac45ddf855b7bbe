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
  const price = (input: number) => costOf(model, { input, output });
  const low = price(small);
  const high = price(large);
  const tokens = `some ${grouped(small + output)} tokens per prompt in a small store`;
  const more = large > small
    ? `, ${grouped(large + output)} in one of several hundred memories`
    : "";
  const prices = low === undefined || high === undefined
    ? []
    : [...new Set([low, high].map((usd) => `$${usd.toFixed(4)}`))];
  const dollars = prices.length === 0
    ? `at \`${model}\`'s price, which memo does not know`
    : `about ${prices.join(" to ")} with \`${model}\`, ` +
      `$${(SESSION * high!).toFixed(2)} at most in a session of ${SESSION}`;
  return `${tokens}${more}: ${dollars}`;
}

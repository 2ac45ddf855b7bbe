// What it takes to capture conversations, before anybody is asked.

import { portionsOf } from "../../../core/capture/portions.ts";
import { lastTurns, pieces, tell } from "../../../core/capture/pieces.ts";
import { readSpending, sumOf } from "../../../core/llm/ledger.ts";
import { costOf } from "../../../core/llm/prices.ts";
import { counted } from "../../../core/text/counted.ts";
import type { Turn } from "../../../core/transcript/turn.ts";
import { configHere } from "../config.ts";
import type { CliContext } from "../shared/command.ts";

/** Questions to the language model, and the characters of conversation in them. */
export interface Work {
  readonly questions: number;
  readonly chars: number;
}

/** The instructions with known memories, and an answer, in tokens; used until there are calls to learn from. */
const ASKED_TOKENS = 3000;
const ANSWER_TOKENS = 700;
const CHARS_PER_TOKEN = 4;

/** What the turns of one conversation take. */
export function workOf(turns: readonly Turn[]): Work {
  const cut = portionsOf(turns).flatMap((portion) =>
    pieces(lastTurns(portion.map((turn) => ({ turn, text: tell(turn) }))))
  );
  return { questions: cut.length, chars: cut.reduce((sum, { text }) => sum + text.length, 0) };
}

/** Questions with the model that is asked, and what they cost if the price is known, in words. */
export function sayPrice(
  { questions, usd }: { readonly questions: number; readonly usd: number | undefined },
  context: CliContext,
): string {
  const { "llm.model": model, "extract.model": own } = configHere(context);
  const price = usd === undefined ? "" : `, about $${usd.toFixed(2)}`;
  return `${counted(questions, "question")} to ${own || model}${price}`;
}

/** What questions cost in dollars: as past ones did, else by the length of the text; undefined: no price is known. */
export function estimate({ questions, chars }: Work, context: CliContext): number | undefined {
  const config = configHere(context);
  const model = config["extract.model"] || config["llm.model"];
  const past = readSpending(context.paths.spending).filter((call) =>
    call.purpose === "extract" && call.outcome === "ok" && call.model === model
  );
  const { calls, output } = sumOf(past);
  const answer = calls < 5 ? ANSWER_TOKENS : output / calls;
  const input = chars / CHARS_PER_TOKEN + questions * ASKED_TOKENS;
  return costOf(model, { input, output: questions * answer });
}

import { chooseProvider } from "../llm/mod.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "./config.ts";

/**
 * What whoever installs memo should know of capture: who reads their conversations, at what cost at most, and how to
 * end it.
 */
export function captureNote(context: CliContext): string {
  const config = configHere(context);
  const name = chooseProvider({ ...context, config }).name;
  const model = config["extract.model"] || config["llm.model"];
  if (!config["capture.enabled"]) {
    return "Conversations are not captured (`capture.enabled` is false)\n";
  }
  if (name === "none") {
    return "Conversations write no memories yet, for no language model can be asked: set `ANTHROPIC_API_KEY`, or log in to\n" +
      "`claude`; `memo doctor` tells whether it works\n";
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  return `After a turn or some short ones \`${name}\` (${model}) reads what is new, without its secrets, and writes\n` +
    `memories and a journal: at most ${calls} calls and $${usd} a day (\`memo stats\`).\n` +
    "To have none of it: memo config set capture.enabled=false\n";
}

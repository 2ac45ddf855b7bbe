import { chooseProvider } from "../../llm/providers.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "../config.ts";

/** Tells the person who installs memo which model reads their conversations, its cost limit, and how to turn it off. */
export function captureNote(context: CliContext): string {
  const config = configHere(context);
  const name = chooseProvider({ ...context, config }).name;
  const model = config["extract.model"] || config["llm.model"];
  if (!config["capture.enabled"]) {
    return "Capture is off (`capture.enabled` is false).\n";
  }
  if (name === "none") {
    return "Capture is on but has no language model yet: set `ANTHROPIC_API_KEY` or log in to `claude`.\n" +
      "Run `memo doctor` to check.\n";
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  return `Capture sends new turns, with secrets redacted, to \`${name}\` (${model}) and writes memories and a\n` +
    `journal from its answers: at most ${calls} calls and $${usd} per day (see \`memo stats\`).\n` +
    "To turn this off:   memo config set capture.enabled=false\n";
}

import { chooseProvider } from "../../llm/providers.ts";
import { answerIn, OFF, whyNotSent } from "../../settings/purposes.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "../config.ts";

/** Tells the person who installs memo which model reads their conversations, its cost limit, and how to turn it off. */
export function captureNote(context: CliContext): string {
  const config = configHere(context);
  const name = chooseProvider({ ...context, config }).name;
  const model = config["extract.model"] || config["llm.model"];
  if (answerIn(config) === OFF) return "Nothing is sent to a language model (`send` is `off`).\n";
  if (!config["capture.enabled"]) return "Capture is off (`capture.enabled` is false).\n";
  if (whyNotSent("capture", config) !== undefined) {
    return "Nothing is sent to a language model, and so no memories are written from conversations, until you say yes:\n" +
      "run `memo init`.\n";
  }
  if (name === "none") {
    return "Capture is on but has no language model yet: set `ANTHROPIC_API_KEY` or log in to `claude`.\n" +
      "Run `memo doctor` to check.\n";
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  return `Capture sends new turns, with secrets redacted, to \`${name}\` (${model}) and writes memories and a\n` +
    `journal from its answers: at most ${calls} calls and $${usd} per day (see \`memo stats\`).\n` +
    "To send nothing:    memo config set send=off\n";
}

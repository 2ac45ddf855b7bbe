// A question that capture puts to a language model, and how many of them a session may cost in a day.

import {
  brief,
  callsOf,
  complete,
  type Completion,
  type LlmContext,
  UnusableAnswer,
} from "../llm/mod.ts";
import type { Log } from "../files/log.ts";
import { messageOf } from "../../errors.ts";

export interface AskContext extends LlmContext {
  readonly log: Log;
  readonly session: string;
}

const PURPOSES = ["extract", "confirm"] as const;

/** A question; its schema's replies are read by `read`, which returns undefined for one of another shape. */
export interface CaptureQuestion<T> extends Omit<Completion, "purpose" | "session"> {
  readonly purpose: typeof PURPOSES[number];
  readonly read: (json: unknown) => T | undefined;
}

const TIMEOUT_MS = 120_000;
const WRONG_SHAPE = "The language model's answer has the wrong shape";

/** The LLM calls left for the session's capture today. */
export function callsLeft({ paths, config, session, now = () => new Date() }: AskContext): number {
  const used = callsOf(paths.spending, { session, purposes: PURPOSES, now: now() });
  return config["capture.session_calls"] - used;
}

/** Asks up to `tries` times while the session has calls left. Rejects if no model answers, or none validly. */
export async function askModel<T>(
  { read, ...question }: CaptureQuestion<T>,
  { tries, ...context }: AskContext & { readonly tries: number },
): Promise<T> {
  const { config, log, session } = context;
  const model = config["extract.model"] || config["llm.model"];
  let unusable = new UnusableAnswer(WRONG_SHAPE);
  for (let tried = 0; tried < tries && callsLeft(context) > 0; tried++) {
    try {
      const { json, text } = await complete({ ...question, session }, {
        ...context,
        config: { ...config, "llm.model": model },
        timeoutMs: TIMEOUT_MS,
      });
      const answer = read(json);
      if (answer !== undefined) return answer;
      const said = brief(text, 80);
      unusable = new UnusableAnswer(said === "" ? WRONG_SHAPE : `${WRONG_SHAPE}: \`${said}\``);
    } catch (error) {
      if (!(error instanceof UnusableAnswer)) throw error;
      log(question.purpose, { failed: messageOf(error) });
      unusable = error;
    }
  }
  throw unusable;
}

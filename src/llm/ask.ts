import type { Config } from "../config.ts";
import type { Env, Paths } from "../paths.ts";
import { complete } from "./mod.ts";

/** A question whose answer is JSON. */
export interface Question {
  readonly purpose: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
}

export interface AskContext {
  readonly paths: Paths;
  readonly env: Env;
  readonly config: Config;
  readonly signal: AbortSignal | undefined;
}

/** Puts a question to the model of the settings and returns the JSON it answered with; rejects when there is none. */
export async function askModel(question: Question, context: AskContext): Promise<unknown> {
  const { json } = await complete(question, context);
  if (json === undefined) throw new Error("The model's answer is not JSON");
  return json;
}

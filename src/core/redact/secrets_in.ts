import { ownPatterns } from "./own_patterns.ts";

/** The kinds of secrets that a text seems to hold; `own` is the setting `redact.patterns`. */
export async function secretsIn(text: string, own: string): Promise<string[]> {
  const { redact } = await import("./redact.ts"); // its rules are slow to load
  return Object.keys((await redact(text, ownPatterns(own))).found);
}

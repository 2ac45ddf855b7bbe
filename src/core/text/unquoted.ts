const QUOTED = /^"([\s\S]*)"\s*$/;

/** A prompt without the quotes that `opencode run` puts around it. */
export function unquoted(prompt: string): string {
  return prompt.replace(QUOTED, "$1");
}

/** Marks transcript lines with text that a hook gave to the model. */
export const HOOK_TEXT = '"hook_additional_context"';

/** A text that a hook handed to the model. */
export interface HookText {
  /** The hook event, if the line names it. */
  readonly event: string | undefined;
  readonly text: string;
}

/** The hook texts in a transcript line; none if it is incomplete or of another kind. */
export function hookTexts(line: string): HookText[] {
  if (!line.includes(HOOK_TEXT)) return [];
  try {
    return hookTextsIn(JSON.parse(line));
  } catch {
    return []; // the line is still being written
  }
}

/** The same for a parsed line; throws if it is not a transcript line. */
export function hookTextsIn({ type, attachment }: HookTextLine): HookText[] {
  if (type !== "attachment" || attachment.type !== "hook_additional_context") return [];
  const event = typeof attachment.hookEvent === "string" ? attachment.hookEvent : undefined;
  const content: unknown[] = [attachment.content].flat();
  return content.filter((text) => typeof text === "string").map((text) => ({ event, text }));
}

/** The fields that are read from a line with hook texts. */
interface HookTextLine {
  readonly type?: unknown;
  readonly attachment: {
    readonly type?: unknown;
    readonly content?: unknown;
    readonly hookEvent?: unknown;
  };
}

/** Whether a version of Claude Code is known to write hook texts into its transcripts; 2.0.77 does not. */
export function writesHookTexts(client: string | undefined): boolean {
  return client !== undefined && client.localeCompare("2.1.100", "en", { numeric: true }) >= 0;
}

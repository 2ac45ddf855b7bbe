/** Marks the lines of a transcript that hold what a hook gave to the model. */
export const HOOK_TEXT = '"hook_additional_context"';

/** A text that a hook handed to the model. */
export interface HookText {
  /** The hook event, where the line says. */
  readonly event: string | undefined;
  readonly text: string;
}

/** The texts of hooks that a line of a transcript hands to the model; none for a line that is cut or of another kind. */
export function hookTexts(line: string): HookText[] {
  if (!line.includes(HOOK_TEXT)) return [];
  try {
    return hookTextsIn(JSON.parse(line));
  } catch {
    return []; // the line is still being written
  }
}

/** The same of a line that has been parsed; throws for what is no line of a transcript. */
export function hookTextsIn({ type, attachment }: HookTextLine): HookText[] {
  if (type !== "attachment" || attachment.type !== "hook_additional_context") return [];
  const event = typeof attachment.hookEvent === "string" ? attachment.hookEvent : undefined;
  const content: unknown[] = [attachment.content].flat();
  return content.filter((text) => typeof text === "string").map((text) => ({ event, text }));
}

/** A line with hook texts, as far as it is looked at. */
interface HookTextLine {
  readonly type?: unknown;
  readonly attachment: {
    readonly type?: unknown;
    readonly content?: unknown;
    readonly hookEvent?: unknown;
  };
}

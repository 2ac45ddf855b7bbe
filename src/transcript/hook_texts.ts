/** Marks the lines of a transcript that hold what a hook gave to the model. */
export const HOOK_TEXT = '"hook_additional_context"';

/** The texts of hooks that a line of a transcript hands to the model; none for a line that is cut or of another kind. */
export function hookTexts(line: string): string[] {
  if (!line.includes(HOOK_TEXT)) return [];
  try {
    const { type, attachment } = JSON.parse(line);
    if (type !== "attachment" || attachment.type !== "hook_additional_context") return [];
    const content: unknown[] = [attachment.content].flat();
    return content.filter((text) => typeof text === "string");
  } catch {
    return []; // the line is still being written
  }
}

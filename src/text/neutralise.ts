// Text from memories arrives with the authority of the system on current models. It is data: nothing in it
// may close the block it stands in, open another, or look like a message of Claude Code itself.

/** Tags that mean something to Claude Code or the model, and the block's own. */
const RESERVED =
  /<(?=\s*\/?\s*(?:auto-loaded-memory|system|task-notification|command-|local-command|bash-(?:input|std)|user-prompt|persisted-output|tool_|function_|antml:|human|assistant|user|instructions?)(?![a-z]*\()[\w:-]*\s*\/?\s*>?)/gi;

/** Lines that look like a new message, or like the words Claude Code puts before a hook's text. */
const IMITATED =
  /^(?=[ \t]*(?:(?:human|assistant|system)[ \t]*:|\w+ hook (?:additional context|success|error)))/gim;

/** Characters that are not seen but read: controls, zero-width and direction marks, Unicode's tag letters. */
const INVISIBLE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** A text without characters that steer a terminal or hide from a reader. */
export function visible(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
}

/** A text of many lines that can stand inside the block. Applying it twice changes nothing more. */
export function neutralise(text: string): string {
  return visible(text)
    .replace(RESERVED, "&lt;")
    .replace(IMITATED, "> ");
}

/** The same for what stands on one line: a name, a path, a type. */
export function neutraliseLine(text: string): string {
  return neutralise(text.replace(/\s+/g, " ").trim());
}

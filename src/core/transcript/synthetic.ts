/** Tags at the beginning of text that Claude Code itself puts into a user turn. */
const TAGS =
  /^\s*<(task-notification|command-(name|message|args)|local-command-\w+|system-reminder|bash-(input|stdout|stderr)|user-prompt-submit-hook)\b/;

/** Whether a prompt's text comes from Claude Code rather than a person. */
export function isSynthetic(text: string): boolean {
  return TAGS.test(text);
}

// Subagents' reports to the conversation that started them. A subagent in the foreground reports in the result of the
// call; one in the background, the default of today's clients, in a prompt that Claude Code makes after it has ended.

/** Tools whose result is a subagent's report. */
export const SUBAGENT_TOOLS: readonly string[] = ["Agent", "Task"];

/** Claude Code's notes to the model about a subagent, which are not the subagent's words. */
export const INTERNAL: RegExp = /^\s*(?:Async agent launched|agentId:)/;

/** The report of a background subagent. */
export interface SubagentReport {
  /** A short description of its task. */
  readonly about: string;
  readonly text: string;
  readonly failed: boolean;
}

/** Reads the prompt in which Claude Code passes on a subagent's report; undefined for any other. */
export function readReport(prompt: string): SubagentReport | undefined {
  if (!/^\s*<task-notification>/.test(prompt)) return undefined;
  const text = between(prompt, "<result>", "</result>");
  if (text === undefined) return undefined; // a background command, or a stopped subagent
  return {
    about: between(prompt, "<summary>", "</summary>") ?? "",
    text,
    failed: between(prompt, "<status>", "</status>") !== "completed",
  };
}

/** The text from a tag to the last closing one, because a report can quote the tags. */
function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const stop = text.lastIndexOf(close);
  return start < 0 || stop < start ? undefined : text.slice(start + open.length, stop).trim();
}

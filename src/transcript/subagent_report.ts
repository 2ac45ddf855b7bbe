// What a subagent reports to the conversation that started it. One that is waited for reports in the result of the call;
// one in the background, the default of today's clients, in a prompt of Claude Code's own when it has ended.

/** Tools whose result is a subagent's report. */
export const SUBAGENT_TOOLS: readonly string[] = ["Agent", "Task"];

/** What Claude Code tells the model about a subagent, and what is no word of the subagent's. */
const INTERNAL = /^\s*(?:Async agent launched|agentId:)/;

/** The report of a subagent in the background. */
export interface SubagentReport {
  /** What it was asked for, in a few words. */
  readonly about: string;
  readonly text: string;
  readonly failed: boolean;
}

/** Reads the prompt in which Claude Code hands on a subagent's report; undefined for any other. */
export function readReport(prompt: string): SubagentReport | undefined {
  if (!/^\s*<task-notification>/.test(prompt)) return undefined;
  const text = between(prompt, "<result>", "</result>");
  if (text === undefined) return undefined; // a command in the background, or a subagent that was stopped
  return {
    about: between(prompt, "<summary>", "</summary>") ?? "",
    text,
    failed: between(prompt, "<status>", "</status>") !== "completed",
  };
}

/** Whether a part of a call's result is Claude Code's own, and not the subagent's. */
export function isInternal(text: string): boolean {
  return INTERNAL.test(text);
}

/** From a tag to the last of its kind: a report may quote one. */
function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const stop = text.lastIndexOf(close);
  return start < 0 || stop < start ? undefined : text.slice(start + open.length, stop).trim();
}

import type { AgentFile } from "./agent.ts";
import { addParts, isBare, isTaken, removeParts } from "./json_part.ts";
import type { Part } from "../splice.ts";

/** A JSON file with memo's parts; `alone` is what it holds when it was made for them. */
export function hookFile(path: string, parts: readonly Part[], alone: object = {}): AgentFile {
  return {
    path,
    add: (text) =>
      addParts(text ?? JSON.stringify(alone, null, 2) + "\n", parts, { name: path, isOwn }),
    isTaken: (text) => isTaken(text, parts, isOwn),
    remove(text) {
      const rest = removeParts(text, parts, isOwn);
      return isBare(rest, alone) ? undefined : rest;
    },
  };
}

/** A handler in an agent's list for each event, which may be heard for some tools alone. */
export function hookParts(
  events: readonly string[],
  handler: object,
  matchers: Readonly<Record<string, string>> = {},
): Part[] {
  return events.map((event) => {
    const matcher = matchers[event];
    const value = { ...matcher === undefined ? {} : { matcher }, hooks: [handler] };
    return { path: ["hooks", event], value, isItem: true };
  });
}

/** Whether a value is memo's: it starts memo's hook for an agent, or memo's MCP server. */
function isOwn(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return /\bhook --agent \w+"/.test(text) || /memo[^"]*",?.*"mcp"\]/.test(text);
}

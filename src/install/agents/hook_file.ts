import type { AgentFile } from "./agent.ts";
import { addParts, isBare, isTaken, type Part, removeParts } from "./json_part.ts";

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

/** Whether a value is memo's: it starts memo's hook for an agent, or memo's MCP server. */
function isOwn(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return /\bhook --agent \w+"/.test(text) || /memo[^"]*",?.*"mcp"\]/.test(text);
}

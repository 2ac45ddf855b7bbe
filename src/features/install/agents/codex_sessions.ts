import { statSync } from "node:fs";
import { join } from "node:path";
import { readPart } from "../../../core/files/bounded.ts";
import { namesIn } from "../../../core/files/there.ts";
import type { AgentSession } from "./agent.ts";

/** `rollout-<local time>-<thread id>.jsonl`. */
const ROLLOUT = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/;
/** Days looked at, and the head of a file that has its first line's kind. */
const DAYS = 3;
const HEAD_BYTES = 8192;

/** The last sessions of Codex that a person has begun, by the files in `sessions/YYYY/MM/DD`; none where it has none. */
export function codexSessions(home: string): AgentSession[] {
  const days = newest(join(home, "sessions"))
    .flatMap((year) => newest(year))
    .flatMap((month) => newest(month))
    .slice(0, DAYS);
  return days.flatMap((day) =>
    newest(day).flatMap((path) => {
      const [, id] = ROLLOUT.exec(path.slice(day.length + 1)) ?? [];
      return id === undefined || isSubagent(path) ? [] : [{ id, at: statSync(path).mtime }];
    })
  );
}

/** What is in a folder, the last by name first. */
function newest(folder: string): string[] {
  return namesIn(folder).reverse().map((name) => join(folder, name));
}

function isSubagent(path: string): boolean {
  return /"thread_source"\s*:\s*"subagent"/.test(readPart(path, HEAD_BYTES).toString());
}

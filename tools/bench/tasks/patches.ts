// What coding agents made of a request: the module as they left it, recorded with the digest of all that they had seen.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readJsonLines } from "../../../bench/suite.ts";
import { ARMS } from "./arms.ts";
import type { Delivered } from "./delivery.ts";
import type { Task } from "./suite.ts";

/** One line of a recording. */
export interface Patch {
  /** Digest of the text and the files that the agent saw. */
  readonly key: string;
  readonly task: string;
  readonly arm: string;
  /** The parts of the rule that stood in the text. */
  readonly parts: number;
  /** The module after the agent's work. */
  readonly module: string;
  /** What the agent was. */
  readonly agent: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Patches for one context. */
export interface Found {
  readonly patches: readonly Patch[];
  /** Whether they were made from exactly this context; else from one of memo's, or of the same arm, with as many parts of the rule. */
  readonly isExact: boolean;
}

/** The text that an agent gets for a task. */
export function promptOf(task: Task, { start, given }: Delivered): string {
  const context = [start, ...given].filter((text) => text !== "").join("\n\n");
  return `You are a coding agent at work in a repository: the folder \`repo\` beside this file. Between the two lines is \
what your session began with and what came with the user's message, exactly as it was given. It may be empty.

----------
${context}
----------

The user's message:

${task.request}

Do what it asks, once. Edit only \`repo/${task.module}\`. You may read everything in \`repo\` and run the tests in \
\`repo/tests\` with \`python3 -m pytest\`; use nothing else, and ask nobody.
`;
}

/** Names what an agent sees: the text, and the files of the repository. */
export function digestOf(task: Task, context: Delivered): string {
  const seen = JSON.stringify([promptOf(task, context), ...task.repository]);
  return createHash("sha256").update(seen).digest("hex").slice(0, 32);
}

/** The patches of a file; none if it does not exist. */
export function readPatches(path: string): Patch[] {
  return existsSync(path) ? readJsonLines<Patch>(path) : [];
}

/** The patches for a context. */
export function patchesFor(
  { key, task, arm, parts }: Pick<Patch, "key" | "task" | "arm" | "parts">,
  recorded: readonly Patch[],
): Found {
  const exact = recorded.filter((patch) => patch.key === key);
  if (exact.length > 0) return { patches: exact, isExact: true };
  const alike = recorded.filter((patch) => patch.task === task && patch.parts === parts);
  const ofArm = alike.filter((patch) => patch.arm === arm);
  // Where two arms had the same context, its patches are recorded for the first of them.
  const ofKin = alike.filter((patch) => isOfMemo(arm) && isOfMemo(patch.arm));
  return { patches: ofArm.length > 0 ? ofArm : ofKin, isExact: false };
}

function isOfMemo(arm: string): boolean {
  return ARMS.some(({ name, ...rest }) => name === arm && "preset" in rest);
}

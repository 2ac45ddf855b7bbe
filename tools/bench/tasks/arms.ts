// The arms of the comparison: what a coding agent's session gets in addition to repository and request.

import { ruleOf } from "./keys.ts";
import type { Task } from "./suite.ts";

/** One arm. */
export interface Arm {
  readonly name: string;
  /** For readers who do not know memo. */
  readonly what: string;
  /** memo's preset; undefined: there is no memo. */
  readonly preset?: string;
  /** Memories in the same project that no task needs, in addition to those of the conversations. */
  readonly further?: number;
  /** The file that a session begins with; undefined: none. */
  readonly file?: (tasks: readonly Task[], decoyFacts: readonly string[]) => string;
}

/** Every arm, in the order of the report. */
export const ARMS = [
  { name: "none", what: "the coding agent without memory" },
  {
    // The model writes this folder itself, in the session, when it sees fit; in conversations that are given, it wrote
    // nothing, and what the client could extract afterwards is behind a switch of Anthropic's servers.
    name: "native",
    what: "with Claude Code's own memory folder, which stays empty here",
  },
  {
    name: "claude-md",
    what: "with a CLAUDE.md that lists every rule",
    file: everyRule,
  },
  { name: "local", what: "with memo", preset: "local" },
  { name: "balanced", what: "with memo, preset `balanced`", preset: "balanced" },
  {
    name: "local-300",
    what: "with memo, among 300 further memories",
    preset: "local",
    further: 300,
  },
] as const satisfies readonly Arm[];

/** The upper bound: a file with the rules in the words of their judges, and the facts of all other conversations. */
function everyRule(tasks: readonly Task[], decoyFacts: readonly string[]): string {
  const rules = tasks.map(({ module, function: name, policy }) =>
    `- \`${name}\` in \`${module}\`: ${ruleOf(policy).now}`
  );
  const facts = decoyFacts.map((fact) => `- ${fact}`);
  return ["# Rules of this project", "", ...rules, "", "# Other notes", "", ...facts, ""].join(
    "\n",
  );
}

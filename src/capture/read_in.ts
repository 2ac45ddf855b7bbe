import type { Reading } from "../memory/provenance.ts";
import { analyze } from "../text/analyze.ts";
import { isMemoTool } from "../transcript/memo_tools.ts";
import { isUsersWord } from "../transcript/tool_line.ts";
import type { Turn } from "../transcript/turn.ts";

/** The parts of a turn that somebody has said, or that were read. */
export type Spoken = Pick<Turn, "prompt" | "steps">;

/** The turns that a memory is compared with. */
export interface Evidence {
  /** Its origin, according to the model. */
  readonly turn: Spoken;
  /** All that the model saw. */
  readonly all: readonly Spoken[];
}

/** A memory about the user with at least this share of its words from text the model read is not the user's word. */
const FOREIGN = 0.6;
/** Tools whose result comes from outside the machine. */
const OUTSIDE_TOOL = /^(?:WebFetch|WebSearch|mcp__)/;
const OUTSIDE_COMMAND =
  /\b(?:curl|wget|xh|httpie|lynx|w3m|gh (?:api|issue|pr|release))\b|https?:\/\//;
/** A memory with at least this share of words said by the user is the user's word, whatever was read. */
const OWN = 0.5;

/**
 * Where a text's content was read, by memo's own comparison; undefined if the user said it, or the assistant found it
 * without reading it. A page may be paraphrased: in a turn that read one, anything the user has not said counts as the
 * page's.
 */
export function readIn(text: string, { turn, all }: Evidence): Reading | undefined {
  const everything = {
    prompt: all.map(saidBy).join("\n"),
    steps: all.flatMap(({ steps }) => steps),
  };
  const web = (turns: readonly Spoken[]) => turns.some(({ steps }) => steps.some(isOutside));
  if (isForeign(text, everything)) return web(all) ? "web" : "tool";
  return web([turn]) && shareSaid(text, everything) < OWN ? "web" : undefined;
}

function isOutside(step: Turn["steps"][number]): boolean {
  if (step.kind !== "tool" || isUsersWord(step) || isMemoTool(step.name)) return false;
  return OUTSIDE_TOOL.test(step.name) || (step.name === "Bash" && OUTSIDE_COMMAND.test(step.input));
}

/** The share of a text's words that the user has said. */
function shareSaid(text: string, turn: Spoken): number {
  const words = new Set(analyze(text));
  const said = new Set(analyze(saidBy(turn)));
  return [...words].filter((word) => said.has(word)).length / Math.max(1, words.size);
}

/**
 * Whether a text's content was read in the turn and not said by the user, in any language: most of its words occur in
 * tool results and not in the prompt.
 */
export function isForeign(text: string, turn: Spoken): boolean {
  const words = new Set(analyze(text));
  if (words.size === 0) return false;
  const said = new Set(analyze(saidBy(turn)));
  const read = new Set(
    turn.steps.flatMap((step) =>
      step.kind === "tool" && !isUsersWord(step) ? analyze(step.result) : []
    ),
  );
  const foreign = [...words].filter((word) => read.has(word) && !said.has(word));
  return foreign.length / words.size >= FOREIGN;
}

/** The user's words in a turn: the prompt, and answers to or refusals of tool calls. */
export function saidBy({ prompt, steps }: Spoken): string {
  const answers = steps.filter((step) => step.kind === "tool" && isUsersWord(step));
  return [prompt, ...answers.map((step) => step.kind === "tool" ? step.result : "")].join("\n");
}

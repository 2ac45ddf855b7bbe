import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { matchesCall, readCall } from "../../../src/guard/call.ts";
import { type Pattern, sayPattern } from "../../../src/guard/pattern.ts";
import { proposeGuard } from "../../../src/guard/propose.ts";

/** A rule and what breaks it. */
interface RuleLine {
  /** The ordinary commands that it holds beside. */
  readonly house: string;
  readonly name: string;
  readonly body: string;
  /** Command lines, or files that an edit changes; the first counts as the planted one. */
  readonly breaches: readonly (string | { readonly edit: string })[];
}

/** A breach that no guard of its rule stops, or an ordinary command that one does. */
export interface Fault {
  readonly rule: string;
  readonly call: string;
}

/** How right the guards are that rules propose by their own words. */
export interface GuardsResult {
  readonly rules: number;
  /** Rules that propose a guard. */
  readonly proposed: number;
  readonly patterns: number;
  /** The first breach of each rule, and all of them; stopped ones. */
  readonly planted: number;
  readonly stoppedPlanted: number;
  readonly breaches: number;
  readonly stopped: number;
  /** Ordinary commands, and times that one met a guard. */
  readonly ordinary: number;
  readonly meetings: number;
  readonly missed: readonly Fault[];
  readonly falseStops: readonly Fault[];
}

const ROOT = "/home/dev/project";
/** Stands for a line break in the files of commands. */
const BREAK = /⏎/g;

/** Makes a guard of each rule by its words alone, and tries it on its breaches and on ordinary commands. */
export function benchGuards(folder: string): GuardsResult {
  const rules = parse(readFileSync(join(folder, "rules.yaml"), "utf8")) as readonly RuleLine[];
  const houses = new Map([...new Set(rules.map(({ house }) => house))].map((house) => [
    house,
    readFileSync(join(folder, `${house}.txt`), "utf8").trimEnd().split("\n")
      .map((line) => line.replace(BREAK, "\n")),
  ]));
  const guards = rules.map((rule) => ({ ...rule, patterns: proposeGuard(rule)?.patterns ?? [] }));
  const tried = guards.flatMap(({ name, breaches, patterns }) =>
    breaches.map((breach, i) => ({
      rule: name,
      isPlanted: i === 0,
      call: typeof breach === "string" ? breach : `edit of ${breach.edit}`,
      isStopped: stops(patterns, breach),
    }))
  );
  const met = guards.flatMap(({ name, house, patterns }) =>
    houses.get(house)!.map((call) => ({ rule: name, call, isStopped: stops(patterns, call) }))
  );
  const planted = tried.filter(({ isPlanted }) => isPlanted);
  return {
    rules: rules.length,
    proposed: guards.filter(({ patterns }) => patterns.length > 0).length,
    patterns: guards.flatMap(({ patterns }) => patterns.map(sayPattern)).length,
    planted: planted.length,
    stoppedPlanted: planted.filter(({ isStopped }) => isStopped).length,
    breaches: tried.length,
    stopped: tried.filter(({ isStopped }) => isStopped).length,
    ordinary: [...houses.values()].flat().length,
    meetings: met.length,
    missed: tried.filter(({ isStopped }) => !isStopped).map(({ rule, call }) => ({ rule, call })),
    falseStops: met.filter(({ isStopped }) => isStopped).map(({ rule, call }) => ({ rule, call })),
  };
}

function stops(patterns: readonly Pattern[], call: RuleLine["breaches"][number]): boolean {
  const read = readCall(
    typeof call === "string"
      ? { tool: "Bash", input: { command: call }, cwd: ROOT }
      : { tool: "Edit", input: { file_path: join(ROOT, call.edit) }, cwd: ROOT },
  )!;
  return patterns.some((pattern) => matchesCall(pattern, read, { root: ROOT }));
}

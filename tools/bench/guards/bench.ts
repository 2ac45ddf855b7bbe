import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { readJsonLines } from "../../../bench/suite.ts";
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

/** A rule that somebody else has written, with one breach and commands that look like one and are none. */
interface HeldOut {
  readonly name: string;
  readonly body: string;
  readonly breach: RuleLine["breaches"][number];
  readonly fine: readonly string[];
}

/** The same of rules that the guards were not made by. */
export interface HeldOutResult {
  readonly rules: number;
  readonly proposed: number;
  /** Those without a condition, which memo offers by itself. */
  readonly offered: number;
  readonly stopped: number;
  readonly fine: number;
  /** False stops of offered ones, and of their commands that look alike. */
  readonly offeredFalseStops: number;
  readonly offeredFine: number;
  readonly missed: readonly (Fault & { readonly patterns: readonly string[] })[];
  readonly falseStops: readonly (Fault & { readonly patterns: readonly string[] })[];
}

/** Tries the guards of held-out rules on their breaches, and on commands that look alike. */
export function benchHeldOut(file: string): HeldOutResult {
  const rules = readJsonLines<HeldOut>(file);
  const tried = rules.map((rule) => {
    const { patterns = [], isConditional = false } = proposeGuard(rule) ?? {};
    const fault = (call: RuleLine["breaches"][number]) => ({
      rule: rule.name,
      call: typeof call === "string" ? call : `edit of ${call.edit}`,
      patterns: patterns.map(sayPattern),
    });
    return {
      isOffered: patterns.length > 0 && !isConditional,
      ...{ rule, patterns, missed: stops(patterns, rule.breach) ? [] : [fault(rule.breach)] },
      falseStops: rule.fine.filter((call) => stops(patterns, call)).map(fault),
    };
  });
  const missed = tried.flatMap((each) => each.missed);
  const offered = tried.filter(({ isOffered }) => isOffered);
  return {
    offered: offered.length,
    offeredFine: offered.reduce((sum, { rule }) => sum + rule.fine.length, 0),
    offeredFalseStops: offered.flatMap(({ falseStops }) => falseStops).length,
    rules: rules.length,
    proposed: tried.filter(({ patterns }) => patterns.length > 0).length,
    stopped: rules.length - missed.length,
    fine: rules.reduce((sum, { fine }) => sum + fine.length, 0),
    missed,
    falseStops: tried.flatMap((each) => each.falseStops),
  };
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

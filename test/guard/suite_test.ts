// What guards stop that rules propose by their own words: as docs/session.md says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { matchesCall, readCall } from "../../src/features/guard/pattern.ts";
import { proposeGuard } from "../../src/features/guard/propose.ts";

/** A command line, or a file that an edit changes. */
type Call = string | { readonly edit: string };

/** A rule, what breaks it, and commands that do not. */
interface Rule {
  readonly name: string;
  readonly body: string;
  readonly breaches: readonly Call[];
  readonly fine: readonly string[];
}

const ROOT = "/home/dev/project";
const read = (name: string) =>
  readFileSync(new URL(`../../bench/suites/guards/${name}`, import.meta.url), "utf8");

/** The rules of a guard's own words, beside the ordinary commands of two projects; `⏎` stands for a line break. */
const OWN: readonly Rule[] = parse(read("rules.yaml")).map((
  { house, ...rule }: Rule & { readonly house: string },
) => ({
  ...rule,
  fine: read(`${house}.txt`).trimEnd().split("\n").map((line) => line.replaceAll("⏎", "\n")),
}));

/** Rules by somebody else, each with one breach and commands that look like one; words were chosen by `seen` ones. */
const OTHERS = [
  { file: "seen.jsonl", proposed: 47, stopped: 46, falseStops: 11 },
  { file: "held-out.jsonl", proposed: 17, stopped: 16, falseStops: 2 },
];

/** Makes a guard of a rule by its words alone, and tries it. */
function tried({ name, body, breaches, fine }: Rule) {
  const patterns = proposeGuard({ name, body })?.patterns ?? [];
  const isStopped = (call: Call) => {
    const seen = typeof call === "string"
      ? { tool: "Bash", input: { command: call }, cwd: ROOT }
      : { tool: "Edit", input: { file_path: join(ROOT, call.edit) }, cwd: ROOT };
    return patterns.some((pattern) => matchesCall(pattern, readCall(seen)!, ROOT));
  };
  return {
    isProposed: patterns.length > 0,
    missed: breaches.filter((call) => !isStopped(call)).map((call) => ({ name, call })),
    falseStops: fine.filter(isStopped).map((call) => ({ name, call })),
  };
}

Deno.test("guards that rules propose stop every planted breach, and none of a thousand ordinary commands", () => {
  assert.equal(OWN.length, 30);
  assert.equal(OWN.flatMap(({ breaches }) => breaches).length, 69);
  assert.ok(new Set(OWN.flatMap(({ fine }) => fine)).size > 1000);
  const all = OWN.map(tried);
  assert.ok(all.every(({ isProposed }) => isProposed));
  assert.deepEqual(all.flatMap(({ missed }) => missed), []);
  assert.deepEqual(all.flatMap(({ falseStops }) => falseStops), []);
});

for (const { file, ...said } of OTHERS) {
  Deno.test(`guards that the rules of ${file} propose are as good as is said`, () => {
    const all = read(file).trimEnd().split("\n")
      .map((line) => JSON.parse(line) as Omit<Rule, "breaches"> & { readonly breach: Call })
      .map(({ breach, ...rule }) => tried({ ...rule, breaches: [breach] }));
    const missed = all.flatMap(({ missed }) => missed);
    const falseStops = all.flatMap(({ falseStops }) => falseStops);
    assert.ok(all.filter(({ isProposed }) => isProposed).length >= said.proposed);
    assert.ok(all.length - missed.length >= said.stopped, JSON.stringify(missed));
    assert.ok(falseStops.length <= said.falseStops, JSON.stringify(falseStops));
  });
}

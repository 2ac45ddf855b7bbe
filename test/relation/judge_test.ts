import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { MINILM } from "../support/minilm.ts";
import FILE from "../../src/core/relation/judge.json" with { type: "json" };
import { type Judge, openJudge, type Probabilities } from "../../src/core/relation/judge.ts";
import { ANSWERS, relate, rivalryIn } from "../../src/core/relation/relate.ts";

const said = (body: string) => ({ name: body, description: "", body });

const paths = pathsFor({ MEMO_HOME: "/nowhere" });
const embedder = await openEmbedder("builtin", paths);
const judge: Judge = openJudge(embedder)!;

async function compared(earlier: string, later: string): Promise<Probabilities> {
  return await judge.compare(said(earlier), said(later));
}

/** What becomes of an earlier note beside a later one. */
async function fateOf(earlier: string, later: string) {
  const relation = relate(said(earlier), said(later), await compared(earlier, later));
  return relation && (rivalryIn(relation) ?? relation.answer);
}

Deno.test("the judge's probabilities are those that its training has seen, and add up to 1", async () => {
  for (const [earlier, later, expected] of FILE.examples as [string, string, number[]][]) {
    const found = await compared(earlier, later);
    const off = ANSWERS.map((answer, i) => Math.abs(found[answer] - expected[i]!));
    // The build's bytes are not rounded as on the machine that it was trained on.
    assert.ok(Math.max(...off) < 0.05, `${earlier} | ${later}: ${JSON.stringify(found)}`);
    const sum = Object.values(found).reduce((total, each) => total + each, 0);
    assert.ok(Math.abs(sum - 1) < 1e-6);
  }
});

Deno.test("another value of one thing contradicts, in the same words and in others", async () => {
  for (
    const [earlier, later] of [
      ["Sessions live 20 minutes", "Sessions live 5 minutes"],
      ["Redis listens on port 6379", "Redis listens on port 6380"],
      ["Payments are handled by Stripe", "Payments are handled by Adyen"],
      ["We deploy on Tuesdays", "Deploys happen on Wednesdays"],
      ["We use Redis for sessions", "We no longer use Redis for sessions"],
      ["Der Cache hält 5 Minuten", "Der Cache hält 5 Stunden"],
    ] as const
  ) {
    const fate = await fateOf(earlier, later);
    assert.ok(fate === "overtaken" || fate === "rivals", `${earlier} | ${later}: ${fate}`);
  }
});

Deno.test("two things that a number or a name tells apart both stand", async () => {
  for (
    const [earlier, later] of [
      ["Tenant 7 pays with Stripe", "Tenant 9 pays with Adyen"],
      ["sprint 41: phones", "sprint 42: gift cards"],
      ["The staging host is wiped daily", "The demo host is wiped on Sundays"],
      ["Depot 7 opens with a key", "Depot 9 opens with a code"],
      ["courier Blau wants ZPL", "courier Grau wants PDF"],
    ] as const
  ) assert.equal(await fateOf(earlier, later), "distinct", `${earlier} | ${later}`);
});

Deno.test("two days with the dates that memo wrote behind them are no two values of one thing", async () => {
  const rows = [
    [
      "The demo is tomorrow (2026-11-30) at noon",
      "We met yesterday (2026-11-28) with the auditors",
    ],
    ["We met the auditors yesterday (2026-11-28)", "The freeze starts tomorrow (2026-11-30)"],
  ] as const;
  for (const [earlier, later] of rows) {
    const fate = await fateOf(earlier, later);
    assert.ok(fate === undefined || fate === "distinct", `${earlier} | ${later}: ${fate}`);
  }
});

Deno.test("of pairs that the judge has not learned from most are judged right", async () => {
  const file = join(import.meta.dirname!, "../../tools/train/data/relations-dev.jsonl");
  const rows = readFileSync(file, "utf8").trim().split("\n")
    .map((line): { a: string; b: string; relation: string } => JSON.parse(line));
  const fates: { relation: string; fate: Awaited<ReturnType<typeof fateOf>> }[] = [];
  for (const { a, b, relation } of rows) fates.push({ relation, fate: await fateOf(a, b) });
  const share = (relation: string, ...wanted: string[]) => {
    const of = fates.filter((each) => each.relation === relation);
    return of.filter(({ fate }) => wanted.includes(fate ?? "")).length / of.length;
  };
  const found = share("replaces", "overtaken", "rivals"), wrong = share("distinct", "overtaken");
  const claimed = share("distinct", "overtaken", "rivals");
  const repeated = share("same", "same", "refines");
  const figures = JSON.stringify({ found, wrong, claimed, repeated });
  assert.ok(found >= 0.65 && wrong <= 0.05, figures);
  assert.ok(claimed <= 0.4 && repeated >= 0.25, figures);
});

Deno.test("with another embedding model the built-in one reads what the judge compares", async () => {
  const other = await openEmbedder(MINILM, paths);
  try {
    assert.notEqual(other.id, embedder.id);
    const [earlier, later] = ["Sessions live 20 minutes", "Sessions live 5 minutes"];
    assert.deepEqual(
      await openJudge(other)!.compare(said(earlier), said(later)),
      await compared(earlier, later),
    );
  } finally {
    await other.close();
  }
});

Deno.test("without a judge equal texts alone are the same, and what a model says contradicts", () => {
  const [one, other] = [said("Use pnpm, never npm"), said("Use pnpm, never npm.")];
  assert.equal(relate(one, other)?.answer, "same");
  assert.equal(
    relate(said("Sessions live 20 minutes"), said("Sessions live 5 minutes")),
    undefined,
  );
  const against = relate({ ...one, path: "/m/a.md" }, {
    ...said("Yarn"),
    tags: ["contradicts:a.md"],
  });
  assert.deepEqual([against?.answer, against?.by], ["replaces", "model"]);
});

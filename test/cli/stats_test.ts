import assert from "node:assert/strict";
import { writeSpending } from "../../src/llm/ledger.ts";
import { writeReceipt } from "../../src/recall/receipts.ts";
import { join } from "node:path";
import { type Home, makeHome, runMemo } from "../support/home.ts";

const DAY = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

function spend(home: Home, days: number, purpose: string): void {
  writeSpending(join(home.memoHome, "spending.jsonl"), {
    ...{ at: ago(days), purpose, provider: "anthropic", model: "claude-haiku-5-5" },
    ...{ input: 1000, output: 10, usd: 0.25, ms: 5, outcome: "ok", redacted: 0 },
  });
}

async function stats(home: Home, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runMemo(home, ["stats", ...args]);
  assert.equal(code, 0, stderr);
  return stdout;
}

Deno.test("memo stats of a new home counts nothing", async () => {
  await using home = makeHome();
  assert.equal(
    await stats(home),
    "Memories\n  none\n\nPrompts, last 7 days\n  none\n\n" +
      "Language model, last 7 days\n  none\n",
  );
});

Deno.test("memo stats counts memories, outcomes, and calls by day and purpose", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: A\ntype: tool\n---\nOne.\n");
  home.write("b.md", "---\nname: B\ntype: tool\n---\nTwo.\n");
  home.keep("c.md", "---\nname: C\ntype: gotcha\n---\nThree.\n");
  for (const [days, outcome] of [[0, "hit"], [1, "hit"], [0, "no hit"], [30, "failed"]] as const) {
    writeReceipt(join(home.memoHome, "receipts.jsonl"), {
      ...{ at: ago(days), outcome, memories: [], chars: 0, ms: {} },
    });
  }
  for (const purpose of ["sidequery", "sidequery", "extract"]) spend(home, 0, purpose);
  spend(home, 2, "sidequery");
  spend(home, 30, "sidequery");

  const { memories, recall, llm, total } = JSON.parse(await stats(home, "--json"));
  assert.deepEqual(memories, [
    { type: "gotcha", scope: "project", count: 1 },
    { type: "tool", scope: "user", count: 2 },
  ]);
  assert.deepEqual(recall, [{ outcome: "hit", count: 2 }, { outcome: "no hit", count: 1 }]);
  assert.deepEqual(llm.map(({ purpose, calls }: Record<string, unknown>) => [purpose, calls]), [
    ["sidequery", 1],
    ["extract", 1],
    ["sidequery", 2],
  ]);
  assert.deepEqual(total, { calls: 4, input: 4000, output: 40, usd: 1 });
  assert.equal(JSON.parse(await stats(home, "--days", "40", "--json")).total.calls, 5);
  assert.match(
    await stats(home, "--days", "1"),
    /Language model, today\n {2}\S+ {2}extract {4}1 call {3}1000 tokens in {2}10 out {2}\$0\.2500\n/,
  );
});

Deno.test("memo stats passes over lines that are broken", async () => {
  await using home = makeHome();
  home.write("state/spending.jsonl", '{"at":"never","usd":"x"}\nnull\n{\n');
  assert.equal(JSON.parse(await stats(home, "--json")).total.calls, 0);
});

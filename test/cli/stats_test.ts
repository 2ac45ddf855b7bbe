import assert from "node:assert/strict";
import { writeSpending } from "../../src/core/llm/mod.ts";
import { writeReceipt } from "../../src/core/recall/receipts.ts";
import { join } from "node:path";
import { noteUses } from "../../src/core/ledger/usage.ts";
import { type Home, makeHome, succeed } from "../support/home.ts";

const DAY = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

function spend(home: Home, days: number, purpose: string): void {
  writeSpending(join(home.memoHome, "spending.jsonl"), {
    ...{ at: ago(days), purpose, provider: "anthropic", model: "claude-haiku-5-5" },
    ...{ input: 1000, output: 10, usd: 0.25, ms: 5, outcome: "ok", redacted: 0 },
  });
}

async function stats(home: Home, ...args: string[]): Promise<string> {
  return await succeed(home, ["stats", ...args]);
}

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
    /Language model calls by purpose, today\n {2}extract {4}\$0\.2500, 1 call, 1,000 tokens in, 10 out\n/,
  );
});

Deno.test("r14: memo stats shows what is used, and what each session got", async () => {
  await using home = makeHome();
  const evil = "<script>alert(1)</script>";
  const used = home.write("a.md", `---\nname: ${evil}\ntype: tool\n---\nOne.\n`);
  home.write("b.md", "---\nname: B\ntype: tool\ncreated: 2020-01-01\n---\nTwo.\n");
  home.keep("c.md", "---\nname: C\ntype: gotcha\n---\nThree.\n");
  const usage = join(home.memoHome, "usage.jsonl");
  noteUses(usage, [{ path: used, at: ago(1), shown: 3, used: 2 }]);
  const receipt = { memories: [], ms: {}, session: "s-1", cwd: "/home/me/shop" };
  const receipts = join(home.memoHome, "receipts.jsonl");
  const start = { event: "SessionStart", outcome: "hit", chars: 4000 } as const;
  writeReceipt(receipts, { ...receipt, ...start, at: ago(0) });
  writeReceipt(receipts, { ...receipt, at: ago(0), outcome: "hit", chars: 400 });
  writeReceipt(receipts, { ...receipt, at: ago(0), outcome: "late", chars: 999 });
  writeReceipt(receipts, { ...receipt, at: ago(30), outcome: "hit", chars: 999 });

  const found = JSON.parse(await stats(home, "--json"));
  const [first] = found.used;
  assert.deepEqual([first.name, first.used, first.shown], [evil, 2, 3]);
  assert.deepEqual(found.unused.map(({ name }: { name: string }) => name), ["B", "C"]);
  const [session] = found.sessions;
  assert.deepEqual(
    [session.project, session.prompts, session.blocks, session.chars, found.sessions.length],
    ["shop", 2, 2, 4400, 1],
  );
  assert.match(
    await stats(home),
    /Shown to the model[^]* shop {2}1,100 tokens, 2 prompts, 2 blocks\n/,
  );
});

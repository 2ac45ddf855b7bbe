// A strategy in a file beside `config.yaml`, with the executable: allowed, run by the daemon, and reported.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "../support/home.ts";
import { askHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const MINE = `interface Picked { readonly memory: number; readonly score: number }
export const api = 1;
export default {
  async rank(query: { readonly terms: readonly string[] }, corpus: any): Promise<Picked[]> {
    if (query.terms.includes("stall")) for (;;);
    console.log("not for the user");
    return (await corpus.newest(5)).map(({ id }: { id: number }) => ({ memory: id, score: 0.9 }));
  },
};
`;

/** What a prompt is given, and what its receipt says. */
async function prompted(home: Home, prompt: string, session: string) {
  const block = await askHook(home, prompt, session);
  const receipts = join(home.memoHome, "receipts.jsonl");
  const { why = "" } = await until(
    "its receipt is written",
    () => readReceipts(receipts, 100).find((receipt) => receipt.session === session),
  );
  return { block, why };
}

async function settings(home: Home): Promise<{ detail: string; status: string }> {
  const { stdout } = await runMemo(home, ["doctor", "--json"]);
  const checks = JSON.parse(stdout) as { name: string; detail: string; status: string }[];
  return checks.find(({ name }) => name === "settings")!;
}

Deno.test("a strategy's file runs in the daemon once a person allows it, and what fails is hybrid's turn", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.write("heron.md", "---\nname: Heron\ntype: feedback\n---\nThe heron script deploys.\n");
  const path = join(home.memoHome, "mine.ts");
  writeFileSync(path, MINE);
  const set = ["config", "set", "strategy.feedback=./mine.ts"];

  const unasked = await runMemo(home, set);
  assert.equal(unasked.code, 2);
  assert.match(
    unasked.stderr,
    /run as you, with all the daemon's rights[^]*not allowed it[^]*--yes/,
  );
  const model = await runMemo({ ...home, env: { ...home.env, CLAUDECODE: "1" } }, [
    ...set,
    "--yes",
  ]);
  assert.equal(model.code, 2);
  assert.match(model.stderr, /only you can decide that/);
  await succeed(home, [...set, "--yes"]);
  assert.match(await succeed(home, ["config", "strategies"]), /\.\/mine\.ts .*feedback/);

  await warmUp(home);
  let session = 0;
  const { block } = await until("it is loaded", async () => {
    const answer = await prompted(home, "an entirely unrelated question", `s${session++}`);
    return !answer.why.includes("still loading") && answer;
  });
  assert.match(block, /heron script deploys/i); // no other strategy gives it with such a prompt
  const stalled = await prompted(home, "does the heron script stall while it deploys", "hang");
  assert.match(stalled.why, /mine\.ts: it took longer than 500 ms/);
  assert.match(stalled.block, /heron/i);
  const failed = await settings(home);
  assert.equal(failed.status, "warn");
  assert.match(failed.detail, /mine\.ts: it took longer than 500 ms.*hybrid/);

  writeFileSync(path, MINE.replace("0.9", "0.8"));
  assert.match((await settings(home)).detail, /mine\.ts: it has changed since it was allowed/);
  await succeed(home, [...set, "--yes"]);
  assert.equal((await settings(home)).status, "ok");
  const explained = await succeed(home, ["recall", "another thing altogether", "--json"]);
  JSON.parse(explained); // what the file prints does not come between

  const bench = ["bench", "recall", "--strategy", "keyword,./mine.ts", "--suite", aSuite(home)];
  const { strategies } = JSON.parse(await succeed(home, [...bench, "--json"])) as {
    strategies: { strategy: string; failures: number; overall: Record<string, number> }[];
  };
  assert.deepEqual(strategies.map(({ strategy, failures }) => [strategy, failures]), [
    ["keyword", 0],
    ["./mine.ts", 0],
  ]);
  await succeed(home, ["config", "unset", "strategy.feedback"]);
  const unset = await runMemo(home, bench);
  assert.equal(unset.code, 2);
  assert.match(
    unset.stderr,
    /have not allowed it[^]*`memo config set strategy\.TYPE=\.\/mine\.ts`/,
  );
});

/** A suite of two memories and a prompt that shares no word with them. */
function aSuite(home: Home): string {
  const folder = join(home.root, "suite");
  mkdirSync(folder);
  const files = {
    corpus: [
      { id: "a", title: "Heron", text: "The heron deploys.", type: "tool", ts: "2026-05-01" },
      { id: "b", title: "Kiln", text: "The kiln has port 7070.", type: "tool", ts: "2026-05-02" },
    ],
    queries: [{ id: "q", text: "an entirely unrelated question", category: "plain", lang: "en" }],
    qrels: [{ qid: "q", docid: "b", grade: 2 }],
  };
  for (const [name, rows] of Object.entries(files)) {
    const lines = rows.map((row) => JSON.stringify(row) + "\n");
    writeFileSync(join(folder, `${name}.jsonl`), lines.join(""));
  }
  return folder;
}

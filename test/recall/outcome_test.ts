import assert from "node:assert/strict";
import { recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

Deno.test("where the session's budget has no room for what was found, the outcome says so", async () => {
  await using made = await makeIndex([
    memoryFile({ path: "/memories/kiln.md", name: "Kiln port", body: "The kiln is on 7070." }),
  ]);
  const settings = loadConfig("/nowhere/config.yaml", {});
  const outcomeWith = async (bytesLeft: number) => {
    const shown = { ...NOTHING_SHOWN, bytes: settings["recall.session_bytes"] - bytesLeft };
    const { outcome, why, dropped } = await recall(
      { prompt: "what is the kiln port", folders: [made.folder], shown },
      { index: made.index, config: settings, now: NOW, only: "keyword" },
    );
    return [outcome, why, dropped.map(({ because }) => because)];
  };
  assert.deepEqual(await outcomeWith(10_000), ["hit", undefined, []]);
  assert.deepEqual(await outcomeWith(10), ["no room", undefined, ["no room"]]);
  assert.deepEqual(await outcomeWith(0), ["gated", "session budget spent", []]);
});

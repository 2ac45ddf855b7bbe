import assert from "node:assert/strict";
import { probableQuery } from "../../src/core/recall/probable_query.ts";
import { gate } from "../../src/core/recall/gate.ts";
import { loadConfig } from "../../src/core/settings/config.ts";

const config = loadConfig("/nowhere/config.yaml", {});
const probable = (prompt: string, source?: string) => probableQuery({ prompt, source }, config);

Deno.test("what a prompt is probably ranked by is what the gate lets pass", () => {
  const log = Array.from({ length: 200 }, (_, i) => `at step ${i} (/app/run.js:${i}:7)`).join("\n");
  for (
    const prompt of [
      "how do I deploy this to staging?",
      "  which port has the kiln  ",
      `why does the deployment of the kiln service fail here?\n${log}`,
    ]
  ) {
    const passed = gate({ prompt, memories: 3, bytesLeft: 1000 }, config);
    assert.equal(probable(prompt), passed.kind === "pass" ? passed.query : undefined);
    assert.notEqual(probable(prompt), undefined);
  }
});

Deno.test("nothing is begun for a prompt that is not searched for", () => {
  assert.equal(probable("/clear"), undefined);
  assert.equal(probable("ok"), undefined);
  assert.equal(probable("how do I deploy this to staging?", "loop_wakeup"), undefined);
});

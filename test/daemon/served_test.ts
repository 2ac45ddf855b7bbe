import assert from "node:assert/strict";
import { Served } from "../../src/core/daemon/served.ts";

const PROMPT = {
  hook_event_name: "UserPromptSubmit",
  session_id: "s",
  prompt_id: "p",
  prompt: "x",
};

Deno.test("an event that settings and plugin both send is answered once, whoever comes first", () => {
  for (const [first, second] of [["plugin", "settings"], ["settings", "plugin"]] as const) {
    const served = new Served();
    assert.equal(served.isTwin(PROMPT, first), false);
    assert.equal(served.isTwin({ ...PROMPT }, second), true);
    assert.equal(served.isTwin(PROMPT, first), false, "its own hook may ask again");
  }
});

Deno.test("the same from one sender, another event, or the same much later is no twin", () => {
  let now = 0;
  const served = new Served(() => now);
  for (let i = 0; i < 2; i++) assert.equal(served.isTwin(PROMPT, "settings"), false);
  assert.equal(served.isTwin({ ...PROMPT, prompt_id: "q" }, "plugin"), false);
  now = 60_000;
  assert.equal(served.isTwin(PROMPT, "plugin"), false);
});

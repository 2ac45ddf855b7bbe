import assert from "node:assert/strict";
import { makeHome, runMemo } from "../support/home.ts";
import { isMemos, serveMessagesApi, textOf } from "../support/messages_api.ts";
import { openMcp } from "./support.ts";

const PNPM = "---\nname: Use pnpm\ndescription: Package manager\ntype: decision\n---\n" +
  "We use pnpm, never npm, because of disk space.\n";

Deno.test("memory_ask answers from the memories and names its sources, those that exist", async () => {
  await using home = makeHome({ ANTHROPIC_API_KEY: "sk-ant-loopback" });
  home.keep("decision_pnpm.md", PNPM);
  home.keep("reference_ficus.md", "The ficus is watered on Mondays\n");
  await using api = await serveMessagesApi((request) => {
    assert.ok(isMemos(request));
    const [, number] = /\[(\d+)\] Use pnpm/.exec(textOf(request, "user"))!;
    const input = { answer: "pnpm, for disk space.", sources: [Number(number), 77] };
    return [{ type: "tool_use", name: "answer", input }];
  });
  await runMemo(home, ["config", "set", `llm.base_url=${api.url}`]);
  const question = "what did we decide about the package manager?";
  await using memo = await openMcp(home);
  const { text } = await memo.call("memory_ask", { question });
  assert.match(text, /^pnpm, for disk space\.\n\nSources:\n- .*Use pnpm/);
  assert.equal(text.match(/^- /gm)!.length, 1);
  assert.match(textOf(api.requests[0]!, "user"), /because of disk space/);
});

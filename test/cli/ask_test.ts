import assert from "node:assert/strict";
import { makeHome, runMemo } from "../support/home.ts";
import { isMemos, serveMessagesApi, textOf } from "../support/messages_api.ts";

const PNPM = "---\nname: Use pnpm\ndescription: Package manager\ntype: decision\n---\n" +
  "We use pnpm, never npm, because of disk space.\n";

Deno.test("memo ask answers from the memories and names its sources, those that exist", async () => {
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
  const { code, stdout } = await runMemo(home, ["ask", question, "--json"]);
  assert.equal(code, 0);
  const { answer, sources } = JSON.parse(stdout);
  assert.equal(answer, "pnpm, for disk space.");
  assert.deepEqual(sources.map(({ name }: { name: string }) => name), ["Use pnpm"]);
  assert.match(textOf(api.requests[0]!, "user"), /because of disk space/);
});

Deno.test("memo ask without a language model gives the memories that match, and says why", async () => {
  await using home = makeHome({ MEMO_LLM_PROVIDER: "none" });
  home.keep("decision_pnpm.md", PNPM);
  home.keep("reference_ficus.md", "The ficus is watered on Mondays\n");
  const { code, stdout, stderr } = await runMemo(home, ["ask", "which package manager?"]);
  assert.equal(code, 0);
  assert.match(stderr, /^No answer: No language model is available; `memo doctor` says why/);
  const none = await runMemo(home, ["ask", "zzzqqq?"]);
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(stdout, /Memories that match\n[k-z]{4} {2}Use pnpm\n$/);
});

Deno.test("memo search --like lists what is near a memory, and says when nothing is", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.keep("decision_pnpm.md", PNPM);
  const alone = await runMemo(home, ["search", "--like", "use pnpm"]);
  assert.deepEqual([alone.code, alone.stdout], [1, ""]);
  home.keep("tool_npm.md", "---\nname: npm cache\n---\nThe npm cache is on /data.\n");
  const near = await runMemo(home, ["search", "--like", "use pnpm"]);
  assert.match(near.stdout, /^0\.\d\d {2}[k-z]{4} {2}npm cache {2}project\n/);
  const [{ similarity }] = JSON.parse(
    (await runMemo(home, ["search", "--like", "use pnpm", "--json"])).stdout,
  );
  assert.ok(similarity > 0 && similarity < 1);
  for (const words of [["text"], ["--tag", "build"], ["--history"]]) {
    const { code, stderr } = await runMemo(home, ["search", "--like", "use pnpm", ...words]);
    assert.equal(code, 2);
    assert.match(stderr, /^error: Cannot [^]*\n\nhint: /);
  }
});

import assert from "node:assert/strict";
import { SETTINGS } from "../../src/core/settings/table.ts";
import {
  askModel,
  chooseProvider,
  costOf,
  dayOf,
  PROVIDERS,
  readSpending,
  type Spending,
  writeSpending,
} from "../../src/core/llm/mod.ts";
import { makeHome } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";
import { contextOf, fakeClaude, QUESTION } from "./support.ts";

const NOW = new Date(2026, 10, 21, 12);
const CALL: Spending = {
  ...{ at: NOW.toISOString(), purpose: "test", provider: "claude", model: "m" },
  ...{ input: 1, output: 1, usd: 0.25, ms: 1, outcome: "ok", redacted: 0 },
};

Deno.test("the setting `llm.provider` takes `auto` and the name of every provider", () => {
  const row = SETTINGS.find(({ key }) => key === "llm.provider")!;
  const { choices } = row as { choices: readonly string[] };
  assert.deepEqual(choices, ["auto", ...PROVIDERS.map(({ name }) => name)]);
});

Deno.test("auto takes the first provider that can answer", async () => {
  await using home = makeHome();
  const choose = (variables: Record<string, string>) =>
    chooseProvider(contextOf(home, { PATH: "/nowhere", ...variables })).name;
  assert.equal(choose({}), "none");
  assert.equal(choose({ ANTHROPIC_API_KEY: "k" }), "anthropic");
  fakeClaude(home, "exit 0");
  assert.equal(choose({ PATH: home.root }), "claude");
  assert.equal(choose({ PATH: home.root, ANTHROPIC_AUTH_TOKEN: "k" }), "anthropic");
  assert.equal(choose({ ANTHROPIC_API_KEY: "k", MEMO_LLM_PROVIDER: "none" }), "none");
  assert.equal(choose({ MEMO_LLM_PROVIDER: "anthropic" }), "anthropic");
});

Deno.test("where nobody may be asked, the error says so and nothing is noted", async () => {
  await using home = makeHome();
  const context = contextOf(home, { PATH: "/nowhere" });
  await assert.rejects(askModel(QUESTION, context), {
    kind: "llm",
    message: "Cannot ask a language model: neither an API key nor `claude` is available",
  });
  assert.deepEqual(readSpending(context.paths.spending), []);
});

Deno.test("nobody is asked while what to take out of a text cannot be told", async () => {
  await using home = makeHome();
  const variables = { ...fakeClaude(home, "touch asked"), MEMO_REDACT_PATTERNS: "(" };
  await assert.rejects(askModel(QUESTION, contextOf(home, variables)), {
    message: /^Cannot ask a language model: `MEMO_REDACT_PATTERNS`: Cannot use the pattern `\(`/,
  });
});

for (
  const [variable, value, message] of [
    ["MEMO_LLM_DAILY_CALLS", "4", /limit reached: 4 calls today, `llm\.daily_calls` is 4$/],
    ["MEMO_LLM_DAILY_USD", "0.7", /limit reached: \$0\.75 today, `llm\.daily_usd` is 0\.7$/],
  ] as const
) {
  Deno.test(`over ${variable} nothing is asked until the next day`, async () => {
    await using home = makeHome();
    const variables = fakeClaude(home, `echo '{"structured_output":{"picks":[]}}'`);
    const context = { ...contextOf(home, { ...variables, [variable]: value }), now: () => NOW };
    const path = context.paths.spending;
    const yesterday = { ...CALL, at: new Date(2026, 10, 20, 23, 59).toISOString() };
    for (const call of [yesterday, yesterday, CALL, CALL]) writeSpending(path, call);
    await askModel(QUESTION, context);
    writeSpending(path, CALL);
    await assert.rejects(askModel(QUESTION, context), { kind: "llm", message });
    await askModel(QUESTION, { ...context, now: () => new Date(2026, 10, 22, 0, 1) });
  });
}

Deno.test("lines of spending that are broken are passed over, and a long file is begun anew", () => {
  using folder = temporaryFolder();
  const path = `${folder.path}/spending.jsonl`;
  writeSpending(path, { ...CALL, purpose: "x".repeat(1024 * 1024) });
  writeSpending(path, { ...CALL, purpose: "second" });
  Deno.writeTextFileSync(path, '{"at":"2026-\nnull\n"x"\n{"at":"never","usd":"x"}\n', {
    append: true,
  });
  writeSpending(path, { ...CALL, purpose: "third" });
  assert.deepEqual(readSpending(path).slice(1).map(({ purpose }) => purpose), ["second", "third"]);
  assert.deepEqual(readSpending(`${folder.path}/none`), []);
});

Deno.test("a day is the user's", () => {
  assert.equal(dayOf(new Date(2026, 0, 2, 0, 0)), "2026-01-02");
  assert.equal(dayOf(new Date(2026, 0, 2, 23, 59).toISOString()), "2026-01-02");
});

Deno.test("costOf() goes by the longest family that is known", () => {
  const tokens = { input: 1e6, output: 1e5 };
  assert.equal(costOf("claude-haiku-5-5", tokens), 0.75);
  assert.equal(costOf("claude-opus-5-5", tokens), 6);
  assert.equal(costOf("claude-opus-5", tokens), 7.5);
  assert.equal(costOf("claude-opus-4-8", tokens), 7.5);
  assert.equal(costOf("llama-4", tokens), undefined);
});

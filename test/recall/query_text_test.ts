import assert from "node:assert/strict";
import { queryText } from "../../src/core/recall/query_text.ts";
import { MAX_PROMPT } from "../../src/core/link/protocol.ts";
import { cutPaste } from "../../src/core/text/paste.ts";
import { CONFIG, indexOf, namesIn } from "./notes.ts";

const LOG = Array.from(
  { length: 400 },
  (_, i) => `2026-11-21T07:00:${i % 60} INFO worker-${i} finished job ${i * 7919} in ${i} ms`,
).join("\n");
const TRACE = Array.from(
  { length: 60 },
  (_, i) => `    at Object.handle (/srv/app/node_modules/express/lib/router/layer.js:${i}:5)`,
).join("\n");
const JSON_TEXT = JSON.stringify(
  Array.from({ length: 80 }, (_, id) => ({ id, ok: true })),
  null,
  2,
);
const QUESTION = "Why does the invoice export fail on the staging database?";

const BASE64 = btoa(LOG).match(/.{76}/g)!.join("\n");

for (
  const [what, paste] of Object.entries({
    "a log": LOG,
    "a stack trace": TRACE,
    JSON: JSON_TEXT,
    base64: BASE64,
    "one line of base64": btoa(LOG),
  })
) {
  Deno.test(`queryText() is the question above, below or around ${what}`, () => {
    assert.equal(queryText(`${QUESTION}\n\n${paste}`), QUESTION);
    assert.equal(queryText(`${paste}\n\n${QUESTION}\n`), QUESTION);
    assert.equal(queryText(`Look at this:\n${paste}\n${QUESTION}`), `Look at this:\n${QUESTION}`);
    assert.equal(queryText(`${paste}\n${QUESTION}\n${paste}`), QUESTION);
  });
}

Deno.test("queryText() keeps the pasted text where the prompt itself says too little", () => {
  const query = queryText(`${TRACE}\nfix this`);
  assert.match(query, /^fix this\n[^]*layer\.js/);
});

Deno.test("queryText() knows a Chinese question below a log", () => {
  assert.equal(
    queryText(`${LOG}\n为什么在预发布环境导出发票会失败？`),
    "为什么在预发布环境导出发票会失败？",
  );
});

Deno.test("queryText() leaves a short prompt as it is, and cuts long prose to its head and tail", () => {
  const short = "2026-11-21 ERROR boom";
  assert.equal(queryText(` ${short}\n`), short);
  const prose = `HEAD ${"many words of a long specification ".repeat(1000)} TAIL`;
  assert.ok(queryText(prose).length <= 4001);
  assert.match(queryText(prose), /^HEAD[^]*TAIL$/);
});

Deno.test("queryText() is the question beside a marked paste, of whatever length", () => {
  const paste = (text: string) =>
    `<pasted_content id="7fd4">\n${text}\n</pasted_content id="7fd4">`;
  for (
    const text of ["ERROR boom", TRACE, LOG, "A page. Of prose, with many words about the cache."]
  ) {
    assert.equal(queryText(`${paste(text)}\n\n${QUESTION}`), QUESTION);
    assert.equal(
      queryText(`Look at\n\n${paste(text)}\n\n${QUESTION}`),
      `Look at\n\n\n\n\n${QUESTION}`,
    );
  }
  assert.equal(queryText(`fix this\n\n${paste("ERROR boom")}`), "fix this\nERROR boom");
  assert.match(queryText(`fix this\n\n${paste(TRACE)}`), /^fix this\n[^]*layer\.js/);
  assert.equal(queryText(`${paste("")}\nfix this`), "fix this");
});

Deno.test("half a secret at the cut of a paste is not sent to an embedding model elsewhere", async () => {
  await using notes = await indexOf([{ name: "Kiln port", body: "The kiln is on 7070." }]);
  // Words, so that the text is taken for the question's; the first line of the key is in the part that is cut out.
  const key = `-----BEGIN PRIVATE KEY-----\n${"halfasecret of many words\n".repeat(100)}`;
  const log = "2026-11-21 07:00:00 INFO done\n".repeat(10_000);
  const tail = log.slice(0, MAX_PROMPT / 2 - key.length / 2 - 20);
  const prompt = cutPaste(`${log}${key}-----END PRIVATE KEY-----\n${tail}`);
  assert.match(prompt, /halfasecret/);
  assert.doesNotMatch(prompt, /BEGIN PRIVATE/);
  const sent: string[] = [];
  const embed = (text: string) => {
    sent.push(text);
    return Promise.resolve(new Float32Array(384));
  };
  const config = { ...CONFIG, model: "https://example.com/v1#m" };
  await notes.ask(prompt, {}, { config, embed });
  assert.equal(sent.length, 1);
  assert.doesNotMatch(sent[0]!, /halfasecret/);
});

Deno.test("a ticket that no memory has changes nothing, and one that a memory has finds it", async () => {
  await using notes = await indexOf([
    { name: "Package manager", body: "Use pnpm in this repository." },
    { name: "LIN-795", body: "LIN-795 is about the ferry's timetable." },
    { name: "Retries", body: "The payment client retries three times." },
    { name: "Rollout", body: "The rollout is tracked as XQ-12-34567." },
  ]);
  const asked = "which package manager do we use here?";
  const plain = await notes.ask(asked);
  for (const prompt of [`SHOP-412: ${asked}`, `[SHOP-412] ${asked}`, `${asked} (SHOP-412)`]) {
    assert.equal((await notes.ask(prompt)).block, plain.block, prompt);
  }
  assert.deepEqual(namesIn(await notes.ask("LIN-795")), ["LIN-795"]);
  const longer = "what is the state of XQ-12-34567";
  assert.deepEqual(
    namesIn(await notes.ask(longer)),
    ["Rollout"],
    "what begins like a ticket is none",
  );
});

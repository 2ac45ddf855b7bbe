import assert from "node:assert/strict";
import { loadConfig } from "../../src/settings/config.ts";
import {
  ALL,
  answerIn,
  may,
  OFF,
  purposeOf,
  PURPOSES,
  unanswered,
  whyNotSent,
} from "../../src/settings/purposes.ts";

const NAMES = PURPOSES.map(({ name }) => name);
const config = (env: Record<string, string>) => loadConfig("/nowhere/config.yaml", env);

Deno.test("nothing may be sent before the answer, everything after a yes, nothing after Off", () => {
  assert.deepEqual(NAMES.filter((name) => may(name, config({}))), []);
  assert.deepEqual(NAMES.filter((name) => may(name, config({ MEMO_SEND: ALL }))), NAMES);
  assert.deepEqual(NAMES.filter((name) => may(name, config({ MEMO_SEND: OFF }))), []);
  assert.match(whyNotSent("capture", config({}))!, /`memo init` asks/);
  assert.match(whyNotSent("capture", config({ MEMO_SEND: OFF }))!, /`send` is `off`/);
});

Deno.test("a purpose that came later than the answer waits for its own yes", () => {
  const first = "capture verdicts enrich dream ask summary prove recall embedding".split(" ");
  const on = config({ MEMO_SEND: "on" });
  assert.deepEqual(NAMES.filter((name) => may(name, on)), first, "a new row has `isLater: true`");
  const answered = config({ MEMO_SEND: "capture, ask" });
  assert.equal(may("dream", answered), false);
  assert.deepEqual(unanswered(answered), NAMES.filter((name) => !/capture|ask/.test(name)));
  assert.deepEqual(unanswered(config({ MEMO_SEND: OFF })), [], "Off is an answer to all");
});

Deno.test("a home that turned capture off before there was `send` has turned off everything", () => {
  assert.equal(answerIn(config({ MEMO_CAPTURE_ENABLED: "false" })), OFF);
  assert.equal(answerIn(config({ MEMO_LLM_PROVIDER: "none" })), OFF);
  assert.equal(answerIn(config({})), "unasked");
  const both = config({ MEMO_CAPTURE_ENABLED: "false", MEMO_SEND: "ask" });
  assert.deepEqual([may("ask", both), may("enrich", both)], [true, false]);
});

Deno.test("a value that cannot be read sends nothing", () => {
  for (const text of ["yes", "everything", "capture, dreams", "true"]) {
    const broken = config({ MEMO_SEND: text });
    assert.deepEqual(NAMES.filter((name) => may(name, broken)), [], text);
    assert.match(broken.warnings.join(), /Cannot set `send`.*it takes `off`, `on`, or some of/);
  }
});

Deno.test("every call is made for one purpose, but for the doctor's, which carries nothing", () => {
  const calls = PURPOSES.flatMap((row) => row.calls);
  assert.equal(new Set(calls).size, calls.length);
  for (const call of calls) assert.ok(purposeOf(call), call);
  assert.equal(purposeOf("doctor"), undefined);
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/core/settings/config.ts";
import {
  answerIn,
  FIRST,
  may,
  OFF,
  purposeOf,
  PURPOSES,
  unanswered,
  whyNotSent,
  withPurposes,
} from "../../src/core/settings/purposes.ts";
import { readRows } from "../support/fixtures.ts";
import { temporaryFolder } from "../support/temp.ts";

const NAMES = PURPOSES.map(({ name }) => name);

/** The settings of a file with these lines, and of a session with these variables. */
function config(text: string, env: Record<string, string> = {}) {
  using folder = temporaryFolder();
  const path = join(folder.path, "config.yaml");
  writeFileSync(path, text);
  return loadConfig(path, env);
}

const allowed = (text: string, env?: Record<string, string>) =>
  NAMES.filter((name) => may(name, config(text, env)));

Deno.test("nothing may be sent before the answer, everything after a yes, nothing after Off", () => {
  assert.deepEqual(allowed(""), []);
  assert.deepEqual(allowed("send: on"), NAMES);
  assert.deepEqual(allowed("send: off"), []);
  assert.equal(answerIn(config("")), "unasked");
  for (const text of ["capture.enabled: false", "llm.provider: none"]) {
    assert.equal(answerIn(config(text)), OFF, "it was that before there was `send`");
  }
  assert.match(whyNotSent("capture", config(""))!, /choose what \(`memo init`\)$/);
  assert.match(whyNotSent("capture", config("send: off"))!, /`send` is `off`/);
});

Deno.test("a first yes opens conversations, and a refusal names the command that opens more", () => {
  assert.deepEqual(allowed(`send: ${FIRST}`), ["capture"]);
  assert.match(
    whyNotSent("ask", config(`send: ${FIRST}`))!,
    /\(add it: `memo config set send=capture,ask`\)$/,
  );
  assert.equal(withPurposes(["ask", "ask"], config("send: capture")), "capture, ask");
  assert.equal(withPurposes(["ask"], config("send: on")), undefined, "it has that");
  for (const text of ["", "send: off"]) {
    assert.equal(withPurposes(["ask"], config(text)), undefined);
  }
});

Deno.test("a purpose that came later than the answer waits for its own yes", () => {
  const first = "capture enrich dream ask summary recall embedding".split(" ");
  assert.deepEqual(allowed("send: on"), first, "a new row has `isLater: true`");
  const later = NAMES.filter((name) => !first.includes(name));
  assert.deepEqual(unanswered(config("send: capture, ask")), later, "the rest was left out");
  assert.deepEqual(unanswered(config("send: off")), [], "Off is an answer to all");
  assert.deepEqual(unanswered(config("")), NAMES);
});

/** What has closed something stays closed: settings of the file, variables of a session, what may be sent then. */
const CLOSED = readRows("settings/closed.tsv") as [string, string, string][];

for (const [text, env, expected] of CLOSED) {
  Deno.test(`\`${text.replace("\n", "; ")}\` with ${env} sends ${expected || "nothing"}`, () => {
    assert.equal(allowed(text, JSON.parse(env)).join(), expected);
    if (env === "{}") assert.deepEqual(config(text).warnings, []);
  });
}

Deno.test("a value that cannot be read sends nothing", () => {
  for (const text of ["yes", "everything", "capture, dreams", "true"]) {
    const broken = config("send: on", { MEMO_SEND: text });
    assert.deepEqual(NAMES.filter((name) => may(name, broken)), [], text);
    assert.match(broken.warnings.join(), /Cannot set `send`.*it must be `off`, `on`, or some of/);
  }
});

Deno.test("every call is made for one purpose, but for the doctor's, which carries nothing", () => {
  const calls = PURPOSES.flatMap((row) => row.calls);
  assert.equal(new Set(calls).size, calls.length);
  for (const call of calls) assert.ok(purposeOf(call), call);
  assert.equal(purposeOf("doctor"), undefined);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { performance } from "node:perf_hooks";
import { maintainedSecrets } from "../../src/core/redact/maintained.ts";
import { countOf, isAllRedacted, redact, redactAll } from "../../src/core/redact/redact.ts";
import { chars, HARMLESS, LETTERS, PLANTED } from "./planted.ts";
import { readRows } from "../support/fixtures.ts";

/** A secret that nothing but its name gives away. */
const PLAIN = chars(40);

for (const { what, text, secrets } of PLANTED) {
  Deno.test(`redact() takes out ${what}, and leaves what is around it`, async () => {
    const { text: redacted, found } = await redact(`Before it.\n${text}\nAfter it.`);
    assert.ok(!redacted.includes(secrets[0]!), redacted);
    assert.match(redacted, /^Before it\.\n[^]*\[redacted:[a-z0-9-]+\][^]*\nAfter it\.$/);
    assert.ok(Object.keys(found).length > 0);
  });
}

for (const text of HARMLESS) {
  Deno.test(`redact() leaves alone: ${text}`, async () => {
    assert.deepEqual(await redact(text), { text, found: {} });
  });
}

Deno.test("redact() takes out what stands in <private>, nested and unclosed too", async () => {
  for (const [text, expected] of readRows("redact/private.tsv")) {
    assert.equal((await redact(text!)).text, expected);
  }
});

Deno.test("a text cannot switch redaction off", async () => {
  const key = "ghp_" + chars(36);
  const { text } = await redact(`// secretlint-disable\n${key} // secretlint-disable-line`);
  assert.ok(!text.includes(key), text);
});

Deno.test("a secret is taken out wherever it stands, also where nothing gives it away", async () => {
  const { text } = await redact(`I said ${PLAIN} once.\nAWS_SECRET_ACCESS_KEY=${PLAIN}\n`);
  assert.ok(!text.includes(PLAIN), text);
});

Deno.test("a test that passes is no secret, in any language", async () => {
  const outcomes = [
    ...["Element's title attribute is unique", "抽象ロールは使用されていません"],
    ...["לאלמנט אין תכונת title", "Elementets 'title'-attribut er unik"],
  ];
  for (const said of outcomes) {
    const json = `{\n  "pass": ${JSON.stringify(said)},\n  "fail": ${JSON.stringify(said)}\n}`;
    assert.equal((await redact(json)).text, json);
  }
  assert.doesNotMatch((await redact('{ "pass": "hunter2-Xy" }')).text, /hunter2/);
});

Deno.test("a byte order mark does not shift what is taken out", async () => {
  const { text } = await redact("\ufeffghp_" + chars(36) + "!");
  assert.equal(text, "\ufeff[redacted:github]!");
});

Deno.test("countOf() adds up what was found", async () => {
  const texts = ["<private>x</private> ghp_" + chars(36), "x"];
  assert.equal(countOf(await redactAll(texts)), 2);
});

/** Secrets, halves of them, and what could turn into one when something beside it is taken out. */
const MIXED = fc.array(
  fc.oneof(
    fc.constantFrom(...PLANTED.map(({ text }) => text)),
    fc.constantFrom(...PLANTED.map(({ text }) => text.slice(0, text.length / 2))),
    fc.constantFrom(...PLANTED.map(({ text }) => text.slice(0, 12))),
    fc.constantFrom("<private>", "</private>", ..." \n:@=[]", "//", "password="),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

Deno.test("redacting twice is redacting once", async () => {
  await fc.assert(fc.asyncProperty(MIXED, async (text) => {
    const once = (await redact(text)).text;
    assert.deepEqual(await redact(once), { text: once, found: {} });
  }));
});

Deno.test("text that was made to keep patterns busy comes through", async () => {
  // Beginnings of what the patterns look for; again and again they come as near to a match as a text can.
  for (const [seed = ""] of readRows("redact/busy.txt")) {
    const text = seed.repeat(Math.ceil(30_000 / seed.length)) + "\n end";
    assert.match((await redact(text)).text, / end$/, seed);
  }
});

Deno.test("what is one secret in another reading of the text is taken out whole", async () => {
  const halves = `a = "ghp_${chars(20)}" + "${chars(16)}" // b`;
  assert.equal((await redact(halves)).text, 'a = "[redacted:github]" // b');
  const hidden = `ghp_${chars(18)}\u200b${chars(18)} b`;
  assert.equal((await redact(hidden)).text, "[redacted:github] b");
  const packed = btoa(`password=${LETTERS}`);
  assert.equal((await redact(`run ${packed} now`)).text, "run [redacted:assigned] now");
});

Deno.test("many secrets are found again wherever they stand, and a text is not searched for each", async () => {
  const secrets = Array.from({ length: 300 }, (_, i) => `${i}`.padStart(3, "0") + chars(29));
  const named = secrets.map((secret, i) => `KEY_${i}_SECRET=${secret}`).join("\n");
  const again = [secrets[3]!, secrets[297]!];
  const text = `${named}\nand without a name: ${again.join("x")}`;
  const { indexOf } = String.prototype;
  let searches = 0;
  String.prototype.indexOf = function (search, from) {
    if (secrets.includes(search)) searches++;
    return indexOf.call(this, search, from);
  };
  try {
    const { text: left } = await redact(text);
    for (const secret of secrets) assert.ok(!left.includes(secret), secret);
  } finally {
    String.prototype.indexOf = indexOf;
  }
  assert.ok(searches < secrets.length / 10, `${searches} searches`);
});

const PASSWORD = "Tr0ub4dor" + "&3x", TOKEN = "ghp_" + chars(36);
const LEFT: readonly (readonly [text: string, isAll: boolean])[] = [
  [TOKEN, true],
  [`the password is ${PASSWORD} and the token ${TOKEN}`, true],
  [`Password: ${PASSWORD}`, true],
  [`la contraseña es ${PASSWORD}`, true],
  [`mon mot de passe, c'est ${PASSWORD}`, true],
  [`das Passwort lautet ${PASSWORD}`, true],
  [`密码是${PASSWORD}`, true],
  [`the password of the staging database is ${PASSWORD}`, false],
  [`CI reads ${TOKEN} from the vault`, false],
  [`数据库的密码是${PASSWORD}，每月更换`, false],
  ["the password is in the vault", false],
  ["the password is secret", false],
];
for (const [text, isAll] of LEFT) {
  const what = isAll ? "nothing" : "something";
  Deno.test(`without its secrets “${text.slice(0, 16)}…” says ${what}`, async () => {
    assert.equal(isAllRedacted((await redact(text)).text), isAll);
  });
}

Deno.test("maintainedSecrets() leaves nothing behind in memory, r10", async () => {
  await maintainedSecrets("a first text");
  const before = performance.getEntries().length;
  for (let i = 0; i < 5; i++) await maintainedSecrets(`text ${i}`);
  assert.equal(performance.getEntries().length, before);
});

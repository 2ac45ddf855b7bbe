import assert from "node:assert/strict";
import { checkSignature, parsePublicKey } from "../../src/features/upgrade/releases.ts";
import { newSecretKey, publicKeyOf, signatureOf } from "../../tools/release/signature.ts";

/** What minisign 0.11 made: a key, and its signature of `memo` and a line end. */
const MINISIGN = {
  key: "RWQMASLreEo+N9bqyujEbbXcYKJyHYSHtmqqxtJTmaRTjz1R0hVUjFkV",
  bytes: Buffer.from("memo\n"),
  signature: `untrusted comment: signature from minisign secret key
RUQMASLreEo+Nz5jDPoi9zPeZSeDYssYpiLBqlGoSpt4wiaKmP51sJkOCZAHNwIBKwqQZws8Y/tbClcYRhYhqNBcXb6h1segRQM=
trusted comment: memo 1.2.3 manifest.json
ctcYDWGWyCHicj3tunpOuf6BNmKiG7xYXOMqrLRZe/WQvbXiC+SzobA5P7ECkF1kXfjUFwa6JBkbfkLZzlMxCw==
`,
};

const secret = newSecretKey();
const bytes = Buffer.from("a manifest");
const signature = signatureOf(bytes, secret, "memo 1.2.3 manifest.json");
const keys = [MINISIGN.key, publicKeyOf(secret)];

/** Checks a signature of the manifest, as it is but for what is given. */
function check(
  change: { signature?: string; bytes?: Uint8Array; keys?: readonly string[] } = {},
): void {
  const { bytes: content = bytes, ...rest } = change;
  checkSignature(content, { signature, keys, what: "manifest.json", ...rest });
}

Deno.test("a signature by one of the keys is accepted, whichever of them it is by", () => {
  check();
  check({ bytes: MINISIGN.bytes, signature: MINISIGN.signature });
  check({
    bytes: MINISIGN.bytes,
    signature: MINISIGN.signature.replaceAll("\n", "\r\n"),
    keys: [MINISIGN.key],
  });
  assert.equal(parsePublicKey(MINISIGN.key).id, "373E4A78EB22010C", "as minisign prints it");
});

Deno.test("a signature of other bytes is refused, and so is one with another comment", () => {
  assert.throws(() => check({ bytes: Buffer.from("a manifesT") }), /is not what was released/);
  const other = signature.replace("memo 1.2.3", "memo 9.9.9");
  assert.throws(() => check({ signature: other }), /is not what was released/);
});

Deno.test("a signature by a key that this memo does not have is refused with its name", () => {
  const { id } = parsePublicKey(publicKeyOf(secret));
  for (const known of [[], [MINISIGN.key]]) {
    assert.throws(() => check({ keys: known }), new RegExp(`the key ${id}, which this memo`));
  }
});

Deno.test("a key that only calls itself by the name of a known one is refused", () => {
  const [known, stranger] = [publicKeyOf(secret), newSecretKey()].map((text, i) =>
    i === 0 ? Buffer.from(text, "base64") : text
  ) as [Buffer, string];
  const lines = signatureOf(bytes, stranger, "x").split("\n");
  const named = Buffer.from(lines[1]!, "base64");
  known.copy(named, 2, 2, 10);
  lines[1] = named.toString("base64");
  assert.throws(() => check({ signature: lines.join("\n") }), /its signature by \w+ is wrong/);
});

Deno.test("what is no signature is refused: nothing, a page, half of one, the form before minisign 0.8", () => {
  const legacy = signature.replace(/^RU/m, "RW");
  for (const text of ["", "<html>", signature.slice(0, 200), signature.slice(60), legacy]) {
    assert.throws(() => check({ signature: text }), /is not a minisign signature/);
  }
});

Deno.test("parsePublicKey() throws for what is no public key", () => {
  for (const text of ["", "RWQ", publicKeyOf(secret).slice(4), secret]) {
    assert.throws(() => parsePublicKey(text), /is not a minisign public key/);
  }
});

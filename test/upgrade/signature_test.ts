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

/** A signature by a key that only calls itself by the name of a known one. */
function impostors(): string {
  const lines = signatureOf(bytes, newSecretKey(), "x").split("\n");
  const named = Buffer.from(lines[1]!, "base64");
  Buffer.from(keys[1]!, "base64").copy(named, 2, 2, 10);
  lines[1] = named.toString("base64");
  return lines.join("\n");
}

const { id } = parsePublicKey(keys[1]!);
const legacy = signature.replace(/^RU/m, "RW"); // the form before minisign 0.8
const REFUSED: readonly (readonly [Parameters<typeof check>[0], RegExp])[] = [
  [{ bytes: Buffer.from("a manifesT") }, /is not what was released/],
  [{ signature: signature.replace("memo 1.2.3", "memo 9.9.9") }, /is not what was released/],
  [{ keys: [] }, new RegExp(`the key ${id}, which this memo`)],
  [{ keys: [MINISIGN.key] }, new RegExp(`the key ${id}, which this memo`)],
  [{ signature: impostors() }, /its signature by \w+ is wrong/],
  ...["", "<html>", signature.slice(0, 200), signature.slice(60), legacy]
    .map((text) => [{ signature: text }, /is not a minisign signature/] as const),
];

Deno.test("other bytes, another comment, an unknown key, an impostor's, and what is no signature are refused", () => {
  for (const [change, message] of REFUSED) assert.throws(() => check(change), message);
});

Deno.test("parsePublicKey() throws for what is no public key", () => {
  for (const text of ["", "RWQ", publicKeyOf(secret).slice(4), secret]) {
    assert.throws(() => parsePublicKey(text), /is not a minisign public key/);
  }
});

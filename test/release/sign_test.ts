import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSignature } from "../../src/features/upgrade/releases.ts";
import { newSecretKey, publicKeyOf } from "../../tools/release/signature.ts";
import { signRelease } from "../../tools/release/sign.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("signRelease() signs what upgrades and installers go by, with a key that executables accept", () => {
  using temp = temporaryFolder();
  const files = { "manifest.json": '{"version": "1.2.3"}', "SHA256SUMS": "sums" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(temp.path, name), text);
  const secret = newSecretKey();
  const key = publicKeyOf(secret);
  assert.throws(
    () => signRelease(temp.path, { secret: "", keys: [key] }),
    /must contain the secret key/,
  );
  assert.throws(
    () => signRelease(temp.path, { secret, keys: [] }),
    /no memo would accept the signature/,
  );
  assert.deepEqual(readdirSync(temp.path).sort(), ["SHA256SUMS", "manifest.json"]);

  assert.equal(signRelease(temp.path, { secret, keys: [publicKeyOf(newSecretKey()), key] }), key);
  for (const [name, text] of Object.entries(files)) {
    const signature = readFileSync(join(temp.path, `${name}.minisig`), "utf8");
    assert.match(signature, new RegExp(`^trusted comment: memo 1\\.2\\.3 ${name}$`, "m"));
    checkSignature(Buffer.from(text), { signature, keys: [key], what: name });
  }
});

Deno.test("publicKeyOf() refuses a secret key of another kind", async () => {
  const { privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign"],
  );
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", privateKey)).toString("base64");
  const pem = `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`;
  assert.throws(() => publicKeyOf(pem), /P-256; it must be Ed25519/);
});

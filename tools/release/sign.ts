// Signs a release with the secret key in MEMO_RELEASE_KEY.
//
//   deno run -A tools/release/sign.ts [dist/release]

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseKeys } from "../compile/release_keys.ts";
import type { Manifest } from "./manifest.ts";
import { publicKeyOf, signatureOf } from "./signature.ts";

/** What `memo upgrade` goes by, and what people and installers do. */
const SIGNED = ["manifest.json", "SHA256SUMS"];

/** Signs a release in a folder; throws for a key that no executable would accept. Returns the public key. */
export function signRelease(
  folder: string,
  { secret, keys }: { readonly secret: string; readonly keys: readonly string[] },
): string {
  if (secret === "") throw new Error("MEMO_RELEASE_KEY must contain the secret key");
  const key = publicKeyOf(secret);
  if (!keys.includes(key)) {
    throw new Error(`packaging/release.pub lacks ${key}: no memo would accept the signature`);
  }
  const { version } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  for (const name of SIGNED) {
    const text = signatureOf(readFileSync(join(folder, name)), secret, `memo ${version} ${name}`);
    writeFileSync(join(folder, `${name}.minisig`), text);
  }
  return key;
}

if (import.meta.main) {
  const [folder = "dist/release"] = process.argv.slice(2);
  const secret = process.env["MEMO_RELEASE_KEY"] ?? "";
  const key = signRelease(folder, { secret, keys: releaseKeys() });
  console.error(`Signed ${SIGNED.join(" and ")} in ${folder} with ${key}`);
}

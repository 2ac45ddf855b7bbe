// Signs a release with the secret key in MEMO_RELEASE_KEY: manifest.json, which `memo upgrade` goes by, and SHA256SUMS.
//
//   deno run -A tools/release/sign.ts [dist/release]

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseKeys } from "../compile/release_keys.ts";
import type { Manifest } from "./manifest.ts";
import { publicKeyOf, signatureOf } from "./signature.ts";

const [folder = "dist/release"] = process.argv.slice(2);
const secret = process.env["MEMO_RELEASE_KEY"] ?? "";
if (secret === "") throw new Error("MEMO_RELEASE_KEY has no key to sign with");
const key = publicKeyOf(secret);
if (!releaseKeys().includes(key)) {
  throw new Error(`packaging/release.pub does not have ${key}, so no memo would accept it`);
}
const { version } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
for (const name of ["manifest.json", "SHA256SUMS"]) {
  const text = signatureOf(readFileSync(join(folder, name)), secret, `memo ${version} ${name}`);
  writeFileSync(join(folder, `${name}.minisig`), text);
}
console.error(`Signed memo ${version} with ${key}`);

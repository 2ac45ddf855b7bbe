// Makes a key for releases: the secret one in a new file, its public one behind those of packaging/release.pub.
//
//   deno run -A tools/release/new_key.ts release.pem

import { appendFileSync, writeFileSync } from "node:fs";
import { parsePublicKey } from "../../src/features/upgrade/releases.ts";
import { PUBLIC_KEYS } from "../compile/release_keys.ts";
import { newSecretKey, publicKeyOf } from "./signature.ts";

const [file = "release.pem"] = process.argv.slice(2);
const secret = newSecretKey();
const key = publicKeyOf(secret);
writeFileSync(file, secret, { flag: "wx", mode: 0o600 });
appendFileSync(
  PUBLIC_KEYS,
  `untrusted comment: minisign public key ${parsePublicKey(key).id}\n${key}\n`,
);
console.error(`Wrote ${file} (keep it secret), and added ${key} to packaging/release.pub`);

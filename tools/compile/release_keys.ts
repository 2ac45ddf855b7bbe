import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parsePublicKey } from "../../src/features/upgrade/releases.ts";

/** Where the public keys of releases are, as minisign writes them. */
export const PUBLIC_KEYS = fileURLToPath(
  new URL("../../packaging/release.pub", import.meta.url),
);

/** The public keys whose signatures an executable is to accept; throws for a line that is none. */
export function releaseKeys(): string[] {
  const lines = readFileSync(PUBLIC_KEYS, "utf8").split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("untrusted comment:"));
  for (const key of keys) parsePublicKey(key);
  return keys;
}

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { waitForLock } from "../../src/core/files/lock.ts";
import { compile } from "../../tools/compile/compile.ts";
import { HOST, targetNamed } from "../../tools/compile/targets.ts";
import { sha256, sumsFile } from "../../tools/release/manifest.ts";
import { publicKeyOf, signatureOf } from "../../tools/release/signature.ts";
import { type Loopback, serveLoopback } from "./loopback.ts";
import { temporaryFolder } from "./temp.ts";

/** A version that is newer than any. */
export const NEWER = "99.0.0";

/** A version that is older than any, and the one that `olderMemo` is. */
export const OLDER = "0.0.1";

/** The secret key of releases in tests: always the same, so that the executable which accepts it is built once. */
export const SECRET_KEY = `-----BEGIN PRIVATE KEY-----
${Buffer.from("302e020100300506032b657004220420" + "6d".repeat(32), "hex").toString("base64")}
-----END PRIVATE KEY-----
`;

let older: Promise<string> | undefined;

/** An executable that accepts releases of tests, built by the first test that needs it. */
export function olderMemo(): Promise<string> {
  return older ??= buildOlder(); // to see that nothing has changed takes a second
}

async function buildOlder(): Promise<string> {
  const lock = fileURLToPath(new URL("../../dist/.older.lock", import.meta.url));
  const release = await waitForLock(lock, { freshMs: 300_000, waitMs: 300_000 });
  try {
    const keys = [publicKeyOf(SECRET_KEY)];
    return compile(targetNamed(HOST), { version: OLDER, keys }).path;
  } finally {
    release?.();
  }
}

/** The release of an executable for this platform, as the files that a server has. */
export function releaseOf(executable: Uint8Array, version: string): Map<string, Uint8Array> {
  const archive = packed([{ name: "memo", data: executable }]);
  const file = `memo-${HOST}.tar.gz`;
  const row = {
    file,
    size: archive.length,
    sha256: sha256(archive),
    executable: { name: "memo", size: executable.length, sha256: sha256(executable) },
  };
  const manifest = JSON.stringify({ name: "memo", version, archives: { [HOST]: row } });
  const sums = sumsFile(new Map([[file, archive]]));
  return new Map([
    [file, archive],
    ...signed("manifest.json", manifest),
    ...signed("SHA256SUMS", sums),
  ]);
}

/** A file of a release, and its signature. */
export function signed(name: string, text: string, secret = SECRET_KEY): [string, Uint8Array][] {
  const bytes = Buffer.from(text);
  return [[name, bytes], [`${name}.minisig`, Buffer.from(signatureOf(bytes, secret, name))]];
}

/** Files as an archive in the form of a compressed one: to compress the executable takes long. */
export function packed(files: readonly { name: string; data: Uint8Array }[]): Uint8Array {
  using folder = temporaryFolder();
  for (const { name, data } of files) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), data, { mode: 0o755 });
  }
  const names = files.map(({ name }) => name);
  const tar = execFileSync("tar", ["-cf", "-", "-C", folder.path, ...names], {
    maxBuffer: Infinity,
  });
  return gzipSync(tar, { level: 0 });
}

/**
 * A loopback server that has one release, as GitHub has them: `/latest/download/FILE` and `/download/v1.2.3/FILE`. With
 * `elsewhere` it sends every request on to another address.
 */
export function serveReleases(
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
  elsewhere?: string,
): Promise<Loopback> {
  return serveLoopback(({ path }, response) => {
    if (elsewhere !== undefined) return void response.writeHead(302, { location: elsewhere }).end();
    const [, place, file] = /^\/(latest\/download|download\/v[^/]+)\/([^/]+)$/.exec(path) ?? [];
    const isThere = place === "latest/download" || place === `download/v${version}`;
    const bytes = isThere ? files.get(file!) : undefined;
    if (bytes === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
}

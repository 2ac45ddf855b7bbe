import { createHash } from "node:crypto";
import { MemoError, messageOf } from "../../errors.ts";
import { checkSignature, refusal } from "./signature.ts";

/** One archive of a release, as `manifest.json` describes it. */
export interface Archive {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  readonly executable: { readonly name: string; readonly size: number; readonly sha256: string };
}

/** A release, as far as an upgrade goes by it. */
export interface Release {
  readonly version: string;
  readonly archives: Readonly<Record<string, Archive>>;
}

const MANIFEST = "manifest.json";
const MAX_MANIFEST_BYTES = 1_000_000;
const MAX_SIGNATURE_BYTES = 10_000;
const MAX_ARCHIVE_BYTES = 1_000_000_000;
const MAX_REDIRECTS = 5;

/** A server that does not send anything for this long has gone away. */
const STALL_MS = 60_000;

/** One that sends less than this, however steadily, does not get to the end: 160 kbit/s. */
const MIN_BYTES_PER_MS = 20;

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** The address of releases as it may be used: https, or this machine; throws otherwise. */
export function releasesUrl(address: string): URL {
  const url = URL.parse(address.replace(/\/*$/, "/"));
  if (url !== null && isSafe(url)) return url;
  throw new MemoError(
    "usage",
    `Cannot look for releases at \`${address}\`: it is neither https nor this machine`,
    { hint: "Run `memo config set upgrade.releases https://…`" },
  );
}

function isSafe({ protocol, hostname }: URL): boolean {
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

/** What a release is to be, and how long a server may take. */
export interface ReleaseOptions {
  /** The public keys of which one has to have signed it. */
  readonly keys: readonly string[];
  /** The newest one unless said. */
  readonly version?: string | undefined;
  readonly stallMs?: number;
}

/** Reads the manifest of a release, once its signature is checked. */
export async function fetchRelease(
  releases: URL,
  { keys, version, stallMs }: ReleaseOptions,
): Promise<Release> {
  const bytes = await fetchBytes(fileUrl(releases, MANIFEST, version), {
    limit: MAX_MANIFEST_BYTES,
    stallMs,
  });
  const signature = await fetchBytes(fileUrl(releases, `${MANIFEST}.minisig`, version), {
    limit: MAX_SIGNATURE_BYTES,
    stallMs,
  }).catch((cause) => {
    throw refusal(`Cannot check the signature of the release: ${messageOf(cause)}`, cause);
  });
  checkSignature(bytes, { signature: new TextDecoder().decode(signature), keys, what: MANIFEST });
  const release = parseRelease(bytes);
  if (version === undefined || release.version === version) return release;
  throw new MemoError("file", `The release ${version} says that it is ${release.version}`);
}

/** Fetches an archive of a release and checks its sum. */
export async function fetchArchive(
  releases: URL,
  { version, archive, stallMs }: {
    readonly version: string;
    readonly archive: Archive;
    readonly stallMs?: number;
  },
  onProgress?: (done: number, total: number) => void,
): Promise<Uint8Array> {
  const bytes = await fetchBytes(fileUrl(releases, archive.file, version), {
    limit: Math.min(archive.size, MAX_ARCHIVE_BYTES),
    stallMs,
    onProgress: (done) => onProgress?.(done, archive.size),
  });
  checkSum(bytes, archive.sha256, `\`${archive.file}\``);
  return bytes;
}

/** Throws unless bytes have a SHA-256. */
export function checkSum(bytes: Uint8Array, sha256: string, what: string): void {
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found === sha256) return;
  throw new MemoError(
    "file",
    `${what} is not what was released: its SHA-256 is ${found}, not ${sha256}`,
    { hint: "Nothing was changed. Run `memo upgrade` again later" },
  );
}

/** `latest/download/` and `download/v1.2.3/` below the address, as GitHub has them. */
function fileUrl(releases: URL, file: string, version: string | undefined): URL {
  return new URL(
    `${version === undefined ? "latest/download" : `download/v${version}`}/${file}`,
    releases,
  );
}

async function fetchBytes(
  url: URL,
  { limit, stallMs = STALL_MS, onProgress }: {
    /** How long the answer may be. */
    readonly limit: number;
    readonly stallMs?: number | undefined;
    readonly onProgress?: (done: number) => void;
  },
): Promise<Uint8Array> {
  const abort = new AbortController();
  const stop = (why: string) => () => abort.abort(new Error(why));
  let stalled = setTimeout(stop("the server stopped sending"), stallMs);
  const slow = setTimeout(stop("the server sends too slowly"), stallMs + limit / MIN_BYTES_PER_MS);
  try {
    const response = await follow(url, abort.signal);
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the server answered ${response.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      clearTimeout(stalled);
      stalled = setTimeout(stop("the server stopped sending"), stallMs);
      size += part.length;
      if (size > limit) throw new Error(`it is longer than ${limit} bytes`);
      parts.push(part);
      onProgress?.(size);
    }
    return Buffer.concat(parts);
  } catch (cause) {
    const why = messageOf(abort.signal.aborted ? abort.signal.reason : cause);
    throw new MemoError("file", `Cannot fetch \`${url}\`: ${why}`, {
      cause,
      hint:
        "Nothing was changed. Run `memo upgrade` again, or see `memo config get upgrade.releases`",
    });
  } finally {
    clearTimeout(stalled);
    clearTimeout(slow);
  }
}

/** Requests an address, and those it redirects to as long as they are safe. */
async function follow(url: URL, signal: AbortSignal): Promise<Response> {
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, { redirect: "manual", signal });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url);
    if (!isSafe(url)) throw new Error(`it redirects to \`${url}\`, which is not https`);
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

/** A manifest that came from outside; throws for what is none. */
function parseRelease(bytes: Uint8Array): Release {
  try {
    const release = JSON.parse(new TextDecoder().decode(bytes)) as Release;
    if (!VERSION.test(release.version)) throw new Error("it has no version");
    for (const archive of Object.values(release.archives)) checkArchive(archive);
    return release;
  } catch (cause) {
    throw new MemoError("file", `Cannot read the release's manifest: ${messageOf(cause)}`, {
      cause,
      hint: "Run `memo config get upgrade.releases` to see where it comes from",
    });
  }
}

function checkArchive({ file, size, sha256, executable }: Archive): void {
  const isNamed = /^[\w.-]+$/.test(file) && /^[\w.-]+$/.test(executable.name);
  const isSummed = [sha256, executable.sha256].every((sum) => /^[0-9a-f]{64}$/.test(sum));
  if (!isNamed || !isSummed || !Number.isSafeInteger(size)) {
    throw new Error("it describes an archive that cannot be");
  }
}

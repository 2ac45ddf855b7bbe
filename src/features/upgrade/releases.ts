import { readStream } from "../../core/files/bounded.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { createHash, createPublicKey, verify } from "node:crypto";

const MANIFEST = "manifest.json";
const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;

/** Maximum time for one file of a release, none of which is large. */
const TIMEOUT_MS = 60_000;

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** The address of releases as it may be used: https, or this machine; throws otherwise. */
export function releasesUrl(address: string): URL {
  const url = URL.parse(address.replace(/\/*$/, "/"));
  if (url !== null && isSafe(url)) return url;
  throw new MemoError(
    "usage",
    `Cannot look for releases at \`${address}\`: it is neither https nor on this machine`,
    { hint: "Run `memo config set upgrade.releases https://…`" },
  );
}

function isSafe({ protocol, hostname }: URL): boolean {
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

/** The version of the newest release, or of the one that is asked for, once the release's signature is checked. */
export async function fetchVersion(
  releases: URL,
  { keys, version, timeoutMs = TIMEOUT_MS }: {
    /** The public keys of which one has to have signed it. */
    readonly keys: readonly string[];
    readonly version?: string | undefined;
    readonly timeoutMs?: number;
  },
): Promise<string> {
  const fetched = (file: string) =>
    fetchBytes(new URL(`${folderOf(version)}/${file}`, releases), timeoutMs);
  const bytes = await fetched(MANIFEST);
  const signature = await fetched(`${MANIFEST}.minisig`).catch((cause) => {
    throw refusal(`Cannot check the release's signature: ${messageOf(cause)}`, cause);
  });
  checkSignature(bytes, { signature: new TextDecoder().decode(signature), keys, what: MANIFEST });
  const found = versionIn(bytes);
  if (version === undefined || found === version) return found;
  throw new MemoError("file", `Cannot use release ${version}: it says it is ${found}`);
}

/** The line for a shell that installs a version in place of an executable. */
export function installLine(
  releases: URL,
  version: string,
  { folder, isWindows = process.platform === "win32" }: {
    readonly folder: string;
    readonly isWindows?: boolean;
  },
): string {
  const installer = new URL(
    `${folderOf(version)}/install.${isWindows ? "ps1" : "sh"}`,
    releases,
  );
  return isWindows
    ? `& ([scriptblock]::Create((irm ${installer}))) -Version ${version} -To '${folder}'`
    : `curl -fsSL ${installer} | sh -s -- --version ${version} --to '${folder}'`;
}

/** A release below the address, as GitHub has them. */
function folderOf(version: string | undefined): string {
  return version === undefined ? "latest/download" : `download/v${version}`;
}

async function fetchBytes(url: URL, timeoutMs: number): Promise<Uint8Array> {
  try {
    const response = await follow(url, AbortSignal.timeout(timeoutMs));
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the server answered ${response.status}`);
    }
    return await readStream(response.body ?? (async function* () {})(), MAX_BYTES);
  } catch (cause) {
    throw new MemoError("file", `Cannot fetch \`${url}\`: ${messageOf(cause)}`, {
      cause,
      hint: "Run `memo upgrade` again, or see `memo config get upgrade.releases`",
    });
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

/** The version in a manifest that came from outside; throws for what is none. */
function versionIn(bytes: Uint8Array): string {
  try {
    const { version } = JSON.parse(new TextDecoder().decode(bytes)) as { version?: unknown };
    if (typeof version === "string" && VERSION.test(version)) return version;
    throw new Error("it has no version");
  } catch (cause) {
    throw new MemoError("file", `Cannot read the release's manifest: ${messageOf(cause)}`, {
      cause,
      hint: "Run `memo config get upgrade.releases` to see where it comes from",
    });
  }
}

/** The commands that upgrade and remove a memo that a package manager installed; undefined for others. */
export function packageManagerOf(
  executable: string,
): { readonly upgrade: string; readonly remove: string } | undefined {
  return PACKAGE_MANAGERS.find(({ path }) => path.test(executable));
}

const PACKAGE_MANAGERS = [
  {
    path: /[\\/]node_modules[\\/]/,
    upgrade: "npm install --global claude-code-memo@latest",
    remove: "npm uninstall --global claude-code-memo",
  },
  {
    path: /[\\/](Cellar|linuxbrew)[\\/]/,
    upgrade: "brew upgrade memo",
    remove: "brew uninstall memo",
  },
  {
    path: /[\\/]scoop[\\/]apps[\\/]/i,
    upgrade: "scoop update memo",
    remove: "scoop uninstall memo",
  },
] as const;

// Signatures of releases, in the form of minisign: https://jedisct1.github.io/minisign/#signature-format
const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Throws unless a signature of minisign is of these bytes, by one of the keys. */
export function checkSignature(
  bytes: Uint8Array,
  { signature, keys, what }: {
    readonly signature: string;
    /** As minisign writes them. */
    readonly keys: readonly string[];
    readonly what: string;
  },
): void {
  const found = parseSignature(signature);
  if (found === undefined) {
    throw refusal(`${what} is not signed: \`${what}.minisig\` is not a minisign signature`);
  }
  const known = keys.map(parsePublicKey).find(({ id }) => id === found.id);
  if (known === undefined) {
    throw refusal(`\`${what}\` is signed with the key ${found.id}, which this memo does not know`);
  }
  const isOfFile = verify(null, digestOf(bytes), known.key, found.ofFile);
  const trusted = Buffer.concat([found.ofFile, Buffer.from(found.comment)]);
  if (isOfFile && verify(null, trusted, known.key, found.ofComment)) return;
  throw refusal(`\`${what}\` is not what was released: its signature by ${found.id} is wrong`);
}

/** What is said of a release that nobody who may has signed. */
export function refusal(message: string, cause?: unknown): MemoError {
  return new MemoError("file", message, {
    cause,
    hint: "Nothing was changed. Ask the project about it before you install this release",
  });
}

/** What is signed in place of a file. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("blake2b512").update(bytes).digest();
}

/** A public key as minisign writes it; throws for what is none. */
export function parsePublicKey(text: string) {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 2 + ID_BYTES + KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed") {
    throw new Error(`\`${text}\` is not a minisign public key`);
  }
  const x = bytes.subarray(2 + ID_BYTES).toString("base64url");
  return {
    id: idOf(bytes),
    key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
  };
}

/** A signature file of minisign; undefined for anything else. */
function parseSignature(text: string) {
  const [, first = "", second = "", third = ""] = text.split(/\r?\n/);
  const bytes = Buffer.from(first, "base64");
  const ofComment = Buffer.from(third, "base64");
  const [, comment] = /^trusted comment: (.*)$/.exec(second) ?? [];
  const isWhole = bytes.length === 2 + ID_BYTES + SIGNATURE_BYTES &&
    bytes.toString("latin1", 0, 2) === "ED" && ofComment.length === SIGNATURE_BYTES;
  if (!isWhole || comment === undefined) return undefined;
  return { id: idOf(bytes), ofFile: bytes.subarray(2 + ID_BYTES), comment, ofComment };
}

/** The name of a key as minisign prints it. */
function idOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(2, 2 + ID_BYTES)).reverse().toString("hex").toUpperCase();
}

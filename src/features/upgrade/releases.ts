import { MemoError, messageOf } from "../../errors.ts";
import { checkSignature, refusal } from "./signature.ts";

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
    `Cannot look for releases at \`${address}\`: it is neither https nor this machine`,
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
    throw refusal(`Cannot check the signature of the release: ${messageOf(cause)}`, cause);
  });
  checkSignature(bytes, { signature: new TextDecoder().decode(signature), keys, what: MANIFEST });
  const found = versionIn(bytes);
  if (version === undefined || found === version) return found;
  throw new MemoError("file", `The release ${version} says that it is ${found}`);
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
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
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

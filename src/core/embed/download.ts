import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, MemoError, messageOf } from "../../errors.ts";

/** Suffix of the file with the server's tag for the partial file beside it, so that a later try can continue it. */
export const ETAG_SUFFIX = ".etag";

/** Hugging Face answers 401 for a repository that does not exist. */
const MISSING = [401, 404];

const MAX_REDIRECTS = 5;

/** A server that sends nothing for this long is treated as gone. */
const STALL_MS = 60_000;

/** The system's error codes for a problem of the disk. */
const DISK_ERRORS = ["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "EIO", "ENOTDIR", "EISDIR"];

/** No embedding model that is fast enough for a hook is larger. */
const MAX_BYTES = 4 * 1024 ** 3;

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
  /** The hint of the error if it fails. */
  readonly hint?: string | undefined;
}

/** The server's data about a downloaded file. */
export interface Downloaded {
  /** The commit of the file, if the server is a Git host. */
  readonly commit: string | undefined;
}

/**
 * Downloads a file, and continues an interrupted try; undefined if the server has no such file. An interruption keeps
 * the partial file; a damaged one is removed. Throws a `model` MemoError.
 */
export async function download(
  url: URL,
  path: string,
  options: DownloadOptions = {},
): Promise<Downloaded | undefined> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const start = resumePoint(path);
  const watchdog = new Watchdog(options.signal);
  try {
    const { response, linked } = await request(url, { ...start }, watchdog.signal);
    if (MISSING.includes(response.status)) {
      await response.body?.cancel();
      discard(path);
      return undefined;
    }
    const offset = offsetOf(response, start.offset);
    if (offset === "restart") {
      await response.body?.cancel();
      if (start.offset === 0) throw new Error("the server sends a part that nobody asked for");
      discard(path);
      return await download(url, path, options);
    }
    if (!response.ok && offset !== "complete") {
      await response.body?.cancel();
      throw new Error(`the server answered ${response.status} ${response.statusText}`.trim());
    }
    if (offset !== "complete") await receive(response, { path, offset, watchdog, options });
    await checkHash(path, linked["x-linked-etag"] ?? response.headers.get("etag"));
    return { commit: linked["x-repo-commit"] };
  } catch (cause) {
    throw explain(cause, { url, path, reason: watchdog.reason, hint: options.hint });
  } finally {
    watchdog.stop();
  }
}

interface ResumePoint {
  readonly offset: number;
  readonly etag: string | undefined;
}

/** The size of the partial file, if the server can tell whether it is still a part of the file. */
function resumePoint(path: string): ResumePoint {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return { offset: 0, etag: undefined };
  try {
    return { offset: size, etag: readFileSync(path + ETAG_SUFFIX, "utf8") };
  } catch {
    return { offset: 0, etag: undefined };
  }
}

/** Follows redirects itself: none may leave TLS, and the first answer has headers that the last one lacks. */
async function request(
  url: URL,
  { offset, etag }: ResumePoint,
  signal: AbortSignal,
): Promise<{ response: Response; linked: Record<string, string> }> {
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (etag !== undefined) Object.assign(headers, { range: `bytes=${offset}-`, "if-range": etag });
  const linked: Record<string, string> = {};
  let place = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isSafe(place, url)) throw new Error(`\`${place.origin}\` is not reached over https`);
    const response = await fetch(place, { headers, redirect: "manual", signal });
    for (const name of ["x-linked-etag", "x-repo-commit"]) {
      const value = response.headers.get(name);
      if (value !== null) linked[name] ??= value;
    }
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) {
      return { response, linked };
    }
    await response.body?.cancel();
    place = new URL(location, place);
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

/** https, or this machine if the first address was on it. */
function isSafe(place: URL, start: URL): boolean {
  return place.protocol === "https:" || (isLoopback(place) && isLoopback(start));
}

/** Whether an address is plain http on this machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The offset of the answer in the file; or that the file is complete, or that the partial one is of no use. */
function offsetOf(response: Response, asked: number): number | "complete" | "restart" {
  const range = response.headers.get("content-range") ?? "";
  if (response.status === 416 && asked > 0) {
    return /\/(\d+)$/.exec(range)?.[1] === String(asked) ? "complete" : "restart";
  }
  if (response.status !== 206) return 0;
  return /^bytes (\d+)-/.exec(range)?.[1] === String(asked) ? asked : "restart";
}

interface Reception {
  readonly path: string;
  readonly offset: number;
  readonly watchdog: Watchdog;
  readonly options: DownloadOptions;
}

async function receive(
  response: Response,
  { path, offset, watchdog, options }: Reception,
): Promise<void> {
  const length = response.headers.get("content-length");
  const total = length === null || response.headers.has("content-encoding")
    ? undefined
    : offset + Number(length);
  if (offset === 0) noteEtag(response, path);
  const file = openSync(path, offset === 0 ? "w" : "a", 0o600);
  let done = offset;
  try {
    for await (const chunk of response.body ?? []) {
      watchdog.feed();
      if (done + chunk.length > Math.min(total ?? MAX_BYTES, MAX_BYTES)) {
        discard(path);
        throw new Error(`the server sends more than ${total ?? MAX_BYTES} bytes`);
      }
      for (let written = 0; written < chunk.length;) written += writeSync(file, chunk, written);
      done += chunk.length;
      options.onProgress?.(done, total);
    }
  } finally {
    closeSync(file);
  }
  if (total !== undefined && done < total) {
    throw new Error(`the connection ended after ${done} of ${total} bytes`);
  }
}

/** A weak tag does not guarantee the same bytes, so a file that has one is never continued. */
function noteEtag(response: Response, path: string): void {
  const etag = response.headers.get("etag");
  if (etag === null || etag.startsWith("W/")) rmSync(path + ETAG_SUFFIX, { force: true });
  else writeFileSync(path + ETAG_SUFFIX, etag, { mode: 0o600 });
}

/** Hugging Face's tag of a large file is the SHA-256 of its contents. */
async function checkHash(path: string, etag: string | null | undefined): Promise<void> {
  const expected = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(etag ?? "")?.[1];
  if (expected === undefined) return;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  if (hash.digest("hex") === expected) return;
  discard(path);
  throw new Error("its contents do not have the checksum that the server announced");
}

function discard(path: string): void {
  rmSync(path, { force: true });
  rmSync(path + ETAG_SUFFIX, { force: true });
}

/** The error for users: about the disk, or about the server. */
function explain(
  cause: unknown,
  { url, path, reason, hint }: {
    readonly url: URL;
    readonly path: string;
    readonly reason: string | undefined;
    readonly hint: string | undefined;
  },
): MemoError {
  if (cause instanceof MemoError) return cause;
  if (DISK_ERRORS.includes(codeOf(cause) ?? "")) {
    return new MemoError("file", `Cannot write \`${path}\`: ${messageOf(cause)}`, { cause, hint });
  }
  const why = reason ?? messageOf(cause);
  return new MemoError("model", `Cannot fetch \`${url}\`: ${why}`, { cause, hint });
}

/** Aborts a download that the caller cancels or that has stalled, and reports which. */
class Watchdog {
  readonly signal: AbortSignal;
  readonly #stalled = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    this.signal = AbortSignal.any([this.#stalled.signal, ...(outer ? [outer] : [])]);
    this.feed();
  }

  /** Why it aborted the download; undefined if it did not. */
  get reason(): string | undefined {
    if (this.#outer?.aborted) return "it was stopped";
    if (!this.#stalled.signal.aborted) return undefined;
    return `nothing arrived for ${STALL_MS / 1000} seconds`;
  }

  feed(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#stalled.abort(), STALL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

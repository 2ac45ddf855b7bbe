// What a request must be before anything is read from it or done for it. Any user of the machine and any page in the
// browser can reach the port: the first has no token, and the second another origin, whatever name it gives the address.

import { createHash, timingSafeEqual } from "node:crypto";

/** The head of a request, as it came. */
export interface Head {
  readonly method: string;
  /** The request target. */
  readonly target: string;
  /** Names and values in turn, as they were sent: `headers` hides what was sent twice. */
  readonly rawHeaders: readonly string[];
}

/** What a request that has passed wants. */
export type Wanted =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "call"; readonly name: string; readonly token: string };

/** Why one has not. */
export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  /** A sentence for a person. */
  readonly error: string;
}

/** A target is compared as it came: a file's path is looked up as a whole, and this is a call's. */
const CALL = /^\/api\/([a-z]+)$/;
const TOKEN = /^Bearer ([A-Za-z0-9_-]{43})$/;
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
/** Headers that count here; one that is sent twice is an attempt to have two readers see two values. */
const ONCE = [
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-length",
  "transfer-encoding",
];

/** Checks the head of a request to the page at `host`, which is an address with its port. */
export function check({ method, target, rawHeaders }: Head, host: string): Wanted | Refusal {
  const headers = byName(rawHeaders);
  const of = (name: string) => headers.get(name)?.[0];
  // A name that someone else points to this machine arrives as it is: only the address itself counts.
  if (headers.get("host")?.length !== 1 || of("host") !== host) {
    return refused(403, "This is not the address of memo's page");
  }
  const twice = ONCE.find((name) => (headers.get(name)?.length ?? 0) > 1);
  if (twice !== undefined) return refused(400, `The request has more than one \`${twice}\``);
  const call = CALL.exec(target)?.[1];
  const isDocument = target === "/" && of("sec-fetch-mode") === "navigate" &&
    of("sec-fetch-dest") === "document";
  const site = of("sec-fetch-site");
  // A link from elsewhere may open the document, which has nothing in it without a token.
  const isOwn = site === undefined || site === "same-origin" || isDocument ||
    (site === "none" && call === undefined);
  if (!isOwn) return refused(403, "Another site has sent this request");
  const origin = of("origin");
  if (origin !== undefined && origin !== `http://${host}`) {
    return refused(403, "Another origin has sent this request");
  }
  if (call === undefined) {
    return method === "GET"
      ? { kind: "file", path: target }
      : refused(405, "Files of the page are only read");
  }
  if (method !== "POST") return refused(405, "A call is sent with POST");
  if (!JSON_TYPE.test(of("content-type") ?? "")) return refused(415, "A call is sent as JSON");
  const token = TOKEN.exec(of("authorization") ?? "")?.[1];
  return token === undefined
    ? refused(401, "This page has no access any more; run `memo ui` again")
    : { kind: "call", name: call, token };
}

/** Whether a token has a digest; takes equally long for any token. */
export function isToken(token: string, digest: Uint8Array | undefined): boolean {
  return digest !== undefined && timingSafeEqual(digestOf(token), digest);
}

/** What is kept of a token: its SHA-256. */
export function digestOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

function refused(status: number, error: string): Refusal {
  return { kind: "refused", status, error };
}

function byName(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    headers.set(name, [...headers.get(name) ?? [], rawHeaders[i + 1]!]);
  }
  return headers;
}

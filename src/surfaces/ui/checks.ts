// What a request must be before anything is read from it or done for it. Any user of the machine and any page in the
// browser can reach the port: the first has no token, and the second another origin, whatever name it gives the address.

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What a request that has passed wants. */
export type CheckedRequest =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "call"; readonly name: string; readonly token: string };

/** Why one has not. */
export interface RequestRefusal {
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
export function check(
  { method, url: target = "", headersDistinct: headers }: IncomingMessage, // with what was sent twice
  host: string,
): CheckedRequest | RequestRefusal {
  const of = (name: string) => headers[name]?.[0];
  // A name that someone else points to this machine arrives as it is: only the address itself counts.
  if (headers["host"]?.length !== 1 || of("host") !== host) {
    return refused(403, "This page has another address");
  }
  const twice = ONCE.find((name) => (headers[name]?.length ?? 0) > 1);
  if (twice !== undefined) return refused(400, `The request has more than one \`${twice}\``);
  const call = CALL.exec(target)?.[1];
  const isDocument = target === "/" && of("sec-fetch-mode") === "navigate" &&
    of("sec-fetch-dest") === "document";
  const site = of("sec-fetch-site");
  // A link from elsewhere may open the document, which has nothing in it without a token.
  const isOwn = site === undefined || site === "same-origin" || isDocument ||
    (site === "none" && call === undefined);
  if (!isOwn) return refused(403, "The request comes from another site");
  const origin = of("origin");
  if (origin !== undefined && origin !== `http://${host}`) {
    return refused(403, "The request comes from another origin");
  }
  if (call === undefined) {
    return method === "GET"
      ? { kind: "file", path: target }
      : refused(405, "Page files are read-only");
  }
  if (method !== "POST") return refused(405, "Calls must use POST");
  if (!JSON_TYPE.test(of("content-type") ?? "")) return refused(415, "Calls must be JSON");
  const token = TOKEN.exec(of("authorization") ?? "")?.[1];
  return token === undefined
    ? refused(401, "This page has expired; run `memo ui` again")
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

function refused(status: number, error: string): RequestRefusal {
  return { kind: "refused", status, error };
}

// The headers of every reply, errors among them. None of them lets another origin in: no reply has a header of CORS.

/** What a document of the page may load and do: its own files and calls, no inline code, no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  // Where a browser knows them, text cannot become markup by mistake: `innerHTML` throws.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The headers of every reply. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

// Signatures of releases, in the form of minisign: https://jedisct1.github.io/minisign/#signature-format

import { createHash, createPublicKey, verify } from "node:crypto";
import { MemoError } from "../../errors.ts";

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

import { createPrivateKey, sign } from "node:crypto";
import { MemoError, messageOf } from "../../errors.ts";

/** What a token allows: reading alone, or reading and writing. */
export type Access = "ro" | "rw";

export interface TokenOptions {
  readonly access: Access;
  /** The namespace of the server that it is for. */
  readonly namespace: string;
  readonly now: Date;
  readonly days: number;
}

/**
 * A token for a libSQL server: a JWT (RFC 7519) with `id` and `a`, signed with the server's Ed25519 key (RFC 8037).
 * Throws a `usage` MemoError for a text that holds no such key.
 */
export function makeToken(pem: string, { access, namespace, now, days }: TokenOptions): string {
  let key;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (key.asymmetricKeyType !== "ed25519") throw refuse(`it is of type ${key.asymmetricKeyType}`);
  const issued = Math.floor(now.getTime() / 1000);
  const claims = { id: namespace, a: access, iat: issued, exp: issued + days * 86_400 };
  const signed = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function refuse(because: string): MemoError {
  return new MemoError("usage", `Cannot sign a token with this key: ${because}`, {
    hint: "Make one with `openssl genpkey -algorithm ed25519 -out team-key.pem`",
  });
}

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { digestOf } from "../../src/features/upgrade/releases.ts";

/** A new secret key, as `openssl genpkey -algorithm ed25519` makes one. */
export function newSecretKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/** The public key of a secret one, as minisign writes it. */
export function publicKeyOf(secret: string): string {
  const key = rawPublicKey(createPrivateKey(secret));
  return Buffer.concat([Buffer.from("Ed"), idOf(key), key]).toString("base64");
}

/** The text of `FILE.minisig`. */
export function signatureOf(bytes: Uint8Array, secret: string, comment: string): string {
  const key = createPrivateKey(secret);
  const id = idOf(rawPublicKey(key));
  const ofFile = sign(null, digestOf(bytes), key);
  const ofComment = sign(null, Buffer.concat([ofFile, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature of a release of memo",
    Buffer.concat([Buffer.from("ED"), id, ofFile]).toString("base64"),
    `trusted comment: ${comment}`,
    ofComment.toString("base64"),
    "",
  ].join("\n");
}

function rawPublicKey(key: KeyObject): Uint8Array {
  const { kty, crv, x } = createPublicKey(key).export({ format: "jwk" });
  if (kty === "OKP" && crv === "Ed25519") return Buffer.from(x!, "base64url");
  throw new Error(`The release key is ${crv ?? kty}; it must be Ed25519`);
}

/** The eight bytes that signatures call a key by; minisign takes any. */
function idOf(publicKey: Uint8Array): Uint8Array {
  return createHash("sha256").update(publicKey).digest().subarray(0, 8);
}

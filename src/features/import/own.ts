// What of an import is the person's own: an export that this home has signed or another that they have called theirs,
// and instructions that they say they wrote.

import { createPublicKey, generateKeyPairSync, hash, sign, verify } from "node:crypto";
import { basename, dirname } from "node:path";
import { changeState, readState } from "../../core/files/state.ts";
import { askGit } from "../../core/files/git.ts";
import { isWithin, type Place, realPath } from "../../core/memory/project.ts";
import { ownRulePlaces } from "../../core/memory/rule_files.ts";
import type { Bundle, BundleFile, BundleFolder } from "./bundle.ts";

/** The signature of an export. */
export interface Seal {
  /** The public key of the home that wrote it. */
  readonly key: string;
  /** What it covers: a digest of each file in its project, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Of `files` as JSON, in base64. */
  readonly signature: string;
}

interface HomeKeys {
  /** The secret key of this home, in PEM. */
  readonly secret?: string;
  /** The public keys of other homes that the person has called theirs, in PEM. */
  readonly others?: readonly string[];
  /** Whether the person wrote a file of instructions, by path, as they have said. */
  readonly files?: Readonly<Record<string, boolean>>;
}

/** Signs an export with the key of this home, which the first export makes. */
export async function sealed(bundle: Bundle, file: string): Promise<Bundle> {
  let secret = "";
  await change(file, (own) => {
    const fresh = () => generateKeyPairSync("ed25519").privateKey.export(PKCS8).toString();
    return { ...own, secret: secret = own.secret ?? fresh() };
  });
  const files = Object.fromEntries(digestsIn(bundle));
  const signature = sign(null, Buffer.from(JSON.stringify(files)), secret).toString("base64");
  return { ...bundle, seal: { key: publicKeyOf(secret), files, signature } };
}

/** The paths of the files that are as the signature of their export has them. */
export function coveredIn(bundle: Bundle): ReadonlySet<string> {
  if (bundle.seal === undefined) return new Set();
  const { key, files, signature } = bundle.seal;
  try {
    const signed = Buffer.from(JSON.stringify(files));
    if (!verify(null, signed, key, Buffer.from(signature, "base64"))) return new Set();
  } catch {
    return new Set(); // the key cannot be read
  }
  const digests = new Map(Object.entries(files));
  // A path that is there twice may be another file.
  const found = Map.groupBy(digestsIn(bundle), ([path]) => path);
  const covered = [...found].filter(([path, its]) =>
    its.every(([, digest]) => digests.get(path) === digest)
  );
  return new Set(covered.map(([path]) => path));
}

/** Whether a public key is that of this home, or of one that the person has called theirs. */
export function isOwnKey(key: string, file: string): boolean {
  const { secret, others = [] }: HomeKeys = readState(file) ?? {};
  return others.includes(key) || (secret !== undefined && publicKeyOf(secret) === key);
}

/** Keeps that the home of a public key is the person's, too. */
export async function keepOwnKey(key: string, file: string): Promise<void> {
  await change(file, ({ others = [], ...own }) => ({ ...own, others: [...others, key] }));
}

/** Whether the person wrote a file of instructions, as far as they have been asked. */
export function wroteFile(path: string, file: string): boolean | undefined {
  const { files }: HomeKeys = readState(file) ?? {};
  return files?.[realPath(path)];
}

/** Keeps whether the person wrote some files of instructions. */
export async function keepWritten(
  paths: readonly string[],
  isWritten: boolean,
  file: string,
): Promise<void> {
  const said = Object.fromEntries(paths.map((path) => [realPath(path), isWritten]));
  await change(file, ({ files, ...own }) => ({ ...own, files: { ...files, ...said } }));
}

/** Whether the person may have written a rule file: their own for an agent, or one that nobody else has committed. */
export async function mayBeOwn(
  path: string,
  place: Pick<Place, "claude" | "home">,
): Promise<boolean> {
  const real = realPath(path);
  if (ownRulePlaces(place).some((own) => isWithin(real, realPath(own)))) return true;
  const ask = (...args: readonly string[]) => askGit(dirname(path), args);
  const [tree, user, authors] = await Promise.all([
    ask("rev-parse", "--show-toplevel"),
    ask("config", "user.email"),
    ask("log", "--follow", "--format=%ae", "--", basename(path)),
  ]);
  return tree !== "" && authors.split("\n").every((each) => ["", user.trim()].includes(each));
}

async function change(file: string, alter: (own: HomeKeys) => HomeKeys): Promise<void> {
  await changeState(file, alter, {
    read: (text): HomeKeys => text === undefined ? {} : JSON.parse(text),
    hint: "Delete the file; memo then creates a new key and asks again",
  });
}

function digestsIn({ folders, files }: Bundle): [path: string, digest: string][] {
  return folders.flatMap((folder) =>
    files.filter(({ relativePath }) => relativePath.startsWith(`${folder.id}/`))
      .map((file): [string, string] => [file.relativePath, digestIn(folder, file)])
  );
}

/** A file is the person's word in its project alone. */
function digestIn({ root, identity }: BundleFolder, { bytes }: BundleFile): string {
  const project = JSON.stringify([root, identity?.remotes, identity?.commits]);
  return hash("sha256", `${hash("sha256", bytes)} ${project}`);
}

const PKCS8 = { format: "pem", type: "pkcs8" } as const;

function publicKeyOf(secret: string): string {
  return createPublicKey(secret).export({ format: "pem", type: "spki" }).toString();
}

// A strategy in a file of the user's, as the value of a setting: `./mine.ts@DIGEST`. It lies in the folder of memo's
// settings, where no repository and no team puts anything, and the digest is of the content that the person has allowed.

import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { readRegular } from "../files/bounded.ts";

/** A file that a setting names. */
export interface OwnFile {
  /** `./mine.ts`. */
  readonly name: string;
  /** The digest of the content that may run; undefined: none may. */
  readonly allowed: string | undefined;
}

const VALUE = /^(\.\/\w[\w.-]*\.(?:js|mjs|ts))(?:@([0-9a-f]{32}))?$/;
const MAX_BYTES = 256 * 1024;

/** The file that a value of `strategy.*` names; undefined if it names a strategy of memo's. */
export function ownFile(value: string): OwnFile | undefined {
  const [, name, allowed] = VALUE.exec(value) ?? [];
  return name === undefined ? undefined : { name, allowed };
}

/** Reads such a file; throws where there is none, or a link in its place. */
export function readOwnFile(folder: string, name: string) {
  const path = join(folder, name);
  try {
    if (lstatSync(path).isSymbolicLink()) throw new Error("it is a link");
    const bytes = readRegular(path, MAX_BYTES);
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    return { text: bytes.toString("utf8"), digest };
  } catch (error) {
    throw new MemoError("file", `Cannot read the strategy \`${path}\`: ${messageOf(error)}`, {
      hint: `Put the file itself into \`${folder}\``,
    });
  }
}

/** The text of a file whose content is allowed; throws where another one is, or none. */
export function allowedText(folder: string, { name, allowed }: OwnFile): string {
  const { text, digest } = readOwnFile(folder, name);
  if (digest === allowed) return text;
  throw new MemoError(
    "usage",
    allowed === undefined ? "it is not allowed yet" : "it has changed since it was allowed",
    { hint: `Read it, and run \`memo config set strategy.TYPE=${name}\` to allow it` },
  );
}

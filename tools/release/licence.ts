import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Under what a work may be used. */
export interface Licence {
  /** As its manifest names it. */
  readonly spdx: string;
  /** Its own words, or those of the licence that its manifest names. */
  readonly text: string;
}

/** Licences that memo, under the MIT License, may carry. A work under another one is not put in without a decision. */
export const ALLOWED: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Unlicense",
];

const FILE = /^(licen[cs]e|copying|notice)/i;

/** The licence of an npm package in a folder. */
export function licenceOf(folder: string): Licence {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const spdx = String(manifest.license ?? "");
  if (!spdx.split(/ OR | AND /).every((name) => ALLOWED.includes(name))) {
    throw new Error(`${manifest.name} is under \`${spdx}\`, a licence not cleared for memo`);
  }
  const files = readdirSync(folder).filter((name) => FILE.test(name)).sort();
  if (files.length > 0) {
    return { spdx, text: files.map((name) => tidy(join(folder, name))).join("\n\n") };
  }
  return { spdx, text: named(spdx, holderOf(manifest)) };
}

/** The text of a licence for works without one. */
export function named(spdx: string, holder: string): string {
  const permission = PERMISSIONS[spdx];
  if (permission === undefined) throw new Error(`No text for the licence ${spdx}`);
  return `Copyright (c) ${holder}\n\n${permission}`;
}

/** A licence's text without the line ends and the empty lines in which copies of it differ. */
function tidy(path: string): string {
  return readFileSync(path, "utf8").replace(/\r\n?/g, "\n").replace(/[ \t]+$/gm, "").trim();
}

function holderOf({ name, author }: { name: string; author?: string | { name?: string } }): string {
  const person = typeof author === "string" ? author.replace(/\s*<.*/, "") : author?.name;
  return person || `the authors of ${name}`;
}

const ROOT = new URL("../..", import.meta.url);

/** The permission of memo's own licence, which is the MIT License as everybody has it. */
function mit(): string {
  const text = readFileSync(new URL("LICENSE", ROOT), "utf8");
  return text.slice(text.indexOf("Permission is hereby")).trim();
}

const ISC = `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const PERMISSIONS: Readonly<Record<string, string>> = { MIT: mit(), ISC };

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CompiledPackage, idOf } from "../compile/graph.ts";
import { libsqlFolder, onnxPackage, runtimeOf } from "../compile/locate.ts";
import { lockedPackage } from "../compile/fetch_package.ts";
import { type Target, TARGETS } from "../compile/targets.ts";
import { type Licence, licenceOf, named } from "./licence.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A work in the executable that is not memo. */
export interface Work {
  readonly name: string;
  readonly version: string;
  readonly licence: Licence;
}

/** Packages whose code others carry inside their own files, where no record of a build sees it. */
const INSIDE = {
  "@huggingface/transformers": ["@huggingface/jinja", "@huggingface/tokenizers"],
} as const;

/** Works without their own package. */
const WITHOUT_PACKAGE: readonly Work[] = [
  {
    name: "lodash (in @secretlint/secretlint-rule-preset-recommend)",
    version: "",
    licence: {
      spdx: "MIT",
      text: named("MIT", "jQuery Foundation and other contributors, https://jquery.org/"),
    },
  },
];

/** Every work of others that executables for all targets contain, going by the packages in one of them. */
export function worksIn(packages: readonly CompiledPackage[]): Work[] {
  const perTarget = new Set<string>(TARGETS.flatMap(({ libsql, runtime }) => [libsql, runtime]));
  const own = packages.filter(({ name }) => !perTarget.has(name));
  const carried = own.flatMap(({ name, folder }) =>
    (INSIDE[name as keyof typeof INSIDE] ?? []).map((inside) => join(folder, "../..", inside))
  );
  const engines = ["native", "wasm"] as const;
  const folders = new Set([
    ...own.map(({ folder }) => folder),
    ...carried,
    ...engines.map(onnxPackage),
  ]);
  return [...[...folders].map(workIn), ...WITHOUT_PACKAGE]
    .sort((a, b) => idOf(a) < idOf(b) ? -1 : 1);
}

function workIn(folder: string): Work {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { name, version, licence: licenceOf(folder) };
}

/** Throws unless a target's native packages, which only its build fetches, are under the licence that NOTICE names. */
export function checkLicences(target: Target): void {
  for (const folder of [dirname(dirname(runtimeOf(target))), libsqlFolder(target)]) {
    const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (license !== "MIT") throw new Error(`${name} is under \`${license}\`, but NOTICE says MIT`);
  }
}

/** The text of NOTICE: every work, and under what it may be used, each text once. */
export function notice(works: readonly Work[]): string {
  const byText = Map.groupBy(works, ({ licence }) => licence.text);
  const sections = [...byText].map(([text, all]) => {
    const names = all.map(({ name, version, licence }) =>
      `${name}${version && ` ${version}`} (${licence.spdx})`
    );
    return `${names.join("\n")}\n\n${text.replace(/^/gm, "    ").replace(/ +$/gm, "")}\n`;
  });
  return [HEAD, modelNotice(), NATIVE(), titled("Packages"), ...sections].join("\n");
}

function modelNotice(): string {
  return readFileSync(join(ROOT, "tools/model/NOTICE"), "utf8");
}

function titled(title: string): string {
  return `${title}\n${"-".repeat(title.length)}\n`;
}

const HEAD = `memo
====

memo is under the MIT License, in the file LICENSE. Its executable contains the following works of
others. \`deno task notice\` writes this file from what is compiled.
`;

/** What is not JavaScript. */
const NATIVE = () =>
  `${titled("Bun")}
The executable begins with Bun ${versionOf("@oven/bun-linux-x64")}, https://bun.sh, under the
MIT License (Copyright (c) Jarred Sumner and contributors; the text of the licence is that of
LICENSE). It is changed in one thing: the names of the environment variables that
tools/compile/runtime.ts lists are blank. It comes from the npm package of the platform:

${listed(TARGETS.map(({ runtime }) => runtime))}

Bun contains JavaScriptCore and WebKit, under the GNU Library General Public License, version 2
(licenses/LGPL-2.0.txt), and TinyCC, under the GNU Lesser General Public License, version 2.1
(licenses/LGPL-2.1.txt). Their sources, those of Bun, and how to build Bun with changed ones are at
https://github.com/oven-sh/bun; memo built from its own sources with such a Bun runs as this one
does. Bun lists what else it links, under permissive licences, in its LICENSE.md.

${titled("ONNX Runtime")}
ONNX Runtime ${
    versionOf("onnxruntime-node")
  }, https://onnxruntime.ai, is under the MIT License (Copyright (c) Microsoft
Corporation). The works that it contains, and their licences, are in licenses/onnxruntime-1.30.0.txt.

${titled("libSQL")}
libSQL's library ${
    versionOf("@libsql/linux-x64-gnu")
  }, https://github.com/tursodatabase/libsql, is under the MIT License (Copyright (c)
2023 Pekka Enberg), and contains SQLite, which is in the public domain, and libraries of Rust under
the MIT License and the Apache License 2.0. It comes from the npm package of the platform:

${listed(TARGETS.map(({ libsql }) => libsql))}
`;

/** Packages of platforms, under the licence that is named before them. */
function listed(names: readonly string[]): string {
  return names.map((name) => `    ${name} ${versionOf(name)} (MIT)`).join("\n");
}

function versionOf(name: string): string {
  return lockedPackage(name).id.slice(name.length + 1);
}

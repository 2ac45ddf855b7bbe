// Compares manifests with `test/fixtures/manifests.yaml`, which says what each has to be.

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { TARGETS } from "../../tools/compile/targets.ts";
import type { Manifest } from "../../tools/release/manifest.ts";

/** A text's expression, the shapes of a list's entries, or a field each. */
type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };

/** What a manifest has to be, and what says so. */
interface Schema {
  readonly source: string;
  readonly shape?: Shape;
  readonly lines?: readonly string[];
}

const { words, ...schemas } = parse(
  readFileSync(new URL("../fixtures/manifests.yaml", import.meta.url), "utf8"),
) as { readonly words: Readonly<Record<string, string>> };

/** By the manifest's name; `manifest.json` is that of a bundle for MCP clients with a window, such as Claude Desktop. */
export const SCHEMAS = schemas as Readonly<Record<string, Schema>>;

/** The manifest of a release of every target, with sums that tell them apart. */
export function madeUpManifest(): Manifest {
  const row = (name: string, i: number) => ({
    ...{ file: `memo-${name}.${name.startsWith("win32") ? "zip" : "tar.gz"}`, size: 1 },
    sha256: String(i).repeat(64),
    bundle: { file: `memo-${name}.mcpb`, sha256: "b".repeat(64) },
    executable: { name: "memo", size: 1, sha256: "f".repeat(64) },
  });
  return {
    ...{ name: "memo", version: "1.2.3", commit: "0123456789ab", date: "2026-01-02T03:04:05.000Z" },
    archives: Object.fromEntries(TARGETS.map(({ name }, i) => [name, row(name, i)])),
  };
}

/** What is wrong with a manifest, in words; undefined: nothing. */
export function problemWith(name: string, content: string): string | undefined {
  const { shape, lines = [] } = SCHEMAS[name]!;
  const missing = lines.find((line) => !new RegExp(line, "m").test(content));
  if (missing !== undefined) return `${name}: no line is ${missing}`;
  if (shape === undefined) return undefined;
  const value = name.endsWith(".json") ? JSON.parse(content) : parse(content);
  const problem = problemAt("", value, shape);
  return problem && `${name}${problem}`;
}

function problemAt(at: string, value: unknown, shape: Shape): string | undefined {
  if (typeof shape === "string") {
    const is = new RegExp(`^(?:${words[shape] ?? shape})$`);
    if (typeof value !== "object" && is.test(String(value))) return undefined;
    return `${at}: ${JSON.stringify(value)} is not ${shape}`;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${at}: ${JSON.stringify(value)} is no list`;
    return value.map((one, i) => {
      const problems = shape.map((each) => problemAt(`${at}[${i}]`, one, each));
      return problems.includes(undefined) ? undefined : problems.join(", or ");
    }).find((problem) => problem !== undefined);
  }
  if (typeof value !== "object" || value === null) return `${at}: no fields`;
  const fields = shape as Readonly<Record<string, Shape>>;
  const other = Object.keys(fields).find((field) => field.startsWith("<"));
  const missing = Object.keys(fields).find((field) => !/^<|\?$/.test(field) && !(field in value));
  if (missing !== undefined) return `${at}: ${missing} is missing`;
  for (const [field, one] of Object.entries(value)) {
    const known = fields[field] ?? fields[`${field}?`] ?? (other && fields[other]);
    if (known === undefined) return `${at}: nothing knows ${field}`;
    const problem = problemAt(`${at}.${field}`, one, known);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

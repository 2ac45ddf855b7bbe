import { readFileSync } from "node:fs";

/** The rows of a table among the fixtures: fields between tabs, without the lines that begin with `#`. */
export function readRows(file: string): string[][] {
  const text = readFileSync(new URL(`../fixtures/${file}`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => line.split("\t"));
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { out } from "../shared/output.ts";

/** Writes a file and creates its folder. */
export function writeInto(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, text);
}

/** A path to write JSON to, or `true` to print it. */
export type JsonOption = string | true;

/** Prints a report as a table or as JSON; with a path it prints the table and writes the JSON there. */
export async function present(
  report: unknown,
  { json, depth, table }: {
    readonly json?: JsonOption | undefined;
    readonly depth: Parameters<typeof import("../../../../bench/results_json.ts").resultsJson>[1];
    readonly table: string;
  },
): Promise<void> {
  if (json !== true) out(table);
  if (json === undefined) return;
  const { resultsJson } = await import("../../../../bench/results_json.ts");
  const text = resultsJson(report, depth);
  if (json === true) out(text);
  else writeInto(json, text);
}

/** Levels over which a value is spread, one for all of it or one for each of its fields. */
export type Depth = number | Readonly<Record<string, number>>;

/**
 * JSON that reads well as a diff: spread over lines down to a depth, and one line for everything below, so
 * that a changed ranking is one changed line. Numbers have four decimals, because further digits change with every run.
 */
export function resultsJson(value: unknown, depth: Depth): string {
  return print(value, depth, "") + "\n";
}

function print(value: unknown, depth: Depth, indent: string): string {
  if (depth === 0 || typeof value !== "object" || value === null) {
    return JSON.stringify(value, rounded);
  }
  const inner = indent + "  ";
  const isList = Array.isArray(value);
  const lines = Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) =>
    inner + (isList ? "" : `${JSON.stringify(key)}: `) + print(item, below(depth, key), inner)
  );
  if (lines.length === 0) return isList ? "[]" : "{}";
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function below(depth: Depth, key: string): number {
  return typeof depth === "number" ? depth - 1 : depth[key] ?? 0;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value;
}

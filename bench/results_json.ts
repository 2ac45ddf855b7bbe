/**
 * JSON that reads well as a diff: spread over lines down to `depth`, and one line for everything below, so
 * that a changed ranking is one changed line. Numbers have four decimals: what is beyond changes with every run.
 */
export function resultsJson(value: unknown, depth: number): string {
  return print(value, depth, "") + "\n";
}

function print(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== "object" || value === null) {
    return JSON.stringify(value, rounded);
  }
  const inner = indent + "  ";
  const isList = Array.isArray(value);
  const lines = Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) =>
    inner + (isList ? "" : `${JSON.stringify(key)}: `) + print(item, depth - 1, inner)
  );
  if (lines.length === 0) return isList ? "[]" : "{}";
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value;
}

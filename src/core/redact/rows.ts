/** The rows of a table with tabs between its columns. */
export function rowsOf(table: string): string[][] {
  return table.trimEnd().split("\n").map((line) => line.split("\t"));
}

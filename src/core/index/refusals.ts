import type { Connection } from "./connection.ts";
import type { Refusal } from "./corpus.ts";
import { toVector } from "./rows.ts";

/** The memories of the whole index that are not for some prompts, with their folders; read once per generation. */
export async function refusals(
  db: Connection,
): Promise<readonly (Refusal & { readonly folder: number })[]> {
  return await db.once("refusals", async () => {
    const found = await db.read(`SELECT id, folder, never FROM memories WHERE never <> '[]'`);
    if (found.length === 0) return [];
    const vectors = Map.groupBy(
      await db.read(`SELECT memory, vector FROM passages WHERE start < 0`),
      (row) => Number(row[0]),
    );
    return found.map((row) => ({
      memory: Number(row[0]),
      folder: Number(row[1]),
      prompts: JSON.parse(String(row[2])),
      vectors: (vectors.get(Number(row[0])) ?? []).map((row) => toVector(row[1])),
    }));
  });
}

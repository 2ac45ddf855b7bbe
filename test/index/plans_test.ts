import assert from "node:assert/strict";
import { type Columns, Connection } from "../../src/core/index/connection.ts";
import { recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

/** A step of a plan that goes through each memory of a folder, or all there are; few have a refusal. */
const READS_ALL = /^SCAN (?:m|n|p|memories|names|passages)\b(?!.*memories_never)|\(folder=\?\)$/;
/** What counts the memories, once a generation. */
const COUNTS = /^SELECT folder, type, count/;

const NOTES = Array.from({ length: 200 }, (_, i) =>
  memoryFile({
    path: `/memories/${i}.md`,
    name: `Replica ${i}`,
    type: i % 2 === 0 ? "fact" : "feedback",
    body: `Replica ${i} of nginx is behind gateway ${i % 7}.`,
    triggers: i % 3 === 0 ? [`replace node ${i}`] : [],
  }));

type Args = Parameters<Connection["rows"]>[1];

/** How SQLite goes about each statement that is read meanwhile. */
async function plansOf(act: () => Promise<unknown>): Promise<Map<string, readonly string[]>> {
  const plans = new Map<string, readonly string[]>();
  const { rows } = Connection.prototype;
  Connection.prototype.rows = function <Row extends Columns>(sql: string, args?: Args): Row[] {
    const steps = rows.call(this, `EXPLAIN QUERY PLAN ${sql}`, args);
    plans.set(sql, steps.map((step) => String(step.at(-1))));
    return rows.call(this, sql, args) as Columns[] as Row[];
  };
  try {
    await act();
  } finally {
    Connection.prototype.rows = rows;
  }
  return plans;
}

Deno.test("no statement of a prompt looks at each memory of a folder", async () => {
  await using made = await makeIndex(NOTES);
  const other = { scope: "project", path: "/project" } as const;
  const files = NOTES.slice(0, 20).map((file) => ({ ...file, path: `/project${file.path}` }));
  await made.index.put(
    await made.index.files.enter(other),
    files.map((file) => ({ file, hash: file.path })),
  );
  const config = loadConfig("/nowhere/config.yaml", {});
  const context = { index: made.index, config, now: new Date() };
  const plans = await plansOf(async () => {
    for (const folders of [[made.folder], [made.folder, other]]) {
      for (const prompt of ["can I replace nginx on replica 7?", "replica 12", "replace node 9"]) {
        await recall({ folders, shown: NOTHING_SHOWN, prompt }, context);
      }
    }
  });
  for (const asked of ["FROM names n", "words MATCH", "m.id IN", "FROM relations"]) {
    assert.ok([...plans.keys()].some((sql) => sql.includes(asked)), asked);
  }
  const slow = [...plans].filter(([sql, plan]) =>
    plan.some((step) => READS_ALL.test(step)) && !COUNTS.test(sql)
  );
  assert.deepEqual(slow, []);
});

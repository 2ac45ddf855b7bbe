import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connection } from "../../src/core/index/connection.ts";
import { openDatabase } from "../../src/core/index/database.ts";
import { Reader } from "../../src/core/index/reader.ts";
import { rareWordHits, wordHits } from "../../src/core/index/word_hits.ts";

/** Every memory is about a service; one in ten mentions the queue, and one in fifty the kiln. */
const MEMORIES = 200;
const bodyOf = (id: number) =>
  `service ${id % 10 === 0 ? "queue" : "gateway"} ${id % 50 === 0 ? "kiln" : "cache"} ${
    id % 7 === 0 ? "retries retries" : "waits"
  }`;

Deno.test("in a large corpus the rarest words lead to memories, which are ranked by all of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memo-words-"));
  const { client, path } = await openDatabase(join(folder, "index.db"));
  const db = new Connection({ client, reader: new Reader(path, { timeout: 100 }) }, () => {});
  try {
    await client.execute(`INSERT INTO folders VALUES (1, '/notes', 'user')`);
    for (let id = 1; id <= MEMORIES; id++) {
      await client.batch([
        {
          sql:
            `INSERT INTO memories (id, folder, path, name, description, type, body, triggers, tags,
            confidence, problems, mtime_ms, size, hash) VALUES (?, 1, ?, '', '', 'tool', ?, '', '', 1, '', 0, 0, '')`,
          args: [id, `/notes/${id}.md`, bodyOf(id)],
        },
        { sql: `INSERT INTO words (rowid, body) VALUES (?, ?)`, args: [id, bodyOf(id)] },
      ], "write");
    }
    const terms = ["service", "queue", "kiln", "retries"];
    const containing = new Map([["service", 200], ["queue", 20], ["kiln", 4], ["retries", 28]]);
    const options = { among: "m.folder IN (1)", args: [], limit: 10 };
    const all = await wordHits(db, terms, options);
    assert.deepEqual(await wordHits(db, terms, { ...options, isWhole: true }), all);
    // Those with the kiln are the first of all, and weigh the same; those with the retries alone are left out.
    const some = await rareWordHits(db, terms, {
      ...options,
      containing,
      rare: { enough: 10, most: 100 },
    });
    assert.equal(some.length, 10);
    const same = (hits: typeof all) =>
      hits.slice(0, 4).map(({ memory, bm25 }) => [memory, bm25.toFixed(6)]);
    assert.deepEqual(same(some), same(all));
    // Of a word that too many have only the newest, but of a rarer one all.
    const few = await rareWordHits(db, terms, {
      ...options,
      containing,
      rare: { enough: 10, most: 8 },
    });
    assert.ok([50, 100, 150, 200].every((id) => few.some(({ memory }) => memory === id)));
    assert.ok(!few.some(({ memory }) => memory === 10), "an old one with the queue alone");
    const common = await rareWordHits(db, ["service"], {
      ...options,
      containing,
      rare: { enough: 10, most: 8 },
    });
    const rare = { enough: 10, most: 8 };
    assert.deepEqual(
      await rareWordHits(db, terms, { ...options, containing, rare, isWhole: true }),
      few,
    );
    // What does not count is left out, whatever was said.
    assert.deepEqual(
      await wordHits(db, terms, { ...options, among: "m.folder IN (2)", isWhole: true }),
      [],
    );
    assert.deepEqual(
      new Set(common.map(({ memory }) => memory)),
      new Set([193, 194, 195, 196, 197, 198, 199, 200]),
    );
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

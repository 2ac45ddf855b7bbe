import assert from "node:assert/strict";
import {
  type ComparedParts,
  findDuplicates,
} from "../../../src/features/upkeep/dream/duplicates.ts";
import { readRows } from "../../support/fixtures.ts";

const memory = (body: string, fields: Partial<ComparedParts> = {}): ComparedParts => ({
  ...{ name: "A name", description: "", type: "tool", body, tags: [], pinned: false },
  ...{ confidence: 1, ...fields },
});

Deno.test("two memories are one only if they say the same, in the same words that turn or limit a sentence", async () => {
  for (const [what, one = "", other = ""] of readRows("retold.tsv")) {
    for (const both of [[one, other], [other, one]]) {
      const found = await findDuplicates(both.map((body) => memory(body)));
      assert.equal(found.length, what === "same" ? 1 : 0, `${both}`);
    }
  }
});

Deno.test("memories of two types or two origins are two, and what waits for review is none", async () => {
  const body = "The wiki is on the intranet host";
  for (const other of [{ type: "project" }, { tags: ["read-web"] }, { tags: ["suspect"] }]) {
    assert.deepEqual(await findDuplicates([memory(body), memory(body, other)]), []);
  }
});

Deno.test("the longer of two is kept, and of equal ones the pinned", async () => {
  const body = "The wiki is on the intranet host";
  const pinned = memory(body, { pinned: true });
  assert.equal((await findDuplicates([memory(body), pinned]))[0]!.kept, pinned);
  const longer = memory(`${body}. Ada owns the page.`);
  assert.equal((await findDuplicates([pinned, longer]))[0]!.kept, longer);
});

Deno.test("a memory is compared with those alone that have the rarest of its sentences", async () => {
  let reads = 0;
  const memories = Array.from({ length: 400 }, (_, i) => {
    const all = memory(`Ask before a change.\nPool ${i} has its own queue.\nTell the others.`);
    return Object.defineProperty(all, "tags", { get: () => (reads++, []) }); // read of each pair
  });
  assert.deepEqual(await findDuplicates(memories), []);
  assert.ok(reads <= 5 * memories.length, `${reads}`);
});

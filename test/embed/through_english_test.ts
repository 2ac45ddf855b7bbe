import assert from "node:assert/strict";
import { openFolder } from "../../src/core/embed/mod.ts";
import { MINILM } from "../support/minilm.ts";

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

Deno.test("An English model is given in English what the glossary knows of another language", async () => {
  const embedder = await openFolder("builtin", MINILM);
  try {
    const asked = await embedder.embed("borrar la rama remota", "query");
    assert.deepEqual(asked, await embedder.embed("delete branch remote", "query"));
    const near = await embedder.embed("How to delete a branch on the remote");
    const far = await embedder.embed("Where the printer of the second floor is");
    assert.ok(cosine(asked, near) > cosine(asked, far) + 0.3);
    assert.match(embedder.id, /^builtin\/all-MiniLM-L6-v2@q8-[0-9a-f]{8}\+[0-9a-f]{8}$/);
  } finally {
    await embedder.close();
  }
});

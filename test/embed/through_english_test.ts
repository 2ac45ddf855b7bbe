import assert from "node:assert/strict";
import { openEmbedder } from "../../src/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

Deno.test("the built-in model is given in English what the glossary knows of another language", async () => {
  using state = temporaryFolder();
  const embedder = await openEmbedder(
    "builtin",
    pathsFor({ MEMO_HOME: state.path, HOME: state.path }),
  );
  try {
    const asked = await embedder.embed("borrar la rama remota", "query");
    assert.deepEqual(asked, await embedder.embed("delete branch remote", "query"));
    const near = await embedder.embed("How to delete a branch on the remote");
    const far = await embedder.embed("Where the printer of the second floor is");
    assert.ok(cosine(asked, near) > cosine(asked, far) + 0.3);
    assert.match(embedder.id, /^builtin@q8-[0-9a-f]{8}\+[0-9a-f]{8}$/);
  } finally {
    await embedder.close();
  }
});

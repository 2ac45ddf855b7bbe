// Of two memories where the later one replaces the earlier, the later one is first; two that both apply are both shown.

import assert from "node:assert/strict";
import { join } from "node:path";
import { contendersFor } from "../../bench/contenders.ts";
import { openSuite } from "../../bench/loaders/mod.ts";
import { benchRecall } from "../../bench/recall.ts";
import { Judge } from "../../bench/summary.ts";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { temporaryFolder } from "../support/temp.ts";

const config = loadConfig("/nowhere/config.yaml", {});
const suites = join(import.meta.dirname!, "../../bench/suites");

/** The least later ones first, the most older ones first or alone, the least of two that hold both. */
const BARS = { "holds": [0.9, 0.02, 0.87], "holds-aside": [0.9, 0.04, 0.9] } as const;

for (const [name, [first, overtaken, both]] of Object.entries(BARS)) {
  Deno.test(`${name}: the later word comes first, the older one hardly ever alone`, async () => {
    using folder = temporaryFolder();
    const paths = pathsFor({ HOME: folder.path, TMPDIR: folder.path });
    const embedder = await openEmbedder(config.model, paths);
    try {
      const { suite } = openSuite(join(suites, name));
      const contenders = contendersFor(["hybrid"], config);
      const { answers } = await benchRecall(suite, { contenders, embedder, config });
      const { current, complete } = new Judge(suite).summary(answers.get("hybrid")!);
      assert.ok(current!.first >= first, `later first: ${current!.first}`);
      assert.ok(current!.overtaken <= overtaken, `older first or only: ${current!.overtaken}`);
      assert.ok(complete! >= both, `both of two that hold: ${complete}`);
    } finally {
      await embedder.close();
    }
  });
}

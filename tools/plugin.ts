// Writes the generated files of `plugin/` and the marketplace: deno task plugin.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generatedFiles, LAUNCHER, marketplace } from "../src/install/plugin_files.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
for (const [path, text] of Object.entries(generatedFiles(LAUNCHER))) {
  writeFileSync(`${root}plugin/${path}`, text);
}
writeFileSync(`${root}.claude-plugin/marketplace.json`, marketplace());

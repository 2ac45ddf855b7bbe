// Writes the generated files of `plugin/`, and the manifests of plugins and marketplaces: deno task plugin.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedFiles, LAUNCHER } from "../src/features/install/plugin.ts";
import { pluginManifests } from "./release/plugins.ts";
import { repository } from "./release/repository.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
for (const [path, text] of Object.entries(generatedFiles(LAUNCHER))) {
  writeFileSync(`${root}plugin/${path}`, text);
}
for (const [path, text] of Object.entries(pluginManifests(repository()))) {
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, text);
}

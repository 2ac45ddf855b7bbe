// The plugins' manifests that lie in the repository: a marketplace of Claude Code's, one folder that hosts of Agent Plugins,
// Codex and Cursor read, which has only memo's tools, and the marketplaces that lead to it.

import { DESCRIPTION } from "../../src/features/install/plugin.ts";
import { VERSION } from "../../src/version.ts";

const NAME = "memo";
const WHO = { name: "memo contributors" };
const PORTABLE = "packaging/plugin";

/** The files by path, for a repository; an empty one has no address yet. */
export function pluginManifests(repository: string): Record<string, string> {
  const address = `https://github.com/${repository}`;
  const links = repository === "" ? {} : { homepage: address, repository: address };
  const about = { name: NAME, version: VERSION, description: DESCRIPTION, author: WHO, ...links };
  const known = { ...about, license: "MIT", keywords: ["memory", "recall", "mcp"] };
  const mcpServers = { memo: { type: "stdio", command: "memo", args: ["mcp"] } };
  const schemas = "https://agent-plugins.org/schemas/1.0.0";
  const files = {
    ".claude-plugin/marketplace.json": {
      name: NAME,
      owner: WHO,
      metadata: { description: "memo, persistent memory for Claude Code" },
      plugins: [{ ...about, author: undefined, source: "./plugin" }],
    },
    ".cursor-plugin/marketplace.json": {
      name: NAME,
      owner: WHO,
      plugins: [{ name: NAME, source: `./${PORTABLE}`, description: DESCRIPTION }],
    },
    ".agents/plugins/marketplace.json": {
      name: NAME,
      interface: { displayName: NAME },
      plugins: [{
        name: NAME,
        source: { source: "local", path: `./${PORTABLE}` },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Productivity",
      }],
    },
    [`${PORTABLE}/plugin.json`]: { $schema: `${schemas}/plugin.schema.json`, ...known },
    [`${PORTABLE}/mcp.json`]: { $schema: `${schemas}/mcp.schema.json`, mcpServers },
    [`${PORTABLE}/.codex-plugin/plugin.json`]: { ...known, mcpServers: "./mcp.json" },
    [`${PORTABLE}/.cursor-plugin/plugin.json`]: { ...known, mcpServers: "./mcp.json" },
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, value]) => [path, JSON.stringify(value, null, 2) + "\n"]),
  );
}

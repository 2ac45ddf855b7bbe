import { executableName, type Target } from "../compile/targets.ts";
import type { ArchiveFile } from "./archive.ts";
import { projectAt } from "./packaging.ts";

/** The platforms of MCP clients that install a file, such as Claude Desktop. */
const BUNDLED: readonly string[] = ["darwin-arm64", "linux-x64", "win32-x64"];

/** A bundle with memo's MCP server for one platform, in the form MCPB; undefined where nothing reads one. */
export function bundleFor(target: Target, { version, files, releases }: {
  readonly version: string;
  readonly files: readonly ArchiveFile[];
  /** The address of all releases; empty: the bundle has no homepage. */
  readonly releases: string;
}): { readonly file: string; readonly files: readonly ArchiveFile[] } | undefined {
  if (!BUNDLED.includes(target.name)) return undefined;
  const program = executableName(target);
  const manifest = {
    ...{ manifest_version: "0.3", name: "memo", display_name: "memo", version },
    description: "Persistent memory for Claude and other agents: search, save and forget memories",
    author: { name: "memo contributors" },
    ...releases !== "" && { homepage: projectAt(releases).homepage },
    license: "MIT",
    server: {
      ...{ type: "binary", entry_point: program },
      mcp_config: { command: "${__dirname}/" + program, args: ["mcp"] },
    },
    tools_generated: true,
    compatibility: { platforms: [target.name.split("-")[0]] },
  };
  const data = Buffer.from(JSON.stringify(manifest, null, 2) + "\n");
  return { file: `memo-${target.name}.mcpb`, files: [{ name: "manifest.json", data }, ...files] };
}

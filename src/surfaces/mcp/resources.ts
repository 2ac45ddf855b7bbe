import { readFileSync } from "node:fs";
import { MemoError } from "../../errors.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { neutralise, neutraliseLine } from "../../core/text/neutralise.ts";
import { findNamed, pathOf } from "./address.ts";
import { uriOf } from "./present.ts";
import type { ToolContext } from "./tool.ts";

/** A memory as an MCP resource. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: "text/markdown";
}

/** Maximum resources; search finds the others. */
const LISTED = 200;

/** The memories that apply at a place, newest first. */
export async function listResources(context: ToolContext): Promise<Resource[]> {
  const { folders, withIndex } = context;
  const memories = await withIndex(async (index) =>
    await (await index.corpus(folders)).newest(LISTED)
  );
  return memories.filter((memory) => !isSuspectMemory(memory)).map((memory) => {
    const name = neutraliseLine(memory.name);
    const type = neutraliseLine(memory.type);
    const uri = uriOf(memory.path, memory.scope, folders);
    const about = neutraliseLine(memory.description);
    const description = about === "" ? type : `${type}: ${about}`;
    return { uri, name, description, mimeType: "text/markdown" };
  });
}

/** The file of the memory with an address. */
export function readResource(uri: string, { folders, place }: ToolContext): string {
  const path = pathOf(uri, folders);
  if (path === uri) throw missing(uri);
  const { memory, folder } = findNamed(path, { folders, place });
  if (isSuspectMemory(memory) || !mayRead(folder, memory.digest)) throw missing(uri);
  return neutralise(readFileSync(memory.path, "utf8"));
}

function missing(uri: string): MemoError {
  return new MemoError("not-found", `Cannot read \`${uri}\`: no memory has this address`, {
    hint: "List the resources, or call memory_search",
  });
}

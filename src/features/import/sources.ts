import { MemoError } from "../../errors.ts";
import { nearest } from "../../core/text/nearest.ts";
import { shellQuoted } from "../../core/text/shell_words.ts";
import { autoMemory, basicMemory, memsearch } from "./note_stores.ts";
import { claudeMem, knowledgeGraph, mem0, memoryMcp } from "./record_stores.ts";
import { markdown } from "./notes.ts";
import { rules } from "./rule_files.ts";
import type { ImportSource, SourceRow } from "./record.ts";

/** Every tool whose memories can be imported, in display order. */
export const SOURCES: readonly ImportSource[] = [
  claudeMem,
  memoryMcp,
  memsearch,
  basicMemory,
  knowledgeGraph,
  mem0,
  autoMemory,
  rules,
  markdown,
];

/** Sources that are no records of another tool: each has a way of its own. */
export const OWN_SOURCES: readonly SourceRow[] = [
  {
    name: "memo",
    summary: "An export from `memo export`: a folder, JSON or tar",
    where: "the folder or file you name",
    gives:
      "your own export: every file, byte for byte; any other: only the memories, marked as imported",
  },
  {
    name: "conversations",
    summary: "Past conversations, or a ChatGPT or Claude.ai export",
    where:
      "Claude Code's conversations in this project, or the file, session, or ChatGPT or Claude.ai export you name",
    gives: "what capture finds in them; see below",
  },
];

/** The source of a name; throws a `usage` MemoError with the nearest one for any other. */
export function sourceNamed(name: string): ImportSource {
  const found = SOURCES.find(({ name: its, formerly }) => name === its || name === formerly);
  if (found !== undefined) return found;
  const names = [...SOURCES, ...OWN_SOURCES].map((source) => source.name);
  const near = nearest(name, names);
  throw new MemoError("usage", `Unknown import source \`${name}\``, {
    hint: /[/\\.~]/.test(name)
      ? `Run \`memo import markdown ${shellQuoted(name)}\`, or another source: ${names.join(", ")}`
      : `${near === undefined ? "" : `Did you mean \`${near}\`? `}Available: ${
        names.join(", ")
      }; \`memo import PATH\` detects the source`,
  });
}

import * as z from "zod";
import { MemoError } from "../../../errors.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import { neutralise } from "../../../core/text/neutralise.ts";
import { transcriptCommand } from "../../../core/memory/memory.ts";
import { cut, heading, NOTE } from "../present.ts";
import { name } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** Maximum characters of a memory, and of a conversation. */
const TEXT_CHARS = 8000;
const SAID_CHARS = 6000;
const RELATED = 5;

/** `memory_expand`: a whole memory, what is near it, and the conversation that it came from. */
export const expand = defineTool({
  name: "memory_expand",
  title: "Show a memory",
  description:
    "Shows a whole memory, what is similar to it, and with `conversation` what was said when it was saved: for the " +
    "reason behind it, a number or an exact wording.",
  input: z.object({
    name,
    conversation: z.boolean().default(false).describe(
      "Also what was said in the turn that the memory came from",
    ),
  }),
  writes: false,
  async run({ name, conversation }, context) {
    const { findNamed } = await import("../find_named.ts");
    const { saidIn } = await import("../conversation.ts");
    const { mayRead } = await import("../../../core/memory/trust.ts");
    const { memory, folder } = findNamed(name, context);
    if (isSuspectMemory(memory) || !mayRead(folder, memory.digest)) {
      throw new MemoError(
        "not-found",
        `Cannot show \`${memory.name}\`: the user has still to review it`,
        {
          hint: "Ask the user to run `memo show` and, for a memory of the repository, `memo trust`",
        },
      );
    }
    const { folders } = context;
    const { nearestTo } = await import("../../../core/recall/search.ts");
    const near = await context.withIndex((index) =>
      nearestTo(memory.path, { index, folders, limit: RELATED })
    );
    const similar = near.filter((each) => !isSuspectMemory(each.memory))
      .map((each) => `- ${heading(each.memory, context)}`);
    const said = conversation ? await saidIn(memory, context) : undefined;
    const transcript = memory.source && transcriptCommand(memory.source);
    return [
      NOTE,
      `## ${heading(memory, context)}\n${cut(neutralise(memory.body), TEXT_CHARS)}`,
      `File: ${memory.path}`,
      ...memory.supersedes.length === 0
        ? []
        : [`It replaced ${memory.supersedes.map((file) => neutralise(file)).join(", ")}`],
      ...similar.length === 0 ? [] : [`Similar:\n${similar.join("\n")}`],
      ...said === undefined ? [] : [`Where it comes from:\n${cut(said, SAID_CHARS)}`],
      ...transcript === undefined ? [] : [`The conversation: \`${transcript}\``],
    ].join("\n\n");
  },
});

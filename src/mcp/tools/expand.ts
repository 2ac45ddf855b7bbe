import * as z from "zod";
import { MemoError } from "../../errors.ts";
import { isSuspectMemory, provenanceOf } from "../../memory/provenance.ts";
import { nearestTo } from "../../recall/related.ts";
import { neutralise } from "../../text/neutralise.ts";
import { transcriptCommand } from "../../transcript/command.ts";
import { NOTE, referenceTo } from "../present.ts";
import { name, note, reference } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** Maximum characters of a memory, and of a conversation. */
const TEXT_CHARS = 8000;
const SAID_CHARS = 6000;
const RELATED = 5;

const output = reference.extend({
  note,
  text: z.string(),
  provenance: z.string().optional(),
  supersedes: z.array(z.string()).describe("Files that it has replaced"),
  related: z.array(reference.extend({ similarity: z.number() })),
  conversation: z.string().optional(),
  transcript: z.string().optional().describe("The command that shows the conversation"),
});

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
  output,
  writes: false,
  async run({ name, conversation }, context) {
    const { findNamed } = await import("../address.ts");
    const { saidIn } = await import("../conversation.ts");
    const { mayRead } = await import("../../memory/trust.ts");
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
    const near = await context.withIndex((index) =>
      nearestTo(memory.path, { index, folders, limit: RELATED })
    );
    const provenance = provenanceOf(memory);
    const said = conversation ? await saidIn(memory, context) : undefined;
    const transcript = memory.source && transcriptCommand(memory.source);
    const data = {
      note: NOTE,
      ...referenceTo(memory, context),
      text: cut(neutralise(memory.body), TEXT_CHARS),
      ...provenance === undefined ? {} : { provenance },
      supersedes: memory.supersedes.map((file) => neutralise(file)),
      related: near.filter((each) => !isSuspectMemory(each.memory)).map((each) => ({
        ...referenceTo(each.memory, context),
        similarity: Math.round(each.cosine * 1000) / 1000,
      })),
      ...said === undefined ? {} : { conversation: cut(said, SAID_CHARS) },
      ...transcript === undefined ? {} : { transcript },
    };
    return { data, text: textOf(data) };
  },
});

function textOf(
  { name, text, related, conversation, transcript }: z.infer<typeof output>,
): string {
  const near = related.map((each) => `- ${each.name} (${each.similarity}) ${each.path}`);
  return [
    NOTE,
    `## ${name}\n\n${text}`,
    ...near.length === 0 ? [] : [`Similar:\n${near.join("\n")}`],
    ...conversation === undefined ? [] : [`Where it comes from:\n${conversation}`],
    ...transcript === undefined ? [] : [`The conversation: \`${transcript}\``],
  ].join("\n\n");
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed().trimEnd()}…`;
}

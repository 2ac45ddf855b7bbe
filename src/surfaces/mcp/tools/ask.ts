import * as z from "zod";
import { heading, listing } from "../present.ts";
import { query } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** `memory_ask`: an answer composed from the nearest memories, with its sources. */
export const ask = defineTool({
  name: "memory_ask",
  title: "Ask the memories",
  description:
    "Answers a question from the 30 memories nearest to it, with its sources, through a small language model; " +
    "without one it returns those memories. For questions that need several memories, such as “what did we decide " +
    "about authentication, and why?”.",
  input: z.object({ question: query }),
  writes: false,
  annotations: { idempotentHint: false, openWorldHint: true },
  async run({ question }, context) {
    const { answerFrom } = await import("../answer.ts");
    const { answer, because, sources } = await answerFrom(question, context);
    if (answer === null) {
      const { now } = context;
      return `${because}. ${listing(sources, { nothing: "No memory fits either.", now })}`;
    }
    if (sources.length === 0) return answer;
    const named = sources.map(({ memory, overtakenBy }) =>
      `- ${heading(memory, context, overtakenBy)}`
    );
    return [answer, "", "Sources:", ...named].join("\n");
  },
});

// GitHub Copilot CLI: `~/.copilot/session-state/ID/events.jsonl`, append-only. Lines with an `agentId` are a subagent's,
// its prompt too; `transformedContent` has what hooks added.

import type { Entry, EntryPlace } from "../entry.ts";
import { blocksOf, type Fields, fieldsOf, textOf, timeOf } from "../lines.ts";
import { messageText } from "../message_text.ts";
import { callOf, textBlocks, type TranscriptFormat } from "./format.ts";

/** What hooks said about a tool, behind its output. */
const GUIDANCE = /\n*Tool "[^"\n]*" \w+\. Additional guidance from \w+ hooks:\n[^]*$/;

export const copilot: TranscriptFormat = {
  agent: "copilot",
  files: [".copilot", "session-state", /^/, "events.jsonl"],
  head: /^\{"type":"session\.start"/,
  holding: [
    '"user.message"',
    '"assistant.message"',
    '"tool.execution_complete"',
    '"session.resume"',
  ],
  isWrittenLate: true,
  reader({ data }) {
    const start = fieldsOf(data);
    const session = textOf(start?.["sessionId"]);
    let cwd = cwdOf(start);
    return (line, end) => {
      const fields = fieldsOf(line["data"]) ?? {};
      if (line["type"] === "session.resume") cwd = cwdOf(fields) ?? cwd;
      const uuid = textOf(line["id"]), at = timeOf(line["timestamp"]);
      const read = READERS[String(line["type"])];
      if (uuid === undefined || read === undefined || line["agentId"] !== undefined) return [];
      return [read(fields, { uuid, end, at, session, cwd })];
    };
  },
};

function cwdOf(fields: Fields | undefined): string | undefined {
  return textOf(fieldsOf(fields?.["context"])?.["cwd"]);
}

const READERS: Readonly<
  Record<string, ((fields: Fields, place: EntryPlace) => Entry) | undefined>
> = {
  "user.message"({ content, source }, place) {
    const text = source === undefined ? messageText(textOf(content) ?? "") : "";
    return { kind: "prompt", ...place, text, isHuman: text !== "" };
  },
  "assistant.message"({ content, toolRequests, messageId }, place) {
    const calls = blocksOf(toolRequests)
      .map((call) => callOf(call["toolCallId"], call["name"], call["arguments"]));
    const blocks = [...textBlocks(content), ...calls];
    return { kind: "reply", ...place, message: textOf(messageId), blocks };
  },
  "tool.execution_complete"({ toolCallId, success, result, shellExecution }, place) {
    const exitCode = fieldsOf(shellExecution)?.["exitCode"] ?? 0;
    const content = String(fieldsOf(result)?.["content"] ?? "").replace(GUIDANCE, "");
    const failed = success === false || exitCode !== 0;
    return { kind: "results", ...place, results: [{ call: String(toolCallId), content, failed }] };
  },
};

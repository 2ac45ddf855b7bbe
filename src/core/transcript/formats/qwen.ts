// Qwen Code: `~/.qwen/projects/FOLDER/chats/ID.jsonl`, append-only, like Claude Code's with the parts of Gemini's
// messages. What a person typed has `provenance: real_user`; other programs' text stands apart in `systemPayload`.

import type { Entry, EntryPlace } from "../entry.ts";
import { blocksOf, type Fields, fieldsOf, textOf } from "../lines.ts";
import { messageText } from "../message_text.ts";
import { readReport } from "../subagent_report.ts";
import { placeIn } from "./claude.ts";
import type { TranscriptFormat } from "./format.ts";
import { partBlocks, partResults } from "./gemini.ts";

const HEAD =
  /^\{"uuid":"[^"]*","parentUuid":[^,]*,"sessionId":"[^"]*","timestamp":"[^"]*","type":"\w+","provenance":/;

export const qwen: TranscriptFormat = {
  agent: "qwen",
  files: [".qwen", "projects", /^/, "chats", /\.jsonl$/],
  head: HEAD,
  holding: ['"user"', '"assistant"', '"tool_result"', '"chat_compression"'],
  reader: () => (line, end) => {
    const uuid = textOf(line["uuid"]);
    if (uuid === undefined || line["isSidechain"]) return [];
    const place = { uuid, ...placeIn(line, end) };
    return [READERS[String(line["type"])]?.(line, place)].filter((entry) => entry !== undefined);
  },
};

type QwenReader = (line: Fields, place: EntryPlace) => Entry | undefined;

const READERS: Readonly<Record<string, QwenReader | undefined>> = {
  user(line, place) {
    const text = textOf(blocksOf(partsOf(line))[0]?.["text"]) ?? "";
    if (line["provenance"] !== "real_user") {
      return { kind: "prompt", ...place, text: "", isHuman: false, report: readReport(text) };
    }
    const shown = textOf(fieldsOf(line["systemPayload"])?.["displayText"]);
    return { kind: "prompt", ...place, text: messageText(shown ?? text), isHuman: true };
  },
  assistant(line, place) {
    return { kind: "reply", ...place, message: place.uuid, blocks: partBlocks(partsOf(line)) };
  },
  tool_result(line, place) {
    return { kind: "results", ...place, results: partResults(partsOf(line)) };
  },
  system: (line, place) =>
    line["subtype"] === "chat_compression" ? { kind: "compacted", ...place } : undefined,
};

function partsOf(line: Fields): unknown {
  return fieldsOf(line["message"])?.["parts"];
}

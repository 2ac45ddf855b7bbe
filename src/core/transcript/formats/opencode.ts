// OpenCode, and Kilo CLI, which comes from it: rows of a database (`stored.ts`). A fork has copies of the messages under new
// ids, so a message is known by its time.

import type { Entry, EntryPlace, ReplyBlock, ToolResult } from "../entry.ts";
import { blocksOf, type Fields, fieldsOf, textOf } from "../lines.ts";
import { messageText } from "../message_text.ts";
import { unquoted } from "../../text/paste.ts";
import { callOf, textBlocks, type TranscriptFormat } from "./format.ts";

export const opencode: TranscriptFormat = inDatabase("opencode");
export const kilo: TranscriptFormat = inDatabase("kilo");

/** Their own tools with a `_`, which otherwise stands between a server and its tool. */
const OWN = ["apply_patch", "plan_enter", "plan_exit", "kilo_local_recall", "board_post"];
const SERVED = /^([^_]+)_(.+)$/;

function inDatabase(agent: string): TranscriptFormat {
  return {
    agent,
    files: [".local", "share", agent, `${agent}.db`],
    head: /(?!)/,
    holding: [],
    reader({ id, parent_id: parent, directory }) {
      if (parent !== null) return undefined;
      const session = textOf(id), cwd = textOf(directory);
      return (message, end) => {
        const read = READERS[String(message["role"])];
        const { created } = fieldsOf(message["time"]) ?? {};
        if (read === undefined || typeof created !== "number") return [];
        const uuid = String(created), at = new Date(created).toISOString();
        const own = textOf(fieldsOf(message["path"])?.["cwd"]) ?? cwd;
        const place = { uuid, end, at, session, cwd: own };
        return read(message, blocksOf(message["parts"]), place);
      };
    },
  };
}

type OpencodeReader = (message: Fields, parts: readonly Fields[], place: EntryPlace) => Entry[];

const READERS: Readonly<Record<string, OpencodeReader | undefined>> = {
  user(_message, parts, place) {
    if (parts.some(({ type }) => type === "compaction")) return [{ kind: "compacted", ...place }];
    const typed = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
    const text = messageText(unquoted(typed.map((part) => String(part["text"])).join("\n")));
    return [{ kind: "prompt", ...place, text, isHuman: typed.length > 0 }];
  },
  assistant({ summary }, parts, place) {
    if (summary === true) return []; // what a compaction left
    const blocks = parts.flatMap(blockIn), results = parts.flatMap(resultIn);
    if (blocks.length === 0) return [];
    return [
      { kind: "reply", ...place, message: place.uuid, blocks },
      { kind: "results", ...place, uuid: `${place.uuid}:results`, results },
    ];
  },
};

function blockIn({ type, text, tool, callID, state }: Fields): ReplyBlock[] {
  if (type === "tool") {
    const name = String(tool);
    const known = OWN.includes(name) ? name : name.replace(SERVED, "mcp_$1_$2");
    return [callOf(callID, known, fieldsOf(state)?.["input"])];
  }
  return textBlocks(type === "text" ? text : "");
}

function resultIn({ type, callID, state }: Fields): ToolResult[] {
  const { status, output, error, metadata } = fieldsOf(state) ?? {};
  if (type !== "tool" || status !== "completed" && status !== "error") return [];
  const { exit } = fieldsOf(metadata) ?? {};
  const failed = status === "error" || typeof exit === "number" && exit !== 0;
  return [{ call: String(callID), content: messageText(String(output ?? error ?? "")), failed }];
}

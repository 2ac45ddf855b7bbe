// An export of ChatGPT or Claude.ai: the ZIP as it was downloaded, the folder that it was unpacked into, or a list of
// conversations from it. It may have hundreds of megabytes, so it is read as a stream, and nothing of it is written.

import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { openPromise, type ZipFile } from "yauzl";
import { formatLimit, readPart, refuseIrregular, tooLarge } from "../../../core/files/bounded.ts";
import { isFolder } from "../../../core/memory/project.ts";
import { counted } from "../../../core/text/counted.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import type { Skipped } from "../record.ts";
import { jsonItems } from "./json_items.ts";
import { type Chat, readChat, SERVICES } from "./services.ts";

/** ChatGPT splits a long list into `conversations-000.json` and so on. */
const LIST = /^conversations(?:-\d+)?\.json$/;
const ZIP = "PK\x03\x04", LIST_HEAD = /^\s*(?:\{\s*"conversations"\s*:\s*)?\[\s*\{/;
/** Enough of a list to see whose it is. */
const HEAD_BYTES = 64 * 1024;
/** A longer conversation is left out, and one with more text is cut to its last turns. */
const MAX_BYTES = 32 * 1024 * 1024, MAX_CHARS = 512 * 1024;
/** A list that claims to be larger, or that is packed tighter than words can be, is none. */
const MAX_LIST_BYTES = 8 * 1024 ** 3, MAX_RATIO = 200;

/** Whether a file or folder is an export: any ZIP, since nothing else comes as one, or by how it begins. */
export function isChatExport(path: string): boolean {
  try {
    if (isFolder(path)) return listsIn(path).length > 0;
    refuseIrregular(statSync(path)); // to read a pipe may take for ever
    const head = readPart(path, HEAD_BYTES).toString();
    const hasField = SERVICES.some(({ field }) => head.includes(`"${field}"`));
    return head.startsWith(ZIP) || (LIST_HEAD.test(head) && hasField);
  } catch {
    return false;
  }
}

/**
 * The conversations of an export in its order, each once, and what is left out of it. Throws a `file` MemoError if it
 * cannot be read at all.
 */
export async function* readChats(path: string): AsyncGenerator<Chat | Skipped> {
  const seen = new Set<string>();
  for await (const { name, open } of listsOf(path)) {
    let count = 0;
    try {
      for await (const json of jsonItems(await open(), MAX_BYTES)) {
        const what = `conversation ${++count} in \`${name}\``;
        try {
          if (json === undefined) throw new Error(tooLarge(MAX_BYTES));
          const chat = readChat(JSON.parse(json));
          if (chat === undefined || seen.has(chat.link)) continue;
          seen.add(chat.link);
          yield* cut(chat);
        } catch (error) {
          // What the parser says may quote the conversation.
          const because = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
          yield { what, because };
        }
      }
    } catch (error) {
      yield { what: `\`${name}\` after conversation ${count}`, because: messageOf(error) };
    }
  }
}

/** A conversation without its earliest turns if it is very long. */
function* cut(chat: Chat): Generator<Chat | Skipped> {
  let chars = 0;
  const from = 1 + chat.turns.findLastIndex(({ prompt, steps }, i, { length }) => {
    const told = steps.map((step) => step.kind === "text" ? step.text : step.result);
    chars += [prompt, ...told].join("").length;
    return chars > MAX_CHARS && i < length - 1;
  });
  if (from > 0) {
    const what = `the first ${counted(from, "turn")} of “${chat.title}”`;
    yield { what, because: `its text is longer than ${formatLimit(MAX_CHARS)}` };
  }
  yield { ...chat, turns: chat.turns.slice(from).map((turn, i) => ({ ...turn, end: i + 1 })) };
}

interface ChatList {
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

async function* listsOf(path: string): AsyncGenerator<ChatList> {
  if (isFolder(path) || !readPart(path, ZIP.length).toString().startsWith(ZIP)) {
    const files = isFolder(path) ? listsIn(path) : [path];
    yield* files.map((file) => ({
      name: basename(file),
      open: () => {
        refuseIrregular(statSync(file));
        return createReadStream(file);
      },
    }));
    return;
  }
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false });
    yield* await listsInZip(zip);
  } catch (error) {
    throw new MemoError("file", `Cannot read the export \`${path}\`: ${messageOf(error)}`, {
      hint: "Pass the ZIP as ChatGPT or Claude.ai gave it to you, or `conversations.json` from it",
    });
  } finally {
    zip?.close();
  }
}

function listsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => LIST.test(name)).sort()
    .map((name) => join(folder, name));
}

/** The lists in a ZIP. It throws at names that lead out of it, and later at a list that is larger than it says. */
async function listsInZip(zip: ZipFile): Promise<ChatList[]> {
  const lists: ChatList[] = [];
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
    if (!LIST.test(basename(name))) continue;
    if (entry.isEncrypted()) throw new Error(`\`${name}\` is encrypted`);
    if (size > MAX_LIST_BYTES) throw new Error(`\`${name}\`: ${tooLarge(MAX_LIST_BYTES)}`);
    if (size > MAX_BYTES && size > packed * MAX_RATIO) {
      throw new Error(`\`${name}\` unpacks to ${Math.round(size / packed)} times its size`);
    }
    lists.push({ name, open: () => zip.openReadStreamPromise(entry) });
  }
  if (lists.length === 0) throw new Error("it has no `conversations.json`");
  return lists.sort((a, b) => a.name < b.name ? -1 : 1);
}

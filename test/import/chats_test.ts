// Exports of ChatGPT and Claude.ai in their real form: as ZIP, as the folder it unpacks to, and as a list.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { isChatExport, readChats } from "../../src/features/import/mod.ts";
import { jsonItems } from "../../src/features/import/chats/json_items.ts";
import { MemoError } from "../../src/errors.ts";
import { temporaryFolder } from "../support/temp.ts";

type Read = Awaited<ReturnType<typeof read>>[number];

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/chats/${name}.json`, import.meta.url));
const [CHATGPT, CLAUDE] = [fixture("chatgpt"), fixture("claude")];
const read = (path: string) => Array.fromAsync(readChats(path));
const asText = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** What matters of each turn: its day, what the person said, and what follows. */
function told(chat: Read | undefined) {
  assert.ok(chat !== undefined && "turns" in chat, JSON.stringify(chat));
  return chat.turns.map(({ at, prompt, steps }) => [
    at.slice(0, 10),
    prompt,
    ...steps.map((step) =>
      step.kind === "text" ? step.text : [step.name, step.input, step.result].join("|")
    ),
  ]);
}

/** A conversation of Claude.ai's with these texts of the person's. */
function chat(id: string, ...texts: string[]) {
  const messages = texts.map((text, i) => ({
    ...{ uuid: `${id}-${i}`, text, sender: "human", created_at: "2026-04-01T10:00:00Z" },
    ...{ attachments: [], files: [], content: [] },
  }));
  return { uuid: id, name: `Chat ${id}`, chat_messages: messages };
}

/** Writes a ZIP and returns its path. */
function zip(folder: string, files: Record<string, Uint8Array>): string {
  const path = join(folder, `${readdirSync(folder).length}.zip`);
  writeFileSync(path, zipSync(files));
  return path;
}

Deno.test("of a ChatGPT export only the branch that the person sees is read, without hidden messages and thoughts", async () => {
  const [first, last, ...more] = await read(CHATGPT);
  assert.deepEqual(more, [], "what is not to be remembered is left out");
  assert.deepEqual(told(first), [
    ["2026-03-02", "Use pnpm for everything, never npm.", "WebSearch||", "Noted: pnpm."],
    [
      "2026-03-05",
      "What is in this picture?",
      "mcp__chat__attachment|board.png|",
      "A board.",
    ],
    ["2026-03-05", "Thanks, that was all"],
  ]);
  assert.deepEqual(told(last), [["2024-05-17", "I live in Basel", "Nice."]]);
  const hidden = /HIDDEN|FIRST WORDING|FORGET/;
  assert.doesNotMatch(JSON.stringify([first, last]), hidden);
  assert.match(readFileSync(CHATGPT, "utf8"), hidden);
});

Deno.test("of a Claude.ai export an attachment is what a tool read, and the text blocks are the reply", async () => {
  const [first, last, ...more] = await read(CLAUDE);
  assert.deepEqual(more, []);
  assert.deepEqual(told(first), [
    [
      "2026-04-01",
      "We deploy on Tuesdays only. See the notes.",
      "Read|pasted text|Attached: PASTED: always run the smoke test by hand.",
      "Looking.\n\nUnderstood.",
    ],
    [
      "2026-04-01",
      "Look up the newest release",
      "mcp__chat__attachment|plan.pdf|",
      "WebSearch||",
      "It is 4.2.",
    ],
  ]);
  assert.deepEqual(told(last), [["2024-02-01", "My name is Ada", "Hello Ada"]]);
});

const READS: readonly (readonly [what: string, hasRead: boolean, block: object])[] = [
  ["a search of the web", true, { name: "web_search", integration_name: null }],
  ["a connected service", true, { name: "list_messages", integration_name: "Mail" }],
  ["a server's tool", true, { name: "notes:get" }],
  ["an artifact of its own", false, { name: "artifacts", integration_name: null }],
  ["a calculation", false, { name: "repl" }],
];

Deno.test("a turn in which Claude used what brings text from elsewhere says so", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "conversations.json");
  const chats = READS.map(([what, , block], i) => {
    const { chat_messages: asked, ...about } = chat(`a${i}`, what);
    const content = [{ type: "tool_use", ...block }, { type: "text", text: "Done" }];
    return { ...about, chat_messages: [...asked, { uuid: `r${i}`, sender: "assistant", content }] };
  });
  writeFileSync(path, asText(chats));
  assert.deepEqual(
    (await read(path)).flatMap(told).map(([, what, ...steps]) => [what, steps]),
    READS.map(([what, hasRead]) => [what, [...hasRead ? ["WebSearch||"] : [], "Done"]]),
  );
});

Deno.test("every form of an export is recognised, and gives the same conversations, each once", async () => {
  using folder = temporaryFolder();
  const list = JSON.parse(readFileSync(CHATGPT, "utf8"));
  const files = {
    "conversations-000.json": asText(list.slice(0, 1)),
    "conversations-001.json": asText(list),
  };
  const unpacked = join(folder.path, "unpacked");
  mkdirSync(unpacked);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(unpacked, name), text);
  const wrapped = join(folder.path, "wrapped.json");
  writeFileSync(wrapped, asText({ conversations: list }));
  const expected = await read(CHATGPT);
  const forms = {
    list: CHATGPT,
    wrapped,
    unpacked,
    zip: zip(folder.path, { "conversations.json": asText(list), "chat.html": asText("") }),
    "split ZIP": zip(folder.path, { ...files, "user.json": asText({}) }),
    "ZIP with a folder": zip(folder.path, { "export/conversations.json": asText(list) }),
  };
  for (const [form, path] of Object.entries(forms)) {
    assert.equal(isChatExport(path), true, form);
    assert.deepEqual(await read(path), expected, form);
  }
  const others = {
    "a list of something else": wrapped.replace("wrapped", "other"),
    "a folder": folder.path,
    nothing: join(folder.path, "nothing"),
  };
  writeFileSync(others["a list of something else"], '[{"name": "a"}]');
  for (const [form, path] of Object.entries(others)) {
    assert.equal(isChatExport(path), false, form);
  }
});

const CLAUDE_LIST = asText([chat("a1", "I use vim")]);
const REFUSED: Record<string, { files: Record<string, Uint8Array>; because: RegExp; flag?: true }> =
  {
    "a name that leads out of it": {
      files: { "../conversations.json": CLAUDE_LIST },
      because: /invalid relative path: \.\.\/conversations\.json/,
    },
    "no conversations": { files: { "a.json": CLAUDE_LIST }, because: /no `conversations\.json`/ },
    encryption: {
      files: { "conversations.json": CLAUDE_LIST },
      because: /`conversations\.json` is encrypted/,
      flag: true,
    },
    "a list packed tighter than words can be": {
      files: { "conversations.json": new Uint8Array(64 * 1024 * 1024).fill(0x20) },
      because: /unpacks to \d+ times its size/,
    },
  };

for (const [what, { files, because, flag }] of Object.entries(REFUSED)) {
  Deno.test(`a ZIP with ${what} is refused, and nothing is written`, async () => {
    using folder = temporaryFolder();
    const path = zip(folder.path, files);
    const bytes = readFileSync(path);
    // The flag of encryption in the list of a ZIP's files.
    if (flag) bytes[bytes.indexOf("PK\x01\x02") + 8]! |= 1;
    writeFileSync(path, bytes);
    const before = readdirSync(folder.path);
    await assert.rejects(read(path), (error) => {
      assert.ok(error instanceof MemoError);
      assert.match(error.message, because);
      assert.match(error.hint!, /Pass the ZIP as ChatGPT or Claude\.ai gave it/);
      return true;
    });
    assert.deepEqual(readdirSync(folder.path), before);
  });
}

Deno.test("a ZIP that unpacks to more than it says ends there", async () => {
  using folder = temporaryFolder();
  const list = asText([chat("a1", "I use vim"), chat("a2", "x".repeat(5000))]);
  const path = zip(folder.path, { "conversations.json": list });
  const bytes = readFileSync(path);
  const entry = bytes.indexOf("PK\x01\x02");
  bytes.writeUInt32LE(1000, entry + 24);
  writeFileSync(path, bytes);
  assert.deepEqual(await read(path), [{
    what: "`conversations.json` after conversation 0",
    because: "too many bytes in the stream. expected 1000. got at least " + list.length,
  }]);
});

Deno.test("what comes before damage is kept, and what is damaged is named", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "conversations.json");
  const [a, b, c] = ["a1", "b1", "c1"].map((id) => JSON.stringify(chat(id, `I am ${id}`)));
  const nameless = JSON.stringify({ ...chat("x", "Hello"), uuid: "../x" });
  const rows: readonly (readonly [string, text: string, links: string[], left: string[]])[] = [
    ["cut off", `[${a},${b!.slice(0, 80)}`, ["a1"], [
      "after conversation 1: it ends in the middle",
    ]],
    ["garbage between", `[${a}, {"uuid" 1}, ${c}]`, ["a1", "c1"], [
      "conversation 2 in: it is not JSON",
    ]],
    ["no list", `{"uuid":"a"}`, [], ["after conversation 0: it has no list"]],
    ["no id", `[${nameless},${c}]`, ["c1"], ["conversation 1 in: it has no id"]],
    ["other values", `[null, 1, "[", [], {}, ${b}]`, ["b1"], []],
  ];
  for (const [what, text, links, left] of rows) {
    writeFileSync(path, text);
    const all = await read(path);
    assert.deepEqual(all.flatMap((each) => "link" in each ? each.link.slice(-2) : []), links, what);
    const named = all.flatMap((each) =>
      "because" in each
        ? `${each.what.replace(/ ?`conversations\.json` ?/, "")}: ${each.because}`
        : []
    );
    assert.deepEqual(named, left, what);
  }
});

Deno.test("a conversation larger than any is left out, a very long one cut to its last turns, and both are named", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "conversations.json");
  const long = chat("b1", ...Array.from({ length: 30 }, (_, i) => `${i} ${"word ".repeat(8000)}`));
  const huge = chat("a1", "y".repeat(33 * 1024 * 1024));
  writeFileSync(path, asText([huge, long, chat("c1", "I use vim")]));
  const [left, first, kept, last] = await read(path);
  assert.match(JSON.stringify(left), /conversation 1 in `.*`.*it is larger than 32 MB/);
  assert.match(JSON.stringify(first), /the first 17 turns of “Chat b1”.*longer than 512 KB/);
  const prompts = told(kept).map(([, prompt]) => prompt!.split(" ")[0]);
  assert.deepEqual([prompts[0], prompts.at(-1), prompts.length], ["17", "29", 13]);
  assert.deepEqual(told(last), [["2026-04-01", "I use vim"]]);
});

Deno.test("a list is read as far as the conversation at hand, of which none is held longer", async () => {
  const one = JSON.stringify(chat("a1", `${'[{\\"'.repeat(200)} text "]}" and \\`));
  const CHUNK = 1000, COUNT = 2000;
  let pulled = 0;
  async function* stream() {
    const text = new TextEncoder().encode(`${one},`);
    yield new TextEncoder().encode(" [");
    for (let i = 0; i < COUNT; i++) {
      for (let at = 0; at < text.length; at += CHUNK) {
        const part = text.subarray(at, at + CHUNK);
        pulled += part.length;
        yield part;
      }
    }
    yield new TextEncoder().encode(`${one}]`);
  }
  let ended = 0, count = 0;
  for await (const json of jsonItems(stream(), one.length)) {
    assert.equal(json, one);
    ended += one.length + 1;
    count++;
    assert.ok(pulled - ended <= one.length + CHUNK, `${pulled - ended} bytes are read ahead`);
  }
  assert.equal(count, COUNT + 1);
});

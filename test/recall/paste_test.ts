import assert from "node:assert/strict";
import { MAX_PROMPT } from "../../src/core/link/protocol.ts";
import { recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { cutPaste } from "../../src/core/text/paste.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

Deno.test("half a secret at the cut of a paste is not sent to an embedding model elsewhere", async () => {
  await using made = await makeIndex([
    memoryFile({ path: "/memories/kiln.md", name: "Kiln port", body: "The kiln is on 7070." }),
  ]);
  // Words, so that the text is taken for the question's; the first line of the key is in the part that is cut out.
  const key = `-----BEGIN PRIVATE KEY-----\n${"halfasecret of many words\n".repeat(100)}`;
  const log = "2026-11-21 07:00:00 INFO done\n".repeat(10_000);
  const tail = log.slice(0, MAX_PROMPT / 2 - key.length / 2 - 20);
  const prompt = cutPaste(`${log}${key}-----END PRIVATE KEY-----\n${tail}`);
  assert.match(prompt, /halfasecret/);
  assert.doesNotMatch(prompt, /BEGIN PRIVATE/);
  const sent: string[] = [];
  const embed = (text: string) => {
    sent.push(text);
    return Promise.resolve(new Float32Array(384));
  };
  const config = { ...loadConfig("/nowhere/config.yaml", {}), model: "https://example.com/v1#m" };
  const context = { index: made.index, config, now: new Date("2026-11-21T12:00:00Z"), embed };
  await recall({ prompt, folders: [made.folder], shown: NOTHING_SHOWN }, context);
  assert.equal(sent.length, 1);
  assert.doesNotMatch(sent[0]!, /halfasecret/);
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tell } from "../../src/core/capture/pieces.ts";
import { redactAll } from "../../src/core/redact/redact.ts";
import { readTurns } from "../../src/core/transcript/turns.ts";
import { temporaryFolder } from "../support/temp.ts";
import { everyday, PLANTED, type Planted } from "./planted.ts";

/** A transcript in which a secret stands in a place. */
type Place = readonly [name: string, lines: (text: string) => readonly Record<string, unknown>[]];

const PLACES: readonly Place[] = [
  ["prompt", (text) => [user(`Before it.\n${text}\nAfter it.`), said("Done.")]],
  ["reply", (text) => [user("Go on."), said(`Before it.\n${text}\nAfter it.`)]],
  ["tool input", (text) => [user("Go on."), ...called({ command: text }, "done")]],
  ["tool output", (text) => [user("Go on."), ...called({ command: "env" }, `Out:\n${text}\nEnd`)]],
  ["path", (text) => [user("Go on."), ...called({ file_path: `/srv/notes/${text}` }, "done")]],
];

for (const [i, [place, lines]] of PLACES.entries()) {
  Deno.test(`r10: none of ${PLANTED.length} kinds of secrets leaves in a ${place}`, async () => {
    assert.deepEqual(await missed(PLANTED, lines), []);
  });

  if (place === "path") continue; // what is in a path is a name
  Deno.test(`no everyday secret in a ${place} leaves, whatever its value`, async () => {
    assert.deepEqual(await missed(everyday(i + 1), lines), []);
  });
}

async function missed(planted: readonly Planted[], lines: Place[1]): Promise<string[]> {
  const missed: string[] = [];
  for (const { what, text, secrets } of planted) {
    const left = await leaving(lines(text));
    if (secrets.some((secret) => shows(left, secret))) missed.push(`${what}: ${left}`);
  }
  return missed;
}

/** What the language model would be told of a conversation. */
async function leaving(lines: readonly Record<string, unknown>[]): Promise<string> {
  using temp = temporaryFolder();
  const path = join(temp.path, "session.jsonl");
  const common = { sessionId: "s", cwd: "/srv", timestamp: "2026-11-21T10:00:00Z" };
  const text = lines.map((line, i) => JSON.stringify({ ...common, uuid: `u${i}`, ...line }) + "\n");
  writeFileSync(path, text.join(""));
  const told: string[] = [];
  for await (const turn of readTurns(path)) told.push(tell(turn));
  return (await redactAll(told)).map(({ text }) => text).join("\n");
}

/** A tool's result is shown on one line. */
function shows(text: string, secret: string): boolean {
  const flat = (text: string) => text.normalize("NFC").replace(/\s+/g, " ");
  return flat(text).includes(flat(secret));
}

function user(text: string) {
  return { type: "user", message: { role: "user", content: text } };
}

function said(text: string) {
  return { type: "assistant", message: { id: "m", content: [{ type: "text", text }] } };
}

function called(input: Record<string, unknown>, result: string) {
  const name = "command" in input ? "Bash" : "Read";
  return [
    {
      type: "assistant",
      message: { id: "m", content: [{ type: "tool_use", id: "t", name, input }] },
    },
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t", content: result }] },
    },
  ];
}

import assert from "node:assert/strict";
import { progressBar } from "../../src/surfaces/cli/shared/progress.ts";
import stringWidth from "string-width";

function terminal(columns: number) {
  const written: string[] = [];
  const stream = { isTTY: true, columns, write: (text: string) => written.push(text) };
  return { written, stream: stream as unknown as NodeJS.WriteStream };
}

Deno.test("a bar keeps its figures in a terminal of 40 columns, and is gone when it stops", () => {
  const { written, stream } = terminal(40);
  const bar = progressBar("Embedding", stream);
  bar.update(1234, 5678);
  bar.stop();
  const [line = "", end] = written;
  assert.match(line, /^\rEmbedding █+░+ 1234\/5678 \d+s/);
  assert.ok(stringWidth(line) <= 40, line); // control sequences have no width
  assert.equal(end, "\r\u001b[K");
});

Deno.test("a bar hides no cursor and breaks no line, so an interrupt leaves the terminal as it was", () => {
  const { written, stream } = terminal(80);
  const before = process.listenerCount("SIGINT");
  const bar = progressBar("Working", stream);
  bar.update(0, 0);
  bar.update(11, 10);
  assert.equal(process.listenerCount("SIGINT"), before);
  assert.doesNotMatch(written.join(""), /\?25l|\?7l|\n/);
});

Deno.test("without a terminal nothing is drawn", () => {
  const { written, stream } = terminal(80);
  const bar = progressBar("Working", Object.assign(stream, { isTTY: false }));
  bar.update(1, 2);
  bar.stop();
  assert.deepEqual(written, []);
});

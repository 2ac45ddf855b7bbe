import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import stringWidth from "string-width";

const SCRIPT = `
import { progressBar } from "${new URL("../../src/cli/progress.ts", import.meta.url)}";
const bar = progressBar("Working", Object.assign(process.stdout, { isTTY: true, columns: 80 }));
bar.update(1, 10);
setTimeout(() => process.stdout.write("ready"), 100); // Deno takes a moment to listen to signals
setInterval(() => {}, 1000);
`;

Deno.test("a bar that is interrupted gives the terminal its cursor and its line breaks back", async () => {
  const child = spawn(Deno.execPath(), ["eval", "--no-check", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [shown, isInterrupted] = ["", false];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (!isInterrupted && shown.includes("ready")) isInterrupted = child.kill("SIGINT");
  });
  const ended = await new Promise((done) =>
    child.on("close", (code, signal) => done(signal ?? code))
  );
  assert.ok(ended === 130 || ended === "SIGINT", `${ended}`); // Deno takes the one for the other
  assert.ok(shown.lastIndexOf("\u001b[?25h") > shown.lastIndexOf("\u001b[?25l"), "the cursor");
  assert.ok(shown.lastIndexOf("\u001b[?7h") > shown.lastIndexOf("\u001b[?7l"), "line breaks");
});

const NARROW = `
import { progressBar } from "${new URL("../../src/cli/progress.ts", import.meta.url)}";
const bar = progressBar("Embedding", Object.assign(process.stdout, { isTTY: true, columns: 40 }));
bar.update(1234, 5678);
bar.stop();
`;

Deno.test("a bar keeps its figures in a terminal of 40 columns", () => {
  const { stdout } = spawnSync(Deno.execPath(), ["eval", "--no-check", NARROW], {
    encoding: "utf8",
  });
  const drawn = stdout.split("\u001b[").map((text) => text.replace(/^[\d;?]*[A-Za-z]/, ""));
  const line = drawn.find((text) => text.includes("1234")) ?? "";
  assert.match(line, /^Embedding \S+ 1234\/5678 /);
  assert.ok(stringWidth(line) <= 40, line);
});

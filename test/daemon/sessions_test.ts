import assert from "node:assert/strict";
import { Sessions } from "../../src/core/daemon/sessions.ts";
import { pathsFor } from "../../src/paths.ts";

const HOUR = 3_600_000;
/** No process has this id. */
const DEAD = 2 ** 30;

/** The sessions of a daemon, one of them with this process id, and a clock. */
function setUp(pid: number | undefined) {
  let now = 0;
  const sessions = new Sessions({ HOME: "/h" }, pathsFor({ HOME: "/h" }), () => now);
  const where = { cwd: "/p", claude: "/h/.claude" };
  sessions.note({ ...where, session: "s", transcript: "/t/s.jsonl", pid }, {});
  return { sessions, after: (ms: number) => now += ms };
}

Deno.test("a session is open while its process lives, for a day after its last event", () => {
  const { sessions, after } = setUp(process.pid);
  after(23 * HOUR);
  assert.ok(sessions.isAnyOpen());
  after(2 * HOUR);
  assert.ok(!sessions.isAnyOpen());
});

Deno.test("a session that said so, or whose process has ended, keeps no daemon", () => {
  const { sessions } = setUp(process.pid);
  sessions.end("s");
  assert.ok(!sessions.isAnyOpen());
  assert.ok(!setUp(DEAD).sessions.isAnyOpen());
});

Deno.test("a session without a known process keeps no daemon", () => {
  assert.ok(!setUp(undefined).sessions.isAnyOpen());
});

Deno.test("a session that has ended is forgotten once nothing of it waits", () => {
  const { sessions } = setUp(DEAD);
  sessions.sweep((transcript) => transcript === "/t/s.jsonl");
  assert.ok(sessions.envOf("s"));
  sessions.sweep(() => false);
  assert.equal(sessions.envOf("s"), undefined);
});

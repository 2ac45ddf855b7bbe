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

Deno.test("a session is open while its known process lives and it has not ended, for a day after its last event", () => {
  const { sessions, after } = setUp(process.pid);
  after(23 * HOUR);
  assert.ok(sessions.isAnyOpen());
  after(2 * HOUR);
  assert.ok(!sessions.isAnyOpen());
  const ended = setUp(process.pid).sessions;
  ended.end("s");
  for (const closed of [ended, setUp(DEAD).sessions, setUp(undefined).sessions]) {
    assert.ok(!closed.isAnyOpen());
  }
});

Deno.test("a session that has ended is forgotten once nothing of it waits", () => {
  const { sessions } = setUp(DEAD);
  sessions.sweep((transcript) => transcript === "/t/s.jsonl");
  assert.ok(sessions.envOf("s"));
  sessions.sweep(() => false);
  assert.equal(sessions.envOf("s"), undefined);
});

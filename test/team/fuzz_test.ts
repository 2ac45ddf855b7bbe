// Two people propose, change, approve and retire notes at random, in one table, with a server that is gone now and then.
// Whatever happens, each text that somebody has proposed is in the table or waits to go there, and both end with the same
// copies.

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  fold,
  mayApprove,
  memoryOf as memoryIn,
  type NewEntry,
  proposal,
  type TeamEntry,
} from "../../src/features/team/entry.ts";
import {
  entriesOf,
  keepMembership,
  letWait,
  type Membership,
  waitingIn,
} from "../../src/features/team/membership.ts";
import { open, poll } from "../../src/features/team/poll.ts";
import { TeamServer } from "../../src/features/team/server.ts";
import { seededRandom } from "../../bench/random.ts";
import { memoryOf } from "../support/memory.ts";
import { filesIn } from "../support/files.ts";
import { startSqld } from "../support/sqld.ts";
import { firstRow } from "../support/team_history.ts";
import { temporaryFolder } from "../support/temp.ts";

const STEPS = 120;

Deno.test("no text is lost between two people and a server that comes and goes", async () => {
  using folder = temporaryFolder();
  await using sqld = await startSqld(join(folder.path, "server"));
  const token = sqld.token({ access: "rw" });
  using server = new TeamServer({ url: sqld.url, token });
  await server.create(firstRow(new Date().toISOString()));
  const people = ["Ada", "Bo"].map((as) =>
    keepMembership({ name: "x", as, url: sqld.url, token }, { teams: join(folder.path, as) })
  );
  const random = seededRandom(27);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const written: string[] = [];
  let [isUp, clock] = [true, Date.parse("2026-11-22T10:00:00Z")];
  const tick = () => new Date(clock += 1000);

  /** Does what needs the server; without it that fails, and nothing else may happen. */
  const online = async (work: () => Promise<unknown>) => {
    if (isUp) await work();
    else await assert.rejects(work(), /^MemoError: Cannot/);
  };
  const decide = (
    member: Membership,
    entry: Omit<NewEntry, "kind" | "body" | "author" | "origin" | "at">,
  ) =>
    online(async () => {
      using there = open(member);
      const more = { kind: "note", body: "", author: member.as, origin: {} } as const;
      await there.append([{ ...entry, ...more, at: tick().toISOString() }]);
    });
  const steps: Record<string, (member: Membership) => unknown> = {
    propose: (member) => offer(member, undefined),
    change: (member) => {
      const note = pick(fold(entriesOf(member)).notes);
      if (note) offer(member, { id: note.id, supersedes: note.current?.proposal.sha256 });
    },
    approve: async (member) => {
      const waiting = fold(entriesOf(member)).notes.flatMap(({ pending }) => pending)
        .filter(({ proposal }) => mayApprove(member.as, proposal, []));
      const chosen = pick(waiting)?.proposal;
      if (chosen) await decide(member, { id: chosen.id, sha256: chosen.sha256, state: "approved" });
    },
    retire: async (member) => {
      const chosen = pick(fold(entriesOf(member)).notes.flatMap(({ current }) => current ?? []));
      const about = chosen?.proposal;
      if (about) await decide(member, { id: about.id, sha256: about.sha256, state: "retired" });
    },
    poll: (member) => online(() => poll(member, tick())),
    server: async () => {
      await (isUp ? sqld.kill() : sqld.start());
      isUp = !isUp;
    },
  };
  function offer(
    member: Membership,
    of: { id: string; supersedes: string | undefined } | undefined,
  ) {
    const text = `Rule ${written.length} of ${member.as}`;
    const memory = memoryOf({ name: text, type: "feedback", body: text });
    letWait(member, proposal(memory, { author: member.as, now: tick(), origin: {}, of }));
    written.push(text);
  }

  const names = "propose propose change approve approve retire poll poll server".split(" ");
  for (let i = 0; i < STEPS; i++) await steps[pick(names)!]!(pick(people)!);
  if (!isUp) await sqld.start();
  for (const member of [...people, ...people]) await poll(member, tick());

  const texts = (entries: readonly TeamEntry[]) =>
    entries.filter(({ state, kind }) => state === "proposed" && kind === "note")
      .map((entry) => memoryIn(entry).body).sort();
  for (const member of people) {
    assert.deepEqual(texts(entriesOf(member)), written.toSorted(), member.as);
    assert.deepEqual(waitingIn(member), []);
  }
  assert.ok(written.length > 20);
  const copies = people.map(({ folder }) => filesIn(join(folder, "notes")));
  assert.ok(Object.keys(copies[0]!).length > 0);
  assert.deepEqual(copies[0], copies[1]);
});

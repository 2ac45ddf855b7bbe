// Three machines of one person that sync over git for a year, by the executable and `git daemon`: what a sync takes
// while the history grows, what it leaves on the disks, and whether all have the same notes in the end. Claude and the
// person write, edit and delete files and use commands; one machine is offline for a month, a fourth is set up late.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { generateMemories } from "../../bench/generate.ts";
import { writeMemories } from "../../bench/hook.ts";
import { describeMachine } from "../../bench/machine.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench/shared.ts";
import { serializeMemory } from "../../src/core/memory/file.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, succeed } from "../../test/support/home.ts";
import { MEMO, run } from "./executable.ts";
import { endsMonth, filesIn, goBack, monthsTable, movedClock, secondsOf } from "./year/clock.ts";

export interface MachinesRun {
  readonly notes: number;
  /** Days of the year that are lived. */
  readonly days: number;
  readonly json?: JsonOption;
}

const SYNCED = 3;
/** Parts of the year: one machine is offline, and a new one is set up. */
const OFFLINE = { machine: 2, from: 0.42, until: 0.5 }, NEW_AT = 0.8;
/** What is told of each sync. */
const FIELDS = ["cpuMs", "ms", "bytes", "received", "mb", "gitMb"] as const;
type Sync = Readonly<Record<typeof FIELDS[number], number>>;

/** Lives the days, and says what has grown and what is lost. */
export async function runMachines({ notes, days, json }: MachinesRun): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "memo-machines-"));
  await using remote = await serveRepository(folder);
  const homes = Array.from({ length: SYNCED + 1 }, () => makeHome());
  const at = movedClock(folder);
  const quiet = { stop: new AbortController().signal, onWritten: () => {} };
  const paths = await writeMemories({ paths: pathsFor(homes[0]!.env) }, notes, quiet);
  const person = new Person(paths.map((path) => basename(path)), days);
  const once: Record<string, Sync> = {}, months: Record<string, number>[] = [];
  let syncs: Sync[] = [], conflicts = 0;
  const sync = async (home: Home, what?: string, ...args: readonly string[]): Promise<Sync> => {
    remote.take();
    const { stdout, stderr, code, ...taken } = await run(["sync", ...args, "--json"], home);
    if (code !== 0) throw new Error(`\`memo sync\` exited with ${code}: ${stderr}${stdout}`);
    const report = JSON.parse(stdout);
    conflicts += report.conflicts.length;
    const done = { ...taken, bytes: remote.take(), received: report.received };
    if (what !== undefined) console.error(what, JSON.stringify(once[what] = done));
    return done;
  };
  for (const [i, home] of homes.slice(0, SYNCED).entries()) {
    await sync(at(home, secondsOf(0, days)), `machine ${i + 1}, day 0`, "init", remote.url);
  }
  const isOffline = (day: number) => day / days >= OFFLINE.from && day / days < OFFLINE.until;
  for (let day = 0; day < days; day++) {
    const begun = Date.now(), seconds = secondsOf(day, days);
    const all = homes.map((home) => at(home, seconds)), known = all.slice(0, SYNCED);
    if (isOffline(day - 1) && !isOffline(day)) await sync(all[OFFLINE.machine]!, "after a month");
    if (day === Math.floor(days * NEW_AT)) await sync(all[SYNCED]!, "new", "init", remote.url);
    for (const home of known) person.write(home, day, seconds);
    await person.command(known[day % SYNCED]!, day, seconds);
    const online = known.filter((_, i) => !isOffline(day) || i !== OFFLINE.machine);
    if (day % 5 === 0) await person.disagree(online[day % 2]!, online[1 - day % 2]!, seconds);
    for (const home of [...online, online[day % online.length]!]) syncs.push(await sync(home));
    if (endsMonth(day, days)) {
      await sync(online[0]!);
      const { cpuMs, bytes } = await sync(online[0]!); // nothing is new now
      const idle = { "idle, cpuMs": cpuMs, "idle, bytes": bytes };
      months.push({
        ...spreadOf(syncs),
        ...idle,
        ...sizesOf(online[0]!, remote.folder),
        conflicts,
      });
      console.error(`day ${day + 1}: ${JSON.stringify(months.at(-1))}`);
      syncs = [];
    }
    goBack([...homes.map(({ memoHome }) => memoHome), remote.folder], begun, seconds);
  }
  for (const home of [...homes, ...homes]) await sync(home);
  const found = { once, ...person.verdict(homes) };
  for (const home of homes) await home.dispose();
  rmSync(folder, { recursive: true });
  const table = monthsTable(months) + JSON.stringify(found, null, 1) + "\n";
  await present({ machine: describeMachine(), notes, days, months, ...found }, {
    json,
    depth: 3,
    table,
  });
}

/** Where what was written must be in the end: in a note in use, in one or an earlier version, only in a version. */
type Fate = "used" | "kept" | "gone";

/** What a person and Claude write on their machines, each with a mark. */
class Person {
  /** Files that nobody has touched. */
  readonly #files: string[];
  readonly #fresh: readonly string[];
  readonly #fates = new Map<string, Fate>();

  constructor(files: readonly string[], days: number) {
    this.#files = [...files];
    const made = generateMemories(files.length + SYNCED * days).slice(files.length);
    this.#fresh = made.map((memory) => serializeMemory(memory));
  }

  /** A day on one machine: a new note, an edited one, and on every other day one that is deleted. */
  write(home: Home, day: number, seconds: number): void {
    const mark = this.#mark("used");
    const text = this.#fresh[this.#fates.size % this.#fresh.length];
    writeFileSync(pathIn(home, `project_${mark.toLowerCase()}.md`), `${text}\n${mark}\n`);
    this.#edit(home, this.#files.pop()!, "used", seconds);
    if (day % 2 === 0) rmSync(pathIn(home, this.#files.pop()!));
  }

  /** What commands do on one of the machines: one note more, and one less. */
  async command(home: Home, day: number, seconds: number): Promise<void> {
    await succeed(home, ["add", `The rota of shed ${day} hangs beside ${this.#mark("used")}`]);
    const file = this.#files.pop()!;
    this.#edit(home, file, "gone", seconds);
    await forget(home, file);
  }

  /** Two machines edit one note, and one edits what the other one forgets. */
  async disagree(one: Home, other: Home, seconds: number): Promise<void> {
    const [both, half] = [this.#files.pop()!, this.#files.pop()!];
    for (const home of [one, other]) this.#edit(home, both, "kept", seconds);
    this.#edit(one, half, "used", seconds);
    await forget(other, half);
  }

  /** Marks that are not where they must be, and files that are not the same everywhere. */
  verdict(homes: readonly Home[]) {
    const all = homes.map((home) => {
      const notes = filesIn(join(home.claude, "memory"))
        .filter((path) => !/(MEMORY\.md|project\.json)$/.test(path));
      return new Map(notes.map((path) => [
        relative(home.claude, path).replace(/-[0-9a-f]+\//, "/"), // a project's folder is named by its path
        readFileSync(path, "utf8"),
      ]));
    });
    const names = new Set(all.flatMap((files) => [...files.keys()]));
    const differ = [...names].filter((name) =>
      all.some((files) => files.get(name) !== all[0]!.get(name))
    );
    const marksIn = (isArchive: boolean) =>
      new Set(
        [...all[0]!].filter(([name]) => name.includes("/.archive/") === isArchive)
          .flatMap(([, text]) => text.match(/Mark\d+/g) ?? []),
      );
    const used = marksIn(false), archived = marksIn(true);
    const isThere = { used: true, kept: undefined, gone: false };
    const lost = [...this.#fates].filter(([mark, fate]) =>
      used.has(mark) !== (isThere[fate] ?? used.has(mark)) || !used.union(archived).has(mark)
    );
    return { files: names.size, marks: this.#fates.size, lost, differ };
  }

  #mark(fate: Fate): string {
    const mark = `Mark${1000 + this.#fates.size}`;
    this.#fates.set(mark, fate);
    return mark;
  }

  #edit(home: Home, file: string, fate: Fate, seconds: number): void {
    const path = pathIn(home, file), date = new Date(Date.now() + seconds * 1000).toISOString();
    const text = readFileSync(path, "utf8").replace(/^updated: .*$/m, `updated: ${date}`);
    writeFileSync(path, `${text}\n${this.#mark(fate)}\n`);
  }
}

function pathIn(home: Home, file: string): string {
  return join(home.claude, "memory", file);
}

async function forget(home: Home, file: string): Promise<void> {
  await succeed(home, ["forget", file.replace(/\.md$/, "")], { executable: MEMO });
}

/** What the syncs of a month took, at the median, and at most. */
function spreadOf(syncs: readonly Sync[]): Record<string, number> {
  return Object.fromEntries(FIELDS.flatMap((field) => {
    const sorted = syncs.map((each) => Math.round(each[field])).sort((a, b) => a - b);
    return [[field, sorted[syncs.length >> 1]!], [`${field}, at most`, sorted.at(-1)!]];
  }));
}

/** What lies on the disks. */
function sizesOf(home: Home, remote: string): Record<string, number> {
  const sizes: Record<string, number> = {};
  const count = (name: string, files: readonly string[]) => {
    sizes[name] = files.length;
    sizes[`${name}, KB`] = Math.ceil(files.reduce((sum, at) => sum + statSync(at).size, 0) / 1024);
  };
  for (const [name, at] of Object.entries({ local: join(home.memoHome, "sync"), remote })) {
    const files = filesIn(at);
    count(`${name} loose`, files.filter((path) => /objects.[0-9a-f]{2}.[0-9a-f]{38}$/.test(path)));
    count(`${name} packs`, files.filter((path) => path.endsWith(".pack")));
    count(name, files);
  }
  const archive = filesIn(pathIn(home, ".archive"));
  count("archive", archive);
  count("log", archive.filter((path) => path.endsWith("changes.jsonl")));
  return sizes;
}

/** A bare repository behind `git daemon`, and a port that counts what passes. */
async function serveRepository(root: string) {
  const folder = join(root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", folder]);
  const listening = (server: Server) =>
    new Promise<number>((done) =>
      server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port))
    );
  const free = createServer(), port = await listening(free);
  await new Promise((done) => free.close(done));
  const address = ["--listen=127.0.0.1", `--port=${port}`, `--base-path=${root}`];
  const daemon = spawn("git", ["daemon", ...address, "--export-all", "--enable=receive-pack"]);
  let bytes = 0;
  const open: Socket[] = [];
  const counting = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    open.push(client, server);
    for (const [from, to] of [[client, server], [server, client]] as const) {
      from.on("data", (data) => bytes += data.length).on("error", () => to.destroy()).pipe(to);
    }
  });
  const url = `git://127.0.0.1:${await listening(counting)}/remote.git`;
  return {
    folder,
    url,
    take: () => [bytes, bytes = 0][0]!,
    async [Symbol.asyncDispose]() {
      daemon.kill();
      for (const socket of open) socket.destroy();
      await new Promise((done) => counting.close(done));
    },
  };
}

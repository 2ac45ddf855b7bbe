// Disks that are full for real: a small tmpfs in a mount namespace of its own, with the real executable in it.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { readFixture } from "../support/fixtures.ts";
import { type Home, makeHome, MEMO, PATIENCE, runMemo } from "../support/home.ts";
import type { Finished } from "../support/run.ts";

const NAMESPACE = ["--user", "--map-root-user", "--mount"];
/** Some systems do not let a user have namespaces; there the tests are skipped. */
const ignore = process.platform !== "linux" ||
  spawnSync("unshare", [...NAMESPACE, "sh", "-c", "mount -t tmpfs none /mnt"]).status !== 0;

const KILN = "---\nname: Kiln\ndescription: Kiln\ntype: tool\n---\nThe kiln's port is 7070.\n";

/** A small disk in place of a folder of a home, for processes that run through it. */
class SmallDisk {
  readonly #holder: ChildProcess;
  /** The folder's path from outside. */
  readonly folder: string;

  private constructor(readonly home: Home, holder: ChildProcess, folder: string) {
    this.#holder = holder;
    this.folder = `/proc/${holder.pid}/root${folder}`;
  }

  static async mount(home: Home, folder: string, size: string): Promise<SmallDisk> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const script = `mount -t tmpfs -o size=${size},mode=700 none "$0" && echo mounted && exec cat`;
    const holder = spawn("unshare", [...NAMESPACE, "sh", "-c", script, folder]);
    await new Promise((done, fail) => {
      holder.stdout.once("data", done);
      holder.once("close", () => fail(new Error("There is no small disk")));
    });
    return new SmallDisk(home, holder, folder);
  }

  /** Runs memo with the small disk in its place. */
  memo(args: readonly string[], stdin = "", env: Record<string, string> = {}): Promise<Finished> {
    const enter = [`--target=${this.#holder.pid}`, "--user", "--mount", "--preserve-credentials"];
    const home = { ...this.home, env: { ...this.home.env, ...env } };
    return runMemo(home, [...enter, MEMO, ...args], { stdin, executable: "nsenter" });
  }

  /** The block that a prompt gets; the hook must be in good order. */
  async ask(session: string, prompt: string): Promise<string> {
    const event = {
      ...readFixture("UserPromptSubmit"),
      session_id: session,
      cwd: this.home.project,
    };
    const { code, stdout, stderr } = await this.memo(
      ["hook"],
      JSON.stringify({ ...event, prompt }),
    );
    assert.deepEqual([code, stderr], [0, ""]);
    return JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? "";
  }

  /** Takes all of the space that is left. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "w");
    const write = (bytes: Uint8Array) => {
      try {
        while (writeSync(file, bytes) === bytes.length);
      } catch (error) {
        assert.equal((error as { code?: string }).code, "ENOSPC");
      }
    };
    for (const size of [1 << 20, 4096, 1]) write(Buffer.alloc(size));
    closeSync(file);
  }

  free(): void {
    rmSync(join(this.folder, "filler"));
  }

  [Symbol.dispose](): void {
    this.#holder.kill();
  }
}

Deno.test({
  name: "with a full disk below the state folder prompts are answered, and all heals defer, r10",
  ignore,
  async fn() {
    await using home = makeHome(PATIENCE, { hasModel: true });
    home.write("tool_kiln.md", KILN);
    using disk = await SmallDisk.mount(home, home.memoHome, "300m");
    assert.equal((await disk.memo(["index"])).code, 0);
    disk.fill();
    assert.match(await disk.ask("s1", "which port has the kiln"), /7070/, "without a daemon");
    await disk.memo(["daemon", "stop"]);
    assert.match(await disk.ask("s2", "which port has the kiln"), /7070/, "whatever has started");
    const added = await disk.memo(["add", "The anvil's port is 8080.", "--name", "Anvil"]);
    assert.equal(added.code, 0, added.stderr); // memories lie elsewhere; the index follows later
    disk.free();
    const started = await disk.memo(["daemon", "start"]);
    assert.equal(started.code, 0, started.stderr);
    assert.match(await disk.ask("s3", "which port has the anvil"), /8080/);
    await disk.memo(["daemon", "stop"]);
  },
});

Deno.test({
  name: "with a full disk below a state folder that was never used prompts are answered",
  ignore,
  async fn() {
    await using home = makeHome(PATIENCE, { hasModel: true });
    home.write("tool_kiln.md", KILN);
    using disk = await SmallDisk.mount(home, home.memoHome, "1m");
    disk.fill();
    for (const session of ["s1", "s2"]) {
      assert.match(await disk.ask(session, "which port has the kiln"), /7070/);
    }
  },
});

Deno.test({
  name: "on a disk without room for memo's parts `init` changes nothing, and says what they take",
  ignore,
  async fn() {
    await using home = makeHome(PATIENCE, { hasModel: true });
    using disk = await SmallDisk.mount(home, home.memoHome, "100m");
    const { code, stdout, stderr } = await disk.memo(["init", "--yes"]);
    assert.equal(code, 2);
    assert.match(stderr, /parts into `.*`: they need \d+ MB, and \d+ MB is free/);
    assert.doesNotMatch(stdout, /is set up/);
    assert.deepEqual(readdirSync(disk.folder), []);
    assert.deepEqual(readdirSync(home.claude), []);
    assert.match((await disk.memo(["init"])).stderr, /^warning: .*they need \d+ MB/m);
    await disk.memo(["daemon", "stop"]);
  },
});

Deno.test({
  name: "with a full disk below the memories `add` says so and leaves nothing half done, r10",
  ignore,
  async fn() {
    await using home = makeHome(PATIENCE);
    const folder = join(home.claude, "memory");
    using disk = await SmallDisk.mount(home, folder, "256k");
    const add = (name: string) =>
      disk.memo(["add", `${name} listens on port 7070.`, "--name", name, "--scope", "user"]);
    assert.equal((await add("Kiln")).code, 0);
    assert.equal((await disk.memo(["daemon", "start"])).code, 0);
    const before = readdirSync(disk.folder).toSorted();
    disk.fill();
    const { code, stderr } = await add("Anvil");
    assert.equal(code, 2);
    assert.match(stderr, /^error: .*(no space left|ENOSPC)/im);
    assert.deepEqual(readdirSync(disk.folder).toSorted(), ["filler", ...before].toSorted());
    assert.match(await disk.ask("s1", "on which port does the kiln listen"), /7070/);
    disk.free();
    assert.equal((await add("Anvil")).code, 0);
    const texts = readdirSync(disk.folder).filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(disk.folder, name), "utf8"));
    assert.ok(texts.length >= 3 && texts.every((text) => /Kiln|Anvil/.test(text)));
    await disk.memo(["daemon", "stop"]);
  },
});

Deno.test({
  name: "with a full disk below the memories `edit` keeps what was typed, and says where",
  ignore,
  async fn() {
    await using home = makeHome(PATIENCE);
    using disk = await SmallDisk.mount(home, join(home.claude, "memory"), "256k");
    const add = ["add", "The kiln listens on 7070.", "--name", "Kiln", "--scope", "user"];
    assert.equal((await disk.memo(add)).code, 0);
    disk.fill();
    const typed = "The kiln listens on 9090. ".repeat(2000).trim();
    writeFileSync(join(home.root, "typed"), `---\nname: Kiln\ntype: tool\n---\n${typed}\n`);
    const { code, stderr } = await disk.memo(["edit", "Kiln"], "", {
      EDITOR: `cp ${join(home.root, "typed")}`,
    });
    assert.equal(code, 2);
    const [, copy = ""] = /^Your text is saved in `(.*)`$/m.exec(stderr) ?? [];
    assert.ok(readFileSync(copy.replace("~", home.env["HOME"]!), "utf8").includes(typed), stderr);
    const { stderr: next } = await disk.memo(["edit", "Kiln"], "", { EDITOR: "true" });
    assert.match(next, /^An interrupted edit left its text in `.*\/edits\/edit-/m);
    await disk.memo(["daemon", "stop"]);
  },
});

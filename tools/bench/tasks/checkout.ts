import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoError, messageOf } from "../../../src/errors.ts";
import {
  decoysOf,
  type RawTask,
  readJson,
  REPRO,
  type Task,
  taskOf,
  type TaskSuite,
} from "./suite.ts";

/** What the benchmark's generator plants in a repository for a task. */
interface Trap {
  readonly pkg: string;
  readonly init: string;
  readonly module: string;
  readonly bug: string;
  readonly existing_test: string;
}

/** The parts of a `task.json` that only a checkout has. */
interface CheckedOut extends RawTask {
  readonly source: string;
  readonly tier: string;
}

/** Prints what is planted, without what must not be seen; its argument is the folder of the generator. */
const TRAPS = `import json, sys
sys.path.insert(0, sys.argv[1])
from traps import TRAPS
keys = ("pkg", "init", "module", "bug", "existing_test")
print(json.dumps({name: {key: trap[key] for key in keys} for name, trap in TRAPS.items()}))
`;

/**
 * Reads a checkout of vectorize-io/sde-bench: the tasks whose rule is in a conversation, and whose module is planted
 * in the host library. The module is used without the library, which no task needs.
 */
export function readCheckout(folder: string): TaskSuite {
  const traps = trapsOf(join(folder, "gen"));
  const tasks = readdirSync(folder).sort().flatMap((name): Task[] => {
    const main = join(folder, name, "tasks", "main");
    if (!existsSync(join(main, "task.json"))) return [];
    const raw = readJson(join(main, "task.json")) as CheckedOut;
    const trap = traps[name.replace(/^boltons-|-amended$/g, "")];
    if (!raw.source.startsWith("conversation") || raw.tier !== "planted" || trap === undefined) {
      return [];
    }
    return [taskOf(raw, {
      name: name.replace(/^boltons-/, ""),
      hiddenTest: readFileSync(join(main, "hidden_test.py"), "utf8"),
      repository: new Map([
        [`${trap.pkg}/__init__.py`, trap.init],
        [trap.module, trap.bug],
        [raw.pass_to_pass[0]!, trap.existing_test],
        [REPRO, readFileSync(join(main, "regression_test.py"), "utf8")],
      ]),
    })];
  });
  return { tasks, decoys: decoysOf(join(folder, "gen", "decoy_conversations.json")) };
}

function trapsOf(generator: string): Readonly<Record<string, Trap>> {
  try {
    return JSON.parse(execFileSync("python3", ["-c", TRAPS, generator], { encoding: "utf8" }));
  } catch (error) {
    throw new MemoError("file", `Cannot read the tasks of \`${generator}\`: ${messageOf(error)}`, {
      hint: "Install python3: the benchmark's modules are Python files",
    });
  }
}

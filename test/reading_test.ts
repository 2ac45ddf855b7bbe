// The reading lists in AGENTS.md: with them a newcomer has each pipeline in an hour.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (file: string) => readFileSync(ROOT + file, "utf8");

/** Each list, with the steps that it must have, and the files that no import leads to. */
const LISTS: readonly {
  readonly of: string;
  /** Lines of all its files, at most. */
  readonly most: number;
  readonly begin: string;
  readonly steps: readonly string[];
  readonly end: string;
  readonly hops: Readonly<Record<string, string>>;
}[] = [
  {
    of: "recall",
    most: 2000,
    begin: "hooks/client.ts",
    steps: ["gate", "retrieve", "fuse", "budget", "format"].map((step) =>
      `src/core/recall/${step}.ts`
    ),
    end: "src/core/recall/format.ts",
    hops: { "src/core/events/mod.ts": "over the socket, by the methods of the daemon" },
  },
  {
    of: "capture",
    most: 2200,
    begin: "src/core/events/capture.ts",
    steps: ["work", "extract", "decide", "dedupe"].map((step) => `src/core/capture/${step}.ts`),
    end: "src/core/change/carry_out.ts",
    hops: {
      "src/core/daemon/capture_worker.ts": "by the queue",
      "src/core/change/carry_out.ts": "by the pipeline of src/core/engine/surroundings.ts",
    },
  },
];

/** The files of a list, in their order. */
function listed(of: string): string[] {
  const heading = `## To read ${of}, in this order\n`;
  const [, section = ""] = read("AGENTS.md").split(heading);
  const items = section.split("\n## ")[0]!.matchAll(/^\d+\. `([^`]+)`: \S/gm);
  return [...items].map(([, file]) => file!);
}

/** The files that one imports, types and what is loaded later included. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g);
  return [...found].map(([, path]) => posix.join(posix.dirname(file), path!));
}

for (const { of, most, begin, steps, end, hops } of LISTS) {
  Deno.test(`AGENTS.md lists the files of ${of} from the first to the last`, () => {
    const files = listed(of);
    assert.deepEqual(files.filter((file) => !existsSync(ROOT + file)), [], "they do not exist");
    assert.deepEqual([files[0], files.at(-1)], [begin, end]);
    assert.deepEqual(steps.filter((step) => !files.includes(step)), [], "these steps are missing");
  });

  Deno.test(`the files of ${of} are read in ${most} lines`, () => {
    const lines = listed(of).map((file) => read(file).split("\n").length - 1);
    const sum = lines.reduce((all, each) => all + each, 0);
    assert.ok(sum <= most, `they have ${sum}`);
  });

  Deno.test(`each file of ${of} is imported by one that was read before it`, () => {
    const files = listed(of);
    const strays = files.slice(1).filter((file, i) =>
      !Object.hasOwn(hops, file) &&
      !files.slice(0, i + 1).some((it) => importsOf(it).includes(file))
    );
    assert.deepEqual(strays, []);
  });
}

// A store of 300 memories: 150 facts, 100 of them told again, 20 that a later one contradicts, and 30 whose time has
// passed. Made, not drawn: each run makes the same files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serializeMemory } from "../../../src/core/memory/file.ts";
import { fileName } from "../../../src/core/memory/title.ts";
import { memoryFile } from "../../support/index.ts";

/** A planted memory. */
export interface Planted {
  readonly file: string;
  readonly name: string;
  readonly type: string;
  readonly body: string;
  readonly created: string;
  /** Why it is there. */
  readonly kind: "fact" | "duplicate" | "contradicts" | "expired";
  /** The file of the fact that it repeats or contradicts. */
  readonly of?: string;
}

const SERVICES = [
  ...["billing", "search", "catalog", "checkout", "mailer", "gateway", "ledger", "inventory"],
  ...["profile", "pricing", "shipping", "reports", "identity", "webhooks", "importer"],
];

/** What is known of each service, with values of its own: ten facts, each with its type, name and body. */
const factsOf = (s: string, n: number) =>
  `reference: Port of ${s} on staging: On staging the ${s} service listens on port ${4000 + n}.
architecture: Storage of ${s}: The ${s} service keeps its rows in the Postgres schema ${s}_v${
    n % 4 + 1
  }.
gotcha: Retries in ${s}: Calls to ${s} time out after ${
    n + 5
  } seconds, so retries must be idempotent.
tool: Command line of ${s}: Run \`bin/${s} migrate --step ${n + 1}\` before the tests of ${s}.
decision: Queue of ${s}: We chose the queue ${s}-jobs over cron because ${n + 2} workers share it.
pattern: Naming in ${s}: Handlers of ${s} are called ${s}Handler${n} and live in src/${s}/handlers.
feedback: Review of ${s}: Never merge changes to ${s} without a review by team-${n % 6}.
project: Owner of ${s}: The team squad-${n % 7} owns ${s} and answers in the channel #${s}-help.
reference: Dashboard of ${s}: The dashboard of ${s} is at https://grafana.example.org/d/${s}${n}.
decision: Cache of ${s}: Responses of ${s} are cached for ${n * 10 + 30} seconds at the edge.`
    .split("\n").map((line) => line.split(": ") as [type: string, name: string, body: string]);

/** Ways to tell a fact again without another word that matters. */
const TELLINGS: readonly ((body: string) => string)[] = [
  (body) => body.replace(/\.$/, ""),
  (body) => body.replace(/\bthe /gi, ""),
  (body) => `Please note: ${body}`.replace("Please note: ", "- "),
  (body) => body.replace(/^(\w)/, (letter) => letter.toLowerCase()) + "\n",
  (body) => `**${body.replace(/\.$/, "")}**.`,
];

/** The planted memories; nothing is written. */
export function planted(): Planted[] {
  const day = (n: number) => new Date(Date.UTC(2026, 5, 1 + n, 12)).toISOString();
  const memories: Planted[] = [];
  const add = (type: string, name: string, rest: Omit<Planted, "file" | "name" | "type">) =>
    memories.push({ file: fileName(type, name), name, type, ...rest });
  const facts = SERVICES.flatMap(factsOf);
  for (const [i, [type, name, body]] of facts.entries()) {
    add(type, name, { body, created: day(i % 60), kind: "fact" });
  }
  const told = facts.filter((_, i) => i % 3 !== 2).slice(0, 100);
  for (const [i, [type, name, body]] of told.entries()) {
    const telling = TELLINGS[i % TELLINGS.length]!;
    const of = fileName(type, name);
    add(type, `${name} (again)`, {
      body: telling(body),
      created: day(70 + i % 10),
      kind: "duplicate",
      of,
    });
  }
  const changed = facts.filter((_, i) => i % 3 === 2 && /\d/.test(facts[i]![2])).slice(0, 20);
  for (const [type, name, body] of changed) {
    const other = body.replace(/\d+(?!.*\d)/, (number) => String(Number(number) + 7000));
    add(type, `${name} now`, {
      body: other,
      created: day(90),
      kind: "contradicts",
      of: fileName(type, name),
    });
  }
  for (let i = 0; i < 30; i++) {
    const service = SERVICES[i % SERVICES.length]!;
    const date = day(20 + i).slice(0, 10);
    add(i % 2 === 0 ? "progress" : "project", `Freeze ${i + 1} of ${service}`, {
      body: `Until ${date} nobody deploys ${service}; release ${i + 1} is being cut.`,
      ...{ created: day(19 + i), kind: "expired" },
    });
  }
  return memories;
}

/** Writes the planted memories, or those of some kinds, into a folder, and returns them with their texts. */
export function plant(
  folder: string,
  isWanted: (memory: Planted) => boolean = () => true,
): ReadonlyMap<Planted, string> {
  mkdirSync(folder, { recursive: true });
  return new Map(
    planted().filter(isWanted).map((memory) => {
      const { file, name, type, body, created } = memory;
      const text = serializeMemory(memoryFile({ path: "", name, type, body, created }));
      writeFileSync(join(folder, file), text);
      return [memory, text];
    }),
  );
}

/** Writes a few facts and as many memories that say the same. */
export function plantSome(folder: string, count: number): void {
  const some = planted().filter(({ kind }) => kind === "duplicate").slice(0, count);
  const files = new Set(some.flatMap(({ file, of }) => [file, of]));
  plant(folder, ({ file }) => files.has(file));
}

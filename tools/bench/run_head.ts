// Whether flags on notes are right: notes that name things, as they would have been written at an earlier commit of real
// repositories, and labels of what became of the things.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { checkNotes } from "../../src/head/check_notes.ts";
import { Repository } from "../../src/head/repository.ts";
import type { Drift } from "../../src/memory/standing.ts";

export interface HeadOptions {
  /** A folder with one folder a repository: `notes.jsonl`, `NAME.bundle`, `NAME.shallow`. */
  readonly data: string;
}

interface Thing {
  readonly text: string;
  readonly kind: string;
  readonly label: string;
  readonly new?: string | null;
  readonly path?: string;
  readonly value?: string;
  readonly also?: readonly string[];
  readonly soft?: boolean;
  readonly hard?: boolean;
}

interface LabelledNote {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly created: string;
  readonly things: readonly Thing[];
}

/** Checks the notes of each repository, and prints precision and recall of the flags. */
export async function runHead({ data }: HeadOptions): Promise<void> {
  const total = { right: 0, wrong: 0, hard: 0 };
  const labels = new Map<string, { right: number; all: number }>();
  // git runs in another folder.
  for (const folder of readdirSync(data).map((name) => resolve(data, name))) {
    if (!existsSync(join(folder, "notes.jsonl"))) continue;
    const scratch = mkdtempSync(join(tmpdir(), "head-"));
    try {
      const top = restore(folder, scratch);
      const lines = readFileSync(join(folder, "notes.jsonl"), "utf8").trim().split("\n");
      const notes = lines.map((line) => {
        const note = JSON.parse(line) as LabelledNote;
        return { ...note, description: "", at: Date.parse(note.created) };
      });
      const began = performance.now();
      const repository = await Repository.open(top, { signal: new AbortController().signal });
      const checked = await checkNotes(repository!, notes, () => false);
      const ms = Math.round(performance.now() - began);
      const own = { right: 0, wrong: 0, hard: 0 };
      for (const [note, { drift }] of checked) score(note, drift, own, labels);
      console.log(`${basename(folder)}: ${notes.length} notes, ${ms} ms, ${say(own)}`);
      for (const key of ["right", "wrong", "hard"] as const) total[key] += own[key];
    } finally {
      rmSync(scratch, { recursive: true });
    }
  }
  console.log(`all: ${say(total)}`);
  for (const [label, { right, all }] of labels) console.log(`  ${label} ${right}/${all}`);
}

function say({ right, wrong, hard }: { right: number; wrong: number; hard: number }): string {
  const share = (part: number, all: number) => (part / Math.max(1, all)).toFixed(3);
  return `right ${right} of ${hard}, wrong flags ${wrong}; precision ${
    share(right, right + wrong)
  }, recall ${share(right, hard)}`;
}

/** Lays out a repository: its commits back to the notes' own. */
function restore(folder: string, scratch: string): string {
  const name = basename(folder), bundle = join(folder, `${name}.bundle`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", scratch, ...args], { encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main", ".");
  const shallow = () => cpSync(join(folder, `${name}.shallow`), join(scratch, ".git/shallow"));
  shallow();
  const [tip] = git("bundle", "list-heads", bundle).split(" ");
  git("bundle", "unbundle", bundle);
  git("update-ref", "refs/heads/main", tip!);
  shallow();
  git("reset", "-q", "--hard");
  return scratch;
}

function score(
  { id, things }: LabelledNote,
  drift: readonly Drift[],
  counts: { right: number; wrong: number; hard: number },
  labels: Map<string, { right: number; all: number }>,
): void {
  const used = new Set<Drift>();
  for (const thing of things) {
    const its = drift.filter((each) => isAbout(each, thing));
    its.forEach((each) => used.add(each));
    if (thing.label === "unsure" || thing.soft) continue;
    const isRight = its.some((each) => isAnswer(each, thing));
    if (thing.hard) {
      counts.hard++;
      const label = labels.get(thing.label) ?? { right: 0, all: 0 };
      labels.set(thing.label, { right: label.right + Number(isRight), all: label.all + 1 });
    }
    if (thing.hard && isRight) counts.right++;
    else if (its.length > 0) counts.wrong++;
    if (thing.hard ? !isRight : its.length > 0) console.log("  ", id, thing, its);
  }
  for (const stray of drift.filter((each) => !used.has(each))) {
    counts.wrong++;
    console.log("  ", id, "stray", stray);
  }
}

function isAbout({ thing, from }: Drift, { text, path = text, value }: Thing): boolean {
  const names = [text, path, basename(text)].map((name) => name.replace(/\/+$/, ""));
  const said = thing.replace(/\/+$/, "");
  return names.some((name) =>
    name === said || name.endsWith("/" + said) || said.endsWith("/" + name) ||
    (name.includes(" ") && name.startsWith(said))
  ) || (value !== undefined && from === value);
}

function isAnswer({ verdict, to = "" }: Drift, { label, new: now, also = [] }: Thing): boolean {
  const isSame = (wanted: string) =>
    to === wanted || to.endsWith("/" + wanted) || wanted.endsWith("/" + to);
  if (verdict === label && (verdict === "gone" || isSame(now ?? ""))) return true;
  return also.some((each) => {
    const [other, wanted = "*"] = each.split(/:(.*)/s);
    return verdict === other && (wanted === "*" || wanted === "" || isSame(wanted));
  });
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { loadSuite, readJsonLines } from "../../../bench/suite.ts";
import type { Fact, LaterPrompt } from "../retention/suite.ts";

/** A note as it was typed; one that a prompt needs has an id, and what states it. */
export type TypedNote = string | {
  readonly id: string;
  readonly text: string;
  readonly says: readonly string[];
};

/** The notes of one project, as a person typed them, and as other tools exported them. */
export interface ProjectNotes {
  readonly project: string;
  readonly typed: readonly TypedNote[];
  readonly imported: {
    /** Notes without a heading or front matter. */
    readonly files: readonly string[];
    /** Daily notes by their date. */
    readonly daily?: Readonly<Record<string, string>>;
    /** One file with headings. */
    readonly sections?: string;
  };
  /** Facts in notes that are not marked, typed or imported. */
  readonly also?: readonly Pick<Fact, "id" | "says">[];
}

/** The suite `typed`: notes, and the prompts that need one of them. */
export interface TypedSuite {
  readonly projects: readonly ProjectNotes[];
  /** Notes about everything, which belong to no project. */
  readonly vault: readonly string[];
  readonly facts: readonly Fact[];
  readonly prompts: readonly LaterPrompt[];
}

/** The name of the notes that belong to no project. */
const VAULT = "vault";

/** Reads the suite; throws for a prompt that needs a note which is not there. */
export function readTypedSuite(folder: string): TypedSuite {
  const notes = join(folder, "notes");
  const files = readdirSync(notes).filter((name) => name.endsWith(".yaml")).sort();
  const read = (name: string) => parse(readFileSync(join(notes, name), "utf8"));
  const projects = files.filter((name) => basename(name, ".yaml") !== VAULT)
    .map((name): ProjectNotes => ({ project: basename(name, ".yaml"), ...read(name) }));
  const facts = projects.flatMap(({ project, typed, also = [] }) =>
    [...typed.filter((note) => typeof note !== "string"), ...also]
      .map(({ id, says }): Fact => ({ id, in: project, scope: project, keep: "must", says }))
  );
  const prompts = readJsonLines<LaterPrompt>(join(folder, "prompts.jsonl"));
  const known = new Set(facts.map(({ id }) => id));
  const loose = prompts.flatMap(({ needs }) => needs.filter((need) => !known.has(need)));
  if (loose.length > 0) {
    throw new Error(`The suite refers to missing facts: ${loose.join(", ")}`);
  }
  return { projects, vault: read(`${VAULT}.yaml`).files, facts, prompts };
}

/** A memory as extraction leaves it: with a type, a description and perhaps triggers. */
export interface CapturedNote {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
  readonly triggers: readonly string[];
}

/** The documents of a suite of recall, as captured memories of another project. */
export function capturedNotes(folder: string): CapturedNote[] {
  return loadSuite(folder).documents.map((
    { title, text, description = "", type = "project", triggers = [] },
  ) => ({
    ...{
      name: title ?? text.split("\n")[0]!.slice(0, 80),
      description,
      type,
      body: text,
      triggers,
    },
  }));
}

/** The text of a typed note. */
export function textOf(note: TypedNote): string {
  return typeof note === "string" ? note : note.text;
}

/** The half that a prompt belongs to: by the note that it needs, so that no note is in both. */
export function splitOf({ id, needs }: Pick<LaterPrompt, "id" | "needs">): "dev" | "test" {
  const digest = createHash("sha256").update(needs[0] ?? id).digest();
  return digest[0]! % 2 === 0 ? "dev" : "test";
}

/** All texts of a project's notes. */
export function textsOf(notes: ProjectNotes | undefined): ReadonlySet<string> {
  if (notes === undefined) return new Set();
  const { typed, imported: { files, daily = {}, sections = "" } } = notes;
  return new Set([...typed.map(textOf), ...files, ...Object.values(daily), ...partsOf(sections)]);
}

/** The sections of a file. */
export function partsOf(sections: string): readonly string[] {
  return sections.split(/^(?=## )/m).slice(1);
}

// A week of work: notes as somebody typed them, and prompts, each after the start of a session of its own.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { describeMachine, formatMachine } from "../../bench/machine.ts";
import { percent, type Share } from "../../bench/share.ts";
import { type JsonOption, present } from "../../src/surfaces/cli/bench.ts";
import type { CliContext } from "../../src/surfaces/cli/shared/command.ts";
import { openLog } from "../../src/core/files/log.ts";
import { columns } from "../../src/core/text/terminal.ts";
import { SUITES } from "./executable.ts";
import { addTyped } from "./growth/fill.ts";
import { splitOf } from "./growth/notes.ts";
import { enrichAll } from "./sessions/capture.ts";
import { serveRecorded } from "./sessions/recorded_model.ts";
import { type Context, type Given, serveAll } from "./sessions/serve.ts";
import { makeWorld } from "./sessions/world.ts";

export interface WeekRun {
  readonly suite?: string;
  readonly arm?: readonly string[];
  readonly questions?: string;
  readonly misses?: boolean;
  readonly json?: JsonOption;
}

/** A prompt, and the notes that it needs; those that it `may` get are no mistake. */
interface WeekPrompt {
  readonly id: string;
  readonly project: string;
  readonly text: string;
  readonly needs: readonly string[];
  readonly may?: readonly string[];
}

/** What one half of the prompts got. */
interface WeekRow {
  readonly arm: string;
  readonly half: Half;
  readonly prompts: number;
  /** Needed memories at the start or with the prompt; and those with the prompt. */
  readonly inContext: Share;
  readonly withPrompt: Share;
  /** Memories that were added and needed. */
  readonly precision: Share;
  /** Prompts that need nothing but got something. */
  readonly idle: Share;
}

/** Settings are chosen on one half of the prompts, and reported on the other. */
type Half = "dev" | "test";

/** What a person may have chosen. */
const ARMS: readonly Arm[] = [
  { name: "nothing sent", preset: "local", isEnriched: false },
  { name: "local", preset: "local", isEnriched: true },
  { name: "balanced", preset: "balanced", isEnriched: true },
];

interface Arm {
  readonly name: string;
  readonly preset: string;
  /** A language model has written example prompts for the notes. */
  readonly isEnriched: boolean;
}

const NOW = new Date("2026-11-21T09:00:00Z");

/** Measures what the prompts of a week get, with recorded replies of a language model. */
export async function runWeek(
  { suite = join(SUITES, "week"), arm, questions, misses = false, json }: WeekRun,
  { paths }: CliContext,
): Promise<void> {
  const projects = readWeek(suite);
  const notes: Notes = Object.assign({}, ...projects.map(({ notes }) => notes));
  const replies = join(suite, "replies.jsonl");
  await using model = await serveRecorded({ replies, questions });
  const log = openLog(paths.logs);
  const rows: WeekRow[] = [], faults: string[] = [];
  for (
    const { name, preset, isEnriched } of ARMS.filter((each) => arm?.includes(each.name) ?? true)
  ) {
    const settings = { MEMO_RECALL_PRESET: preset, MEMO_RECALL_DEADLINE_MS: "1000" };
    await using world = makeWorld({ model: model.url, settings, log });
    for (const { name, notes } of projects) {
      const { place } = await world.sync(name);
      await addTyped(Object.values(notes), { place, from: 0 });
    }
    if (isEnriched) {
      for (const { name } of projects) {
        await enrichAll(world, [name]).catch((error) => {
          if (model.open.size === 0) throw error;
        });
      }
    }
    const prompts = projects.flatMap(({ prompts }) => prompts);
    const contexts = await serveAll(prompts, world, { now: NOW, log });
    rows.push(
      ...(["dev", "test"] as const).map((half) =>
        scored(contexts.filter(({ prompt }) => splitOf(prompt) === half), {
          arm: name,
          half,
          notes,
        })
      ),
    );
    if (misses) faults.push(`${name}:`, ...contexts.flatMap((each) => faultsOf(each, notes)));
  }
  const report = { machine: describeMachine(), rows, open: model.open.size };
  const table = `${formatMachine(report.machine)}\n\n` + columns([
    [
      ...["arm", "half", "prompts", "in context", "with the prompt", "precision"],
      "idle prompts with anything",
    ],
    ...rows.map((row) => [
      ...[row.arm, row.half, String(row.prompts), percent(row.inContext), percent(row.withPrompt)],
      ...[percent(row.precision), percent(row.idle)],
    ]),
  ]);
  const open = model.open.size > 0 ? [`${model.open.size} questions have no recorded reply`] : [];
  await present(report, {
    json,
    depth: { machine: 0, rows: 1 },
    table: [table, ...faults, ...open].join("\n"),
  });
  if (model.open.size > 0) process.exitCode = 1;
}

function readWeek(folder: string) {
  return readdirSync(folder).filter((name) => name.endsWith(".yaml")).sort().map((file) => {
    const name = basename(file, ".yaml");
    const { notes, prompts } = parse(readFileSync(join(folder, file), "utf8"));
    const of = (id: string) => `${name} ${id}`;
    return {
      name,
      notes: Object.fromEntries(
        Object.entries<string>(notes).map(([id, text]) => [of(id), text]),
      ),
      prompts: prompts.map((prompt: Omit<WeekPrompt, "id" | "project">, i: number) => ({
        ...{ id: `${name}-${i}`, project: name, text: prompt.text },
        needs: prompt.needs.map(of),
        may: prompt.may?.map(of) ?? [],
      })),
    };
  });
}

/** This much of a memory's text is in whatever shows it. */
const TELLING_CHARS = 40;

function says(text: string, note: string): boolean {
  return text.includes(note.slice(0, TELLING_CHARS));
}

type Notes = Readonly<Record<string, string>>;

function scored(
  contexts: readonly Context<WeekPrompt>[],
  { arm, half, notes }: Pick<WeekRow, "arm" | "half"> & { readonly notes: Notes },
): WeekRow {
  const needs = contexts.flatMap((context) =>
    context.prompt.needs.map((id) => ({ context, note: notes[id]! }))
  );
  const given = contexts.flatMap(({ prompt, given }) => given.map((one) => ({ prompt, one })));
  const idle = contexts.filter(({ prompt }) => prompt.needs.length === 0);
  const share = <T>(all: readonly T[], test: (each: T) => boolean): Share => ({
    n: all.filter(test).length,
    of: all.length,
  });
  const came = ({ context, note }: typeof needs[number]) =>
    context.given.some(({ text }) => says(text, note));
  return {
    arm,
    half,
    prompts: contexts.length,
    inContext: share(needs, (need) => came(need) || says(need.context.start, need.note)),
    withPrompt: share(needs, came),
    precision: share(given, ({ prompt, one }) => isFair(one, prompt, notes)),
    idle: share(idle, ({ given }) => given.length > 0),
  };
}

function isFair({ text }: Given, { needs, may = [] }: WeekPrompt, notes: Notes): boolean {
  return [...needs, ...may].some((id) => says(text, notes[id]!));
}

/** The needed notes that a prompt did not get, and the unneeded ones that it got. */
function faultsOf({ prompt, given }: Context<WeekPrompt>, notes: Notes): string[] {
  const missed = prompt.needs.filter((id) => !given.some(({ text }) => says(text, notes[id]!)));
  const needless = given.filter((one) => !isFair(one, prompt, notes));
  return [
    ...missed.map((id) => `- ${splitOf(prompt)} ${prompt.text} → ${notes[id]!}`),
    ...needless.map(({ text }) => `+ ${splitOf(prompt)} ${prompt.text} → ${text.slice(0, 150)}`),
  ];
}

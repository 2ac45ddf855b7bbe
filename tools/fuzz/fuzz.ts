// Random commands of all kinds on machines that sync, killed at random and edited by hand meanwhile. The oracle: every
// text that was ever in a file is in one, on some machine, unless a person deleted it or named it with `--hard`.

import { seededRandom } from "../../bench/random.ts";
import { KINDS, runStep, type Step } from "./steps.ts";
import { run, World } from "./world.ts";

/** What a round has come to. */
export interface Round {
  readonly seed: number;
  readonly steps: readonly Step[];
  /** Texts that were ever written. */
  readonly texts: number;
  readonly killed: number;
  /** What was done, in words. */
  readonly history: readonly string[];
  /** Restores that have brought back another text than was asked for. */
  readonly wrong: readonly string[];
  /** What is wrong, and after how many steps it was seen; undefined: nothing. */
  readonly failure?: { readonly after: number; readonly what: readonly string[] };
}

export interface FuzzOptions {
  readonly machines: number;
  /** Called after each step. */
  readonly onStep?: (done: number) => void;
}

/** Share of commands that are killed. */
const KILLED = 0.12;
/** A check reads every file. */
const CHECK_EVERY = 10;

/** The steps of a seed. */
export function drawSteps(seed: number, count: number, machines: number): Step[] {
  const random = seededRandom(seed);
  const kinds = Object.entries(KINDS).flatMap(([kind, { weight }]) =>
    Array.from({ length: weight }, () => kind)
  );
  return Array.from({ length: count }, () => ({
    machine: Math.floor(random() * machines),
    kind: kinds[Math.floor(random() * kinds.length)]!,
    draws: Array.from({ length: 8 }, random),
    ...random() < KILLED && { kill: random() * 1.3 },
  }));
}

/** Runs steps on new machines until one loses something. */
export async function play(
  steps: readonly Step[],
  { machines, onStep }: FuzzOptions,
): Promise<Omit<Round, "seed" | "steps">> {
  await using world = await World.make(machines);
  const killed = steps.filter(({ kill }) => kill !== undefined).length;
  const wrong: string[] = [];
  const result = (after: number, what: readonly string[]) => ({
    texts: world.known.size,
    killed,
    wrong,
    history: world.history,
    ...what.length > 0 && { failure: { after, what } },
  });
  for (const [i, step] of steps.entries()) {
    const another = await runStep(world, step);
    if (another) wrong.push(another);
    onStep?.(i + 1);
    const lost = (i + 1) % CHECK_EVERY === 0 ? world.lost() : [];
    if (lost.length > 0) return result(i + 1, lost);
  }
  for (let n = 0; n < 2 * machines; n++) {
    const machine = world.machines[n % machines]!;
    const { code, stderr } = await run(machine, ["sync", "--yes"]);
    if (code !== 0) return result(steps.length, [`the last sync has failed: ${stderr}`]);
  }
  return result(steps.length, world.lost());
}

/** The fewest steps found that still fail, within some tries. */
export async function shrink(
  steps: readonly Step[],
  options: FuzzOptions & { readonly tries: number; readonly onTry?: (left: number) => void },
): Promise<readonly Step[]> {
  let failing = steps;
  let tries = options.tries;
  for (let size = Math.ceil(failing.length / 2); size >= 1 && tries > 0;) {
    let hasShrunk = false;
    for (let at = failing.length - size; at > -size && tries > 0; at -= size) {
      const fewer = failing.filter((_, i) => i < at || i >= at + size);
      tries--;
      const { failure } = await play(fewer, { machines: options.machines });
      if (failure === undefined) continue;
      failing = fewer.slice(0, failure.after);
      hasShrunk = true;
      options.onTry?.(failing.length);
    }
    if (!hasShrunk || size > failing.length) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return failing;
}

/** Runs the steps of a seed. */
export async function fuzzRound(
  seed: number,
  count: number,
  options: FuzzOptions,
): Promise<Round> {
  const steps = drawSteps(seed, count, options.machines);
  return { seed, steps, ...await play(steps, options) };
}

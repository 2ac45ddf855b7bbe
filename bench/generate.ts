// Memories and prompts for measuring speed, made from word lists: as varied as real ones are in words and length,
// the same on every machine. How well they are found says nothing; suites are for that.

import type { Memory } from "../src/core/memory/memory.ts";
import { pick, sample, seededRandom } from "./random.ts";

type Random = () => number;

/** The subject of a generated memory. */
interface Topic {
  readonly service: string;
  readonly part: string;
  readonly tool: string;
  readonly place: string;
  readonly number: number;
}

/** A kind of note: its title and possible contents. */
interface Kind {
  readonly type: string;
  readonly name: (topic: Topic) => string;
  readonly description: (topic: Topic) => string;
  readonly sentences: readonly ((topic: Topic) => string)[];
  /** Prompts that need the note. */
  readonly prompts: readonly ((topic: Topic) => string)[];
}

/** Front matter and all, short enough to be one or two passages. */
const SENTENCES = { fewest: 4, most: 9 };
/** One prompt in this many is unrelated to any memory. */
const OFF_TOPIC = 5;

/** `count` different memories. */
export function generateMemories(count: number): Memory[] {
  return Array.from({ length: count }, (_, i) => memoryOf(i));
}

/** `count` different prompts, most of them about one of the first `memories` memories. */
export function generatePrompts(count: number, memories: number): string[] {
  return [...promptsWithSubjects(count, memories).keys()];
}

/** Which memories the first `count` prompts are about. */
export function memoriesAskedFor(count: number, memories: number): Set<number> {
  return new Set(promptsWithSubjects(count, memories).values());
}

/** Prompts, each with the number of the memory that it is about, or was made from. */
function promptsWithSubjects(count: number, memories: number): Map<string, number> {
  const random = seededRandom(77);
  const prompts = new Map<string, number>();
  while (prompts.size < count) {
    const subject = Math.floor(random() * memories);
    const { kind, topic } = subjectOf(subject);
    const prompt = prompts.size % OFF_TOPIC === OFF_TOPIC - 1
      ? `${pick(random, OFF_TOPIC_QUESTIONS)} ${pick(random, OFF_TOPIC_MATTERS)}?`
      : pick(random, kind.prompts)(topic);
    // A small store has few matters to ask about.
    prompts.set(prompts.has(prompt) ? `${prompt}, take ${prompts.size}` : prompt, subject);
  }
  return prompts;
}

function memoryOf(i: number): Memory {
  const { kind, topic, random } = subjectOf(i);
  const length = SENTENCES.fewest + Math.floor(random() * (1 + SENTENCES.most - SENTENCES.fewest));
  const sentences = [...kind.sentences, ...COMMON];
  const chosen = sample(random, sentences, length).map((sentence) => sentence(topic));
  const half = Math.ceil(chosen.length / 2);
  const written = new Date(Date.UTC(2026, 0, 1) + i % 200 * 86_400_000).toISOString();
  return {
    name: kind.name(topic),
    description: kind.description(topic),
    type: kind.type,
    body: [chosen.slice(0, half).join(" "), chosen.slice(half).join(" ")].join("\n\n"),
    triggers: [],
    tags: [topic.tool],
    pinned: false,
    confidence: 1,
    created: written,
    updated: written,
    supersedes: [],
    source: undefined,
  };
}

/** Kind and topic of the memory with this number; the numbers in the topic keep two of a kind apart. */
function subjectOf(i: number): { kind: Kind; topic: Topic; random: Random } {
  const random = seededRandom(i + 1);
  const kind = KINDS[i % KINDS.length]!;
  const topic = {
    service: pick(random, SERVICES),
    part: pick(random, PARTS),
    tool: pick(random, TOOLS),
    place: pick(random, PLACES),
    number: 1000 + i,
  };
  return { kind, topic, random };
}

const SERVICES = list(`
  payment worker, invoice exporter, search indexer, login gateway, mail sender, image resizer,
  report builder, billing webhook, session store, audit trail, feature flag service, price
  calculator, stock importer, chat bridge, map tiler, push notifier, tax engine, document signer,
  click tracker, backup runner, rate limiter, translation cache, video encoder, order queue,
  access proxy, schema registry, metrics collector, release bot, preview builder, coupon service
`);
const PARTS = list(`
  retry policy, database migration, connection pool, cache invalidation, test fixtures, time zone
  handling, error codes, pagination, token refresh, file uploads, log format, health check,
  shutdown order, batch size, lock timeout, currency rounding, input validation, load test,
  dependency update, config loading, webhook signature, queue backlog, memory limit, unicode
  names, deploy script
`);
const TOOLS = list(`
  postgres, redis, kafka, nginx, docker, terraform, pnpm, vitest, playwright, grafana, sqlite,
  rabbitmq, webpack, eslint, pytest, cargo, gradle, helm, ansible, openssl, ffmpeg, jq, rsync,
  systemd, memcached
`);
const PLACES = list(`
  staging, production, the continuous integration runner, the developer laptops, the demo cluster,
  the nightly job, the european region, the on-call handbook
`);

const KINDS: readonly Kind[] = [
  {
    type: "tool",
    name: ({ tool, service }) => `${tool} for the ${service}`,
    description: ({ tool, place }) => `How ${tool} is set up on ${place}, and what it trips over`,
    sentences: [
      ({ tool, number }) => `${tool} listens on port ${number} and refuses anything without TLS.`,
      ({ tool, service }) => `Its configuration lies in config/${tool}/${slugOf(service)}.toml.`,
      ({ tool }) => `Run it as the user ${tool}-ops, otherwise the socket belongs to root.`,
      ({ tool, part }) =>
        `After a change to the ${part} ${tool} has to be restarted, a reload is not enough.`,
      ({ number }) =>
        `Version ${number % 9}.${number % 31} is pinned because the next one drops the old flags.`,
    ],
    prompts: [
      ({ tool, service }) => `why does ${tool} refuse connections from the ${service}`,
      ({ tool, place }) => `where is the ${tool} config for ${place}, I need to change a flag`,
    ],
  },
  {
    type: "decision",
    name: ({ service, part }) => `The ${part} of the ${service} was redone`,
    description: ({ part, tool }) => `Why the ${part} moved to ${tool} and what was given up`,
    sentences: [
      ({ part, tool, service }) =>
        `We moved the ${part} of the ${service} to ${tool} after two weeks of comparing.`,
      ({ number }) => `Ticket OPS-${number} has the measurements and the dissenting opinion.`,
      ({ tool }) => `The alternative was to keep everything in one process, without ${tool}.`,
      ({ part }) => `What we gave up is strict ordering, which nobody relied on in the ${part}.`,
      ({ place }) => `It is to be looked at again when ${place} has twice the traffic.`,
    ],
    prompts: [
      ({ service, part }) => `what did we decide about the ${part} in the ${service}?`,
      ({ part, tool }) => `can I replace ${tool} in the ${part} with something simpler`,
    ],
  },
  {
    type: "feedback",
    name: ({ part, tool }) => `Ask before touching the ${part} in ${tool}`,
    description: ({ service }) => `How changes to the ${service} are to be made`,
    sentences: [
      ({ part }) => `Do not rewrite the ${part} in passing; propose it first and wait for a yes.`,
      ({ service }) => `Changes to the ${service} come with a test that fails without them.`,
      ({ number }) => `**Why:** change ${number} broke three customers and took a night to undo.`,
      ({ tool }) =>
        `**How to apply:** small commits, and the output of ${tool} pasted into the description.`,
      ({ place }) => `The same goes for anything that runs on ${place}.`,
    ],
    prompts: [
      ({ service, part }) => `please refactor the ${part} of the ${service}`,
      ({ part, tool }) => `clean up the ${part}, ${tool} complains about it`,
    ],
  },
  {
    type: "gotcha",
    name: ({ service, part, number }) => `Error E${number} in the ${part} of the ${service}`,
    description: ({ place, tool }) => `Looks like a ${tool} fault on ${place} and is none`,
    sentences: [
      ({ number, part }) =>
        `Error E${number} is raised when the ${part} runs before its parent row exists.`,
      ({ service }) =>
        `It appears only when two instances of the ${service} start at the same second.`,
      ({ tool }) => `The message blames ${tool}, which has nothing to do with it.`,
      ({ number }) =>
        `Waiting ${
          number % 40 + 5
        } seconds and starting again helps; the cause is a missing index.`,
      ({ place }) => `On ${place} the same thing is logged as a warning and easily overlooked.`,
    ],
    prompts: [
      ({ number, service }) => `getting E${number} from the ${service} again, what is it`,
      ({ part, place }) => `the ${part} fails on ${place} but not locally`,
    ],
  },
];

/** Sentences that fit into any note. */
const COMMON: readonly ((topic: Topic) => string)[] = [
  ({ service, place }) => `The ${service} on ${place} is looked after by the platform team.`,
  ({ tool, part }) => `The dashboard for ${tool} has a panel for the ${part}.`,
  ({ number }) => `See the notes of meeting ${number} for the long version.`,
  ({ part, service }) =>
    `Whoever changes the ${part} tells the people of the ${service} a day before.`,
  ({ place }) => `Nothing of this is visible on ${place} until the cache has expired.`,
];

const OFF_TOPIC_QUESTIONS = list(`
  how long do I have to cook, which composer wrote, what is a good recipe for, how far away is,
  who painted, when do you plant, how do I clean, what rhymes with
`);
const OFF_TOPIC_MATTERS = list(`
  brown rice, the moonlight sonata, lentil soup, the Andromeda galaxy, sunflowers, tomatoes on a
  balcony, a wool sweater, orange, a cast iron pan, cherry trees, the last supper, fresh pasta,
  Jupiter's moons, a violin bow, old photographs
`);

function slugOf(text: string): string {
  return text.replaceAll(" ", "-");
}

/** The parts between commas. */
function list(text: string): readonly string[] {
  return text.trim().replaceAll(/\s+/g, " ").split(", ");
}

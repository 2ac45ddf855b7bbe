// Plans what to write about a conversation: redacts it, cuts it into pieces, asks a language model about each, and
// compares the answers with the known memories. Writes nothing but the log.

import { dirname, sep } from "node:path";
import { type ChangePlan, folderForNew, type NewMemory } from "../change/change.ts";
import type { Embedder } from "../embed/mod.ts";
import { type LlmContext, raiseHint, UnusableAnswer } from "../llm/mod.ts";
import { countOf, isAllRedacted, redactAll } from "../redact/redact.ts";
import { redactTexts, textsOf } from "../redact/texts.ts";
import type { Log } from "../files/log.ts";
import { isInJournal, type JournalAppend, journalEntry, journalOf } from "../journal/journal.ts";
import { localTime } from "../text/counted.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { autoFolder, localFolders, type Place, placeIn, realPath } from "../memory/scopes.ts";
import { withDays } from "../memory/written_day.ts";
import { ownPatterns } from "../redact/mod.ts";
import { isSuspect, isSuspectMemory, marksIn, READ_BULLET } from "../memory/provenance.ts";
import type { Candidate } from "./candidate.ts";
import { mayReplace, provenanceIn } from "./decide.ts";
import { Drafts } from "./drafts.ts";
import { callsLeft } from "./ask.ts";
import { confirm } from "./confirm.ts";
import { extract } from "./extract.ts";
import { fileOf, knownMemories, likeliest, withNamed } from "./known.ts";
import { lastTurns, pieces, tell } from "./pieces.ts";
import { ConversationProof } from "./conversation.ts";
import { evidenceOf } from "./evidence.ts";
import type { FindSimilar, Similar } from "./remember.ts";
import { changesMemory } from "../transcript/tool_line.ts";
import type { Turn } from "../transcript/turns.ts";

/** The changes that a capture makes for some turns of a transcript, decided before anything is written. */
export interface CapturePlan extends ChangePlan {
  /** Set after an unusable answer, or none for today: the turns after this one are to be asked about again. */
  readonly rest?: Readonly<{ after: string; because: string; hint?: string | undefined }>;
  /** Why part of it was given up. */
  readonly dropped?: string;
}

/** The surroundings of a capture, with the settings of the turns' project. */
export interface CaptureContext extends LlmContext {
  readonly now: () => Date;
  readonly log: Log;
  readonly transcript: string;
  /** The same as it was read for earlier turns of it. */
  readonly conversation?: ConversationProof | undefined;
  readonly embedder?: (() => Promise<Embedder>) | undefined;
  readonly similar?: FindSimilar | undefined;
  /** The folder that Claude Code ran in. */
  readonly projectDir?: string | undefined;
  /** Where all memories go; default: by their content and the settings. */
  readonly scope?: NewMemory["scope"] | undefined;
  /** Whether to give up a piece without a usable answer; default: ask about it again later. */
  readonly isLastTry?: boolean | undefined;
  readonly onProgress?: ((done: number, pieces: number) => void) | undefined;
}

/** What is near each of some candidates; one that is put into other words later has none. */
async function similarTo(
  candidates: readonly Candidate[],
  folders: readonly MemoryFolder[],
  { similar }: CaptureContext,
): Promise<(candidate: Candidate) => readonly Similar[]> {
  const found = new Map<string, readonly Similar[]>();
  for (const candidate of similar === undefined ? [] : candidates) {
    found.set(candidate.body, await similar!(candidate, folders));
  }
  return ({ body }) => found.get(body) ?? [];
}

/**
 * Plans the memories and journal entries for turns of one transcript, which are taken to belong to the project that the
 * first began in. Rejects with the provider's error if no model answers; after an unusable answer, the plan ends before
 * that piece. Summaries of compactions come alone, and cost no call.
 */
export async function planCapture(
  turns: readonly Turn[],
  context: CaptureContext,
): Promise<CapturePlan> {
  const [first] = turns;
  if (first === undefined) return { changes: [] };
  const { paths, config, log, onProgress } = context, setting = config["capture.scope"];
  const place = placeIn(paths, first.cwd, context.projectDir);
  if (turns.every(({ isSummary }) => isSummary)) {
    const bullets = await summaryBullets(turns, ownPatterns(config["redact.patterns"]));
    return { changes: journalEntries(bullets, place, context) };
  }
  const folders = localFolders(place);
  const files = await knownMemories(folders);
  const drafts = new Drafts(files, context);
  const { conversation = new ConversationProof(context.transcript), embedder } = context;
  const evidence = await evidenceOf(turns, conversation, embedder);
  const extracting = { ...context, session: first.session, today: localTime(context.now()).day };
  const bullets = new Map<Turn, string[]>();
  let dropped: string | undefined;
  const changes = () => [...journalEntries(bullets, place, context), ...drafts.changes()];

  const parts = pieces(await redactTurns(turns, context));
  for (const [i, piece] of parts.entries()) {
    onProgress?.(i, parts.length);
    const [begun] = piece.turns.values();
    const after = turns[turns.findIndex(({ id }) => id === begun?.id) - 1]?.id;
    /** The plan without this piece and those behind it, which are asked about again later. */
    const upTo = (reason: UnusableAnswer): CapturePlan => {
      if (after === undefined) throw reason;
      for (const turn of piece.turns.values()) bullets.delete(turn); // one entry per turn
      const { message: because, hint } = reason;
      return { changes: changes(), rest: { after, because, hint } };
    };
    if (callsLeft(extracting) <= 0) {
      log("capture", { session: first.session, left: parts.length - i, because: CALLS_USED_UP });
      const ofTurn = parts.filter(({ turns }) => [...turns.values()].includes(begun!));
      // A turn that is too long for any day would be asked about from its beginning every day.
      const fitsDay = ofTurn.length * CALLS_PER_PIECE <= config["capture.session_calls"];
      if (fitsDay || after !== undefined) {
        const hint = raiseHint("capture.session_calls");
        return upTo(new UnusableAnswer(CALLS_USED_UP, undefined, hint));
      }
      dropped = TOO_LONG;
      break;
    }
    const known = drafts.known.filter(({ memory }) => !isSuspectMemory(memory));
    const likely = likeliest(piece.text, known);
    const extraction = await extract(piece, likely, extracting).catch((error) => {
      if (error instanceof UnusableAnswer) return error;
      throw error;
    });
    if (extraction instanceof UnusableAnswer) {
      if (!context.isLastTry) return upTo(extraction);
      dropped = extraction.message;
      log("capture", { session: first.session, dropped: `piece ${i + 1} of ${parts.length}` });
      continue;
    }
    const safe = await redactExtraction(extraction, context);
    for (const [number, said] of safe.journal) {
      const turn = piece.turns.get(number);
      if (turn === undefined) continue;
      // The model sees the end of the journal too.
      const harmless = said.filter((bullet) => !isSuspect(bullet, evidence.typed)).map((bullet) =>
        evidence.isUnread(bullet, turn) ? bullet : READ_BULLET + bullet
      );
      bullets.set(turn, [...bullets.get(turn) ?? [], ...harmless]);
    }
    const offered = withNamed(likely, safe.candidates, known);
    const similar = await similarTo(safe.candidates, folders, context);
    const confirmed = await confirm(
      safe.candidates,
      { offered, known, piece, similar },
      extracting,
    );
    for (const { candidate, invalidated, corrections } of confirmed) {
      const turn = piece.turns.get(candidate.turn ?? NaN) ?? [...piece.turns.values()].at(-1)!;
      if (drafts.count >= MOST_MEMORIES || wroteMemory(turn, folders, place)) continue;
      const text = `${candidate.name}\n${candidate.body}`;
      if (isAllRedacted(text)) continue;
      const { type, scope: proposed } = candidate;
      const { scope } = context;
      const folder = folderForNew({ type, text, proposed, scope }, { place, setting });
      const replaced = offered.get(candidate.contradicts ?? candidate.replaces ?? "")?.memory;
      const provenance = await provenanceIn(candidate, { evidence, turn, replaced });
      const about = { turn, offered, folder };
      const near = { similar: similar(candidate) };
      const at = timeOf(turn, context);
      const dated = await withDays(candidate, { at });
      const decision = drafts.consider(dated.memory, {
        ...about,
        ...near,
        provenance,
        invalidated,
      });
      if (decision !== "written") continue;
      for (const { of, candidate } of corrections) {
        // Unless another candidate has taken its place.
        if (!drafts.known.includes(of) || !mayReplace(provenance, of.memory)) continue;
        const { memory } = await withDays(candidate, { at, before: of.memory });
        const kept = { ...memory, tags: marksIn(of.memory.tags) };
        const named = new Map([[fileOf(of), of]]);
        drafts.consider(kept, { ...about, provenance: "said", offered: named });
      }
    }
  }
  onProgress?.(parts.length, parts.length);
  return { changes: changes(), ...dropped !== undefined && { dropped } };
}

/** One for what is in it, one for what that changes. */
const CALLS_PER_PIECE = 2, MOST_MEMORIES = 40;
const CALLS_USED_UP = "`capture.session_calls` is used up for today";
const TOO_LONG = "a turn needs more calls than `capture.session_calls` allows in a day";

/** The turns without secrets, redacted before anything is cut: half a secret is not recognized. */
async function redactTurns(
  turns: readonly Turn[],
  { config, log }: CaptureContext,
) {
  const redacted = await redactAll(turns.map(tell), ownPatterns(config["redact.patterns"]));
  const secrets = countOf(redacted);
  if (secrets > 0) log("capture", { redacted: secrets });
  return lastTurns(turns.map((turn, i) => ({ turn, text: redacted[i]!.text })));
}

type Extracted = NonNullable<Awaited<ReturnType<typeof extract>>>;

/** Redacts the reply as well: a model can put a split secret back together. */
async function redactExtraction(
  { journal, candidates }: Extracted,
  { config }: CaptureContext,
): Promise<Extracted> {
  const texts = { said: [...journal.values()], memories: candidates.map(textsOf) };
  const { value } = await redactTexts(texts, ownPatterns(config["redact.patterns"]));
  return {
    journal: new Map([...journal.keys()].map((turn, i) => [turn, value.said[i]!])),
    candidates: candidates.map((candidate, i) => ({ ...candidate, ...value.memories[i]! })),
  };
}

/** Whether the model has changed memories itself, by its own tools or memo's, and so has saved what it wanted to. */
function wroteMemory(
  { wrote, steps }: Turn,
  folders: readonly MemoryFolder[],
  place: Place,
): boolean {
  if (steps.some((step) => step.kind === "tool" && changesMemory(step))) return true;
  const places = [...folders.map(({ path }) => path), autoFolder(place)].map(realPath);
  return wrote.some((path) => {
    const parent = realPath(dirname(path));
    return places.some((folder) => parent === folder || parent.startsWith(folder + sep));
  });
}

/** When a turn was, or now if its conversation does not say. */
function timeOf({ at }: Turn, { now }: Pick<CaptureContext, "now">): Date {
  return Number.isNaN(Date.parse(at)) ? now() : new Date(at);
}

function journalEntries(
  bullets: ReadonlyMap<Turn, readonly string[]>,
  place: Place,
  context: CaptureContext,
): JournalAppend[] {
  const journal = journalOf(localFolders(place));
  if (journal === undefined) return [];
  return [...bullets].flatMap(([turn, said]) => {
    const at = timeOf(turn, context);
    const entry = journalEntry(turn, {
      bullets: said,
      transcript: context.transcript,
      journal,
      at,
    });
    return entry === undefined || isInJournal(entry) ? [] : [entry];
  });
}

// Claude Code's own summary of a conversation that it compacts: what happened, without a language model of memo's.
/** The words around a summary that tell the model what it is, and to go on. */
const HEAD = /^[^]*?(?:^|\n)Summary:\n/;
const TAIL =
  /\n+(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where) [^]*$/;
const TAGGED = /<summary>([^]*?)(?:<\/summary>|$)/;

/** The journal's bullets for summaries: the sections of each, without secrets and without instructions. */
async function summaryBullets(
  summaries: readonly Turn[],
  own: readonly RegExp[],
): Promise<Map<Turn, string[]>> {
  const texts = summaries.map(({ steps }) =>
    steps.map((step) => step.kind === "text" ? step.text : "").join("\n")
  );
  const redacted = await redactAll(texts, own);
  return new Map(summaries.map((turn, i) => [
    turn,
    sectionsOf(redacted[i]!.text).filter((bullet) => !isSuspect(bullet)),
  ]));
}

function sectionsOf(text: string): string[] {
  const summary = TAGGED.exec(text)?.[1] ?? text.replace(HEAD, "").replace(TAIL, "");
  const sections = summary.trim().split(/\n+(?=\d+\. |#+ )/);
  return sections.map((section, place) => place === 0 ? `In summary: ${section}` : section);
}

// What a person changes on the page, each in the one step that `undo` takes back.

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { revision } from "../../../core/change/change.ts";
import { moving, sharing } from "../../../core/change/share.ts";
import { MemoError } from "../../../errors.ts";
import { realPathOf } from "../../../core/files/real_path.ts";
import { parseMemory, serializeMemory } from "../../../core/memory/file.ts";
import type { Found } from "../../../core/ledger/find.ts";
import { LIMITS } from "../../../core/memory/limits.ts";
import type { Memory, MemoryFolder } from "../../../core/memory/memory.ts";
import { projectAt, projectOf } from "../../../core/memory/project.ts";
import {
  placeIn,
  privateFolder,
  sharedFolderToWrite,
  userFolder,
} from "../../../core/memory/scopes.ts";
import { digestOf, grant, revoke } from "../../../core/memory/trust.ts";
import { secretsIn } from "../../../core/redact/secrets_in.ts";
import { counted } from "../../../core/text/counted.ts";
import { changeAs } from "../../../features/verbs/changed.ts";
import { refuseModel } from "../../../features/verbs/consent.ts";
import { edit as editText, keepAway } from "../../../features/verbs/edit.ts";
import { forget as forgetAll } from "../../../features/verbs/forget.ts";
import { pin as pinAll } from "../../../features/verbs/pin.ts";
import { restoreVersion } from "../../../features/verbs/restore.ts";
import { undo as undoGroup } from "../../../features/verbs/undo.ts";
import { oneLine } from "../../../core/text/one_line.ts";
import { catalogueOf, foldersOf, lookAgain } from "../memories/catalogue.ts";
import {
  defineDecision,
  doingFor,
  idSchema,
  idsSchema,
  memoriesOf,
  memoryOf,
  ownMemories,
  type Reply,
  replyOf,
  versionSchema,
} from "../memories/changing.ts";
import { keepOpened, openedText } from "../memories/opened.ts";
import { keepInverse, takeInverse } from "../review/inverses.ts";
import { itemOf } from "../review/waiting.ts";
import { type CallContext, defineCall } from "./call.ts";

/** What an edit has done, or the secrets that keep it from being done. */
type Edited = Reply & { readonly id?: string; readonly problems?: readonly string[] } | {
  readonly secrets: readonly string[];
};

/**
 * `edit {id, text, digest, anyway?}`: writes another text of a memory, as `memo edit` does. `digest` is of what was
 * opened; who changed the memory since loses nothing. A text with a new secret in it is written only `anyway`.
 */
export const edit = defineCall({
  name: "edit",
  writes: true,
  params: z.strictObject({
    id: idSchema,
    text: z.string(),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    anyway: z.boolean().default(false),
  }),
  async run({ id, text, digest, anyway }, context): Promise<Edited> {
    const { path: listed, folder } = context.listed.get(id);
    const path = existsSync(listed) ? realPathOf(listed) : listed;
    const before = openedText(digest, context) ?? presentText(path, digest);
    const { name } = parseMemory(before?.toString() ?? text, { fallbackName: "memory" }).memory;
    if (!anyway) {
      const secrets = await newSecrets(before?.toString() ?? "", text, context);
      if (secrets.length > 0) return { secrets };
    }
    const edited = { memory: { path, name }, folder, before, opened: digest };
    const done = await editText({ ...edited, after: Buffer.from(text) }, doingFor(context));
    if (done.group === undefined) return done;
    keepOpened(done.text, context);
    return {
      ...replyOf(done),
      id: context.listed.idOf({ path: done.path, folder }),
      ...done.problems.length > 0 && { problems: done.problems },
    };
  },
});

/** The text of a file, if it has a digest. */
function presentText(path: string, digest: string): Buffer | undefined {
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
}

/** The kinds of secrets that a text has and another had not. */
async function newSecrets(
  before: string,
  after: string,
  { engine, place }: CallContext,
): Promise<string[]> {
  const own = engine.config(place)["redact.patterns"];
  const found = await secretsIn(after, own);
  if (found.length === 0) return [];
  const known = await secretsIn(before, own);
  return found.filter((kind) => !known.includes(kind));
}

/** `forget {ids}`: moves memories to the archive. */
export const forget = defineDecision(
  "forget",
  (ids, context) => forgetAll(memoriesOf(ids, context), doingFor(context)),
);

/** `restore {id, version}`: makes a memory what it was right after a change. */
export const restore = defineCall({
  name: "restore",
  writes: true,
  params: z.strictObject({ id: idSchema, version: versionSchema }),
  async run({ id, version }, context): Promise<Reply> {
    const { path, folder } = context.listed.get(id);
    const found = { memory: { path, name: basename(path) }, folder, archived: false };
    return replyOf(await restoreVersion(found, { change: version }, doingFor(context)));
  },
});

/** `pin {ids, on}`: keeps the titles of memories in every start block, or no longer. */
export const pin = defineCall({
  name: "pin",
  writes: true,
  params: z.strictObject({ ids: idsSchema, on: z.boolean() }),
  async run({ ids, on }, context): Promise<Reply> {
    return replyOf(await pinAll(memoriesOf(ids, context), on, doingFor(context)));
  },
});

const word = z.string().transform(oneLine).pipe(z.string().min(1).max(LIMITS.tag));
const words = z.array(word).max(LIMITS.tags).default([]);

/** `retag {ids, add, remove, type?}`: changes tags and type of memories. */
export const retag = defineCall({
  name: "retag",
  writes: true,
  params: z.strictObject({ ids: idsSchema, add: words, remove: words, type: word.optional() }),
  async run({ ids, add, remove, type }, context): Promise<Reply> {
    const changed = ownMemories(ids, "change", context).flatMap((found) => {
      const { memory } = found;
      const fields: Partial<Memory> = {
        tags: [...new Set([...memory.tags, ...add])].filter((tag) => !remove.includes(tag)),
        type: type ?? memory.type,
      };
      const isSame = fields.type === memory.type &&
        fields.tags!.join("\n") === memory.tags.join("\n");
      return isSame ? [] : [{ found, fields }];
    });
    if (changed.length === 0) return { said: "They are so already" };
    return replyOf(
      await changeAs(
        "Changed",
        (group) =>
          changed.map(({ found, fields }) => revision(found, fields, { what: "edit", group })),
        doingFor(context),
      ),
    );
  },
});

/** `move {ids, to}`: makes memories apply everywhere (an empty `to`), or in one project alone (its key). */
export const move = defineCall({
  name: "move",
  writes: true,
  params: z.strictObject({ ids: idsSchema, to: z.string().max(12) }),
  async run({ ids, to: key }, context): Promise<Reply> {
    const to = await folderOf(key, context);
    const found = ownMemories(ids, "move", context).filter(({ folder }) => folder.path !== to.path);
    if (found.length === 0) return { said: "They are there already" };
    return replyOf(
      await changeAs(
        "Moved",
        (group) => found.flatMap((each) => moving(each, to, group)),
        doingFor(context),
      ),
    );
  },
});

async function folderOf(key: string, context: CallContext): Promise<MemoryFolder> {
  if (key === "") return userFolder(context.place);
  const { projects } = await catalogueOf(context);
  const project = projects.find((each) => each.key === key);
  if (project !== undefined) return privateFolder(projectOf(project.root, context.place.claude));
  throw new MemoError("not-found", "There is no such project on this page", {
    hint: "Reload the list",
  });
}

/** `share {ids, anyway?}`: puts memories into the repository of their project; those with a secret only `anyway`. */
export const share = defineCall({
  name: "share",
  writes: true,
  params: z.strictObject({ ids: idsSchema, anyway: z.boolean().default(false) }),
  async run({ ids, anyway }, context): Promise<Reply | { readonly secrets: readonly string[] }> {
    const found = ownMemories(ids, "share", context)
      .filter(({ folder }) => folder.scope !== "shared");
    if (found.length === 0) return { said: "Shared already" };
    const moves = found.map((each) => ({ each, to: repositoryOf(each, context) }));
    if (!anyway) {
      const own = context.engine.config(context.place)["redact.patterns"];
      const kinds = await Promise.all(
        found.map(({ memory }) => secretsIn(serializeMemory(memory), own)),
      );
      const secrets = [...new Set(kinds.flat())];
      if (secrets.length > 0) return { secrets };
    }
    const { said, group } = await changeAs(
      "Shared",
      (group) => moves.flatMap(({ each, to }) => sharing(each, to, group)),
      doingFor(context),
    );
    return { said: `${said}; commit it to share it with others`, group };
  },
});

/** The folder in the repository of a memory's project; what applies everywhere goes where `memo ui` was run. */
function repositoryOf({ memory, folder }: Found, { paths, place }: CallContext): MemoryFolder {
  const root = folder.project;
  const at = root === undefined ? place : placeIn(paths, root, root);
  const project = projectAt(at);
  if (project !== undefined) return sharedFolderToWrite(project, at);
  throw new MemoError("usage", `Cannot share \`${memory.name}\`: it belongs to no project`, {
    hint: "Move it to a project first, or run `memo ui` in the repository that it is for",
  });
}

/** Of a longer prompt its beginning says what it is about. */
const LONGEST = 20_000;

/** `never {id, prompt}`: keeps a memory away from a prompt, and from others like it. */
export const never = defineCall({
  name: "never",
  writes: true,
  params: z.strictObject({ id: idSchema, prompt: z.string().min(1).max(LONGEST) }),
  async run({ id, prompt }, context): Promise<Reply> {
    const patterns = context.engine.config(context.place)["redact.patterns"];
    return replyOf(
      await keepAway(memoryOf(id, context), prompt, { patterns, ...doingFor(context) }),
    );
  },
});

/** `undo {group}`: takes back what was done in one step. */
export const undo = defineCall({
  name: "undo",
  writes: true,
  params: z.strictObject({ group: z.string().regex(/^[0-9a-f]{10}(?:\/\d+)?$/) }),
  async run({ group }, context): Promise<Reply> {
    const { paths } = context;
    const inverse = takeInverse(group, context);
    if (inverse !== undefined) return { said: `Undid: ${await inverse()}` };
    const { said, left: [problem] } = await undoGroup(group, foldersOf(context), {
      ...doingFor(context),
      paths,
    });
    if (said !== undefined) return { said };
    throw new MemoError(
      problem === undefined ? "not-found" : "file",
      problem === undefined
        ? "Cannot undo: it was undone already"
        : `Cannot undo what was done to “${problem.change.name}”: ${problem.because}`,
      { hint: "Its versions are in its history" },
    );
  },
});

/**
 * `trust {ids}`: allows files of one repository, with the content that the page has shown; `undo` takes just that back.
 * Several at once would not have been looked at.
 */
export const trust = defineCall({
  name: "trust",
  writes: true,
  params: z.strictObject({ ids: z.tuple([idSchema]) }),
  async run({ ids: [id] }, context): Promise<Reply> {
    refuseModel(context.env, "trust files", "memo trust");
    const { project, files } = itemOf(id, context, "files");
    const digests = files.map(({ digest }) => digest);
    const trusted = { file: context.paths.trust, project };
    await grant(trusted, digests, "you");
    await follow(project, context);
    const what = `${counted(files.length, "file")} of “${basename(project)}”`;
    const group = keepInverse(async () => {
      await revoke(trusted, digests);
      await follow(project, context);
      return `trusted ${what}`;
    }, context);
    return { said: `Trusted ${what}`, group };
  },
});

/** Updates the index from what a project's files are now. */
async function follow(project: string, context: CallContext): Promise<void> {
  lookAgain(context);
  const shared = foldersOf(context).filter((folder) =>
    folder.scope === "shared" && folder.project === project
  );
  for (const folder of shared) await context.engine.sync(folder);
}

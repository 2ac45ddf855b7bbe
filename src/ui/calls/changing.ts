// What a person changes on the page, each in the one step that `undo` takes back.

import { archival, restoring, revision } from "../../change/change.ts";
import { dated, editOf, type EditOutcome } from "../../change/edit.ts";
import { neverFor } from "../../change/never.ts";
import { refuseForeign } from "../../change/own.ts";
import { revertChange } from "../../change/revert.ts";
import { moving, sharing } from "../../change/share.ts";
import { MemoError } from "../../errors.ts";
import { realPathOf } from "../../files/real_path.ts";
import { CHANGES } from "../../memory/change_log.ts";
import { parseMemory, serializeMemory } from "../../memory/file.ts";
import type { Found } from "../../memory/find.ts";
import { LIMITS, LONGEST_FILE } from "../../memory/limits.ts";
import type { Memory, MemoryFolder } from "../../memory/memory.ts";
import { projectAt, projectOf } from "../../memory/project.ts";
import { placeIn, privateFolder, sharedFolderToWrite, userFolder } from "../../memory/scopes.ts";
import { digestOf, grant, mayRead, revoke } from "../../memory/trust.ts";
import { versionAt } from "../../memory/versions.ts";
import { ownPatterns } from "../../redact/own_patterns.ts";
import { redact } from "../../redact/redact.ts";
import { secretsIn } from "../../redact/secrets_in.ts";
import { counted } from "../../text/counted.ts";
import { oneLine } from "../../text/one_line.ts";
import { catalogueOf, foldersOf, lookAgain } from "../memories/catalogue.ts";
import {
  changeAs,
  type Changed,
  idSchema,
  idsSchema,
  memoriesIn,
  ownMemories,
  stayed,
  surroundingsFor,
} from "../memories/changing.ts";
import { keepOpened, openedText } from "../memories/opened.ts";
import { placeOf } from "../memories/place.ts";
import { refuseModel } from "../review/consent.ts";
import { keepInverse, takeInverse } from "../review/inverses.ts";
import { itemOf } from "../review/waiting.ts";
import { type CallContext, defineCall } from "./call.ts";
import { versionSchema } from "./looking.ts";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";

/** What is said of an edit. */
const SAID: Readonly<Record<EditOutcome, (name: string) => string>> = {
  edited: (name) => `Changed “${name}”`,
  merged: (name) => `“${name}” changed while you edited it; both changes are in it now`,
  replaced: (name) =>
    `“${name}” changed while you edited it; your version replaced the other, which is in its history`,
  added: (name) => `“${name}” was removed while you edited it; your version is a new memory`,
};

/** What an edit has done, or the secrets that keep it from being done. */
type Edited = Changed & { readonly id?: string; readonly problems?: readonly string[] } | {
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
    const memory = { path, name };
    refuseForeign({ memory: { ...memory } as never, folder, archived: false }, "edit");
    const after = Buffer.from(text);
    if (before?.equals(after)) return { said: "No changes" };
    if (after.length > LONGEST_FILE) {
      throw new MemoError(
        "usage",
        `Cannot keep a memory of ${after.length} bytes: it has at most ${LONGEST_FILE}`,
        { hint: "Split it into several" },
      );
    }
    if (!anyway) {
      const secrets = await newSecrets(before?.toString() ?? "", text, context);
      if (secrets.length > 0) return { secrets };
    }
    let outcome: EditOutcome = "edited";
    const { group, done } = await changeAs("Changed", (group) => {
      const written = before === undefined ? after : dated(before, after, context.now());
      const edit = editOf({ memory, folder, before, opened: digest, after: written, group });
      outcome = edit.outcome;
      return [edit.change];
    }, context);
    const at = done[0]!;
    const now = readFileSync(at.path);
    keepOpened(now, context);
    const { problems } = parseMemory(now.toString(), { fallbackName: name });
    return {
      said: SAID[outcome](at.memory.name),
      group: group!,
      id: context.listed.idOf({ path: at.path, folder }),
      ...problems.length > 0 && { problems: problems.map(({ message }) => message) },
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
export const forget = defineCall({
  name: "forget",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  async run({ ids }, context): Promise<Changed> {
    const found = ownMemories(ids, "forget", context);
    const { said, group } = await changeAs(
      "Forgot",
      (group) => found.map((each) => archival(each, { what: "forget", group })),
      context,
    );
    const isShared = found.some(({ folder }) => folder.scope === "shared");
    return { said: said + (isShared ? "; commit the deletion to forget it for all" : ""), group };
  },
});

/** `restore {id, version}`: makes a memory what it was right after a change. */
export const restore = defineCall({
  name: "restore",
  writes: true,
  params: z.strictObject({ id: idSchema, version: versionSchema }),
  async run({ id, version }, context): Promise<Changed> {
    const listed = context.listed.get(id);
    const place = placeOf(listed);
    refuseForeign({
      memory: { path: listed.path, name: place.file } as never,
      ...{ folder: listed.folder, archived: false },
    }, "restore");
    const found = versionAt(place, { change: version });
    if (found.kind === "none") {
      throw new MemoError("not-found", `Cannot restore this version: ${found.because}`);
    }
    const { said, group } = await changeAs(
      "Restored",
      (group) => [{ ...restoring(place, found.bytes), group }],
      context,
    );
    return { said, group };
  },
});

/** `pin {ids, on}`: keeps the titles of memories in every start block, or no longer. */
export const pin = defineCall({
  name: "pin",
  writes: true,
  params: z.strictObject({ ids: idsSchema, on: z.boolean() }),
  async run({ ids, on }, context): Promise<Changed> {
    const found = ownMemories(ids, "pin", context).filter(({ memory }) => memory.pinned !== on);
    if (found.length === 0) return { said: on ? "Pinned already" : "Not pinned" };
    const { said, group } = await changeAs(
      on ? "Pinned" : "Unpinned",
      (group) =>
        found.map((each) => {
          const change = revision(each, { pinned: on }, { what: on ? "pin" : "unpin", group });
          const keepsTrust = !mayRead(each.folder, each.memory.digest);
          return keepsTrust ? { ...change, keepsTrust } : change;
        }),
      context,
    );
    return { said, group };
  },
});

const word = z.string().transform(oneLine).pipe(z.string().min(1).max(LIMITS.tag));
const words = z.array(word).max(LIMITS.tags).default([]);

/** `retag {ids, add, remove, type?}`: changes tags and type of memories. */
export const retag = defineCall({
  name: "retag",
  writes: true,
  params: z.strictObject({ ids: idsSchema, add: words, remove: words, type: word.optional() }),
  async run({ ids, add, remove, type }, context): Promise<Changed> {
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
    const { said, group } = await changeAs(
      "Changed",
      (group) =>
        changed.map(({ found, fields }) => revision(found, fields, { what: "edit", group })),
      context,
    );
    return { said, group };
  },
});

/** `move {ids, to}`: makes memories apply everywhere (an empty `to`), or in one project alone (its key). */
export const move = defineCall({
  name: "move",
  writes: true,
  params: z.strictObject({ ids: idsSchema, to: z.string().max(12) }),
  async run({ ids, to: key }, context): Promise<Changed> {
    const to = await folderOf(key, context);
    const found = ownMemories(ids, "move", context).filter(({ folder }) => folder.path !== to.path);
    if (found.length === 0) return { said: "They are there already" };
    const { said, group } = await changeAs(
      "Moved",
      (group) => found.flatMap((each) => moving(each, to, group)),
      context,
    );
    return { said, group };
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
  async run(
    { ids, anyway },
    context,
  ): Promise<Changed | { readonly secrets: readonly string[] }> {
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
      context,
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
  async run({ id, prompt }, context): Promise<Changed> {
    const [found] = ownMemories([id], "change", context);
    const patterns = ownPatterns(context.engine.config(context.place)["redact.patterns"]);
    const { text } = await redact(prompt, patterns);
    const { name } = found!.memory;
    if (neverFor(found!, text) === undefined) return { said: `“${name}” is away already` };
    const { group } = await changeAs(
      "Changed",
      (group) => [neverFor(found!, text, group)!],
      context,
    );
    return { said: `“${name}” stays away from prompts like this one`, group };
  },
});

/** `undo {group}`: takes back what was done in one step. */
export const undo = defineCall({
  name: "undo",
  writes: true,
  params: z.strictObject({ group: z.string().regex(/^[0-9a-f]{10}(?:\/\d+)?$/) }),
  async run({ group }, context): Promise<Changed> {
    const { paths } = context;
    const inverse = takeInverse(group, context);
    if (inverse !== undefined) return { said: `Undid: ${await inverse()}` };
    const { reverted, left } = await revertChange(group, foldersOf(context), {
      ...surroundingsFor(context),
      suggestions: paths.triggers,
      escalations: paths.escalations,
    });
    const [first] = reverted;
    if (first === undefined) {
      const [problem] = left;
      throw new MemoError(
        problem === undefined ? "not-found" : "file",
        problem === undefined
          ? "Cannot undo: it was undone already"
          : `Cannot undo what was done to “${problem.change.name}”: ${problem.because}`,
        { hint: "Its versions are in its history" },
      );
    }
    const added = reverted.filter(({ before }) => before === undefined).length;
    const what = memoriesIn(reverted, added);
    return { said: `Undid: ${CHANGES[first.what]} ${what}${stayed(left.length)}` };
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
  async run({ ids: [id] }, context): Promise<Changed> {
    refuseModel(context, "trust files");
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

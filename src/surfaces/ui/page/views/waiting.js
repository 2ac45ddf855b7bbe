// @ts-check
// What waits, as rows of a list, each with what the keys do about it.

import { counted } from "../parts/text.js";
import { dayOf } from "../parts/time.js";

/**
 * What a key does about an item: a call about `ids`, which takes those of several items too. What `isSeen` is decided
 * about one at a time, what `isFinal` no key takes back.
 * @typedef {{ key: string, says: string, name: string, ids: readonly string[], params?: object, isBad?: boolean, isSeen?: boolean, isFinal?: boolean }} Act
 * What a row is about: texts, or, where `asks` names a call, what it answers with.
 * @typedef {{ key: string, list: string, title: string, note: string, acts: readonly Act[], parts: readonly Part[], asks?: string, says?: string, warns?: string }} Row
 * Several in one list, under its heading.
 * @typedef {{ key: undefined, list: string, note: string }} Heading
 * @typedef {{ title: string, facts: string, says?: string, text?: string, lines?: readonly import("../parts/diff.js").DiffLine[] }} Part
 */

/** @param {any} memory */
const factsOf = ({ type, scope, project, at }) =>
  [type, project ?? scope, at?.slice(0, 10)].filter(Boolean).join(" · ");

/** @param {any} memory @returns {Part} */
const partOf = ({ name, body, isCut, description, ...rest }) => ({
  title: name,
  facts: factsOf(rest),
  text: [description, body].filter((text) => text !== "").join("\n\n") + (isCut ? "\n…" : ""),
});

/** What is compared, in words. */
const COMPARED = {
  stays: { title: "Stays: ", says: "Its file, before and after:" },
  goes: { title: "To the archive: ", says: "What it says beside the one that stays:" },
  versions: { title: "", says: "From the other one (−) to this one (+):" },
};

/** A memory of a proposal, by what changes in it. @param {any} part @returns {Part} */
export const changeOf = ({ name, role, lines, ...rest }) => {
  const { title, says } = COMPARED[/** @type {keyof typeof COMPARED} */ (role)];
  return { title: title + name, facts: factsOf(rest), says, lines };
};

/**
 * The rows of all lists, each under its heading.
 * @param {any} waiting
 * @returns {(Row | Heading)[]}
 */
export function rowsOf(
  { held, unconfirmed, conflicts, drifted, merges, pairs, notes, repositories },
) {
  /** @param {string} list @param {readonly Omit<Row, "list">[]} rows @returns {(Row | Heading)[]} */
  const list = (list, rows) =>
    rows.length === 0 ? [] : [
      { key: undefined, list, note: rows.length.toLocaleString("en") },
      ...rows.map((row) => ({ ...row, list })),
    ];
  /** @param {any} pair @returns {Omit<Row, "list">} */
  const pairRow = ({ id, older, newer, kind, differ }) => ({
    key: id,
    title: `${older.name} / ${newer.name}`,
    note: kind === "differ" ? differ.join(", ") : "",
    says: kind === "overtaken"
      ? "The newer one says that the older is over: prompts get the newer, and the older only as what held until then. What you forget is archived, and Undo brings it back."
      : kind === "differ"
      ? `Much the same words, and these are in one of them alone: ${
        differ.join(", ")
      }. Until you decide, prompts get the newer one first, and the older one beside it or, where ` +
        "the words leave no doubt, only as what held until then. Only what you said or confirmed " +
        "overtakes your own words. If both are true, keep both: they are not asked about again. " +
        "What you forget is archived, and Undo brings it back."
      : "They are close in meaning. If both are true, keep both: they are not asked about again.",
    parts: [
      { ...partOf(older), title: `Older: ${older.name}` },
      { ...partOf(newer), title: `Newer: ${newer.name}` },
    ],
    acts: [
      { key: "b", says: "Keep both", name: "both", ids: [id] },
      { key: "f", says: "Forget the older", name: "forget", ids: [older.id], isBad: true },
      { key: "n", says: "Forget the newer", name: "forget", ids: [newer.id], isBad: true },
    ],
  });
  return [
    ...list(
      "Held back",
      held.map((/** @type {any} */ memory) => ({
        key: memory.id,
        title: memory.name,
        note: memory.type,
        says:
          "It asks for something that you have not asked for. Until you keep it, no session gets it.",
        parts: [partOf(memory)],
        acts: [
          { key: "y", says: "Keep", name: "keep", ids: [memory.id] },
          { key: "f", says: "Forget", name: "forget", ids: [memory.id], isBad: true },
        ],
      })),
    ),
    ...list(
      "Not confirmed",
      unconfirmed.map((/** @type {any} */ { basis, mayForget, ...memory }) => ({
        key: memory.id,
        title: memory.name,
        note: basis.replace(/, not said by the user$/, ""),
        says:
          "You have not said this. It comes behind your own notes, with its source beside it, and replaces none of them until you confirm it.",
        parts: [partOf(memory)],
        acts: [
          { key: "y", says: "Confirm", name: "confirm", ids: [memory.id] },
          ...mayForget
            ? [{ key: "f", says: "Forget", name: "forget", ids: [memory.id], isBad: true }]
            : [],
        ],
      })),
    ),
    ...list(
      "Not trusted",
      repositories.map((/** @type {any} */ { id, project, files }) => ({
        key: id,
        title: project,
        note: counted(files.length, "file"),
        says:
          "Files of this repository that memo does not read before you allow it. What changes later asks again.",
        parts: files.map((/** @type {any} */ { name, kind, file, text }) => ({
          title: name,
          facts: `${kind} · ${file}`,
          text: text ??
            "It is too long to show here and stays as it is: run `memo trust` in the repository.",
        })),
        acts: files.some((/** @type {any} */ { text }) => text !== null)
          ? [{ key: "t", says: "Trust what is shown", name: "trust", ids: [id], isSeen: true }]
          : [],
      })),
    ),
    ...list(
      "For the team",
      notes.map((/** @type {any} */ note) => ({
        key: note.id,
        title: note.name,
        note: `${note.team}, by ${note.author}`,
        says: [
          note.isChange ? "It changes an approved note." : "A new note.",
          note.mayApprove ? "" : "It is your own: another person has to approve it.",
          ...note.alike.map((/** @type {any} */ { how, name }) =>
            `${how === "same" ? "It repeats" : "It differs from"} “${name}”.`
          ),
        ].filter((said) => said !== "").join(" "),
        warns:
          "What you decide is on the team's server at once, and `u` does not take it back: `memo team retire` does for an approved note, for everybody.",
        parts: [{
          title: note.name,
          facts: `${note.type} · ${note.author} · ${note.at.slice(0, 10)}`,
          text: [note.description, note.body].filter((text) => text !== "").join("\n\n"),
        }],
        acts: [
          ...note.mayApprove
            ? [{ key: "y", says: "Approve", name: "approve", ids: [note.id], isFinal: true }]
            : [],
          {
            ...{ key: "r", says: "Reject", name: "reject", ids: [note.id] },
            ...{ isBad: true, isFinal: true },
          },
        ],
      })),
    ),
    ...list(
      "Kept twice",
      conflicts.map((/** @type {any} */ { id, name, at, isTwo }) => ({
        key: id,
        title: name,
        note: dayOf(at),
        says: isTwo
          ? "Two of your machines wrote a memory under this file name before they synced. Both are there, this one and the other beside it."
          : "Two of your machines changed it before they synced. This version applies, and the other one is in the archive.",
        parts: [],
        asks: "proposal",
        acts: [
          ["y", "Keep this one", "this"],
          ["o", "Keep the other", "other"],
          ["b", "Keep both", "both"],
          ["m", "Merge the lines", "merge"],
        ].map(([key, says, keep]) => ({ key, says, name: "settle", ids: [id], params: { keep } })),
      })),
    ),
    ...list(
      "Left behind by the code",
      drifted.map((/** @type {any} */ { id, memory, what, verdicts, mayTakeOver }) => ({
        key: id,
        title: memory.name,
        note: verdicts.join(", "),
        says: `HEAD is not as this note has it: ${what.join("; ")}.`,
        parts: [partOf(memory)],
        acts: [
          ...mayTakeOver ? [{ key: "c", says: "Change the note", name: "accept", ids: [id] }] : [],
          { key: "y", says: "Keep as it is", name: "stand", ids: [id] },
          { key: "f", says: "Forget", name: "forget", ids: [memory.id], isBad: true },
        ],
      })),
    ),
    ...list(
      "They say the same",
      merges.map((/** @type {any} */ { id, name, count, because }) => ({
        key: id,
        title: name,
        note: `${count} memories`,
        says: `A dream would merge these: ${because}.`,
        parts: [],
        asks: "proposal",
        acts: [
          { key: "m", says: "Merge", name: "merge", ids: [id] },
          { key: "b", says: "Keep all", name: "both", ids: [id] },
        ],
      })),
    ),
    ...list(
      "Overtaken by a later one",
      pairs.filter((/** @type {any} */ { kind }) => kind === "overtaken").map(pairRow),
    ),
    ...list(
      "May contradict",
      pairs.filter((/** @type {any} */ { kind }) => kind === "differ").map(pairRow),
    ),
    ...list(
      "Close in meaning",
      pairs.filter((/** @type {any} */ { kind }) => kind === "near").map(pairRow),
    ),
  ];
}

// What is done to memories on the whole, by itself or by a command: dreams, briefings, triggers for memories with few, a
// summary of the journal, and erasing for good.

export { briefProject, type ProjectBriefing, refreshBriefing } from "./briefing.ts";
export { writeBriefing } from "./briefing_file.ts";
export { type Dream, lastDreamId, newDreamId, planDream } from "./dream/dream.ts";
export type { DreamStep } from "./dream/dream_folder.ts";
export { dreamNow, dreamStore, ownFolders } from "./dream/dream_store.ts";
export { enrich, enrichAtStart, enrichStore, memoriesWithFewTriggers } from "./enrich.ts";
export { type Erasable, erase, type EraseOptions, type EraseReport, previewOf } from "./erase.ts";
export { summariseJournal } from "./journal_summary.ts";

// What memo is beside its core: every feature fills its rows of the core's tables here, and only here.

import type { DaemonFeatures } from "./core/daemon/run.ts";
import { sweepChats } from "./core/capture/cursor.ts";
import { atFailure, atTool, noteMoments, sweepMarkers } from "./features/guard/moments.ts";
import { moveGuards } from "./features/guard/guards.ts";
import { isOffered } from "./features/guard/propose.ts";
import { followHead } from "./features/head/follow_head.ts";
import { moveKept, sweepAllKept } from "./features/history/kept.ts";
import { followHistory } from "./features/history/mod.ts";
import { arrive, recordProjects } from "./features/move/arrive.ts";
import { METHODS } from "./surfaces/mcp/methods.ts";
import { moveSynced, syncLater } from "./features/sync/mod.ts";
import { pollTeams } from "./features/team/mod.ts";
import { dreamStore, enrichAtStart, enrichStore, refreshBriefing } from "./features/upkeep/mod.ts";
import { undoAtPrompt } from "./features/verbs/undo.ts";

/** All features. */
export const FEATURES = {
  answers: {
    UserPromptSubmit: undoAtPrompt,
    PreToolUse: atTool,
    PreSkillShellCommand: atTool,
    PostToolUseFailure: atFailure,
  },
  isOffered,
  arrive,
  follows: [moveKept, moveGuards, moveSynced],
  jobs: [
    { name: "projects", after: ["SessionStart", "capture"], run: recordProjects },
    { name: "moments", after: ["SessionStart", "UserPromptSubmit"], run: noteMoments },
    { name: "team", after: ["SessionStart", "UserPromptSubmit"], run: pollTeams },
    { name: "head", after: ["SessionStart", "UserPromptSubmit", "capture"], run: followHead },
    { name: "history", after: ["capture", "SessionStart", "SessionEnd"], run: followHistory },
    { name: "briefing", after: ["capture"], setting: "briefing.refresh", run: refreshBriefing },
    { name: "enrich", after: ["capture"], setting: "enrich.enabled", run: enrichStore },
    { name: "enrich", after: ["SessionStart"], setting: "enrich.enabled", run: enrichAtStart },
    { name: "dream", after: ["capture"], setting: "dream.enabled", run: dreamStore },
    { name: "sync", after: ["capture", "SessionEnd"], setting: "sync.auto", run: syncLater },
  ],
  sweeps: {
    kept: (engine, now) =>
      sweepAllKept(engine.paths.history, { now, days: engine.config()["history.days"] }),
    chats: ({ paths }, now) => sweepChats(paths.capture, now),
    markers: ({ paths }, now) => sweepMarkers(paths.moments, now),
  },
  methods: METHODS,
  loadPage: () => import("./surfaces/ui/serve.ts"),
} satisfies DaemonFeatures;

// What memo is beside its core: every feature fills its rows of the core's tables here, and only here.

import type { DaemonFeatures } from "./daemon/run.ts";
import { atFailure } from "./guard/at_failure.ts";
import { atSkillLine, atTool } from "./guard/at_tool.ts";
import { sweepMarkers } from "./guard/markers.ts";
import { noteMoments } from "./guard/note_moments.ts";
import { isOffered } from "./guard/propose.ts";
import { followHead } from "./head/follow_head.ts";
import { sweepAllKept } from "./history/kept.ts";
import { followHistory } from "./history/mod.ts";
import { METHODS } from "./mcp/methods.ts";
import { syncLater } from "./sync/later.ts";
import { pollTeams } from "./team/teams_later.ts";
import { dreamStore } from "./upkeep/dream/dream_store.ts";
import { undoAtPrompt } from "./verbs/at_prompt.ts";
import { enrichAtStart, enrichStore } from "./upkeep/enrich_store.ts";
import { refreshBriefing } from "./upkeep/refresh_briefing.ts";

/** All features. */
export const FEATURES = {
  answers: {
    UserPromptSubmit: undoAtPrompt,
    PreToolUse: atTool,
    PreSkillShellCommand: atSkillLine,
    PostToolUseFailure: atFailure,
  },
  isOffered,
  jobs: [
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
    markers: ({ paths }, now) => sweepMarkers(paths.moments, now),
  },
  methods: METHODS,
  loadPage: () => import("./ui/serve.ts"),
} satisfies DaemonFeatures;

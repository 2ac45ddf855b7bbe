import { agents } from "./agents.ts";
import { capturedMemories } from "./capture.ts";
import { captureQueue } from "./capture_queue.ts";
import type { Check } from "./check.ts";
import { claudeAutoMemory, claudeCode, claudeSettings, hooks, mcpServer } from "./claude_code.ts";
import { provider, sent, spending } from "./language_model.ts";
import { executable, settings, stateFolder } from "./place.ts";
import { contradictions } from "./contradictions.ts";
import { lastSync } from "./sync.ts";
import { teams } from "./teams.ts";
import { code, daemon, delivery, index, memoryFiles, model, prompts } from "./recall.ts";
import { trust } from "./trust.ts";

/** All checks, in the order in which a prompt passes through memo. */
export const CHECKS: readonly Check[] = [
  { name: "executable", run: executable },
  { name: "state folder", run: stateFolder },
  { name: "settings", run: settings },
  { name: "Claude Code", run: claudeCode },
  { name: "Claude Code settings", run: claudeSettings },
  { name: "auto memory", run: claudeAutoMemory },
  { name: "hooks", run: hooks },
  { name: "MCP server", run: mcpServer },
  { name: "agents", run: agents },
  { name: "daemon", run: daemon },
  { name: "embedding model", run: model },
  { name: "index", run: index },
  { name: "memory files", run: memoryFiles },
  { name: "code", run: code },
  { name: "trust", run: trust },
  { name: "captured memories", run: capturedMemories },
  { name: "contradictions", run: contradictions },
  { name: "prompts", run: prompts },
  { name: "delivery", run: delivery },
  { name: "sent", run: sent },
  { name: "language model", run: provider },
  { name: "spending", run: spending },
  { name: "capture", run: captureQueue },
  { name: "sync", run: lastSync },
  { name: "teams", run: teams },
];

// OpenCode 1.18 has no hooks that run a command: memo's plugin (`src/install/agents/opencode.ts`) sends Claude Code's JSON.

import { codex } from "./codex.ts";

export const opencode = codex;

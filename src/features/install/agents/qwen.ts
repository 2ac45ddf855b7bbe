import { settingsFile } from "./settings_file.ts";
import { type Agent, EVERYTHING } from "./agent.ts";

export const qwen: Agent<"qwen"> = {
  name: "qwen",
  label: "Qwen Code",
  gives: EVERYTHING,
  tried: "0.24",
  files: ({ paths }, self) => [
    settingsFile([paths.home, ".qwen"], self, {
      agent: "qwen",
      events: [
        ...["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
        ...["Stop", "SessionEnd"],
      ],
    }),
  ],
};

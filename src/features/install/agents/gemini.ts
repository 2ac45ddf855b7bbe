import { settingsFile } from "./settings_file.ts";
import { type Agent, EVERYTHING } from "./agent.ts";

export const gemini: Agent<"gemini"> = {
  name: "gemini",
  label: "Gemini CLI",
  gives: EVERYTHING,
  tried: "0.61",
  files: ({ paths }, self) => [
    settingsFile([paths.home, ".gemini"], self, {
      agent: "gemini",
      events: [
        ...["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool"],
        ...["AfterAgent", "SessionEnd"],
      ],
      matchers: {
        BeforeTool: "invoke_agent",
        AfterTool: "invoke_agent|read_file|run_shell_command",
      },
    }),
  ],
};

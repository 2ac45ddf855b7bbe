import { statSync } from "node:fs";
import type { Command } from "commander";
import { isServing, presence, startDaemon } from "../../core/daemon/lifecycle.ts";
import { codeOf, MemoError } from "../../errors.ts";
import { selfCommand } from "../../core/link/self.ts";
import { refuseOff } from "../../core/memory/off.ts";
import { sessionVariables } from "../../core/link/session_env.ts";
import { call } from "../../core/link/socket.ts";
import type { CliContext } from "./shared/command.ts";
import { say } from "./shared/output.ts";

/** Maximum time for a tool: an answer of a language model takes up to 30 seconds. */
const TIMEOUT_MS = 60_000;

/** `memo mcp`: an MCP server on stdin and stdout. */
export function define(command: Command, context: CliContext): void {
  command.action(async () => {
    if (process.stdin.isTTY) {
      say("This is an MCP server, started by its clients; `memo init` adds it to Claude Code");
      say(
        "For other clients, the command is `memo` and the argument `mcp`. Press Ctrl+C to stop it",
      );
    }
    const { paths, env } = context;
    const { serveMcp } = await import("../mcp/serve.ts");
    const caller = {
      claude: paths.claude,
      pid: process.ppid,
      session: env["CLAUDE_CODE_SESSION_ID"] || undefined,
      variables: sessionVariables(env),
    };
    const ask = asker(context);
    await serveMcp({
      projectDir: env["CLAUDE_PROJECT_DIR"] || undefined,
      async runTool({ projectDir, ...params }) {
        refuseOff({ ...context.place, cwd: projectDir });
        return await ask("tool", { ...params, projectDir, ...caller });
      },
    });
    process.exit(0);
  });
}

/** Starts the daemon, and asks it for a server that may outlive several. */
function asker({ paths, env }: CliContext) {
  // When the executable was last replaced.
  const builtAt = () => statSync(selfCommand().command, { throwIfNoEntry: false })?.mtimeMs;
  const built = builtAt();
  const start = async () => {
    const there = await presence(paths);
    if (isServing(there)) return;
    // A newer daemon is not replaced by one of this build, which is no longer there to be started.
    if (["older", "foreign"].includes(there) && builtAt() !== built) {
      throw new MemoError("daemon", "memo was upgraded while this server ran", {
        hint: "Ask the user to reconnect it: `/mcp` in Claude Code",
      });
    }
    await startDaemon(paths, env);
  };
  void start().catch(() => {}); // the first call says why
  /** One request; a daemon that has exited meanwhile, or is of another build, is replaced first. */
  return async (method: string, params: object): Promise<unknown> => {
    const options = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
    try {
      return await call(method, params, options);
    } catch (error) {
      // None of this build has answered; one that is only slow must not be taken for that.
      const isRefused = ["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(codeOf(error) ?? "");
      if (!isRefused && !(error instanceof MemoError && error.kind === "daemon")) throw error;
    }
    await start();
    return await call(method, params, options);
  };
}

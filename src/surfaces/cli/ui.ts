import { existsSync } from "node:fs";
import type { Command } from "commander";
import { startDaemon } from "../../core/daemon/lifecycle.ts";
import type { PageAddress, PageParams } from "../../core/daemon/page.ts";
import { sessionVariables } from "../../core/link/session_env.ts";
import { call } from "../../core/link/socket.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, say } from "./shared/output.ts";
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { MemoError, messageOf } from "../../errors.ts";
import type { Env } from "../../paths.ts";
import { splitCommand } from "./shared/editor.ts";

/** Maximum time for the daemon to serve the page. */
const TIMEOUT_MS = 10_000;
/** Maximum wait for a browser to show it, and interval of the looks. */
const BROWSER_MS = 15_000, LOOK_MS = 100;

/** `memo ui`: has the daemon serve the page, and opens it. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--no-open", "Print the link instead of opening it; it works once")
    .option("--json", "Print JSON: {address}, without opening it")
    .action(async ({ open, json = false }: { readonly open: boolean; readonly json?: boolean }) => {
      const inFile = open && !json;
      const { paths, env, cwd } = context;
      await startDaemon(paths, env);
      const params: PageParams = {
        ...{ claude: paths.claude, cwd, inFile, variables: sessionVariables(env) },
      };
      const patience = { socket: paths.socket, timeoutMs: TIMEOUT_MS };
      const { address, file } = await call("page", params, patience) as PageAddress;
      if (json) return outJson({ address });
      if (file === undefined) {
        out(address + "\n");
        const expiry = "expires 15 minutes after you close the page";
        return say(`The link works once, on this machine, and ${expiry}`);
      }
      await openInBrowser(file, env);
      if (await isGone(file)) return say("Opened in your browser");
      say("warning: No browser has shown the page yet");
      say(
        "hint: A sandboxed browser cannot read the file: run `memo ui --no-open` and open the link",
      );
    });
}

/** Whether a file is removed before long: the daemon does that when the page has come. */
async function isGone(file: string): Promise<boolean> {
  for (const until = Date.now() + BROWSER_MS; Date.now() < until;) {
    if (!existsSync(file)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

/** Opens a file in the user's browser, and does not wait for that to end; throws a `usage` MemoError if it cannot. */
async function openInBrowser(path: string, env: Env): Promise<void> {
  const [program, ...words] = browserOf(env);
  const address = ["win32", "darwin"].includes(process.platform) ? path : pathToFileURL(path).href;
  const args = words.includes("%s")
    ? words.map((word) => word === "%s" ? address : word)
    : [...words, address];
  const child = spawn(program!, args, { detached: true, stdio: "ignore", env: { ...env } });
  await new Promise<void>((resolve, reject) => {
    child.on("spawn", resolve);
    child.on("error", (error) =>
      reject(
        new MemoError("usage", `Cannot open a browser with \`${program}\`: ${messageOf(error)}`, {
          hint: "Run `memo ui --no-open`, or set `$BROWSER`",
        }),
      ));
  });
  child.unref();
}

/** The command that opens a file: the user's own, else the system's. */
function browserOf(env: Env): readonly string[] {
  const { platform } = process;
  const own = env["BROWSER"]?.split(platform === "win32" ? ";" : ":")[0]?.trim();
  if (own) return splitCommand(own);
  if (platform === "darwin") return ["open"];
  // Not `start`, a command of the shell, which would read the path.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

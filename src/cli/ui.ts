import { existsSync } from "node:fs";
import type { Command } from "commander";
import { startDaemon } from "../daemon/lifecycle.ts";
import type { PageAddress, PageParams } from "../daemon/page.ts";
import { sessionVariables } from "../link/session_env.ts";
import { call } from "../link/socket.ts";
import { openInBrowser } from "./shared/browser.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, say } from "./shared/output.ts";

interface Options {
  readonly open: boolean;
  readonly json?: boolean;
}

/** Maximum time for the daemon to serve the page. */
const TIMEOUT_MS = 10_000;
/** Maximum wait for a browser to show it, and interval of the looks. */
const BROWSER_MS = 15_000, LOOK_MS = 100;

/** `memo ui`: has the daemon serve the page, and opens it. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--no-open", "Print the address instead of opening it in a browser; it works once")
    .option("--json", "Print JSON: {address}, without opening it")
    .action(async ({ open, json = false }: Options) => {
      const inFile = open && !json;
      const { address, file } = await askForPage(context, inFile);
      if (json) return outJson({ address });
      if (file === undefined) {
        out(address + "\n");
        return say(
          "It works once, in a browser of this machine, and closes 15 minutes after the page",
        );
      }
      await openInBrowser(file, context.env);
      if (await isGone(file)) return say("Opened in your browser");
      say("warning: No browser has shown the page yet");
      say("hint: A browser in a sandbox cannot open it by itself: run `memo ui --no-open`");
    });
}

async function askForPage(context: CliContext, inFile: boolean): Promise<PageAddress> {
  const { paths, env, cwd } = context;
  await startDaemon(paths, env);
  const params: PageParams = {
    ...{ claude: paths.claude, cwd, inFile },
    variables: sessionVariables(env),
  };
  return await call("page", params, { socket: paths.socket, timeoutMs: TIMEOUT_MS }) as PageAddress;
}

/** Whether a file is removed before long: the daemon does that when the page has come. */
async function isGone(file: string): Promise<boolean> {
  for (const until = Date.now() + BROWSER_MS; Date.now() < until;) {
    if (!existsSync(file)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

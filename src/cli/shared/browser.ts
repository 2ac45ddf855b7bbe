import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { MemoError, messageOf } from "../../errors.ts";
import type { Env } from "../../paths.ts";
import { splitCommand } from "./editor.ts";

/** Opens a file in the user's browser, and does not wait for that to end; throws a `usage` MemoError if it cannot. */
export async function openInBrowser(
  path: string,
  env: Env,
  platform: string = process.platform,
): Promise<void> {
  const [program, ...words] = browserOf(env, platform);
  const address = platform === "win32" || platform === "darwin" ? path : pathToFileURL(path).href;
  const args = words.includes("%s")
    ? words.map((word) => word === "%s" ? address : word)
    : [...words, address];
  const child = spawn(program!, args, {
    detached: true,
    stdio: "ignore",
    env: { ...env },
  });
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
function browserOf(env: Env, platform: string): readonly string[] {
  const own = env["BROWSER"]?.split(platform === "win32" ? ";" : ":")[0]?.trim();
  if (own) return splitCommand(own);
  if (platform === "darwin") return ["open"];
  // Not `start`, a command of the shell, which would read the path.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

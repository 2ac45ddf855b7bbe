import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Home, MEMO } from "./home.ts";

/** Has a tool of `memo mcp` called in a home, and resolves with its reply; undefined if it ended before. */
export async function callTool(
  home: Pick<Home, "env" | "project">,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const child = spawn(MEMO, ["mcp"], { cwd: home.project, env: home.env });
  child.stdin.on("error", () => {}); // it may have been killed
  child.stderr.resume();
  const send = (message: object) =>
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const clientInfo = { name: "test", version: "1" };
  const ended = new Promise((done) => child.on("close", done));
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name, arguments: input } });
  let reply: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (JSON.parse(line).id !== 2) continue;
    reply = line;
    break;
  }
  child.stdin.end();
  await ended;
  return reply;
}

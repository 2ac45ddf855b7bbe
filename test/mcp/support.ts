import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type Home, MEMO } from "../support/home.ts";

/** A client of the compiled `memo mcp`, from the library that the server is made with: starts it in a home, as a client does that works on its project. */
export async function openMcp(
  home: Pick<Home, "env" | "project">,
  { env = {}, cwd = home.project }: { env?: Record<string, string>; cwd?: string } = {},
) {
  // deno-lint-ignore no-explicit-any -- the library's types are not found by Deno
  const client: any = new Client({ name: "test", version: "1" }, { capabilities: {} });
  const transport = new StdioClientTransport({
    command: MEMO,
    args: ["mcp"],
    cwd,
    env: { ...home.env, ...env } as Record<string, string>,
    stderr: "ignore",
  });
  await client.connect(transport);
  return {
    client,
    /** What a tool says, and the file that it names with its whole path, if there is one. */
    async call(name: string, args: object = {}) {
      const result = await client.callTool({ name, arguments: args });
      const text: string = result.content.map(({ text }: { text: string }) => text).join("\n");
      const path = /(?<=[ :]) ?\/\S+\.md\b/.exec(text)?.[0].trim() ?? "";
      return { text, path, failed: result.isError === true };
    },
    [Symbol.asyncDispose]: (): Promise<void> => client.close(),
  };
}

/** Has a tool called in a home, and resolves with what it says; undefined if the server ended before. */
export async function callTool(
  home: Pick<Home, "env" | "project">,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  try {
    await using memo = await openMcp(home);
    return (await memo.call(name, input)).text;
  } catch {
    return undefined;
  }
}

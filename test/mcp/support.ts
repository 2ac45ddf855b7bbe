import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type Home, MEMO } from "../support/home.ts";

/** The result of a tool as a client gets it. */
export interface Called {
  readonly text: string;
  /** The file that it names with its whole path, if there is one. */
  readonly path: string;
  readonly failed: boolean;
}

/** A client of the compiled `memo mcp`, from the library that the server is made with. */
export interface McpClient extends AsyncDisposable {
  // deno-lint-ignore no-explicit-any -- the library's types are not found by Deno
  readonly client: any;
  call(tool: string, args?: object): Promise<Called>;
}

/** Starts `memo mcp` in a home, as a client does that works on its project. */
export async function openMcp(
  home: Home,
  { env = {}, cwd = home.project }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
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
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      const text = result.content.map(({ text }: { text: string }) => text).join("\n");
      const path = /(?<=[ :]) ?\/\S+\.md\b/.exec(text)?.[0].trim() ?? "";
      return { text, path, failed: result.isError === true };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

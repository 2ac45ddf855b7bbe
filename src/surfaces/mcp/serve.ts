// `memo mcp`: speaks MCP on stdin and stdout, and has the daemon do the work, so that index and model are loaded once.

import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server";
// The package names its modules by file and its types without.
// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { messageOf, renderError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { MAX_MESSAGE, messagesIn } from "./input.ts";
import { described } from "./describe.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { Resource } from "./resources.ts";
import { TOOLS } from "./tools.ts";

/** Who does the work. */
export interface Backend {
  /** Asks the daemon, on behalf of a project. */
  ask(method: "tool" | "resources" | "resource", params: object): Promise<unknown>;
  /** The project's folder, if the environment names it. */
  readonly projectDir: string | undefined;
}

/** Maximum time for a client to tell its roots. */
const ROOTS_MS = 2000;

/** Serves until the client closes its end. */
export async function serveMcp(backend: Backend): Promise<void> {
  const server = new Server({ name: "memo", title: "memo", version: VERSION }, {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
  });
  const where = new Location(server, backend.projectDir);
  const ask = async (method: Parameters<Backend["ask"]>[0], params: object) =>
    await backend.ask(method, { ...params, projectDir: await where.project() });

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(described) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
    try {
      const text = await ask("tool", { name, args: args ?? {} }) as string;
      return { content: [{ type: "text", text }] };
    } catch (error) {
      // The model can act on it, so it is a result and not an error of the protocol.
      return { content: [{ type: "text", text: renderError(error).trimEnd() }], isError: true };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await attempt(() => ask("resources", {})) as Resource[],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [TEMPLATE],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = await attempt(() => ask("resource", { uri })) as string;
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  });

  const closed = new Promise<void>((done) => {
    server.onclose = done;
    process.stdin.once("end", done).once("close", done);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
  const stdin = Readable.from(messagesIn(process.stdin, refuseMessage));
  const maxBufferSize = 2 * MAX_MESSAGE; // `messagesIn` is the limit
  await server.connect(new StdioServerTransport(stdin, process.stdout, { maxBufferSize }));
  await closed;
}

/** Answers a message that is too long to be read; without its id there is nobody to answer. */
function refuseMessage(id: string | number | undefined): void {
  const message = `memo reads messages of at most ${
    MAX_MESSAGE / 1024 ** 2
  } MB, this one is larger`;
  if (id === undefined) return void process.stderr.write(`error: ${message}\n`);
  const error = { code: ErrorCode.InvalidRequest, message };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error }) + "\n");
}

const TEMPLATE = {
  name: "memory",
  uriTemplate: "memo://{scope}/{+file}",
  description: "A memory, by its scope and file",
  mimeType: "text/markdown",
};

/** Errors outside tools are the protocol's own. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, messageOf(error));
  }
}

/** The project that a client works on: what its environment says, else its first root that is a folder. */
class Location {
  readonly #server: Server;
  readonly #named: string | undefined;
  #root: Promise<string | undefined> | undefined;

  constructor(server: Server, named: string | undefined) {
    this.#server = server;
    this.#named = named;
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      this.#root = undefined;
    });
  }

  async project(): Promise<string> {
    return this.#named ?? await (this.#root ??= this.#firstRoot()) ?? process.cwd();
  }

  async #firstRoot(): Promise<string | undefined> {
    if (this.#server.getClientCapabilities()?.roots === undefined) return undefined;
    try {
      const { roots } = await this.#server.listRoots(undefined, { timeout: ROOTS_MS });
      const root = roots.find(({ uri }) => uri.startsWith("file://"));
      return root && fileURLToPath(root.uri);
    } catch {
      return undefined; // it has none to tell
    }
  }
}

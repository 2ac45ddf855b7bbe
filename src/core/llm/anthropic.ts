import { readFileSync } from "node:fs";
import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk";
import { MemoError, messageOf } from "../../errors.ts";
import { parseJson } from "./parse_json.ts";
import { costOf } from "./ledger.ts";
import {
  brief,
  type CallLimits,
  type Completed,
  type Completion,
  llmError,
  LoginRefused,
  type Provider,
  type ProviderContext,
  UnusableAnswer,
} from "./provider.ts";
import { fetchFor } from "./transport.ts";

const DEFAULT_URL = "https://api.anthropic.com";
/** The tool that the model must call; its input is the answer, which works with every model and server. */
const TOOL = "answer";
const FILE_HINT = "Run `memo config set llm.key_file PATH`, or `memo config unset llm.key_file`";
const KEY_HINT = "Check `ANTHROPIC_API_KEY`, then run `memo doctor`";

/** The Anthropic API, or any server that speaks it. */
export const anthropic: Provider = {
  name: "anthropic",
  available(context) {
    if (context.config["llm.base_url"] !== "") return undefined; // a local server needs no key
    try {
      const { apiKey, authToken } = credentials(context);
      return apiKey ?? authToken ? undefined : "`ANTHROPIC_API_KEY` is not set";
    } catch (error) {
      return messageOf(error);
    }
  },
  async complete(request, context) {
    const { sdk, client, url } = await connect(context);
    const model = context.config["llm.model"];
    try {
      const reply = await client.messages.create(body(request, model), { signal: context.signal });
      return readReply(reply, request, model);
    } catch (error) {
      throw explain(error, { sdk, url, model });
    }
  },
  async check(context) {
    const { sdk, client, url } = await connect(context);
    const model = context.config["llm.model"];
    try {
      await client.models.retrieve(model, {}, { signal: context.signal });
      return "available on the server";
    } catch (error) {
      // A gateway may serve messages alone: its 404 is about the address, and does not name the model.
      if (error instanceof sdk.NotFoundError && !messageOf(error).includes(model)) {
        return "not checked: the server does not list models";
      }
      throw explain(error, { sdk, url, model });
    }
  },
};

type Sdk = typeof import("@anthropic-ai/sdk");

async function connect(
  context: ProviderContext & CallLimits,
): Promise<{ sdk: Sdk; client: Anthropic; url: string }> {
  const sdk = await import("@anthropic-ai/sdk");
  const { apiKey, authToken } = credentials(context);
  const url = context.config["llm.base_url"] || context.env["ANTHROPIC_BASE_URL"] || DEFAULT_URL;
  const key = apiKey ?? (authToken ? null : "none");
  const options: ClientOptions = {
    // Without one of the two the library would look for another login on this machine.
    apiKey: key,
    authToken: authToken ?? null,
    // As Claude Code does: the library would send a key as a token, which not every gateway takes.
    defaultHeaders: key === null ? {} : { authorization: null, "x-api-key": key },
    baseURL: url,
    maxRetries: 1,
    logLevel: "off",
    openTelemetry: false,
    fetch: patientFetch(context),
  };
  return { sdk, client: new sdk.Anthropic(options), url };
}

function credentials({ env, config }: ProviderContext): { apiKey?: string; authToken?: string } {
  if (env["ANTHROPIC_API_KEY"]) return { apiKey: env["ANTHROPIC_API_KEY"] };
  if (env["ANTHROPIC_AUTH_TOKEN"]) return { authToken: env["ANTHROPIC_AUTH_TOKEN"] };
  const file = config["llm.key_file"];
  if (file === "") return {};
  try {
    return { apiKey: readFileSync(file, "utf8").trim() };
  } catch (error) {
    throw llmError(`Cannot read the API key in \`${file}\`: ${messageOf(error)}`, FILE_HINT, error);
  }
}

function body(request: Completion, model: string): Anthropic.MessageCreateParamsNonStreaming {
  const { system, prompt, schema, maxTokens } = request;
  return {
    model,
    system,
    max_tokens: maxTokens,
    messages: [{ role: "user", content: prompt }],
    ...schema && {
      tools: [{
        name: TOOL,
        description: "Gives the answer.",
        input_schema: schema as Anthropic.Tool.InputSchema,
      }],
      tool_choice: { type: "tool", name: TOOL, disable_parallel_tool_use: true },
    },
  };
}

/** Reads a reply; a server that only resembles the API may omit any field. */
function readReply(
  reply: Partial<Anthropic.Message>,
  { schema, maxTokens }: Completion,
  model: string,
): Completed {
  const blocks = Array.isArray(reply.content) ? reply.content : [];
  const text = blocks.map((block) => block.type === "text" ? block.text : "").join("");
  const call = blocks.find((block) => block.type === "tool_use");
  const input = Number(reply.usage?.input_tokens) || 0;
  const output = Number(reply.usage?.output_tokens) || 0;
  const answered = reply.model ?? model;
  const completed = {
    text,
    json: schema === undefined ? undefined : call?.input ?? parseJson(text),
    model: answered,
    inputTokens: input,
    outputTokens: output,
    costUsd: costOf(answered, { input, output }),
  };
  if (schema !== undefined && reply.stop_reason === "max_tokens") {
    const cut = `The language model's answer was cut after ${maxTokens} tokens`;
    throw new UnusableAnswer(cut, completed);
  }
  return completed;
}

/** A server that asks for a longer wait is asked again later: meanwhile capture goes on with other logins. */
const MAX_WAIT_MS = 5000;

/**
 * The session's fetch, which tells the library not to retry if there is no time: by default it waits half a second for
 * a server that asks for an hour.
 */
function patientFetch({ env, deadline }: ProviderContext & CallLimits): typeof fetch {
  const ask = fetchFor(env);
  return async (input: string | URL | Request, init?: RequestInit) => {
    const response = await ask(input, init);
    const wait = Number(response.headers.get("retry-after") ?? 0) * 1000;
    const hasTime = wait <= MAX_WAIT_MS && performance.now() + wait < deadline;
    if (response.ok || hasTime) return response;
    const { status, statusText, body } = response;
    const headers = new Headers(response.headers);
    headers.set("x-should-retry", "false");
    return new Response(body, { status, statusText, headers });
  };
}

function explain(
  error: unknown,
  { sdk, url, model }: { readonly sdk: Sdk; readonly url: string; readonly model: string },
): unknown {
  if (error instanceof MemoError) return error;
  if (error instanceof sdk.APIUserAbortError) return llmError("The request was cancelled");
  if (!(error instanceof sdk.APIError)) {
    return llmError(
      `\`${url}\` gave no usable reply: ${brief(messageOf(error))}`,
      undefined,
      error,
    );
  }
  const { status } = error;
  const said = brief(messageOf(error));
  if (status === undefined) {
    const reason = brief(messageOf(error.cause ?? error));
    return llmError(`Cannot reach \`${url}\`: ${reason}`, undefined, error);
  }
  if (status === 401 || status === 403) {
    const message = `\`${url}\` refused the API key: ${said}`;
    return new LoginRefused("llm", message, { hint: KEY_HINT, cause: error });
  }
  if (status === 404) {
    const hint = "Set another model with `memo config set llm.model NAME`";
    return llmError(`\`${url}\` has no model \`${model}\`: ${said}`, hint, error);
  }
  return llmError(`\`${url}\` did not answer: ${said}`, undefined, error);
}

// Vectors from a server with OpenAI's API: Ollama, LM Studio, llama.cpp, or a company's own. Off unless the
// setting `model` is such an address; then the texts of memories and prompts go there, and nowhere else.

import { MemoError, messageOf } from "../errors.ts";
import { shortHash } from "../paths.ts";
import { redact } from "../redact/redact.ts";
import { isLoopback } from "./download.ts";
import type { Embedder } from "./embedder.ts";
import { profileOf } from "./models.ts";

/** Longer than any answer to one text takes once the server has its model in memory. */
const TIMEOUT_MS = 20_000;
/** Assumed characters per token if the server does not report it: fewer than in most texts, so that passages fit. */
const TOKEN_CHARS = 3;

/** Connects to the model at an address and asks it for one vector; throws a `model` MemoError if that fails. */
export async function openEndpoint(address: string): Promise<Embedder> {
  const { url, model } = parse(address);
  const { prefixes, maxTokens } = profileOf(model);
  const isHere = isLoopback(url);

  async function embed(text: string, role: "query" | "passage" = "passage"): Promise<Float32Array> {
    const said = prefixes[role] + text;
    const input = isHere ? said : (await redact(said)).text;
    try {
      return unit(vectorIn(await ask(url, { model, input: input || " " })));
    } catch (cause) {
      throw new MemoError("model", `Cannot embed with \`${address}\`: ${messageOf(cause)}`, {
        cause,
        hint: "Run `memo model use builtin` to do without it",
      });
    }
  }

  return {
    id: `endpoint/${model.replaceAll("@", "-")}@${shortHash(url.href)}`,
    dimensions: (await embed("Does this model answer?")).length,
    maxTokens: maxTokens - Math.ceil(prefixes.passage.length / TOKEN_CHARS),
    countTokens: (text) => Math.ceil(text.length / TOKEN_CHARS),
    embed,
    close: () => Promise.resolve(),
  };
}

function parse(address: string): { readonly url: URL; readonly model: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const model = decodeURIComponent(url?.hash.slice(1) ?? "");
  if (url === undefined || model === "" || !(url.protocol === "https:" || isLoopback(url))) {
    throw new MemoError(
      "usage",
      `\`${address}\` is not an endpoint: it takes \`https://host/v1#model\`, or http on this machine`,
      { hint: "Run `memo model use http://127.0.0.1:11434/v1#bge-m3`" },
    );
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  return { url, model };
}

async function ask(url: URL, body: { model: string; input: string }): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, encoding_format: "float" }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  return await response.json();
}

/** The one vector of an answer; throws if it has no usable one. */
function vectorIn(answer: unknown): number[] {
  const vector = (answer as { data?: { embedding?: unknown }[] } | null)?.data?.[0]?.embedding;
  if (Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite)) return vector;
  throw new Error("its answer has no vector");
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

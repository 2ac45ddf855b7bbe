// Vectors from a server with OpenAI's API: Ollama, LM Studio, llama.cpp, or a company's own. Off unless the
// setting `model` is such an address; then the texts of memories and prompts go there, and nowhere else.

import { readFileSync } from "node:fs";
import { MemoError, messageOf } from "../../errors.ts";
import { readStream } from "../files/bounded.ts";
import { shortHash } from "../../paths.ts";
import { blankBeforeCut, redact } from "../redact/redact.ts";
import type { Embedder } from "./embedder.ts";
import { isLoopback, prefixesOf } from "./models.ts";

/** Longer than any answer to one text takes once the server has its model in memory. */
const TIMEOUT_MS = 20_000;
/** Assumed characters per token if the server does not report it: fewer than in most texts, so that passages fit. */
const TOKEN_CHARS = 3;

/** More than any model has. */
const MAX_DIMENSIONS = 32_768;
/** Maximum bytes of an answer: a number takes at most 30. */
const MAX_ANSWER = 32 * MAX_DIMENSIONS;

/** What an endpoint is opened with. */
export interface EndpointOptions {
  /** The file with the key that the server asks for, read at each start; empty for none. */
  readonly keyFile?: string | undefined;
  /** Why no text may go to another machine now; undefined if it may. Without it, none may. */
  readonly refusal?: (() => string | undefined) | undefined;
  /** The user's own patterns for text that must not leave the machine, as they are at the time. */
  readonly patterns?: (() => readonly RegExp[]) | undefined;
}

/** Connects to the model at an address and asks it for one vector; throws a `model` MemoError if that fails. */
export async function openEndpoint(
  address: string,
  { keyFile, patterns, refusal = () => "sending to it is not allowed" }: EndpointOptions = {},
): Promise<Embedder> {
  const { url, model } = parse(address);
  const prefixes = prefixesOf(model);
  const isHere = isLoopback(url);
  const key = keyIn(keyFile);

  let dimensions: number | undefined;

  async function embed(text: string, role: "query" | "passage" = "passage"): Promise<Float32Array> {
    const said = prefixes[role] + text;
    const input = isHere ? said : (await redact(said, patterns?.())).text;
    try {
      const refused = isHere ? undefined : refusal();
      if (refused !== undefined) throw new Error(refused);
      const vector = vectorIn(await ask(url, { model, input: input || " " }, key), dimensions);
      dimensions ??= vector.length;
      return vector;
    } catch (cause) {
      throw new MemoError("model", `Cannot embed with \`${address}\`: ${messageOf(cause)}`, {
        cause,
        hint: "Run `memo config set model=builtin` to use the built-in model",
      });
    }
  }

  return {
    id: `endpoint/${model.replaceAll("@", "-")}@${shortHash(url.href)}`,
    dimensions: (await embed("Does this model answer?")).length,
    countTokens: (text) => Math.ceil(text.length / TOKEN_CHARS),
    embed,
    ...isHere ? {} : { beforeCut: blankBeforeCut },
    close: () => Promise.resolve(),
  };
}

function parse(address: string): { readonly url: URL; readonly model: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const model = decodeURIComponent(url?.hash.slice(1) ?? "");
  if (url === undefined || model === "" || !(url.protocol === "https:" || isLoopback(url))) {
    throw new MemoError(
      "usage",
      `\`${address}\` is not an endpoint: use \`https://host/v1#model\`, or http on this machine`,
      { hint: "Run `memo config set model=http://127.0.0.1:11434/v1#bge-m3`" },
    );
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  return { url, model };
}

/** The key in a file; throws a `model` MemoError if it cannot be read. */
function keyIn(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (cause) {
    throw new MemoError("model", `Cannot read the key in \`${file}\`: ${messageOf(cause)}`, {
      cause,
      hint: "Run `memo config set embed.key_file PATH`",
    });
  }
}

async function ask(
  url: URL,
  body: { readonly model: string; readonly input: string },
  key: string | undefined,
): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ ...body, encoding_format: "float" }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 401) {
    throw new Error("it needs a key: save the key to a file and set `embed.key_file` to its path");
  }
  if (!response.ok) throw new Error(`it returned ${response.status}`);
  const answer = response.body === null ? "" : await readStream(response.body, MAX_ANSWER);
  return JSON.parse(answer.toString());
}

/** The one vector of an answer, of length 1; throws if it has no usable one. */
function vectorIn(answer: unknown, dimensions: number | undefined): Float32Array {
  const { data } = (answer ?? {}) as { data?: readonly { index?: unknown; embedding?: unknown }[] };
  const [{ index = 0, embedding: vector } = {}, ...others] = Array.isArray(data) ? data : [];
  if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite)) {
    throw new Error("its answer contains no vector");
  }
  if (index !== 0 || others.length > 0) {
    throw new Error(`it returned vector ${index} of ${1 + others.length} for one text`);
  }
  if (vector.length > MAX_DIMENSIONS) throw new Error(`its vector has ${vector.length} dimensions`);
  if (dimensions !== undefined && vector.length !== dimensions) {
    throw new Error(`its vectors have ${dimensions} dimensions, but this one has ${vector.length}`);
  }
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) throw new Error("the numbers in its vector are too large");
  return Float32Array.from(vector, (value) => value / (length || 1));
}

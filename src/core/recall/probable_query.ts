import type { Config } from "../settings/config.ts";
import { gate } from "./gate.ts";

/**
 * The text that a prompt will probably be ranked by, so that its vector can be begun before the index is looked at;
 * undefined if that depends on the index. A wrong guess costs time of a processor, and no result.
 */
export function probableQuery(
  { prompt, source }: { readonly prompt: string; readonly source: string | undefined },
  config: Config,
): string | undefined {
  const passed = gate({ prompt, source, memories: 1, bytesLeft: 1 }, config);
  return passed.kind === "stop" ? undefined : passed.query;
}

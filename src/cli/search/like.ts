import { tilde } from "../../paths.ts";
import { neutraliseLine, visible } from "../../text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { out, outJson, paint, say } from "../shared/output.ts";
import { withTools } from "../shared/with_tools.ts";

/** `memo search --like`: lists the memories that are most similar to one. */
export async function searchLike(
  name: string,
  { k, json = false }: { readonly k: number; readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { relatedTo } = await import("../../mcp/tools/related.ts");
  const near = await withTools(context, (tools) => relatedTo(name, k, tools));
  const memories = near.slice(0, k).map(({ memory: { name, type, scope, path }, ...how }) => (
    { name: neutraliseLine(name), type, scope, path, ...how }
  ));
  if (json) outJson(memories);
  for (const { name, type, scope, path, similarity, linked } of json ? [] : memories) {
    const score = `${similarity?.toFixed(2) ?? "    "}  `;
    const facts = [type, scope, ...linked ? ["linked"] : []].join(", ");
    out(
      `${score}${paint("bold", visible(name))}  ${paint("dim", facts)}\n` +
        `${" ".repeat(score.length)}${paint("dim", tilde(path, context.env))}\n`,
    );
  }
  if (memories.length > 0) return;
  if (!json) say("No memory is similar; run `memo list` to see all");
  process.exitCode = 1;
}

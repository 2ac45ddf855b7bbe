import { tilde } from "../../paths.ts";
import { visible } from "../../text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { out, outJson, paint, say } from "../shared/output.ts";
import { withTools } from "../shared/with_tools.ts";

/** `memo search --like`: lists the memories that are most similar to one. */
export async function searchLike(
  name: string,
  { k, json = false }: { readonly k: number; readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { related } = await import("../../mcp/tools/related.ts");
  const { data } = await withTools(context, (tools) => related.run({ name, limit: k }, tools));
  const { memories } = data;
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

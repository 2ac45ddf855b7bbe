import { once } from "../text/remembered.ts";
import type { SecretSpan } from "./spans.ts";

/** Drops the rule set's filter that lets a comment in the text switch it off: the text is untrusted. */
const SWITCHED_BY_TEXT = /filter-comments$/;

/** The rule set, loaded once; it records every run of every rule, and a daemon that lives for days would keep all. */
const linter = once(async () => {
  const { lintSource } = await import("@secretlint/core");
  const { secretLintProfiler } = await import("@secretlint/profiler");
  const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
  secretLintProfiler.setEnabled(false);
  const config = {
    rules: rules.filter((rule) => !SWITCHED_BY_TEXT.test(rule.meta.id)).map((rule) => ({
      id: rule.meta.id,
      rule,
      options: { enableIDScanRule: true },
    })),
  };
  return { lintSource, options: { noPhysicFilePath: true, config } as const };
});

/** The secrets that secretlint's maintained rule set finds. */
export async function maintainedSecrets(text: string): Promise<SecretSpan[]> {
  const { lintSource, options } = await linter();
  const content = text.replace(/^\ufeff/, " "); // the byte order mark would shift positions
  const { messages } = await lintSource({
    source: { filePath: "prompt.txt", ext: ".txt", contentType: "text", content },
    options,
  });
  return messages.flatMap(({ ruleId, range, data }) => {
    const kind = ruleId.replace(/^.*secretlint-rule-/, "");
    const [start = 0, end = 0] = range;
    // Some rules report the start of the name before the secret, with the length of the secret.
    const values = Object.values<unknown>(data ?? {}).filter((value) => typeof value === "string")
      .map((value) => ({ value, at: content.indexOf(value, start) }))
      .filter(({ at }) => at >= start && at <= end);
    return [
      { kind, start, end },
      ...values.map(({ value, at }) => ({ kind, start: at, end: at + value.length })),
    ];
  });
}

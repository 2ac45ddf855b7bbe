import fc from "fast-check";

type Json = Record<string, unknown>;

const name = () =>
  fc.string({ maxLength: 8 }).filter((key) => key !== "hooks" && key !== "__proto__");

const handler = () =>
  fc.record({
    type: fc.constant("command"),
    command: fc.constantFrom("/usr/bin/lint", "memory-lint", "echo hook", "/opt/memo-other"),
    args: fc.constantFrom(["hook"], ["run", "hook"], []),
    timeout: fc.nat(60),
  }, { requiredKeys: ["type", "command"] });

const group = () =>
  fc.record(
    { matcher: fc.constantFrom("", "Write", "*"), hooks: fc.array(handler(), { maxLength: 2 }) },
    { requiredKeys: ["hooks"] },
  );

const event = () =>
  fc.constantFrom("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "NotYetInvented");

/** Settings of other people's making: any keys, and hooks of theirs or none. */
export function settings(): fc.Arbitrary<Json> {
  return fc.tuple(
    fc.dictionary(name(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.option(fc.dictionary(event(), fc.array(group(), { maxLength: 2 }), { maxKeys: 3 })),
    fc.boolean(),
  ).map(([others, hooks, first]) => {
    if (hooks === null) return { ...others };
    return first ? { hooks, ...others } : { ...others, hooks };
  });
}

/** Their text in many layouts: indentation, line ends, byte order mark, white space within and around. */
export function laidOut(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc.tuple(
    values,
    fc.constantFrom(undefined, 1, 2, 4, "\t"),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\uFEFF"),
    fc.constantFrom("", "\n", "\n\n"),
    fc.constantFrom("{}", "{ }", "{\n}"),
  ).map(([value, indent, newline, mark, end, empty]) => {
    const text = JSON.stringify(value, null, indent);
    const spaced = text === "{}" ? empty : text;
    return mark + (spaced + end).replaceAll("\n", newline);
  });
}

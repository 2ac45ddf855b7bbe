import assert from "node:assert/strict";
import stringWidth from "string-width";
import type { Chart } from "../../../src/surfaces/cli/stats/charts.ts";
import { renderCharts } from "../../../src/surfaces/cli/stats/terminal.ts";

const CHARTS: Chart[] = [
  {
    title: "Memories by type of a title that is longer than a very narrow terminal",
    rows: [
      { label: "tool", value: 1000, shown: "1,000" },
      { label: "数据库迁移的规则第一条非常长的标题", value: 500, shown: "500" },
      { label: "\u001b[31mred\u0007 👩‍👩‍👧", value: 1, shown: "1" },
      { label: "zero", value: 0, shown: "0" },
    ],
    note: "1,501 in all, and more words than fit into one line of forty columns: $0.42",
  },
  { title: "Never used", rows: [{ label: "A", value: undefined, shown: "3 days old" }] },
  { title: "Nothing", rows: [], note: "left out" },
];

for (const columns of [1, 24, 30, 40, 60, 80, 200]) {
  Deno.test(`charts fit into ${columns} columns and line up`, () => {
    const lines = renderCharts(CHARTS, columns).split("\n");
    const most = Math.max(24, columns);
    for (const line of lines) assert.ok(stringWidth(line) <= most, `${stringWidth(line)}: ${line}`);
    assert.doesNotMatch(lines.join(""), /\p{Cc}/u);
    assert.ok(lines.some((line) => line.endsWith("$0.42")), "a note is not cut");
    const starts = lines.slice(1, 4).map((line) => {
      const at = line.search(columns < 40 ? / {2}[\d█▏]/ : / {2}[█▏]/);
      return stringWidth(line.slice(0, at + 1));
    });
    if (columns >= 60) assert.equal(new Set(starts).size, 1, lines.join("\n"));
  });
}

Deno.test("bars are as long as their share, and what is not nothing can be seen", () => {
  const text = renderCharts([{
    title: "T",
    rows: [["a", 100], ["b", 50], ["c", 0.001], ["d", 0]].map(([label, value]) => ({
      ...{ label: String(label), value: Number(value), shown: String(value) },
    })),
  }], 80);
  const bars = text.match(/[█▏▎▍▌▋▊▉]+/g)!;
  assert.deepEqual(bars, ["█".repeat(32), "█".repeat(16), "▏"]);
});

Deno.test("a chart of nothing is left out", () => {
  const row = { label: "a", value: 1, shown: "1" };
  assert.equal(
    renderCharts([{ title: "T", rows: [] }, { title: "U", rows: [row] }]).split("\n")[0],
    "U",
  );
});

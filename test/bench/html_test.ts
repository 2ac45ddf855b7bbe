import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import fc from "fast-check";
import type { HookReport } from "../../bench/hook.ts";
import { html } from "../../bench/html/markup.ts";
import { page } from "../../bench/html/page.ts";
import { linear, logarithmic } from "../../bench/html/scale.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import { obtainChromium, screenshot } from "../support/chromium.ts";
import { temporaryFolder } from "../support/temp.ts";

const RESULTS = new URL("../../bench/results/", import.meta.url);
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, RESULTS), "utf8"));
const recall = read<RecallReport>("coding-agent.json");
const hook = read<HookReport>("hook.json");
const whole = page({ recall: [recall], hook });

Deno.test("html`` escapes whatever is put into it, and leaves markup alone", () => {
  assert.equal(
    html`<b title="${"\"<&>'"}">${html`<i>x</i>`}</b>`.text,
    `<b title="&quot;&lt;&amp;&gt;&#39;"><i>x</i></b>`,
  );
  fc.assert(fc.property(fc.string(), (text) => assert.doesNotMatch(html`${text}`.text, /[<>"']/)));
});

Deno.test("Names from a suite cannot become part of the page", () => {
  const evil = `</title><script>alert("x")</script>`;
  const report = {
    ...recall,
    suite: evil,
    model: evil,
    leftOut: [{ strategy: evil, because: evil }],
  };
  const text = page({ recall: [report] });
  assert.ok(!text.includes("<script"));
  assert.ok(text.includes("&lt;script&gt;"));
});

Deno.test("The page needs nothing from elsewhere and no script", () => {
  assert.doesNotMatch(whole, /<script|<link|<img|@import|url\(|\bon\w+=/i);
  assert.doesNotMatch(whole, /https?:/);
  assert.match(whole, /prefers-color-scheme: dark/);
});

Deno.test("Every plot has a title and a description of its own, and no figure is broken", () => {
  const plots = whole.match(/<svg /g)!.length;
  const titles = [...whole.matchAll(/<title id="([^"]+)">[^<]+</g)].map(([, id]) => id);
  const descriptions = [...whole.matchAll(/<desc id="([^"]+)">[^<]+</g)].map(([, id]) => id);
  assert.equal(new Set(titles).size, plots);
  assert.equal(new Set(descriptions).size, plots);
  assert.ok(plots >= 8, String(plots));
  for (const id of [...titles, ...descriptions]) {
    assert.match(whole, new RegExp(`aria-labelledby="[^"]*\\b${id}\\b`));
  }
  assert.doesNotMatch(whole, /NaN|Infinity|undefined|\[object/);
});

Deno.test("The same results make the same page, with or without each of their parts", () => {
  assert.equal(page({ recall: [recall], hook }), whole);
  for (const results of [{ recall: [] }, { recall: [], hook }, { recall: [recall, recall] }]) {
    assert.match(page(results), /<\/html>\n$/);
  }
});

Deno.test("Scales put the ends of their domain where they belong and keep the order", () => {
  const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
  fc.assert(fc.property(positive, positive, (a, b) => {
    const [low, high] = a < b ? [a, b * 1.01] : [b, a * 1.01];
    for (const scale of [linear, logarithmic]) {
      const place = scale({ domain: [low, high], range: [10, 500] });
      assert.ok(place(low) >= 10 - 1e-6 && place(high) <= 500 + 1e-6);
      assert.ok(place(low) < place(high));
    }
  }));
});

const chromium = obtainChromium();

Deno.test({
  // Debian's packages are not everywhere; then `CHROMIUM` can name one.
  name: "A real browser draws the page in light and dark, and complains of nothing" +
    (chromium === undefined ? " (ignored: no Chromium on this machine)" : ""),
  ignore: chromium === undefined,
  async fn() {
    using temp = temporaryFolder();
    const file = join(temp.path, "page.html");
    writeFileSync(file, whole);
    for (const dark of [false, true]) {
      const { png, log } = await screenshot(chromium!, file, { dark });
      assert.doesNotMatch(log, /CONSOLE|Refused|ERR_/);
      const { background, colours } = pixelsOf(png);
      assert.equal(background, dark ? "14171a" : "fbfaf7");
      assert.ok(colours > 50, `${colours} colours`);
    }
  },
});

/** The colour of the corner of a PNG with 8 bits a channel and no filters on its first line, and how many there are. */
function pixelsOf(png: Uint8Array): { background: string; colours: number } {
  const view = new DataView(png.buffer, png.byteOffset);
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (kind === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const rows = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const above = new Uint8Array(line), current = new Uint8Array(line);
  const seen = new Set<number>();
  let background = "";
  for (let y = 0; y < height; y++) {
    const start = y * (line + 1);
    unfilter(rows[start]!, rows.subarray(start + 1, start + 1 + line), {
      above,
      current,
      channels,
    });
    if (y === 0) background = Buffer.from(current.subarray(0, 3)).toString("hex");
    for (let x = 0; x < line; x += channels) {
      seen.add(current[x]! << 16 | current[x + 1]! << 8 | current[x + 2]!);
    }
    above.set(current);
  }
  return { background, colours: seen.size };
}

/** Undoes PNG's prediction of a line from the one above it and the pixel to the left. */
function unfilter(
  filter: number,
  raw: Uint8Array,
  { above, current, channels }: { above: Uint8Array; current: Uint8Array; channels: number },
): void {
  for (let i = 0; i < raw.length; i++) {
    const left = i < channels ? 0 : current[i - channels]!;
    const up = above[i]!;
    const corner = i < channels ? 0 : above[i - channels]!;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
    current[i] = raw[i]! + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

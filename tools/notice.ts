// Writes NOTICE from the packages that are compiled into the executable.
//
//   deno run -A tools/notice.ts

import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "./compile/compile.ts";
import { HOST, targetNamed } from "./compile/targets.ts";
import { notice, worksIn } from "./release/notice.ts";

const path = new URL("../NOTICE", import.meta.url);
const text = notice(worksIn(compile(targetNamed(HOST)).packages()));
if (text !== readFileSync(path, "utf8")) {
  writeFileSync(path, text);
  console.error("Wrote NOTICE");
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ArchiveFile } from "./archive.ts";

const FOLDER = fileURLToPath(new URL("../../packaging/python", import.meta.url));

/** The Python package as `pip install` takes it: a zip with its metadata, the same for every platform. */
export function wheel(version: string): { readonly file: string; readonly files: ArchiveFile[] } {
  const project = Object.fromEntries(
    [...readFileSync(join(FOLDER, "pyproject.toml"), "utf8").matchAll(/^([\w-]+) = "(.*)"$/gm)]
      .map(([, key, value]) => [key!, value!]),
  );
  const name = project["name"]!.replaceAll("-", "_");
  const about = `${name}-${version}.dist-info`;
  const files = [
    ...["__init__.py", "py.typed"].map((file) => ({
      name: `${name}/${file}`,
      data: new Uint8Array(readFileSync(join(FOLDER, name, file))),
    })),
    text(`${about}/METADATA`, [
      "Metadata-Version: 2.1",
      `Name: ${project["name"]}`,
      `Version: ${version}`,
      `Summary: ${project["description"]}`,
      `License: ${project["license"]}`,
      `Requires-Python: ${project["requires-python"]}`,
    ]),
    text(`${about}/WHEEL`, [
      "Wheel-Version: 1.0",
      "Generator: memo",
      "Root-Is-Purelib: true",
      "Tag: py3-none-any",
    ]),
  ];
  const record = files.map(({ name, data }) => {
    const digest = createHash("sha256").update(data).digest("base64url");
    return `${name},sha256=${digest},${data.length}`;
  });
  return {
    file: `${name}-${version}-py3-none-any.whl`,
    files: [...files, text(`${about}/RECORD`, [...record, `${about}/RECORD,,`])],
  };
}

function text(name: string, lines: readonly string[]): ArchiveFile {
  return { name, data: new TextEncoder().encode(lines.join("\n") + "\n") };
}

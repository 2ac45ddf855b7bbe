// What manifests have to be, after the documentation that is named: a gate may not fetch schemas. They allow no field that
// a manifest of memo's does not have.

import { parse } from "yaml";
import * as z from "zod";

const text = z.string().min(1);
const url = z.url({ protocol: /^https$/ });
const version = z.string().regex(/^\d+\.\d+\.\d+/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/).max(64);
const who = z.strictObject({ name: text });
const described = { version, description: text.max(1024) };
const links = { homepage: url.optional(), repository: url.optional() };
const plugin = {
  ...{ name: kebab, ...described, ...links, author: who },
  ...{ license: text, keywords: z.array(text) },
};
const local = z.string().startsWith("./");
const winget = {
  PackageIdentifier: z.string().regex(/^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/),
  PackageVersion: version,
  ManifestVersion: z.literal("1.10.0"),
};
const archive = z.strictObject({ url, hash: sha256 });
const stdio = z.strictObject({ type: z.literal("stdio") });

/** Text without a schema of its own has every one of these lines. */
const lines = (...wanted: readonly RegExp[]) =>
  wanted.reduce((schema, line) => schema.regex(line), z.string());

/** What a manifest has to be, and what says so. */
interface Schema {
  readonly source: string;
  readonly schema: z.ZodType;
}

/** By the manifest's name; `manifest.json` is that of a bundle for MCP clients with a window, such as Claude Desktop. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ".claude-plugin/marketplace.json": {
    source: "https://code.claude.com/docs/en/plugins/marketplace-reference",
    schema: z.strictObject({
      ...{ name: kebab, owner: who, metadata: z.strictObject({ description: text }) },
      plugins: z.array(z.strictObject({ name: kebab, ...described, ...links, source: local })),
    }),
  },
  ".cursor-plugin/marketplace.json": {
    source: "https://cursor.com/docs/plugins/building",
    schema: z.strictObject({
      ...{ name: kebab, owner: who },
      plugins: z.array(z.strictObject({ name: kebab, source: local, description: text })),
    }),
  },
  ".agents/plugins/marketplace.json": {
    source: "https://developers.openai.com/plugins/build/plugins",
    schema: z.strictObject({
      ...{ name: kebab, interface: z.strictObject({ displayName: text }) },
      plugins: z.array(z.strictObject({
        name: kebab,
        source: z.strictObject({ source: z.literal("local"), path: local }),
        policy: z.strictObject({
          installation: z.enum(["AVAILABLE", "INSTALLED_BY_DEFAULT", "NOT_AVAILABLE"]),
          authentication: z.enum(["ON_INSTALL", "ON_USE"]),
        }),
        category: text,
      })),
    }),
  },
  "packaging/plugin/plugin.json": {
    source: "https://agent-plugins.org/specification",
    schema: z.strictObject({
      $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
      ...plugin,
    }),
  },
  "packaging/plugin/mcp.json": {
    source: "https://agent-plugins.org/specification",
    schema: z.strictObject({
      $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"),
      mcpServers: z.record(
        kebab,
        z.strictObject({ type: z.literal("stdio"), command: text, args: z.array(text) }),
      ),
    }),
  },
  "packaging/plugin/.codex-plugin/plugin.json": {
    source: "https://developers.openai.com/plugins/build/plugins",
    schema: z.strictObject({ ...plugin, mcpServers: local }),
  },
  "packaging/plugin/.cursor-plugin/plugin.json": {
    source: "https://raw.githubusercontent.com/cursor/plugins/main/schemas/plugin.schema.json",
    schema: z.strictObject({ ...plugin, mcpServers: local }),
  },
  "server.json": {
    source: "https://modelcontextprotocol.io/registry/package-types",
    schema: z.strictObject({
      $schema: z.literal(
        "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      ),
      name: z.string().regex(/^io\.github\.[\w-]+\/[\w-]+$/),
      ...{ title: text.max(100), description: text.max(100), version, websiteUrl: url },
      repository: z.strictObject({ url, source: z.literal("github") }),
      packages: z.array(z.discriminatedUnion("registryType", [
        z.strictObject({
          registryType: z.literal("npm"),
          ...{ identifier: kebab, version, transport: stdio },
          packageArguments: z.array(
            z.strictObject({ type: z.literal("positional"), value: text }),
          ),
        }),
        z.strictObject({
          registryType: z.literal("mcpb"),
          ...{ identifier: url.regex(/mcp/), fileSha256: sha256, transport: stdio },
        }),
      ])).min(2),
    }),
  },
  "memo.rb": {
    source: "https://docs.brew.sh/Formula-Cookbook",
    schema: lines(/^class Memo < Formula$/m, /^ {2}homepage "https:/m, /sha256 "[0-9a-f]{64}"$/m),
  },
  "memo.scoop.json": {
    source: "https://raw.githubusercontent.com/ScoopInstaller/Scoop/master/schema.json",
    schema: z.strictObject({
      ...{ version, description: text, homepage: url, license: text },
      architecture: z.strictObject({ "64bit": archive }),
      ...{ bin: text, pre_uninstall: text, notes: text },
      checkver: z.strictObject({ url, jsonpath: text }),
      autoupdate: z.strictObject({
        architecture: z.strictObject({ "64bit": z.strictObject({ url }) }),
        hash: z.strictObject({ url }),
      }),
    }),
  },
  "memo.winget.yaml": {
    source: "https://aka.ms/winget-manifest.version.1.10.0.schema.json",
    schema: z.strictObject({
      ...winget,
      ...{ DefaultLocale: z.literal("en-US"), ManifestType: z.literal("version") },
    }),
  },
  "memo.winget.installer.yaml": {
    source: "https://aka.ms/winget-manifest.installer.1.10.0.schema.json",
    schema: z.strictObject({
      ...winget,
      ...{ InstallerType: z.literal("zip"), NestedInstallerType: z.literal("portable") },
      NestedInstallerFiles: z.array(
        z.strictObject({ RelativeFilePath: text, PortableCommandAlias: text.max(40) }),
      ),
      Installers: z.array(z.strictObject({
        ...{ Architecture: z.enum(["x64", "arm64"]), InstallerUrl: url },
        InstallerSha256: z.string().regex(/^[A-Fa-f0-9]{64}$/),
      })),
      ManifestType: z.literal("installer"),
    }),
  },
  "memo.winget.locale.yaml": {
    source: "https://aka.ms/winget-manifest.defaultLocale.1.10.0.schema.json",
    schema: z.strictObject({
      ...winget,
      ...{ PackageLocale: z.literal("en-US"), Publisher: text, PackageName: text, PackageUrl: url },
      ...{ License: text, ShortDescription: text.max(256) },
      ManifestType: z.literal("defaultLocale"),
    }),
  },
  "memo.PKGBUILD": {
    source: "https://wiki.archlinux.org/title/PKGBUILD",
    schema: lines(/^pkgname=[a-z-]+$/m, /^pkgver=\d+\.\d+\.\d+$/m, /^package\(\) \{$/m).regex(
      /^sha256sums_x86_64=\('[0-9a-f]{64}'\)$/m,
    ),
  },
  "memo.SRCINFO": {
    source: "https://wiki.archlinux.org/title/.SRCINFO",
    schema: lines(/^pkgbase = (.+)\n[^]*^pkgname = \1$/m, /^\tsha256sums_aarch64 = [0-9a-f]{64}$/m),
  },
  "flake.nix": {
    source: "https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake",
    schema: lines(/^ {2}outputs = /m, /sha256 = "[0-9a-f]{64}";$/m, /mainProgram = "memo";/),
  },
  "manifest.json": {
    source: "https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md",
    schema: z.strictObject({
      ...{ manifest_version: z.literal("0.3"), name: kebab, display_name: text, ...described },
      ...{ author: who, homepage: url.optional(), license: text, tools_generated: z.literal(true) },
      server: z.strictObject({
        ...{ type: z.literal("binary"), entry_point: text },
        mcp_config: z.strictObject({
          command: z.string().startsWith("${__dirname}/"),
          args: z.array(text),
        }),
      }),
      compatibility: z.strictObject({ platforms: z.array(z.enum(["darwin", "linux", "win32"])) }),
    }),
  },
};

/** What is wrong with a manifest, in words; undefined: nothing. */
export function problemWith(name: string, content: string): string | undefined {
  const value = name.endsWith(".json")
    ? JSON.parse(content)
    : name.endsWith(".yaml")
    ? parse(content)
    : content;
  const { error } = SCHEMAS[name]!.schema.safeParse(value);
  return error && `${name}: ${z.prettifyError(error)}`;
}

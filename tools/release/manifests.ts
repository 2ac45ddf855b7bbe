/** A manifest of a release, or of the repository, for a place where such a tool is looked for. */
export interface ManifestRow {
  /** Its name in a release, or its path in the repository. */
  readonly name: string;
  /** The template that a release fills; without one it lies in the repository as it is. */
  readonly template?: string;
  /** Where its owner hands it in, or who reads it. */
  readonly where: string;
}

/** Every manifest; `test/release/schemas.ts` has what each has to be, and by which documentation. */
export const MANIFESTS: readonly ManifestRow[] = [
  {
    name: ".claude-plugin/marketplace.json",
    where: "Claude Code: `/plugin marketplace add` with the repository",
  },
  {
    name: ".cursor-plugin/marketplace.json",
    where: "Cursor: https://cursor.com/marketplace/publish",
  },
  {
    name: ".agents/plugins/marketplace.json",
    where: "Codex: `codex plugin marketplace add` with the repository",
  },
  {
    name: "packaging/plugin/plugin.json",
    where: "hosts of Agent Plugins 1.0, such as VS Code, Copilot and Kiro",
  },
  { name: "packaging/plugin/mcp.json", where: "the same hosts" },
  { name: "packaging/plugin/.codex-plugin/plugin.json", where: "Codex before Agent Plugins" },
  { name: "packaging/plugin/.cursor-plugin/plugin.json", where: "Cursor, through its marketplace" },
  {
    name: "server.json",
    template: "packaging/mcp/server.json",
    where: "MCP registry: `mcp-publisher login github`, `mcp-publisher publish`, after npm",
  },
  {
    name: "memo.rb",
    template: "packaging/homebrew/memo.rb",
    where: "Homebrew: Formula/memo.rb in a tap, `who/homebrew-memo`",
  },
  {
    name: "memo.scoop.json",
    template: "packaging/scoop/memo.json",
    where: "Scoop: bucket/memo.json in a bucket",
  },
  {
    name: "memo.winget.yaml",
    template: "packaging/winget/version.yaml",
    where: "winget: a pull request to microsoft/winget-pkgs, with the next two files",
  },
  {
    name: "memo.winget.installer.yaml",
    template: "packaging/winget/installer.yaml",
    where: "winget",
  },
  { name: "memo.winget.locale.yaml", template: "packaging/winget/locale.yaml", where: "winget" },
  {
    name: "memo.PKGBUILD",
    template: "packaging/aur/PKGBUILD",
    where: "AUR: PKGBUILD of claude-code-memo-bin",
  },
  { name: "memo.SRCINFO", template: "packaging/aur/SRCINFO", where: "AUR: .SRCINFO next to it" },
  {
    name: "flake.nix",
    template: "packaging/nix/flake.nix",
    where: "Nix: flake.nix in the repository, committed after the release",
  },
];

{
  description = "Persistent memory for Claude Code and other agents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        x86_64-linux = {
          url = "{{url linux-x64}}";
          sha256 = "{{sha256 linux-x64}}";
        };
        aarch64-linux = {
          url = "{{url linux-arm64}}";
          sha256 = "{{sha256 linux-arm64}}";
        };
        aarch64-darwin = {
          url = "{{url darwin-arm64}}";
          sha256 = "{{sha256 darwin-arm64}}";
        };
        x86_64-darwin = {
          url = "{{url darwin-x64}}";
          sha256 = "{{sha256 darwin-x64}}";
        };
      };
    in {
      packages = builtins.mapAttrs (system: archive:
        let pkgs = nixpkgs.legacyPackages.${system}; in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "memo";
            version = "{{version}}";
            src = pkgs.fetchurl archive;
            sourceRoot = ".";
            # The executable has its parts appended, which patchelf and strip would cut off.
            # NixOS itself runs it with `programs.nix-ld.enable = true`.
            dontStrip = true;
            dontPatchELF = true;
            installPhase = "install -Dm755 memo $out/bin/memo";
            meta = {
              homepage = "{{homepage}}";
              license = pkgs.lib.licenses.mit;
              mainProgram = "memo";
            };
          };
        }) archives;
    };
}

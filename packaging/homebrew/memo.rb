class Memo < Formula
  desc "Persistent memory for Claude Code and other agents"
  homepage "{{homepage}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url darwin-arm64}}"
      sha256 "{{sha256 darwin-arm64}}"
    end
    on_intel do
      url "{{url darwin-x64}}"
      sha256 "{{sha256 darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "memo"
    doc.install "LICENSE", "NOTICE", "licenses"
    bash_completion.install "completions/memo.bash" => "memo"
    zsh_completion.install "completions/_memo"
    fish_completion.install "completions/memo.fish"
  end

  def caveats
    "Run `memo init` to add memo's hooks to Claude Code, and `memo uninstall` before you remove memo."
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/memo --version")
  end
end

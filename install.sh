#!/bin/sh
# Installs memo for this user: downloads the archive for this platform, checks its SHA-256, and puts one file in
# ~/.local/bin. If minisign is installed, it checks the signature of the checksums too.
#
#   install.sh [--version 1.2.3] [--to folder]
#   install.sh --uninstall [--purge] [--to folder]
#
# MEMO_RELEASES  where releases are: an https address, or this machine
# MEMO_INSTALL   the folder to install to, instead of ~/.local/bin

set -eu

releases=${MEMO_RELEASES:-'{{releases}}'}
keys='{{keys}}'
folder=${MEMO_INSTALL:-${HOME:?}/.local/bin}
version=
action=install
purge=

fail() {
  printf 'error: %s\n' "$1" >&2
  [ -z "${2:-}" ] || printf '\nhint: %s\n' "$2" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --version) version=${2:?"\`--version\` needs a value"}; shift ;;
    --to) folder=${2:?"\`--to\` needs a value"}; shift ;;
    --uninstall) action=uninstall ;;
    --purge) purge=--purge ;;
    *) fail "Unknown option \`$1\`" "Use \`--version\`, \`--to\`, \`--uninstall\` or \`--purge\`" ;;
  esac
  shift
done

case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

# The name of this platform's archive.
platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "Cannot install memo on $(uname -s): there is no build for it" "On Windows, run \`install.ps1\`" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "Cannot install memo on $(uname -m): there is no build for it" ;;
  esac
  # A shell under Rosetta reports x86_64.
  if [ "$system" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then
    machine=arm64
  fi
  libc=
  if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 &&
    ! ls /lib*/ld-linux-* /lib/*/ld-linux-* >/dev/null 2>&1; then
    libc=-musl
  fi
  echo "$system-$machine$libc"
}

# Downloads $1 to the file $2. Redirects stay on https or on this machine.
fetch() {
  case $1 in
    https://*) protocol=https ;;
    http://127.0.0.1:* | http://localhost:* | http://\[::1\]:*) protocol=http ;;
    *) fail "Cannot download \`$1\`: it is neither https nor this machine" "Set \`MEMO_RELEASES\` to an https address" ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --proto "=$protocol" --retry 2 --output "$2" "$1" ||
      fail "Cannot download \`$1\`" "Open the address in a browser, or set \`MEMO_RELEASES\`"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "Cannot download \`$1\`" "Open the address in a browser, or set \`MEMO_RELEASES\`"
  else
    fail "Cannot download memo: there is neither \`curl\` nor \`wget\`" "Install one of them"
  fi
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "Cannot check the download: there is neither \`sha256sum\` nor \`shasum\`" "Install one of them"
  fi
}

# Checks the signature of $work/SHA256SUMS, if this installer has a key and minisign is installed.
check_signature() {
  case $keys in '' | *'{{'*) return 0 ;; esac
  command -v minisign >/dev/null 2>&1 || return 0
  fetch "$from/SHA256SUMS.minisig" "$work/SHA256SUMS.minisig"
  for key in $keys; do
    if minisign -V -q -m "$work/SHA256SUMS" -P "$key" >/dev/null 2>&1; then return 0; fi
  done
  fail "Cannot trust \`SHA256SUMS\`: it is not signed with memo's release key" "Nothing was installed. Tell the project about it"
}

# The folder of memo's state, as in src/paths.ts.
state_folder() {
  if [ -n "${MEMO_HOME:-}" ]; then
    echo "$MEMO_HOME"
  elif [ "$(uname -s)" = Darwin ]; then
    echo "$HOME/Library/Application Support/memo"
  else
    echo "${XDG_DATA_HOME:-$HOME/.local/share}/memo"
  fi
}

# The folders in the path $1 that do not exist, deepest first.
missing() {
  path=$1
  while [ ! -d "$path" ]; do
    printf '%s\n' "$path"
    path=$(dirname "$path")
  done
}

# Records $1, the new folders, for `memo uninstall --purge`, and keeps what an earlier run has recorded.
record() {
  state=$(state_folder)
  old=
  if [ -f "$state/placed" ] && [ "$(head -n 1 "$state/placed")" = "$folder/memo" ]; then
    old=$(tail -n +2 "$state/placed")
  fi
  (umask 077 && mkdir -p "$state")
  printf '%s\n' "$folder/memo" "$1" "$old" >"$state/placed"
}

install() {
  case $releases in
    *'{{'*) fail "Cannot download memo: this installer has no address of releases" "Set \`MEMO_RELEASES\` to their address" ;;
  esac
  target=$(platform)
  if [ -n "$version" ]; then from=$releases/download/v${version#v}; else from=$releases/latest/download; fi
  archive=memo-$target.tar.gz
  made=$(missing "$folder"; missing "$(dirname "$(state_folder)")")
  mkdir -p "$folder"
  # In the same folder, so that the last step is a rename.
  work=$(mktemp -d "$folder/.memo-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM

  echo "Downloading $from/$archive"
  fetch "$from/SHA256SUMS" "$work/SHA256SUMS"
  check_signature
  fetch "$from/$archive" "$work/$archive"
  expected=$(awk -v file="$archive" '$2 == file { print $1 }' "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "Cannot check \`$archive\`: \`SHA256SUMS\` does not list it"
  found=$(sum_of "$work/$archive")
  [ "$expected" = "$found" ] ||
    fail "Cannot install \`$archive\`: its SHA-256 is $found, not $expected" "Nothing was installed; try again later"

  tar -xzf "$work/$archive" -C "$work" memo
  chmod 755 "$work/memo"
  said=$("$work/memo" --version 2>&1) || {
    case $target in
      *musl) hint="On Alpine, run \`apk add libstdc++\`" ;;
      *) hint= ;;
    esac
    fail "Cannot run memo on this machine: $said" "$hint"
  }
  mv -f "$work/memo" "$folder/memo"
  record "$made" || echo "warning: \`memo uninstall --purge\` will not delete \`$folder/memo\`; delete it yourself" >&2
  echo "Installed $(printf '%s\n' "$said" | head -n 1) as $folder/memo"
  case :$PATH: in
    *:"$folder":*) ;;
    *) printf '\n%s is not on your PATH. Run this, and add it to your shell profile:\n  export PATH="%s:$PATH"\n' "$folder" "$folder" ;;
  esac
  printf '\nNext:       memo init\nUninstall:  memo uninstall --purge\n'
}

uninstall() {
  [ -x "$folder/memo" ] || fail "Cannot uninstall memo: it is not in \`$folder\`" "Pass its folder with \`--to\`"
  "$folder/memo" uninstall $purge || fail "Cannot uninstall memo: its hooks could not be removed" "Run \`memo doctor\`"
  [ ! -e "$folder/memo" ] || "$folder/memo" daemon stop || true # --purge has deleted it
  rm -f "$folder/memo"
  echo "Deleted $folder/memo"
}

$action

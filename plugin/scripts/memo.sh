#!/bin/sh
# Starts the memo that is installed: the one on the PATH, else where its installer puts it. Without one, a session is told
# once how to get it, and everything else stays silent.

for memo in "${MEMO_PROGRAM:-}" "$(command -v memo 2>/dev/null)" "${HOME:-}/.local/bin/memo" \
  /opt/homebrew/bin/memo /usr/local/bin/memo /home/linuxbrew/.linuxbrew/bin/memo; do
  if [ -n "$memo" ] && [ -x "$memo" ]; then exec "$memo" "$@"; fi
done

if [ "${1:-}" != hook ]; then
  echo "memo is not installed; see the plugin's README.md" >&2
  exit 1
fi
case "$(cat)" in
*'"hook_event_name":"SessionStart"'*)
  echo '{"systemMessage":"memo: the plugin needs the memo program, which is not installed; see its README.md"}'
  ;;
esac
exit 0

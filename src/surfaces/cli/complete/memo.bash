# bash completion for memo; to load it: source <(memo completions bash)
_memo() {
  local line="${COMP_LINE:0:COMP_POINT}" last="${COMP_WORDS[COMP_CWORD]}" value about
  local word="${line##*[[:space:]]}" words
  read -ra words <<< "$line"
  [[ -z "$word" ]] && words+=("")
  # Readline splits at = and :, and replaces what stands behind the last of them.
  local kept="${word%"$last"}"
  [[ "$last" == "=" || "$last" == ":" ]] && kept="$word"
  COMPREPLY=()
  while IFS=$'\t' read -r value about; do
    if [[ "$value" == ":files" ]]; then compopt -o default; return; fi
    COMPREPLY+=("${value#"$kept"}")
  done < <(memo completions --words -- "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -F _memo memo

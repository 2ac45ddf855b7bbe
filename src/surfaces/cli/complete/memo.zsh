#compdef memo
# zsh completion for memo; to load it, after compinit: source <(memo completions zsh)
_memo() {
  local value about
  local -a values
  while IFS=$'\t' read -r value about; do
    if [[ "$value" == ":files" ]]; then _files; return; fi
    values+=("${value//:/\\:}${about:+:$about}")
  done < <(memo completions --words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe -V 'memo' values -S "${${values[1]%%:*}[-1]/[^=]/ }"
}
if [[ "${funcstack[1]}" == "_memo" ]]; then _memo "$@"; else compdef _memo memo; fi

// What a shell has to load. Each script hands the typed words to memo and shows what comes back: no word is
// evaluated, and no candidate is expanded, so neither a half-typed `$(…)` nor the name of a file can run anything.

/** The marker by which memo leaves an argument to the shell's own completion of paths. */
export const FILES = ":files";

const BASH = `# bash completion for memo; to load it: source <(memo completions bash)
_memo() {
  local line="\${COMP_LINE:0:COMP_POINT}" last="\${COMP_WORDS[COMP_CWORD]}" value about
  local word="\${line##*[[:space:]]}" words
  read -ra words <<< "$line"
  [[ -z "$word" ]] && words+=("")
  # Readline splits at = and :, and replaces what stands behind the last of them.
  local kept="\${word%"$last"}"
  [[ "$last" == "=" || "$last" == ":" ]] && kept="$word"
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    if [[ "$value" == "${FILES}" ]]; then compopt -o default; return; fi
    COMPREPLY+=("\${value#"$kept"}")
  done < <(memo completions --words -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -F _memo memo
`;

const ZSH = `#compdef memo
# zsh completion for memo; to load it, after compinit: source <(memo completions zsh)
_memo() {
  local value about
  local -a values
  while IFS=$'\\t' read -r value about; do
    if [[ "$value" == "${FILES}" ]]; then _files; return; fi
    values+=("\${value//:/\\\\:}\${about:+:\$about}")
  done < <(memo completions --words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe -V 'memo' values -S "\${\${values[1]%%:*}[-1]/[^=]/ }"
}
if [[ "\${funcstack[1]}" == "_memo" ]]; then _memo "$@"; else compdef _memo memo; fi
`;

const FISH = `# fish completion for memo; to load it: memo completions fish | source
function __memo_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l found (memo completions --words -- $words[2..-1] "$last" 2>/dev/null)
    if test "$found[1]" = "${FILES}"
        __fish_complete_path "$last"
    else
        printf '%s\\n' $found
    end
end
complete -c memo -e
complete -c memo -k -f -a '(__memo_complete)'
`;

const POWERSHELL =
  `# PowerShell completion for memo; to load it: memo completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName memo -ScriptBlock {
    param($word, $line, $position)
    $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    # An empty argument does not reach a program from every PowerShell.
    $next = if ($word -eq '') { @('--next') } else { @() }
    memo completions --words @next -- @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        if ($value -eq '${FILES}') { return }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`;

/** The script of each shell, in display order. */
export const SCRIPTS = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
} as const;

export type Shell = keyof typeof SCRIPTS;

# fish completion for memo; to load it: memo completions fish | source
function __memo_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l found (memo completions --words -- $words[2..-1] "$last" 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path "$last"
    else
        printf '%s\n' $found
    end
end
complete -c memo -e
complete -c memo -k -f -a '(__memo_complete)'

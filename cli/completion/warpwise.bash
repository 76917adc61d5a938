# bash completion for warpwise: its commands, the options of each (as --help lists them), and files.
_warpwise() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[0]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$("$command" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') help" -- "$word")
    elif [[ ${COMP_WORDS[1]} == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$command" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$word")
    elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == dict && $word != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "create insert delete get count range dump cleanup check info" -- "$word")
    elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == graph && $word != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "bfs components pagerank info make" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$command" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*=?' | sort -u)" -- "$word")
        [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames
    fi
}
complete -F _warpwise warpwise

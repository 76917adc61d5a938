# fish completion for warpwise: its commands, and the options of each, as --help lists them.
function __warpwise_commands
    warpwise --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end
function __warpwise_options
    set -l words (commandline -opc)
    warpwise $words[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*=?' | sort -u
end
complete -c warpwise -n 'test (count (commandline -opc)) -eq 1' -f -a '(__warpwise_commands)'
complete -c warpwise -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__warpwise_options)'
complete -c warpwise -n 'test (count (commandline -opc)) -eq 2; and test (commandline -opc)[2] = dict' -f -a 'create insert delete get count range dump cleanup check info'
complete -c warpwise -n 'test (count (commandline -opc)) -eq 2; and test (commandline -opc)[2] = graph' -f -a 'bfs components pagerank info make'

#!/bin/sh
# count.sh PROGRAM [ELEMENTS [CALLS]]: instructions of one call of each row, from valgrind's callgrind.
elements=${2:-1000} calls=${3:-200}
"$1" | while read -r name; do
    all=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=measured "$1" "$name" "$elements" "$calls" 2>&1 |
        sed -n 's/.*Collected : //p')
    printf '%s\t%s\n' "$name" $((all / calls))
done

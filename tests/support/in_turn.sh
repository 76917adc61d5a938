#!/bin/sh
# in_turn.sh NUMBER OF REPORT PROGRAM…: runs a program one day in OF (WARPWISE_DAY), those with other numbers on other days. What is left
# out is said, and stands in the report.
set -eu
number=$1 of=$2 report=$3
shift 3
day=${WARPWISE_DAY:-$(date -u +%Y%m%d)}
rm -f "$report"
if [ $(((day + number) % of)) -eq 0 ]; then exec "$@"; fi
reason="an example on the emulator: one in $of runs a day"
echo "left out: $reason (WARPWISE_DAY=$day)"
printf 'cases 0\nleft out 1 %s\n' "$reason" >"$report"

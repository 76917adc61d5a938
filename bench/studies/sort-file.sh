#!/bin/sh
# Sorting a file beside copying it, GNU sort and DuckDB, in one run.
#
#     bench/studies/sort-file.sh WARPWISE FOLDER GIB MEMORY [PYTHON]
#
# FOLDER has room for four times GIB; MEMORY is what --memory takes (512M). PYTHON has the package duckdb; without it that row is left
# out. Caches are dropped before each row where the user may do that (root), and what is written is forced to the disk. GNU sort
# and DuckDB sort fewer keys (2^26 and 2^28): their rates do not grow with more. Prints seconds and millions of bytes a second.
set -eu
warpwise=$1 folder=$2 gib=$3 memory=$4 python=${5:-}
mkdir -p "$folder"
cd "$folder"

drop() {
    sync
    { echo 3 > /proc/sys/vm/drop_caches; } 2> /dev/null || :
}
# row NAME BYTES COMMAND…: times the command, run by sh; its processors' time beside it.
row() {
    name=$1 bytes=$2
    shift 2
    drop
    { TIMEFORMAT='%R %U %S' bash -c "time { $* ; }" > row.out 2> row.time; } || { cat row.time; return 0; }
    tail -n 1 row.time | { read -r real user system; awk -v n="$name" -v b="$bytes" -v r="$real" -v u="$user" -v s="$system" \
        'BEGIN { printf "%-44s %9.2f s %8.1f MB/s   user %.1f s, system %.1f s\n", n, r, b / r / 1e6, u, s }'; }
}

export TMPDIR=$folder TIMEFORMAT='%R %U %S'
bytes=$((gib << 30))
head -c "$bytes" /dev/urandom > keys
for turn in 1 2; do
    row "copy of $gib GiB (cp, sync)" "$bytes" 'cp --reflink=never keys copy && sync copy'
    row "copy past the cache (dd, direct)" "$bytes" 'dd if=keys of=copy bs=4M oflag=direct conv=fsync status=none'
    rm -f copy
    row "sort $gib GiB of u32, --memory=$memory" "$bytes" "$warpwise sort --fsync --type=u32 --memory=$memory --tmp=$folder keys sorted"
    rm -f sorted
done
within=$((384 << 20))
head -c "$within" keys > some
quarter=$((128 << 20))
head -c "$quarter" keys > few
for turn in 1 2; do
    row "copy of 384 MiB (cp, sync)" "$within" 'cp --reflink=never some copy && sync copy'
    row "copy past the cache (dd, direct)" "$within" 'dd if=some of=copy bs=4M oflag=direct conv=fsync status=none'
    rm -f copy
    row "sort 384 MiB, --memory=512M (in memory)" "$within" "$warpwise sort --fsync --type=u32 --memory=512M --tmp=$folder some sorted"
    rm -f sorted
    row "copy of 128 MiB (cp, sync)" "$quarter" 'cp --reflink=never few copy && sync copy'
    rm -f copy
    row "sort 128 MiB, --memory=512M (one chunk)" "$quarter" "$warpwise sort --fsync --type=u32 --memory=512M --tmp=$folder few sorted"
    rm -f sorted
done

# As text, which is what GNU sort sorts; the rate is of the keys' 4 bytes each.
text=$((1 << 26))
head -c $((4 * text)) keys > part
od -An -v -w4 -tu4 part | tr -d ' ' > part.txt
LC_ALL=C row "GNU sort -n -S $memory, 2^26 keys as text" $((4 * text)) "LC_ALL=C sort -n -S $memory -T $folder part.txt -o sorted.txt && sync sorted.txt"
row "sort 2^26 u32, --memory=$memory" $((4 * text)) "$warpwise sort --fsync --type=u32 --memory=$memory --tmp=$folder part sorted"
row "sort 2^26 u32, --memory=64M" $((4 * text)) "$warpwise sort --fsync --type=u32 --memory=64M --tmp=$folder part sorted"
rm -f part part.txt sorted sorted.txt
if [ -n "$python" ]; then
    duck=$((1 << 28))
    head -c $((4 * duck)) keys > part
    cat > duck.py <<P
import duckdb, sys
c = duckdb.connect("$folder/duck.db")
c.execute("set memory_limit='$memory' ; set temp_directory='$folder/duck.tmp'; set threads=2; set preserve_insertion_order=false".replace("M'", "MiB'"))
if sys.argv[1] == "make":
    c.execute("create table keys as select (random() * 4294967295)::uinteger as k from range($duck)")
else:
    c.execute("create or replace table sorted as select k from keys order by k")
c.execute("checkpoint")
P
    $python duck.py make
    row "DuckDB order by, 2^28 u32, $memory" $((4 * duck)) "$python duck.py sort"
    row "sort 2^28 u32, --memory=$memory" $((4 * duck)) "$warpwise sort --fsync --type=u32 --memory=$memory --tmp=$folder part sorted"
    rm -rf part sorted duck.db duck.db.wal duck.tmp duck.py
fi
rm -f keys some few row.out row.time

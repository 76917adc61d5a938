#!/bin/sh
# Every subcommand with every type and option, by the kernel pack alone:
#     commands.sh WARPWISE FOLDER [WORD]
# runs the command WARPWISE, in FOLDER (for its files), with NVRTC hidden; with a WORD only commands that contain it. WARPWISE_RUNNER names
# run_commands, which runs them in one process: on a GPU a process takes seconds to begin and end where ten do it side by side. What is not in
# the pack is printed, a line a command. On a GPU results are those of the CPU, which is looked at (WARPWISE_IDLE_GPU is not set).
# WARPWISE_SHARES=10 WARPWISE_SHARE=3: a tenth of the commands, so that ten run side by side. WARPWISE_SECONDS=120: those that have not begun
# by then are left out, and counted.
set -u
warpwise=$(realpath "${1:?commands.sh WARPWISE FOLDER}")
runner=${WARPWISE_RUNNER:+$(realpath "$WARPWISE_RUNNER")}
"$warpwise" --version >/dev/null || exit 1
mkdir -p "${2:?commands.sh WARPWISE FOLDER}"
cd "$2" || exit 1
only=${3-}
asked=0 ran=0 failed=0 late=0
end=$(($(date +%s) + ${WARPWISE_SECONDS:-1000000}))
export WARPWISE_NVRTC=${WARPWISE_NVRTC-/dev/null} WARPWISE_CACHE=off

# What numbers are: few that differ, and in order where a command asks for that.
head -c 24000 /dev/urandom >any
head -c 24000 /dev/zero >order
head -c 24000 /dev/zero | tr '\0' '\1' >other_order
for bytes in 1 2 4 8 16; do head -c $((24000 / bytes)) /dev/zero >flags_$bytes; done
head -c 800 /dev/zero >index64
head -c 100000 /dev/urandom | od -An -tx1 -v >text
printf 'ab\n00 1\nff ff\n' >list
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c", 97 + i % 26 }' >pattern
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%d word%d\n", i * 7919 % 100000, i * 31 % 9973 }' >long_list

# Runs a command, of which standard output is in `said` and standard error in `why`; sets status. A runner that has ended begins again.
begin_runner() {
    rm -f asked told
    mkfifo asked told
    "$runner" asked told &
    exec 3>asked 4<told
}
[ -z "$runner" ] || begin_runner
run() {
    if [ -z "$runner" ]; then
        "$warpwise" "$@" >said 2>why
        status=$?
        return
    fi
    printf '%s\n' "$@" "$(printf '\003')" >&3
    read -r status <&4 || {
        status=3
        begin_runner
    }
}

# try WORDS...: runs a command on the GPU; where there is one, its output files (out*) are compared with the CPU's.
try() {
    case "$*" in *"$only"*) ;; *) return ;; esac
    asked=$((asked + 1))
    [ $((asked % ${WARPWISE_SHARES:-1})) -eq "${WARPWISE_SHARE:-0}" ] || return
    if [ "$(date +%s)" -ge "$end" ]; then
        late=$((late + 1))
        return
    fi
    ran=$((ran + 1))
    run "$@" --device=cuda
    if grep -q 'has no program for this call' why || { [ $status -ne 0 ] && [ -z "${WARPWISE_IDLE_GPU-}" ] && [ "$1" != find ]; }; then
        failed=$((failed + 1))
        echo "$*: $(head -n 1 why)"
        return
    fi
    [ -n "${WARPWISE_IDLE_GPU-}" ] && return
    mkdir -p gpu && rm -f gpu/* && mv said gpu/said
    for file in out*; do [ -f "$file" ] && mv "$file" gpu/; done
    case "$*" in
    # Floats of random bits have NaNs, and sums of floats are added in another order than a CPU's.
    scan*--type=f* | scan*--type=bf* | reduce*=f* | reduce*=bf*) return ;;
    info*) return ;; # which tells of the device
    esac
    run "$@" --device=cpu
    for file in said out*; do
        if [ -f "$file" ] && ! cmp -s "$file" "gpu/$file"; then
            failed=$((failed + 1))
            echo "$*: $file is not the CPU's"
        fi
    done
}

size_of() {
    case $1 in
    u8 | i8) echo 1 ;; u16 | i16 | f16 | bf16) echo 2 ;; u32 | i32 | f32) echo 4 ;; u64 | i64 | f64) echo 8 ;; u128 | i128) echo 16 ;;
    rec:*) echo "${1#rec:}" ;;
    esac
}

unsigned="u8 u16 u32 u64"
integers="$unsigned i8 i16 i32 i64"
numbers="$integers f32 f64 f16 bf16"
every="$numbers u128 i128"
records="rec:1 rec:3 rec:4 rec:6 rec:10 rec:16 rec:24 rec:32 rec:100 rec:1000"

for t in $every; do
    try sort --type=$t any out
    try sort --type=$t --descending any out
    try sort --type=$t --index-out=out_index any out
    try sort --type=$t --descending --index-out=out_index any out
    for v in u8 u16 u32 u64 u128 rec:10; do
        bytes=$(($(size_of $v) * 24000 / $(size_of $t)))
        while [ "$(wc -c <any)" -lt $bytes ]; do cat any any >more && mv more any; done
        head -c $bytes any >values
        head -c 24000 any >keys
        try sort --type=$t --values=values --values-type=$v --values-out=out_values keys out
        try sort --type=$t --descending --values=values --values-type=$v --values-out=out_values keys out
    done
    for m in radix multisplit split1 quick merge merge-search bitonic oddeven merge-network; do
        try sort --type=$t --method=$m keys out
        try sort --type=$t --method=$m --descending keys out
        try sort --type=$t --method=$m --index-out=out_index keys out
    done
    try top --type=$t -k 10 keys out
    try top --type=$t -k 10 --largest keys out
    try top --type=$t -k 10 --index-out=out_index keys out
    try top --type=$t -k 10 --largest --index-out=out_index keys out
    try unique --type=$t order out
    try unique --type=$t --counts=out_counts order out
    try merge --type=$t order other_order out
    try join --type=$t order other_order out out_b
    try gather --type=$t any index64 out
done
head -c 24000 any >keys
for t in $integers u128 i128; do
    for b in 0:1 0:3 2:5 1:7; do try sort --type=$t --bits=$b keys out; done
done
for d in 4 5 6 7 8; do try sort --type=u32 --method=multisplit --digit-bits=$d keys out; done
for t in $records; do
    head -c $(($(size_of $t) * 500)) /dev/zero >records
    head -c 500 /dev/zero >flags
    head -c 800 /dev/zero >index64
    head -c 400 /dev/zero >index32
    try pack --type=$t --flags=flags records out
    try unique --type=$t records out
    try unique --type=$t --counts=out_counts records out
    try gather --type=$t records index64 out
    try gather --type=$t --index-type=u32 records index32 out
done
for key in 0:1 1:2 0:4 1:4 0:8 3:8 0:10 5:16 7:30 0:100; do
    head -c 50000 any >records
    try sort --type=rec:100 --key=$key records out
    try sort --type=rec:100 --key=$key --descending records out
done
for t in $every; do
    bytes=$(size_of $t)
    head -c 800 /dev/zero >index64
    head -c 400 /dev/zero >index32
    for op in add min max mul; do
        try scan --type=$t --op=$op keys out
        try scan --type=$t --op=$op --exclusive keys out
        for m in lookback hillis-steele blelloch; do
            try scan --type=$t --op=$op --method=$m keys out
            try scan --type=$t --op=$op --exclusive --method=$m keys out
        done
        try reduce --type=$t --op=$op keys
        for as in $every; do try reduce --type=$t --op=$op --as=$as keys; done
    done
    try reduce --type=$t --op=mean keys
    try reduce --type=$t --op=min,max,mean,add keys
    try pack --type=$t --flags=flags_$bytes keys out
    try gather --type=$t keys index64 out
    try gather --type=$t --index-type=u32 keys index32 out
done
for t in $numbers; do
    for bins in 1 10 64 256 300 1000 5000 70000; do
        try histogram --type=$t --bins=$bins --range=0:100 keys out
        try histogram --type=$t --bins=$bins --range=0:100 --method=shared keys out
    done
    for bins in 10 64 256; do try histogram --type=$t --bins=$bins --range=0:100 --method=warp keys out; done
    try histogram --type=$t --edges=0,1,5,20,100 keys out
    try histogram --type=$t --edges=0,1,5,20,100 --method=warp keys out
    for m in auto direct warp block reduced-bit recursive onepass; do
        for rule in "2 edges:7" "4 edges:1,5,20" "100 edges:$(seq -s, 1 99)"; do
            try split --type=$t --buckets=${rule% *} --by=${rule#* } --method=$m keys out
        done
    done
done
for t in $unsigned; do
    for m in auto direct warp block reduced-bit recursive onepass; do
        for rule in "2 bits:0:1" "8 bits:2:3" "32 bits:0:5" "256 bits:0:8" "65536 bits:0:16" "10 delta:100" "1000 delta:70000" "70000 delta:3"; do
            [ "$t ${rule#* }" = "u8 bits:0:16" ] && continue # which has no 16 bits
            try split --type=$t --buckets=${rule% *} --by=${rule#* } --method=$m order out
            try split --type=$t --buckets=${rule% *} --by=${rule#* } --method=$m --offsets=out_offsets order out
        done
    done
    for v in u8 u16 u32 u64 u128 rec:10; do
        head -c $(($(size_of $v) * 24000 / $(size_of $t))) any >values
        for rule in "2 bits:0:1" "32 bits:0:5" "256 bits:0:8" "10 delta:100" "3 edges:1,2"; do
            try split --type=$t --buckets=${rule% *} --by=${rule#* } --values=values --values-type=$v --values-out=out_values order out
        done
    done
done
for options in "" "-c" "-i" "-i -c" "-n" "-n -i" "-l" "-r" "-C 1" "-A 1 -i" "-a"; do
    for p in a 00 abc "00 1" "00 11 22 33 " "$(cat pattern)"; do try find $options "$p" text; done
    try find $options -e ab -e 0 text
    try find $options -e "00 1" -e "ff ff f" text
    try find $options -f list text
    try find $options -f long_list text
    try find $options --pattern-file=pattern text text
done
for m in auto serial cooperative recurrence divide divide32 divide64 hybrid twostage; do
    for p in a 00 abc "00 1" "00 11 22 33 "; do
        try find --method=$m "$p" text
        try find -c --method=$m "$p" text
    done
done
# Graphs with whole weights, real ones and none. A driver without a GPU leaves memory with all bits set here, which says that no arc is
# wrong; with 0 the first one would be.
export WARPWISE_IDLE_MEMORY=255
"$warpwise" graph make --rmat=9 --arcs=3000 --weights=255 --device=cpu whole.txt
awk '{ print $1, $2, $3 / 8 }' whole.txt >real.txt
cut -d' ' -f1,2 whole.txt >plain.txt
for g in whole real plain; do
    for m in auto dijkstra bellman-ford near-far buckets-sort buckets; do try sssp --source=3 --method=$m $g.txt out.txt; done
    try graph bfs --source=3 $g.txt out.txt
    try graph components $g.txt out.txt
    try graph pagerank $g.txt ranks.txt # floats, which are added in another order than a CPU's
    try graph info $g.txt
done
"$warpwise" graph make --grid=30x30 --device=cpu grid.gr
for m in near-far buckets; do try sssp --source=1 --method=$m grid.gr out.txt; done
unset WARPWISE_IDLE_MEMORY
# nbody and tour have kernels of their own, which are not in the pack; banked is a model that runs on the host.
try info
echo "$ran commands ran with the driver alone, $failed failed$([ $late -eq 0 ] || echo ", $late were left out, as time was over")"
[ $failed -eq 0 ]

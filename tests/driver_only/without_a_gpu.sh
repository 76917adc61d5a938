#!/bin/sh
# What commands lack in the kernel pack, found without a GPU: without_a_gpu.sh LIST_PACK WARPWISE IDLE, where IDLE is the folder of the
# driver that has none. WARPWISE_SHARES=1: all of them.
set -eu
list=$1 warpwise=$(realpath "$2") idle=$(realpath "$3")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$list" list 75 "$folder/list.pack" 232448 >/dev/null # by the plans of the GPU below
export LD_LIBRARY_PATH="$idle${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" WARPWISE_KERNEL_PACK="$folder/list.pack"
export WARPWISE_IDLE_GPU=90:132:232448 WARPWISE_SHARES="${WARPWISE_SHARES:-8}"
day=$(date +%j)
export WARPWISE_SHARE="${WARPWISE_SHARE:-$((${day#${day%%[1-9]*}} % WARPWISE_SHARES))}"
sh "$here/commands.sh" "$warpwise" "$folder/try"

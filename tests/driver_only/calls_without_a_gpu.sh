#!/bin/sh
# What calls that no command makes lack in the kernel pack, found without a GPU: calls_without_a_gpu.sh LIST_PACK CALLS IDLE, where IDLE
# is the folder of the driver that has none.
set -eu
list=$1 calls=$2 idle=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$list" list 75 "$folder/list.pack" 232448 >/dev/null # by the plans of the GPU below
export LD_LIBRARY_PATH="$idle${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" WARPWISE_KERNEL_PACK="$folder/list.pack"
export WARPWISE_IDLE_GPU=90:132:232448 WARPWISE_NVRTC=/dev/null WARPWISE_CACHE=off
"$calls" cuda

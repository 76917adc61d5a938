/* The text of a kernel that ranks tiles by the parts of src/radix/tile.cuh, and does nothing else: tests/multisplit/
 * test_ranking.c runs it, and tests/device/test_kernel_text.c compiles it for GPUs. */
#ifndef TESTS_RANKING_TEXT_H
#define TESTS_RANKING_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* What tile.cuh is told: threads of a block, elements of each, bins; ballots: bits of a digit, 0 for masks in shared memory;
 * group: rows whose counters are asked for together. */
typedef struct ranking {
    unsigned threads, items, bins, ballots, group;
} ranking;

/* What the kernels take. */
typedef struct ranking_arguments {
    const uint32_t *keys;
    uint32_t *sorted, *places; /* keys in order, tile by tile; the place of each key in its tile */
    uint64_t count;            /* keys behind it have the last bin */
    uint32_t low, bits;        /* the digit */
} ranking_arguments;

enum { RANKING_ROOM = 4096 };

/* Keys are read as a sweep reads them; `rank_skewed` as where a digit is most keys'. */
static inline void ranking_text(char *text, const ranking *r) {
    snprintf(
        text, RANKING_ROOM,
        "#include \"device/kernel/words.cuh\"\n"
        "#define WW_THREADS %uu\n#define WW_ITEMS %uu\n#define WW_BINS %uu\n#define WW_BALLOT %uu\n"
        "#define WW_GROUP %uu\n#define WW_BLOCKS 1u\n#define WW_VECTORS 1u\n"
        "#define WW_KEY 4\n#define WW_VALUE 4\n#define WW_ORDER 0\n#define WW_DESCENDING 0\n#define WW_COUNTED 0\n"
        "#define WW_WIDE 0\n#define WW_BY 0\n#define WW_CHECKED 0\n#define WW_SHARED_EDGES 0\n#define WW_KIND 0\n"
        "#include \"device/kernel/types.cuh\"\n"
        "#include \"radix/tile.cuh\"\n"
        "struct args { const uint32_t *keys; uint32_t *sorted, *places; uint64_t count; uint32_t low, bits; };\n"
        "template <bool skewed> WW_DEVICE void rank_tile(const args &a, tile_shared &s) {\n"
        "    const uint64_t tile = uint64_t(blockIdx.x) * TILE, mine = tile + place_in_tile();\n"
        "    thread_keys keys;\n"
        "    thread_places places;\n"
        "    tile_bins bins;\n"
        "    keys.digit = digit_from(a.low, a.bits);\n"
        "    read_keys<false>(a.keys, WW_ORDER, mine, a.count, keys.number);\n"
        "    count_keys(s, keys);\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x < BIN_THREADS) count_bins(s, bins);\n"
        "    place_bins(s, bins);\n"
        "    put_keys<skewed>(s, keys, places);\n"
        "    __syncthreads();\n"
        "    for (int i = 0; i < WW_ITEMS; i++) {\n"
        "        a.places[mine + i * WW_WARP] = places.at(i);\n"
        "        a.sorted[tile + i * WW_THREADS + threadIdx.x] = s.key[i * WW_THREADS + threadIdx.x];\n"
        "    }\n"
        "}\n"
        "WW_GPU_KERNEL_HELD(rank, args, WW_THREADS, WW_BLOCKS) { WW_SHARED(tile_shared, s); rank_tile<false>(a, s); }\n"
        "WW_GPU_KERNEL_HELD(rank_skewed, args, WW_THREADS, WW_BLOCKS) { WW_SHARED(tile_shared, s); rank_tile<true>(a, s); }\n",
        r->threads, r->items, r->bins, r->ballots, r->group);
}

#endif

/* Gathering and scattering records of more than 16 bytes. A warp has WW_GROUP records; its lanes move their words, WW_WORDS a
 * record, side by side: word f of the group belongs to record f / WW_WORDS, whose index one lane has read. So all lanes
 * move whatever the size is, and what lies in order is read or written in whole lines. WW_WORDS and WW_GROUP: 0 where one program
 * serves records of any size, and the arguments have both.
 *
 * WW_CHOICE: 0 gathers; 1 scatters, and the first that claims a place (a bit in `choice`) fills it; 2 scatters, and the record
 * whose position + 1 stands in `choice` wins (scatter.cu has put it there); 3 scatters all: no two go to one place, or
 * whose words come last is as it happens. WW_CHECKS as in scatter.cu. */
#include "device/kernel/record.cuh"
#include "primitive/gather/word.cuh"

#include "primitive/gather/move_arguments.cuh"

struct move_arguments : move_fixed {
    index_input index;
};

enum { WARPS = WW_THREADS / WW_WARP, UNROLL = WW_UNROLL };

/* What is scattered passes the second-level cache once, and should leave there what is noted of places. */
#if WW_CHOICE && WW_WORD == 16
WW_DEVICE ww_word_t read_once(const ww_word_t *p) { return ww_load_passing(p); }
WW_DEVICE void write_once(ww_word_t *p, const ww_word_t &v) {
    if (WW_CHOICE == 3)
        ww_store_passing_any(p, v);
    else
        ww_store_passing(p, v);
}
#else
WW_DEVICE ww_word_t read_once(const ww_word_t *p) { return *p; }
WW_DEVICE void write_once(ww_word_t *p, const ww_word_t &v) {
    if (WW_CHOICE == 3)
        ww_store_any(p, v);
    else
        *p = v;
}
#endif

#define NOWHERE UINT64_MAX

/* Where the record at a position, whose index is `at`, comes from or goes to, or NOWHERE. */
WW_DEVICE uint64_t place_of(const move_arguments &a, uint64_t position, uint64_t at) {
    if (at >= a.limit) {
#if WW_CHECKS == 1
        ww_report(a.checking, position, at);
#endif
        return NOWHERE;
    }
#if WW_CHOICE == 1
    const uint32_t bit = 1u << (at % 32);
    return atomicOr(a.choice + at / 32, bit) & bit ? NOWHERE : at;
#elif WW_CHOICE == 2
    return a.choice[at] == position + 1 ? at : NOWHERE;
#else
    return at;
#endif
}

WW_DEVICE uint64_t words_of_record(const move_arguments &a) { return WW_WORDS ? uint64_t(WW_WORDS) : a.words; }
WW_DEVICE uint32_t records_of_warp(const move_arguments &a) { return WW_GROUP ? uint32_t(WW_GROUP) : a.group; }

WW_GPU_KERNEL(move_records, move_arguments, WW_THREADS) {
#if WW_CHECKS
    if (ww_stopped(a.checking)) return;
#endif
    const uint32_t lane = threadIdx.x % WW_WARP, group = records_of_warp(a), of_record = uint32_t(words_of_record(a));
    const uint64_t first = (uint64_t(blockIdx.x) * WARPS + threadIdx.x / WW_WARP) * group;
    if (first >= a.count) return;
    const uint32_t many = a.count - first < group ? uint32_t(a.count - first) : group, words = many * of_record;
    const uint64_t at = lane < many ? uint64_t(index_at(a.index, first + lane)) : 0;
    uint64_t mine = NOWHERE;
    for (uint32_t begin = 0; begin < words; begin += WW_WARP * UNROLL) {
        ww_word_t x[UNROLL];
        uint64_t there[UNROLL];
#if WW_CHOICE
        /* What is scattered is read in order, while its places are looked at. */
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const uint32_t f = begin + u * WW_WARP + lane;
            if (f < words) x[u] = read_once(a.from + first * of_record + f);
        }
#endif
        if (begin == 0 && lane < many) mine = place_of(a, first + lane, at);
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const uint32_t f = begin + u * WW_WARP + lane, record = f / of_record;
            const uint64_t place = __shfl_sync(WW_ALL, mine, record % WW_WARP);
            there[u] = f < words && place != NOWHERE ? place * of_record + f % of_record : NOWHERE;
        }
#if !WW_CHOICE
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (there[u] != NOWHERE) x[u] = a.from[there[u]];
#endif
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (there[u] != NOWHERE)
                write_once(a.to + (WW_CHOICE ? there[u] : first * of_record + begin + u * WW_WARP + lane), x[u]);
    }
}

/* The points of the study, each once: all calls on uniform keys by each number of ranks, and those whose work depends on keys on others by
 * the most ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/group_study.h"
#include "studies/split_study.h"

const char *const group_call_names[GROUP_CALLS] = {"sort",   "split, 256 buckets", "exchange", "scan",
                                                   "reduce", "histogram, 256 bins"},
                  *const group_skew_names[GROUP_SKEWS] = {"uniform", "16 values", "sorted", "reversed", "zipf"};
const size_t group_lengths[GROUP_LENGTHS] = {1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22,
                                             1 << 24, 1 << 26, 1 << 28, 1 << 30};
const uint32_t group_counts[GROUP_COUNTS] = {1, 2, 4, 8, 16, 32, 64};

enum { POINTS = (GROUP_CALLS * GROUP_COUNTS + 2 * GROUP_SKEWS) * GROUP_LENGTHS };

/* ---- what the ranks are ---- */

static struct {
    char name[GROUP_RANKS_MOST][64];
    uint32_t count;
    unsigned threads; /* of all ranks of a CPU named without a number; 0: as they are named */
    bool gpus, emulated;
} used = {.count = 1};

void group_study_use(const char *const *names, uint32_t count, unsigned threads) {
    enum { ALIKE = 4, ALIKE_GPU = 2 };
    const char *first = count && names[0] ? names[0] : getenv("WARPWISE_DEVICE");
    if (!first) first = "cpu";
    used.gpus = !strncmp(first, "cuda", 4);
    used.emulated = !strncmp(first, "emu", 3);
    used.count = count > 1 ? count : used.gpus || used.emulated ? ALIKE_GPU : ALIKE;
    used.threads = count > 1 || strcmp(first, "cpu") ? 0 : threads;
    if (used.count > GROUP_RANKS_MOST) used.count = GROUP_RANKS_MOST;
    for (uint32_t r = 0; r < used.count; r++)
        snprintf(used.name[r], sizeof used.name[r], "%s", count > 1 ? names[r] : first);
}

uint32_t group_study_ranks(void) { return used.count; }

const char *group_study_device(uint32_t rank, uint32_t ranks) {
    static char named[GROUP_RANKS_MOST][64];
    const unsigned share = used.threads / ranks;
    if (!used.threads) return used.name[rank];
    snprintf(named[rank], sizeof named[rank], "cpu:threads=%u", share ? share : 1);
    return named[rank];
}

size_t group_study_most(void) {
    return used.emulated ? (size_t)1 << 10 : used.gpus ? (size_t)1 << 30 : (size_t)1 << 22;
}

/* ---- rows ---- */

static struct {
    group_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool group_has_skew(group_call call, group_skew skew) {
    return skew == GROUP_UNIFORM || call == GROUP_SORT ||
           (call == GROUP_SPLIT && (skew == GROUP_FEW || skew == GROUP_ZIPF));
}

static void add(group_point point) {
    enum { BYTES = 40 }; /* of an element: blocks, what is kept, what calls take */
    char n[24];
    bench_row *row = &all.row[all.count];
    all.point[all.count] = point;
    *row = group_study_row;
    row->name = all.name[all.count];
    row->point = &all.point[all.count];
    row->items = point.n;
    row->least = group_lengths[0];
    row->item_bytes = BYTES * (used.gpus ? 1 : point.ranks);
    row->seconds = 0.3;
    snprintf(all.name[all.count++], sizeof all.name[0], "%s, %s, ranks %u, n = %s each", group_call_names[point.call],
             group_skew_names[point.skew], point.ranks, split_count(point.n, n));
}

const bench_row *group_studies(size_t *count) {
    const bool made = all.count > 0;
    for (size_t c = 0; c < GROUP_COUNTS && !made; c++) {
        const uint32_t ranks = group_counts[c];
        const bool last = c + 1 == GROUP_COUNTS || group_counts[c + 1] > used.count;
        if (ranks > used.count) break;
        for (size_t k = 0; k < GROUP_LENGTHS && group_lengths[k] <= group_study_most(); k++)
            for (group_call call = 0; call < GROUP_CALLS; call++)
                for (group_skew skew = 0; skew < GROUP_SKEWS; skew++)
                    if (skew == GROUP_UNIFORM || (last && group_has_skew(call, skew)))
                        add((group_point){call, skew, ranks, group_lengths[k]});
        if (last) break;
    }
    *count = all.count;
    return all.row;
}

/* Candidates are compared with the text, on every device.
 *
 * Where a candidate follows another by a multiple of the pattern's least period, and overlaps with it by a period or more, the
 * pattern fits over itself at that distance: if the earlier one is a match, only the characters behind its end are new. So a
 * candidate refers to the one before, and compares what is behind it; others are heads, and compare all. Heads that are
 * matches overlap by less than a period, so that all comparisons together are about two characters for each one of the text.
 * (Distances of overlaps are periods; up to m - period they are multiples of the least one: Fine and Wilf.)
 *
 * Long comparisons are listed, and shared out in slices. If none fails, all candidates are matches. Where one fails, a
 * fingerprint was wrong: candidates may refer to what is no match, and are compared whole. */
#include "text/candidates.h"

#include <string.h>

#include "device/gpu/gpu.h"
#include "primitive/map/map.h"

WW_CONSTANT(SLICE, uint64_t, 2048);

WW_STRUCT(candidate_state, {
    uint32_t longs; /* listed */
    uint32_t wrong; /* whether a comparison failed */
});

WW_STRUCT_USES((candidate_state), candidate_job, {
    const uint8_t *text;
    const uint8_t *pattern;
    const uint32_t *candidates;
    const uint64_t *count;
    candidate_state *state;
    uint32_t *bad;  /* of each candidate */
    uint32_t *list; /* of candidates whose comparison is long */
    uint32_t *marks;
    uint64_t m;
    uint64_t period;
    uint64_t ranks;
    uint32_t fold;
    uint32_t unused;
});

/* Whether text[i] is pattern[k], for all of `many` characters. */
WW_FUNCTION(candidate_fits, uint32_t, (const uint8_t *text, const uint8_t *pattern, uint64_t many, uint32_t fold), {
    for (uint64_t i = 0; i < many; i++) {
        uint8_t c = text[i];
        if (fold && c >= 65 && c <= 90) c = (uint8_t)(c | 32);
        if (c != pattern[i]) return 0;
    }
    return 1;
});

/* How many of the candidate's first characters the one before answers for. */
WW_FUNCTION(
    candidate_known, uint64_t, (const candidate_job *a, uint64_t k),
    {
        if (!k) return 0;
        const uint64_t distance = a->candidates[k] - a->candidates[k - 1];
        return distance + a->period <= a->m && distance % a->period == 0 ? a->m - distance : 0;
    },
    candidate_job);

/* Compares what is short, and lists what is long. */
WW_KERNEL_USES((SLICE, candidate_fits, candidate_known), compare_candidates, candidate_job, a, rank, {
    const uint64_t count = *a->count;
    for (uint64_t k = rank; k < count; k += a->ranks) {
        const uint64_t known = candidate_known(a, k);
        const uint8_t *const text = a->text + a->candidates[k];
        uint32_t bad = 0;
        if (a->m - known > SLICE)
            a->list[ww_atomic_add(&a->state->longs, 1u)] = (uint32_t)k;
        else
            bad = !candidate_fits(text + known, a->pattern + known, a->m - known, a->fold);
        a->bad[k] = bad;
        if (bad) ww_atomic_or(&a->state->wrong, 1u);
    }
});

WW_KERNEL_USES((SLICE, candidate_fits, candidate_known), compare_slices, candidate_job, a, rank, {
    const uint64_t slices = (a->m + SLICE - 1) / SLICE;
    const uint64_t items = a->state->longs * slices;
    for (uint64_t i = rank; i < items; i += a->ranks) {
        const uint64_t k = a->list[i / slices];
        const uint64_t known = candidate_known(a, k);
        const uint64_t begin = known + i % slices * SLICE;
        if (begin < a->m) {
            const uint64_t many = a->m - begin < SLICE ? a->m - begin : SLICE;
            if (!candidate_fits(a->text + a->candidates[k] + begin, a->pattern + begin, many, a->fold)) {
                ww_atomic_or(&a->bad[k], 1u);
                ww_atomic_or(&a->state->wrong, 1u);
            }
        }
    }
});

WW_KERNEL_USES((candidate_fits, candidate_known), mark_candidates, candidate_job, a, rank, {
    const uint64_t count = *a->count;
    for (uint64_t k = rank; k < count; k += a->ranks) {
        const uint32_t at = a->candidates[k];
        uint32_t good = !a->bad[k];
        if (good && a->state->wrong && candidate_known(a, k))
            good = candidate_fits(a->text + at, a->pattern, a->m, a->fold);
        if (good) ww_atomic_or(&a->marks[at / 32], (uint32_t)1 << at % 32);
    }
});

static ww_status launch(ww_device *device, const ww_function *kernel, const candidate_job *job) {
    const ww_function with = ww_bound(kernel, job, 1, kernel->environment);
    return ww__launch(device, &(ww__launch_request){&with, job->ranks, NULL});
}

ww_status ww__mark_candidates(ww_device *device, const ww__candidates *c) {
    enum { RANKS_MOST = 1 << 17 };
    candidate_job job = {.text = c->text,
                         .pattern = c->pattern,
                         .candidates = c->candidates,
                         .count = c->count,
                         .marks = c->marks,
                         .m = c->m,
                         .period = c->period,
                         .ranks = ww__min_u64(c->starts, RANKS_MOST),
                         .fold = c->fold};
    WW_TRY(ww__scratch(device, sizeof *job.state, &job.state));
    WW_TRY(ww__scratch_array(device, c->starts, sizeof *job.bad, &job.bad));
    WW_TRY(ww__scratch_array(device, c->starts, sizeof *job.list, &job.list));
    if (device->backend == WW__BACKEND_GPU)
        WW_TRY(ww__gpu_fill(device, job.state, 0, sizeof *job.state));
    else if (!device->on_paper)
        memset(job.state, 0, sizeof *job.state);
    WW_TRY(launch(device, &compare_candidates_ww, &job));
    if (c->m > SLICE) WW_TRY(launch(device, &compare_slices_ww, &job));
    return launch(device, &mark_candidates_ww, &job);
}

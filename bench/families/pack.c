/* Packing with half of the elements kept, or one in a hundred, by flags and by a user's predicate on the element. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 6);
}

static void make_flagged(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n);
    data_flags(w->second, w->n, 2, 7);
}

static ww_status run_flags(bench_work *w) {
    return ww_pack(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint8_t *)w->second, w->n),
                   ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}

/* Of a fresh copy each time. The base packs as it is, into another array. */
static void make_for_copies(bench_work *w) {
    make_flagged(w);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
}
static ww_status pack_copy(bench_work *w, void *to) {
    const ww_status status = ww_copy(w->device, ww_memory((const uint32_t *)w->in, w->n),
                                     ww_array((uint32_t *)to, w->n));
    return status
               ? status
               : ww_pack(w->device, ww_memory((const uint32_t *)to, w->n), ww_memory((const uint8_t *)w->second, w->n),
                         ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}
static ww_status run_in_place(bench_work *w) { return pack_copy(w, w->out); }
static ww_status run_elsewhere(bench_work *w) { return pack_copy(w, w->out_second); }

static ww_status run_predicate(bench_work *w) {
    return ww_pack_if(w->device, w->user->odd, ww_memory((const uint32_t *)w->in, w->n),
                      ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}

static ww_status run_rare(bench_work *w) {
    return ww_pack_if(w->device, w->user->rare, ww_memory((const uint32_t *)w->in, w->n),
                      ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}

static bool right_rare(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    size_t kept = 0;
    for (size_t i = 0; i < w->n; i++)
        if (x[i] < 42949673 && out[kept++] != x[i]) return false;
    return w->result == kept;
}

static bool right(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    const uint8_t *flags = w->second;
    size_t kept = 0;
    for (size_t i = 0; i < w->n; i++)
        if ((flags ? flags[i] : x[i] & 1) && out[kept++] != x[i]) return false;
    return w->result == kept;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "pack u32 by flags, half kept", .call = "ww_pack", .make = make_flagged, .run = run_flags, .right = right,
     .bytes = 7, .element = 4, .peer = "pack by flags", .target = {AGAINST_TBB, 8, 0}},
    {.name = "pack u32 by predicate, half kept", .call = "ww_pack_if(x & 1)", .make = make, .run = run_predicate,
     .right = right, .bytes = 6, .element = 4, .user = 1, .peer = "pack by predicate", .target = {AGAINST_TBB, 8, 0}},
    {.name = "pack u32 by predicate, 1% kept", .call = "ww_pack_if(x < 2^32 / 100)", .make = make, .run = run_rare,
     .right = right_rare, .bytes = 4.04, .element = 4, .user = 1},
    {.name = "pack in place, u32 by flags, after a copy", .call = "ww_copy, ww_pack in place", .make = make_for_copies,
     .run = run_in_place, .right = right, .bytes = 15, .element = 4, .base_call = "the same into another array",
     .base = run_elsewhere},
};
/* clang-format on */

const bench_family family_pack = {.name = "pack", .title = "Pack", .rows = rows, .count = BENCH_COUNT(rows)};

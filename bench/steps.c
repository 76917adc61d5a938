/* A loop that the device runs: steps of ten small calls, whose counts the device alone knows. What is counted are calls; on a GPU the
 * rival makes the same calls by the host, which looks at the counts. */
#include "bench.h"
#include "data.h"
#include "pages.h"

enum { STEPS = 1000, CALLS = 10, ROOM = 1000, THERE = 900 };
enum { LEFT, ALL, KEPT, NUMBERS }; /* numbers on the device: steps to make, elements, those that are kept */

WW_MAP(step_of, uint32_t, uint32_t, x, void, none, { return x * 5 + 1; });
WW_MAP(step_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP2(step_mix, uint32_t, uint32_t, x, uint32_t, y, void, none, { return x ^ y; });
WW_STRUCT(step_numbers, { uint64_t *left; });
WW_KERNEL(step_done, step_numbers, a, rank, { a->left[rank]--; });

static void make(bench_work *w) {
    uint64_t *number = work_pages(w, NUMBERS * sizeof *number);
    w->second = number;
    w->in = work_pages(w, ROOM * 4);
    w->out = work_pages(w, w->out_bytes = ROOM * 4);
    w->out_second = work_pages(w, w->out_second_bytes = ROOM * 4);
    data_u32(w->in, ROOM, 31);
    number[ALL] = THERE;
}

/* Kept as they are given: by numbers on the device, or by the host's. */
typedef struct step_work {
    bench_work *w;
    uint64_t all, kept;
    const uint64_t *all_at, *kept_at;
} step_work;

static ww_input in_of(const void *x, uint64_t count, const uint64_t *at) {
    return ww_counted(ww_memory((const uint32_t *)x, count), at);
}
static ww_array out_of(void *x, uint64_t count, const uint64_t *at) {
    return ww_counted_array(ww_array((uint32_t *)x, count), at);
}

#define TRY(call) \
    do { \
        const ww_status status_of_call = (call); \
        if (status_of_call) return status_of_call; \
    } while (0)

/* Up to where it is known how many are kept. */
static ww_status first_calls(ww_device *device, const step_work *s) {
    const bench_work *w = s->w;
    const ww_input x = in_of(w->in, s->all, s->all_at), y = in_of(w->out, s->all, s->all_at);
    const ww_array out = out_of(w->out, s->all, s->all_at);
    TRY(ww_map(device, &step_of_ww, x, out));
    TRY(ww_scan(device, &ww_add, y, out, NULL));
    TRY(ww_map2(device, &step_mix_ww, x, y, out));
    return ww_pack_if(device, &step_odd_ww, y, ww_array((uint32_t *)w->out_second, ROOM),
                      ww_array((uint64_t *)w->second + KEPT, 1), NULL);
}

static ww_status other_calls(ww_device *device, const step_work *s) {
    const bench_work *w = s->w;
    const ww_input kept = in_of(w->out_second, s->kept, s->kept_at);
    const ww_array out = out_of(w->out_second, s->kept, s->kept_at);
    const step_numbers numbers = {(uint64_t *)w->second + LEFT};
    TRY(ww_map(device, &step_of_ww, kept, out));
    TRY(ww_scan(device, &ww_add, kept, out, NULL));
    TRY(ww_map2(device, &step_mix_ww, kept, kept, out_of(w->out, s->kept, s->kept_at)));
    TRY(ww_map(device, &step_of_ww, kept, out));
    TRY(ww_reduce(device, &ww_add, kept, ww_array((uint32_t *)w->number, 1)));
    return ww_launch(device, ww_with(step_done, &numbers), 1);
}

static ww_status step(ww_device *device, void *context) {
    const ww_status status = first_calls(device, context);
    return status ? status : other_calls(device, context);
}

/* Items are calls, fewer than those of all steps where fewer are asked for. */
static uint64_t steps_of(const bench_work *w) { return w->n < CALLS ? 1 : w->n / CALLS; }

static ww_status set_left(bench_work *w) {
    return ww_fill(w->device, ww_array((uint64_t *)w->second + LEFT, 1), ww_value(uint64_t, steps_of(w)));
}

static ww_status run(bench_work *w) {
    const uint64_t *number = w->second;
    step_work s = {w, ROOM, ROOM, number + ALL, number + KEPT};
    TRY(set_left(w));
    return ww_repeat(w->device, number + LEFT, steps_of(w), step, &s, NULL);
}

static ww_status run_by_host(bench_work *w) {
    const uint64_t *number = w->second;
    step_work s = {w, THERE, 0, NULL, NULL};
    TRY(set_left(w));
    for (uint64_t left = steps_of(w); left;) {
        TRY(first_calls(w->device, &s));
        TRY(ww_copy(w->device, ww_memory(number + KEPT, 1), ww_array(&s.kept, 1)));
        TRY(other_calls(w->device, &s));
        TRY(ww_copy(w->device, ww_memory(number + LEFT, 1), ww_array(&left, 1)));
    }
    return WW_OK;
}

static bool right(const bench_work *w) {
    const uint32_t *x = w->in;
    uint32_t all = 0, kept = 0, sum = 0;
    for (size_t i = 0; i < THERE; i++) {
        all += x[i] * 5 + 1;
        const uint32_t y = x[i] ^ all;
        if (!(y & 1)) continue;
        kept += y * 5 + 1;
        sum += kept * 5 + 1;
    }
    return w->result == sum;
}

/* clang-format off */
static const bench_rival by_host[] = {{.who = "the host's loop", .call = "the same calls, the counts read by the host",
                                       .run = run_by_host}};
static const bench_row rows[] = {
    {.name = "calls, ten in a step", .call = "ww_repeat of map, scan, map2, pack_if, … with counts on the device", .make = make,
     .run = run, .right = right, .bytes = 8 * THERE, .element = 4, .items = CALLS * STEPS, .rivals = by_host,
     .rival_count = BENCH_COUNT(by_host)},
};
/* clang-format on */

const bench_family family_steps = {.name = "steps",
                                   .title = "Loops on the device",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows)};

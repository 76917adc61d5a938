/* Loops that the device runs: steps of ten small calls, whose counts the device alone knows; and of a sort and a multisplit of a few
 * pairs in large arrays, as of a frontier that is small in most rounds. What is counted are calls; on a GPU the rival makes the same
 * calls by the host, which looks at the counts. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

enum { STEPS = 2000, ROOM = 1000, THERE = 900, FRONTIER = 1 << 20, BUCKETS = 4, CALLS = 10, PAIRS_CALLS = 3 };
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

static ww_status short_step(ww_device *device, void *context) {
    const step_work *s = context;
    const step_numbers numbers = {(uint64_t *)s->w->second + LEFT};
    return ww_launch(device, ww_with(step_done, &numbers), 1);
}

/* The emulator, whose rates mean nothing, has fewer items than were wanted, and makes a hundredth of their steps. */
static bool is_whole(const bench_work *w, uint64_t calls) { return w->n >= calls * STEPS; }
static uint64_t steps_of(const bench_work *w, uint64_t calls) {
    return is_whole(w, calls) ? STEPS : w->n / (100 * calls) + 1;
}

static ww_status set_left(bench_work *w, uint64_t steps) {
    return ww_fill(w->device, ww_array((uint64_t *)w->second + LEFT, 1), ww_value(uint64_t, steps));
}

static ww_status run(bench_work *w) {
    const uint64_t *number = w->second;
    const uint64_t steps = steps_of(w, CALLS);
    step_work s = {w, ROOM, ROOM, number + ALL, number + KEPT};
    TRY(set_left(w, steps));
    return ww_repeat(w->device, number + LEFT, steps, step, &s, NULL);
}

/* What a loop costs by itself. */
static ww_status run_short(bench_work *w) {
    const uint64_t *number = w->second;
    const uint64_t steps = is_whole(w, CALLS) ? (uint64_t)CALLS * STEPS : steps_of(w, CALLS);
    step_work s = {w, ROOM, ROOM, number + ALL, number + KEPT};
    TRY(set_left(w, steps));
    TRY(ww_repeat(w->device, number + LEFT, steps, short_step, &s, NULL));
    return ww_reduce(w->device, &ww_add, ww_cast(&ww_type_uint32_t, ww_memory(number + LEFT, 1)),
                     ww_array((uint32_t *)w->number, 1));
}

static ww_status run_by_host(bench_work *w) {
    const uint64_t *number = w->second;
    step_work s = {w, THERE, 0, NULL, NULL};
    TRY(set_left(w, steps_of(w, CALLS)));
    for (uint64_t left = 1; left;) {
        TRY(first_calls(w->device, &s));
        TRY(ww_copy(w->device, ww_memory(number + KEPT, 1), ww_array(&s.kept, 1)));
        TRY(other_calls(w->device, &s));
        TRY(ww_copy(w->device, ww_memory(number + LEFT, 1), ww_array(&left, 1)));
    }
    return WW_OK;
}

/* What was left is 0. */
static bool short_right(const bench_work *w) { return w->result == 0; }

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

/* ---- a sort and a multisplit ---- */

WW_MAP(step_bucket, uint32_t, uint32_t, x, void, none, { return x & 3; });

/* Pairs of `in` sorted to the first halves of the outputs, and from there split to the second halves. */
static void make_pairs(bench_work *w) {
    uint64_t *number = work_pages(w, NUMBERS * sizeof *number);
    w->second = number;
    w->in = work_pages(w, (size_t)FRONTIER * 4);
    w->out = work_pages(w, w->out_bytes = (size_t)FRONTIER * 8);
    w->out_second = work_pages(w, w->out_second_bytes = (size_t)FRONTIER * 8);
    data_u32(w->in, FRONTIER, 32);
    number[ALL] = THERE;
}

static ww_status pairs_step(ww_device *device, void *context) {
    const step_work *s = context;
    const bench_work *w = s->w;
    uint32_t *const keys = w->out, *const values = w->out_second;
    const ww_input counted = ww_counted(ww_counting(&ww_type_uint32_t, 0, s->all), s->all_at);
    const step_numbers numbers = {(uint64_t *)w->second + LEFT};
    TRY(ww_sort(device, in_of(w->in, s->all, s->all_at), counted, out_of(keys, s->all, s->all_at),
                out_of(values, s->all, s->all_at), NULL));
    TRY(ww_multisplit(device, &step_bucket_ww, BUCKETS, in_of(keys, s->all, s->all_at),
                      in_of(values, s->all, s->all_at), out_of(keys + FRONTIER, s->all, s->all_at),
                      out_of(values + FRONTIER, s->all, s->all_at), ww_none, NULL));
    return ww_launch(device, ww_with(step_done, &numbers), 1);
}

static ww_status repeat_pairs(bench_work *w, uint64_t room) {
    const uint64_t *number = w->second;
    const uint64_t steps = steps_of(w, PAIRS_CALLS);
    step_work s = {w, room, 0, number + ALL, NULL};
    TRY(set_left(w, steps));
    return ww_repeat(w->device, number + LEFT, steps, pairs_step, &s, NULL);
}

static ww_status run_pairs(bench_work *w) {
    return repeat_pairs(w, is_whole(w, PAIRS_CALLS) ? FRONTIER : 2 * (uint64_t)ROOM);
}
static ww_status run_pairs_in_little(bench_work *w) { return repeat_pairs(w, ROOM); }

static ww_status run_pairs_by_host(bench_work *w) {
    const uint64_t *number = w->second;
    step_work s = {w, THERE, 0, NULL, NULL};
    TRY(set_left(w, steps_of(w, PAIRS_CALLS)));
    for (uint64_t left = 1; left;) {
        TRY(ww_copy(w->device, ww_memory(number + ALL, 1), ww_array(&s.all, 1)));
        TRY(pairs_step(w->device, &s));
        TRY(ww_copy(w->device, ww_memory(number + LEFT, 1), ww_array(&left, 1)));
    }
    return WW_OK;
}

/* Each pair has its bucket's place that the smaller pairs leave it; equal keys go by their values. */
static bool pairs_right(const bench_work *w) {
    const uint32_t *x = w->in, *keys = (const uint32_t *)w->out + FRONTIER;
    const uint32_t *values = (const uint32_t *)w->out_second + FRONTIER;
    for (uint32_t i = 0; i < THERE; i++) {
        size_t place = 0;
        for (uint32_t k = 0; k < THERE; k++)
            place += (x[k] & 3) != (x[i] & 3) ? (x[k] & 3) < (x[i] & 3) : x[k] != x[i] ? x[k] < x[i] : k < i;
        if (keys[place] != x[i] || values[place] != i) return false;
    }
    return true;
}

/* clang-format off */
static const bench_rival pairs_rivals[] = {
    {.who = "the host's loop", .call = "the same calls, the counts read by the host", .run = run_pairs_by_host},
    {.who = "little room", .call = "the same in arrays of 1,000", .run = run_pairs_in_little},
};
static const bench_rival by_host[] = {{.who = "the host's loop", .call = "the same calls, the counts read by the host",
                                       .run = run_by_host}};
static const bench_row rows[] = {
    /* Items are calls. */
    {.name = "calls, ten in a step", .call = "ww_repeat of map, scan, map2, pack_if, … with counts on the device", .make = make,
     .run = run, .right = right, .bytes = 8 * THERE, .element = 4, .items = CALLS * STEPS, .rivals = by_host,
     .rival_count = BENCH_COUNT(by_host)},
    {.name = "one call in a step", .call = "ww_repeat of ww_launch", .make = make, .run = run_short, .right = short_right, .bytes = 16,
     .element = 8, .items = CALLS * STEPS},
    {.name = "sort and multisplit of 900 pairs in 2^20", .call = "ww_repeat of sort, multisplit with counts on the device",
     .make = make_pairs, .run = run_pairs, .right = pairs_right, .bytes = 16 * THERE, .element = 4, .items = PAIRS_CALLS * STEPS,
     .rivals = pairs_rivals, .rival_count = BENCH_COUNT(pairs_rivals)},
};
/* clang-format on */

const bench_family family_steps = {.name = "steps",
                                   .title = "Loops on the device",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows)};

/* Sorting networks on threads: each pass (network.h) is cut into windows, which fit in a worker's second-level cache, or into
 * runs of comparators. Windows with a halo go through a worker's room to the other buffer; others are passed in place. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "sort/entries.h"

enum { WINDOW_BYTES = 1 << 17, RUN_MOST = 1 << 12 /* comparators of a piece */ };

typedef struct running {
    const ww__entry_loops *loops;
    const ww__entry_order *order;
    ww__network network;
    ww__network_pass pass;
    unsigned char *from, *to, *rooms;
    uint64_t next;
} running;

static unsigned char *entry_at(const running *r, unsigned char *entries, uint64_t i) {
    return entries + i * r->loops->size;
}

static void run_phases(const running *r, unsigned char *entries, size_t slots, uint64_t begin) {
    const ww__network *m = &r->network;
    uint32_t wide = r->pass.wide, narrow = r->pass.narrow;
    for (uint32_t k = 0; k < r->pass.phases; k++) {
        const ww_phase p = network_phase(m->kind, wide, narrow);
        r->loops->phase(r->order, entries, slots, &p, begin, m->n);
        network_next(m->kind, &wide, &narrow);
    }
}

/* The window whose middle begins at place `own`. */
static void run_window_with_halo(const running *r, unsigned char *room, uint64_t own) {
    const uint64_t n = r->network.n, halo = r->pass.halo, end = own + r->network.window - 2 * halo;
    const uint64_t low = own < halo ? 0 : own - halo, high = ww__min_u64(end + halo, n), begin = own - halo;
    memcpy(entry_at(r, room, low - begin), entry_at(r, r->from, low), (size_t)(high - low) * r->loops->size);
    run_phases(r, room, r->network.window, begin);
    memcpy(entry_at(r, r->to, own), entry_at(r, room, halo), (size_t)(ww__min_u64(end, n) - own) * r->loops->size);
}

static void run_windows(void *argument, size_t worker) {
    running *r = argument;
    const uint64_t step = r->network.window - 2 * r->pass.halo;
    unsigned char *room = r->rooms ? entry_at(r, r->rooms, worker * r->network.window) : NULL; /* none without a halo */
    for (uint64_t own; (own = ww__claim(&r->next) * step) < r->network.n;)
        if (r->pass.halo)
            run_window_with_halo(r, room, own);
        else
            run_phases(r, entry_at(r, r->to, own), (size_t)ww__min_u64(step, r->network.n - own), own);
}

static uint64_t run_of(const ww_phase *p) { return ww__min_u64(p->step, RUN_MOST); }

/* The run of comparators from c on, all of one distance or mirrored at one place. */
static void run_comparators(const running *r, const ww_phase *p, uint64_t c) {
    const uint64_t n = r->network.n, low = comparator_low(p, c), high = comparator_high(p, low), run = run_of(p);
    const uint64_t first_high = p->mirrored ? high - (run - 1) : high;
    if (!comparator_counts(p, low, first_high, n)) return;
    const uint64_t many = ww__min_u64(run, n - first_high), skipped = p->mirrored ? run - many : 0;
    r->loops->exchange(r->order, entry_at(r, r->to, low + skipped), entry_at(r, r->to, high - skipped), (size_t)many,
                       p->mirrored);
}

static void run_phase(void *argument, size_t worker) {
    running *r = argument;
    const ww_phase p = network_phase(r->network.kind, r->pass.wide, r->pass.narrow);
    const uint64_t run = run_of(&p), comparators = (r->network.n + 2 * p.step - 1) / (2 * p.step) * p.step;
    (void)worker;
    for (uint64_t c; (c = ww__claim(&r->next) * run) < comparators;) run_comparators(r, &p, c);
}

static void run_pass(ww_device *device, running *r, size_t workers) {
    r->next = 0;
    ww__parallel(device, workers, r->pass.windows ? run_windows : run_phase, r);
}

ww_status ww__network_cpu(ww_device *device, const ww__entry_loops *loops, const ww__entry_order *o, uint32_t kind,
                          uint64_t n, void *const entries[2], unsigned *at) {
    running r = {.loops = loops, .order = o, .network = {kind, (uint32_t)(WINDOW_BYTES / loops->size), n}};
    const size_t workers = ww__workers(device, n * loops->size);
    const ww__scratch_mark mark = ww__scratch_here(device);
    *at = 0;
    r.pass = ww__network_first(&r.network);
    if (r.pass.halo || ww__network_moves(&r.network))
        WW_TRY(ww__scratch_array(device, workers * r.network.window, loops->size, &r.rooms));
    do {
        r.from = entries[*at];
        if (r.pass.halo) *at = !*at;
        r.to = entries[*at];
        run_pass(device, &r, workers);
    } while (ww__network_next(&r.network, &r.pass));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

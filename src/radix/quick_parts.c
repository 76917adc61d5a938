/* Keys alone that crowd, sorted by a quicksort of vectors (network_quick.h) and a few workers. The first pass is one worker's; then they
 * claim the three parts that it leaves, and those that these leave, until no part is a large share of all, and then whole parts, the
 * largest first. Of some 11 passes over 2^20 keys one is not shared, and one is shared badly: more workers than a few do better between
 * splitters (splitters.c), which are two passes more for all. With AVX2, where a pass takes longer, several workers do better by digits:
 * u32 with an exponential distribution, 2^20, two threads of an EPYC, 2026-11: 342 M/s, and 197 so. */
#include "radix/quick_parts.h"

#include "device/cpu/parallel.h"

enum {
    WORKERS_MOST = 4,
    SHARES = 6,          /* of each worker: a part that is larger is divided */
    PARTS_MOST = 3 * 96, /* of which a third at most is divided at once */
    ROUNDS_MOST = 8,
    DIVIDED_LEAST = 1 << 14 /* keys */
};

typedef struct quick_parts {
    const ww__radix_run *r;
    const ww__network_parts *parts;
    ww__radix_order in, out;
    ww__network_part part[PARTS_MOST];
    uint64_t count, large, next; /* parts, those of them that are divided, which are the first */
} quick_parts;

static bool is_larger(const ww__network_part *a, const ww__network_part *b) { return a->n > b->n; }

/* The largest first. */
static void order_parts(quick_parts *q) {
    for (uint64_t i = 1; i < q->count; i++) {
        const ww__network_part part = q->part[i];
        uint64_t j = i;
        for (; j > 0 && is_larger(&part, &q->part[j - 1]); j--) q->part[j] = q->part[j - 1];
        q->part[j] = part;
    }
}

/* What a part leaves stands in its place, and behind all the others. */
static void divide_parts(void *argument, size_t worker) {
    quick_parts *q = argument;
    (void)worker;
    for (uint64_t i; (i = ww__claim(&q->next)) < q->large;) {
        ww__network_part into[3];
        q->parts->divide(&q->part[i], into, &q->in, &q->out);
        q->part[i] = into[0];
        q->part[q->count + 2 * i] = into[1];
        q->part[q->count + 2 * i + 1] = into[2];
    }
}

static void finish_parts(void *argument, size_t worker) {
    quick_parts *q = argument;
    (void)worker;
    for (uint64_t i; (i = ww__claim(&q->next)) < q->count;) q->parts->finish(&q->part[i], &q->out);
}

static void run(quick_parts *q, uint64_t pieces, ww__task *task) {
    q->next = 0;
    ww__parallel(q->r->device, (size_t)ww__min_u64(pieces, q->r->workers), task, q);
}

void ww__quick_alone(const ww__radix_run *r, const ww__radix_range *a) {
    const ww__radix_order in = ww__radix_order_in(r, a->buffer);
    r->quick(ww__radix_key(r, a->buffer, a->first), ww__radix_key(r, WW__RESULT, a->first),
             ww__radix_key(r, WW__SCRATCH, a->first), (size_t)a->n, &in, &r->order);
}

bool ww__quick_parts_suit(const ww__radix_run *r) {
    return r->quick && (r->workers == 1 || (r->workers <= WORKERS_MOST && r->words));
}

void ww__quick_parts(const ww__radix_run *r, const ww__radix_range *a) {
    if (a->n <= DIVIDED_LEAST) {
        ww__quick_alone(r, a);
        return;
    }
    const uint64_t most = a->n / (SHARES * r->workers) > DIVIDED_LEAST ? a->n / (SHARES * r->workers) : DIVIDED_LEAST;
    quick_parts q = {.r = r,
                     .parts = ww__network_parts_of(r->device->vector, r->key_size),
                     .in = ww__radix_order_in(r, a->buffer),
                     .out = r->order,
                     .count = 1};
    q.part[0] = (ww__network_part){ww__radix_key(r, a->buffer, a->first), ww__radix_key(r, WW__RESULT, a->first),
                                   ww__radix_key(r, WW__SCRATCH, a->first), (size_t)a->n,
                                   2 * (ww__highest_bit(a->n) + 1)};
    for (int round = 0; round < ROUNDS_MOST; round++) {
        for (q.large = 0; q.large < q.count && q.part[q.large].n > most && q.part[q.large].depth > 1;) q.large++;
        q.large = ww__min_u64(q.large, (PARTS_MOST - q.count) / 2);
        if (!q.large) break;
        run(&q, q.large, divide_parts);
        q.count += 2 * q.large;
        q.in = (ww__radix_order){0, 0};
        order_parts(&q);
    }
    run(&q, q.count, finish_parts);
}

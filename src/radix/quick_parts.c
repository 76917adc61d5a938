/* Keys that crowd, alone or with values of their size, sorted by a quicksort of vectors (network_quick.h, pairs_quick.c) and a few
 * workers. They take parts from a list, the largest first: one that is a large share of all is divided by a pass, and what this leaves is
 * put there but for one part, with which the worker goes on; others are finished. So nobody waits but for the first pass, which is one
 * worker's. Of some 11 passes over 2^20 keys one is not shared, and one is shared badly: more workers than a few do better between
 * splitters (splitters.c), which are two passes more for all. With values 2^20 of two threads are sorted 0.9 to 1.5 times as fast so as
 * between splitters (a Xeon with AVX-512, 2026-11). With AVX2, where a pass takes longer, several workers do better by digits: u32 with an
 * exponential distribution, 2^20, two threads of an EPYC, 2026-11: 342 M/s, and 197 so. */
#include "radix/quick_parts.h"

#include "device/cpu/parallel.h"
#include "device/cpu/spin.h"

enum {
    WORKERS_MOST = 4,
    SHARES = 6, /* of each worker: a part that is larger is divided */
    PARTS_MOST = 96,
    DIVIDED_LEAST = 1 << 14 /* keys */
};

typedef struct quick_parts {
    const ww__radix_run *r;
    const ww__network_parts *parts;
    ww__radix_order in;
    unsigned depth;   /* of the part that has still to be made numbers: all */
    uint64_t most;    /* keys of a part that is finished at once */
    bool lock;        /* of what follows */
    size_t count;     /* parts in the list */
    size_t divisions; /* parts that are being divided, so that there will be more */
    ww__network_part part[PARTS_MOST];
} quick_parts;

/* Takes the largest part. False where none is left; waits while more may come. */
static bool take_part(quick_parts *q, ww__network_part *part) {
    for (unsigned looks = 0;; looks++) {
        ww__spin_acquire(&q->lock);
        const size_t count = q->count, divisions = q->divisions;
        if (count) {
            size_t largest = 0;
            for (size_t i = 1; i < count; i++)
                if (q->part[i].n > q->part[largest].n) largest = i;
            *part = q->part[largest];
            q->part[largest] = q->part[--q->count];
            q->divisions++;
        }
        ww__spin_release(&q->lock);
        if (count) return true;
        if (!divisions) return false;
        if (looks < WW__PATIENCE)
            ww__relax();
        else
            sched_yield();
    }
}

/* Whether there was room for three more parts. */
static bool put_parts(quick_parts *q, const ww__network_part *three) {
    ww__spin_acquire(&q->lock);
    const bool room = q->count + WW__NETWORK_PARTS - 1 <= PARTS_MOST;
    for (size_t i = 0; room && i < WW__NETWORK_PARTS - 1; i++)
        if (three[i].n) q->part[q->count++] = three[i];
    ww__spin_release(&q->lock);
    return room;
}

static void end_division(quick_parts *q) {
    ww__spin_acquire(&q->lock);
    q->divisions--;
    ww__spin_release(&q->lock);
}

static void work(void *argument, size_t worker) {
    static const ww__radix_order as_they_are = {0, 0};
    quick_parts *q = argument;
    const ww__radix_order *out = &q->r->order;
    ww__network_part part;
    (void)worker;
    while (take_part(q, &part)) {
        for (bool first; (first = part.depth == q->depth) || (part.n > q->most && part.depth > 1);) {
            ww__network_part into[WW__NETWORK_PARTS];
            q->parts->divide(&part, into, first ? &q->in : &as_they_are, out);
            part = into[0];
            if (put_parts(q, into + 1)) continue;
            for (size_t i = 1; i < WW__NETWORK_PARTS; i++) q->parts->finish(&into[i], out);
        }
        end_division(q);
        q->parts->finish(&part, out);
    }
}

void ww__quick_alone(const ww__radix_run *r, const ww__radix_range *a) {
    const ww__radix_order in = ww__radix_order_in(r, a->buffer);
    r->quick(ww__radix_key(r, a->buffer, a->first), ww__radix_key(r, WW__RESULT, a->first),
             ww__radix_key(r, WW__SCRATCH, a->first), (size_t)a->n, &in, &r->order);
}

bool ww__quick_parts_suit(const ww__radix_run *r) {
    return (r->quick || r->pairs_parts) && (r->workers == 1 || (r->workers <= WORKERS_MOST && r->words));
}

void ww__quick_parts(const ww__radix_run *r, const ww__radix_range *a) {
    if (a->n <= DIVIDED_LEAST && !r->value_size) {
        ww__quick_alone(r, a);
        return;
    }
    const uint64_t share = a->n / (SHARES * r->workers);
    quick_parts q = {.r = r,
                     .parts = r->value_size ? r->pairs_parts : ww__network_parts_of(r->device->vector, r->key_size),
                     .in = ww__radix_order_in(r, a->buffer),
                     .most = share > DIVIDED_LEAST ? share : DIVIDED_LEAST,
                     .depth = 2 * (ww__highest_bit(a->n) + 1),
                     .count = 1};
    q.part[0] = (ww__network_part){.from = ww__radix_key(r, a->buffer, a->first),
                                   .to = ww__radix_key(r, WW__RESULT, a->first),
                                   .room = ww__radix_key(r, WW__SCRATCH, a->first),
                                   .n = (size_t)a->n,
                                   .depth = q.depth,
                                   .from_values = ww__radix_value(r, a->buffer, a->first),
                                   .to_values = ww__radix_value(r, WW__RESULT, a->first),
                                   .room_values = ww__radix_value(r, WW__SCRATCH, a->first)};
    ww__parallel(r->device, r->workers, work, &q);
}

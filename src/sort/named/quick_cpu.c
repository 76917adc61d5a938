/* Quicksort by counts and scans on threads: all segments at once are split in three by an entry of each, the pivot.
 *
 * A round cuts the live segments into pieces; workers count how many entries of each piece go to which side; sums over the
 * pieces of a segment give each its places on either side; workers move the pieces there, into the other buffer, stably.
 * What is neither before the pivot nor behind it is in order then: its positions go to the result. Sides of up to SHORT
 * entries are finished at the end of the round, each by a worker, with a bitonic network; longer ones live on. What lives
 * longer than ROUNDS say, because pivots are chosen badly on purpose or the order is none, goes through a bitonic network,
 * segment by segment.
 *     memory     a round reads live entries twice and writes them once */
#include "device/cpu/parallel.h"
#include "sort/entries.h"

enum { SHORT = 256, PIECE = 1 << 14, ROUNDS_A_DOUBLING = 2, ROUNDS_MORE = 6 };

typedef struct segment {
    uint64_t first, n, pivot;
} segment;

typedef struct piece {
    const segment *of;
    uint64_t first, n;
    uint64_t counts[3];             /* before the pivot, neither, behind */
    uint64_t before, equal, behind; /* where they go */
} piece;

typedef struct quick {
    ww_device *device;
    const ww__entry_loops *loops;
    const ww__entry_order *order;
    unsigned char *from, *to;
    uint32_t *positions;
    size_t workers;
    segment *live, *next_live, *shorts;
    piece *pieces;
    uint64_t many_live, many_next, many_shorts, many_pieces, next;
} quick;

static unsigned char *entry_at(const quick *q, unsigned char *entries, uint64_t i) {
    return entries + i * q->loops->size;
}

/* ---- pivots ---- */

static uint64_t middle_of(const quick *q, uint64_t x, uint64_t y, uint64_t z) {
    unsigned char *e = q->from;
    const ww__entry_loops *l = q->loops;
    if (l->before(q->order, entry_at(q, e, y), entry_at(q, e, x))) {
        const uint64_t t = x;
        x = y;
        y = t;
    }
    if (!l->before(q->order, entry_at(q, e, z), entry_at(q, e, y))) return y;
    return l->before(q->order, entry_at(q, e, z), entry_at(q, e, x)) ? x : z;
}

/* A median of medians of nine. */
static uint64_t pivot_of(const quick *q, const segment *s) {
    const uint64_t a = s->first, part = s->n / 8;
    const uint64_t low = middle_of(q, a, a + part, a + 2 * part);
    const uint64_t mid = middle_of(q, a + 3 * part, a + 4 * part, a + 5 * part);
    const uint64_t high = middle_of(q, a + 6 * part, a + 7 * part, a + s->n - 1);
    return middle_of(q, low, mid, high);
}

static void cut_pieces(quick *q) {
    q->many_pieces = 0;
    for (uint64_t k = 0; k < q->many_live; k++) {
        segment *s = &q->live[k];
        s->pivot = pivot_of(q, s);
        for (uint64_t i = 0; i < s->n; i += PIECE)
            q->pieces[q->many_pieces++] = (piece){.of = s, .first = s->first + i, .n = ww__min_u64(PIECE, s->n - i)};
    }
}

/* ---- a round ---- */

static void count_pieces(void *argument, size_t worker) {
    quick *q = argument;
    (void)worker;
    for (uint64_t k; (k = ww__claim(&q->next)) < q->many_pieces;) {
        piece *p = &q->pieces[k];
        q->loops->count(q->order, entry_at(q, q->from, p->first), (size_t)p->n, entry_at(q, q->from, p->of->pivot),
                        p->counts);
    }
}

static void keep(quick *q, uint64_t first, uint64_t n) {
    const segment s = {first, n, 0};
    if (n > SHORT)
        q->next_live[q->many_next++] = s;
    else if (n)
        q->shorts[q->many_shorts++] = s;
}

/* Counts become places, segment by segment; and the sides are the next segments. */
static void place_pieces(quick *q) {
    q->many_next = q->many_shorts = 0;
    for (uint64_t k = 0, end; k < q->many_pieces; k = end) {
        const segment *s = q->pieces[k].of;
        uint64_t sums[3] = {0, 0, 0};
        for (end = k; end < q->many_pieces && q->pieces[end].of == s; end++)
            for (int side = 0; side < 3; side++) sums[side] += q->pieces[end].counts[side];
        uint64_t before = s->first, equal = before + sums[0], behind = equal + sums[1];
        keep(q, before, sums[0]);
        keep(q, behind, sums[2]);
        for (uint64_t i = k; i < end; i++) {
            piece *p = &q->pieces[i];
            p->before = before, p->equal = equal, p->behind = behind;
            before += p->counts[0], equal += p->counts[1], behind += p->counts[2];
        }
    }
}

static void split_pieces(void *argument, size_t worker) {
    quick *q = argument;
    (void)worker;
    for (uint64_t k; (k = ww__claim(&q->next)) < q->many_pieces;) {
        const piece *p = &q->pieces[k];
        q->loops->split(q->order, entry_at(q, q->from, p->first), (size_t)p->n, entry_at(q, q->from, p->of->pivot),
                        p->counts, entry_at(q, q->to, p->before), q->positions + p->equal,
                        entry_at(q, q->to, p->behind));
    }
}

/* Sorts what one worker holds, in q->to, and writes its positions. */
static void finish(const quick *q, const segment *s) {
    unsigned char *entries = entry_at(q, q->to, s->first);
    for (uint32_t wide = 0, narrow = 0; (uint64_t)1 << wide < s->n; network_next(NETWORK_BITONIC, &wide, &narrow)) {
        const ww_phase p = network_phase(NETWORK_BITONIC, wide, narrow);
        q->loops->phase(q->order, entries, (size_t)s->n, &p, 0, s->n);
    }
    q->loops->positions(q->positions + s->first, entries, (size_t)s->n);
}

static void finish_shorts(void *argument, size_t worker) {
    enum { TOGETHER = 16 };
    quick *q = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&q->next) * TOGETHER) < q->many_shorts;)
        for (uint64_t k = first; k < ww__min_u64(first + TOGETHER, q->many_shorts); k++) finish(q, &q->shorts[k]);
}

static void run(quick *q, ww__task *task) {
    q->next = 0;
    ww__parallel(q->device, q->workers, task, q);
}

static void run_round(quick *q) {
    cut_pieces(q);
    run(q, count_pieces);
    place_pieces(q);
    run(q, split_pieces);
    run(q, finish_shorts);
    unsigned char *const from = q->from;
    segment *const live = q->live;
    q->from = q->to, q->to = from;
    q->live = q->next_live, q->next_live = live;
    q->many_live = q->many_next;
}

/* ---- the whole ---- */

static ww_status finish_by_network(const quick *q) {
    for (uint64_t k = 0; k < q->many_live; k++) {
        const segment *s = &q->live[k];
        void *const entries[2] = {entry_at(q, q->from, s->first), NULL};
        unsigned at;
        WW_TRY(ww__network_cpu(q->device, q->loops, q->order, NETWORK_BITONIC, s->n, entries, &at));
        ww__entries_positions(q->device, q->loops, entries[0], q->positions + s->first, s->n);
    }
    return WW_OK;
}

static ww_status take_memory(quick *q, uint64_t n) {
    const uint64_t lives = n / SHORT + 1, shorts = 2 * lives;
    WW_TRY(ww__scratch_array(q->device, lives, sizeof *q->live, &q->live));
    WW_TRY(ww__scratch_array(q->device, lives, sizeof *q->next_live, &q->next_live));
    WW_TRY(ww__scratch_array(q->device, shorts, sizeof *q->shorts, &q->shorts));
    return ww__scratch_array(q->device, n / PIECE + lives, sizeof *q->pieces, &q->pieces);
}

/* What is left to the network may be all that there was. */
static ww_status on_paper(quick *q, uint64_t n) {
    void *const entries[2] = {q->from, NULL};
    unsigned at;
    if (n <= SHORT) return WW_OK;
    WW_TRY(take_memory(q, n));
    return ww__network_cpu(q->device, q->loops, q->order, NETWORK_BITONIC, n, entries, &at);
}

ww_status ww__quick_cpu(ww_device *device, const ww__entry_loops *loops, const ww__entry_order *o, uint64_t n,
                        void *const entries[2], uint32_t *positions) {
    quick q = {.device = device,
               .loops = loops,
               .order = o,
               .from = entries[0],
               .to = entries[1],
               .positions = positions,
               .workers = ww__workers(device, n * loops->size)};
    const segment all = {0, n, 0};
    uint32_t rounds = ROUNDS_MORE;
    if (device->on_paper) return on_paper(&q, n);
    if (n <= SHORT) {
        q.to = entries[0];
        finish(&q, &all);
        return WW_OK;
    }
    WW_TRY(take_memory(&q, n));
    for (uint64_t length = SHORT; length < n; length *= 2) rounds += ROUNDS_A_DOUBLING;
    q.live[q.many_live++] = all;
    while (q.many_live && rounds--) run_round(&q);
    return finish_by_network(&q);
}

/* Hillis and Steele's scan (Data parallel algorithms, 1986): superstep d = 1, 2, 4, … adds to every element the one d
 * places before it,
 *
 *     for d := 1, 2, 4, … while d < n
 *         forall k in parallel do
 *             if k >= d then y[k] := x[k - d] + x[k], else y[k] := x[k]
 *         x := y
 *
 * after which x[k] is the sum of the last 2 d elements up to k. log2 n supersteps of n additions: not work-efficient, but
 * of the least depth. Each superstep reads one array and writes another. For segments every element carries a flag,
 * whether its sum already reaches back to a head; then it takes no more, and flags are or-ed in the same way.
 *
 * The exclusive scan is the inclusive one of the input moved up by one, with the initial value in the first place. */
#include "primitive/scan/heads.h"
#include "primitive/scan/superstep.h"

typedef struct job {
    const ww__scanning *s;
    const ww_combine_loops *loops;
    const void *anew;
    bool segmented;
    size_t size, room;
    unsigned char *rooms;
    /* Of the superstep: what it reads and what it writes. */
    const unsigned char *x;
    unsigned char *y;
    const uint8_t *flags;
    uint8_t *new_flags;
    uint64_t d;
} job;

static bool is_head(const job *j, uint64_t k) { return j->segmented ? j->new_flags[k] != 0 : k == 0; }

/* Superstep 0 of an inclusive scan: the input, with the initial value put before each segment's first element. */
static void begin_inclusive(const job *j, size_t worker, uint64_t first, size_t n) {
    const size_t size = j->size;
    unsigned char *y = j->y + first * size;
    const unsigned char *x = ww__input_read(j->s->device, j->s->in, first, n, j->rooms + worker * j->room);
    memcpy(y, x, n * size);
    for (size_t i = 0; j->s->initial && i < n; i++)
        if (is_head(j, first + i)) j->loops->prefix(y + i * size, j->s->initial, x + i * size, 1, j->s->op->bound);
}

/* … of an exclusive one. */
static void begin_exclusive(const job *j, size_t worker, uint64_t first, size_t n) {
    const size_t size = j->size, skip = first ? 0 : 1;
    unsigned char *y = j->y + first * size;
    if (n > skip)
        memcpy(y + skip * size,
               ww__input_read(j->s->device, j->s->in, first + skip - 1, n - skip, j->rooms + worker * j->room),
               (n - skip) * size);
    for (size_t i = 0; i < n; i++)
        if (is_head(j, first + i)) memcpy(y + i * size, j->anew, size);
}

static void begin(void *argument, size_t worker, uint64_t first, size_t n) {
    const job *j = argument;
    if (j->segmented) ww__heads_read(j->s, first, n, j->new_flags + first, j->rooms + worker * j->room);
    if (j->s->exclusive)
        begin_exclusive(j, worker, first, n);
    else
        begin_inclusive(j, worker, first, n);
}

static void step(void *argument, size_t worker, uint64_t first, size_t n) {
    const job *j = argument;
    const size_t size = j->size, before = first >= j->d ? 0 : (size_t)ww__min_u64(j->d - first, n);
    const unsigned char *x = j->x + first * size;
    unsigned char *y = j->y + first * size;
    (void)worker;
    memcpy(y, x, before * size);
    if (before < n)
        j->loops->pairwise(y + before * size, x + (before * size) - j->d * size, x + before * size, n - before,
                           j->s->op->bound);
    if (!j->segmented) return;
    const uint8_t *flags = j->flags + first;
    memcpy(j->new_flags + first, flags, before);
    for (size_t i = before; i < n; i++) {
        if (flags[i]) memcpy(y + i * size, x + i * size, size);
        j->new_flags[first + i] = (uint8_t)(flags[i] | j->flags[first + i - j->d]);
    }
}

/* The total is what the last element becomes; for an exclusive scan, and the last element after it. */
static void put_total(const job *j, const unsigned char *last_in) {
    const unsigned char *last_out = (const unsigned char *)j->s->out->data + (j->s->out->count - 1) * j->size;
    if (j->s->exclusive)
        j->loops->pairwise(j->s->total, last_out, last_in, 1, j->s->op->bound);
    else
        memcpy(j->s->total, last_out, j->size);
}

static ww_status prepare(job *j, unsigned char *array[2], uint8_t *flags[2], unsigned char **last_in) {
    const ww__scanning *s = j->s;
    const size_t tile = ww__tile(j->size), in_room = ww__input_room(s->in, tile);
    const size_t heads_room = j->segmented ? ww__heads_room(s, tile) : 0;
    j->room = ww__round_up(in_room > heads_room ? in_room : heads_room, 64);
    for (int i = 0; i < 2; i++) {
        WW_TRY(ww__scratch_array(s->device, s->in->count, j->size, &array[i]));
        if (j->segmented) WW_TRY(ww__scratch(s->device, s->in->count, &flags[i]));
    }
    WW_TRY(ww__scratch_array(s->device, ww__workers(s->device, s->in->count * j->size), j->room, &j->rooms));
    WW_TRY(ww__scratch(s->device, j->size, last_in));
    if (s->device->on_paper) return WW_OK;
    memcpy(*last_in, ww__input_read(s->device, s->in, s->in->count - 1, 1, j->rooms), j->size);
    return WW_OK;
}

ww_status ww__scan_hillis_steele_cpu(const ww__scanning *s) {
    const uint64_t n = s->in->count, bytes = n * s->in->size;
    const size_t tile = ww__tile(s->in->size);
    job j = {.s = s,
             .loops = ww__loops(s->device, s->op),
             .anew = s->initial ? s->initial : s->op->identity,
             .segmented = s->heads || s->keys,
             .size = s->in->size};
    unsigned char *array[2], *last_in;
    uint8_t *flags[2] = {NULL, NULL};
    WW_TRY(prepare(&j, array, flags, &last_in));
    if (s->device->on_paper) return WW_OK;
    ww__trace(s->device, "hillis-steele", s->op, n, 2 * bytes, ww__workers(s->device, bytes));
    j.y = array[0];
    j.new_flags = flags[0];
    ww__superstep_run(s->device, bytes, n, tile, begin, &j);
    for (int i = 0; (UINT64_C(1) << i) < n; i++) {
        j.d = UINT64_C(1) << i;
        j.x = array[i % 2];
        j.flags = flags[i % 2];
        j.y = j.d * 2 < n ? array[(i + 1) % 2] : s->out->data; /* the last superstep writes the output */
        j.new_flags = flags[(i + 1) % 2];
        ww__superstep_run(s->device, bytes, n, tile, step, &j);
    }
    if (n == 1) memcpy(s->out->data, array[0], j.size);
    if (s->total) put_total(&j, last_in);
    return WW_OK;
}

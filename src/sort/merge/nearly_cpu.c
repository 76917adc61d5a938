/* A stable sort by comparing of what is in order but for a few elements. These are dropped: what is kept rises. They are sorted among
 * themselves, find their places among what is kept by binary search, and are put there.
 *
 * Which are dropped: at each element that is less than the last one kept, this one, if the new one may follow the kept one before it (so one
 * that was too large is dropped), else the new one. Where many in a row are less, it is the kept ones that were too large, and they are
 * dropped. Workers do so in parts of the input; where parts meet, what is not in order is dropped, too.
 *
 * Stability: a dropped element stands where its place in the input is, as far as kept ones that are equal to it are concerned: that many
 * were kept before it was dropped is noted, and moved with it.
 *     memory     1 n read to look; 1 n read and written to keep and drop; 1 n read and written in the end
 * An order that is none: places that fall are raised, so that each element is given once.
 * Cook and Kim, Best Sorting Algorithm for Nearly Sorted Lists (1980); Emil Ernerfelt, Drop-Merge Sort (2016). */
#include "sort/merge/nearly_cpu.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "sort/merge/samples_cpu.h"

enum {
    WINDOWS = 128, /* of a sample, which are looked at for order … */
    WINDOW = 8,    /* elements of one */
    UNORDERED = 4, /* … and of which one in so many may have none */
    DROPPED = 16,  /* one element in so many, at most */
    STREAK = 8,    /* elements in a row, after which the kept ones are dropped */
    SEAM_MOST = 64, /* elements that are dropped where two parts meet */
    PARTS_A_WORKER = 4,
    PART_LEAST = 1 << 12, /* elements */
    BLOCK = 256,          /* dropped elements that a worker searches places for */
    PIECE_BYTES = 1 << 16
};
static const uint64_t none = ~(uint64_t)0;

typedef struct part {
    uint64_t dropped, before; /* its own; those of the parts before it */
} part;

typedef struct nearly {
    const ww__sort_buffers *b;
    uint64_t *bits;     /* a bit for each element: whether it is dropped */
    uint32_t *before;   /* of each dropped element: how many are kept before it */
    uint32_t *order[3]; /* in which order they are dropped; sorted with them */
    uint32_t *place;    /* how many of those kept stand before it in the end */
    part *parts;
    uint64_t part_n, part_count; /* part_n is a multiple of 64 */
    uint64_t most, many;         /* of dropped elements */
    uint64_t piece, next;
    bool failed;
} nearly;

static unsigned char *input_at(const nearly *t, uint64_t i) { return ww__key_in(t->b, WW__INPUT, i); }
static bool is_less(const nearly *t, uint64_t i, uint64_t j) {
    return t->b->loops->less(input_at(t, i), input_at(t, j), t->b->s->less->bound) != 0;
}

static void drop(nearly *t, uint64_t i) { t->bits[i / 64] |= (uint64_t)1 << i % 64; }

/* The last kept element from `first` up to, but not, `i`; or none. */
static uint64_t kept_before(const nearly *t, uint64_t first, uint64_t i) {
    while (i > first) {
        const uint64_t word = (i - 1) / 64, up = ~t->bits[word] << (63 - (i - 1) % 64);
        if (up) {
            const uint64_t found = i - 1 - (uint64_t)__builtin_clzll(up);
            return found >= first && found < i ? found : none;
        }
        i = word * 64;
    }
    return none;
}

/* The first one from i on that is kept (dropped), or `end`. */
static uint64_t next_of(const nearly *t, uint64_t i, uint64_t end, bool dropped) {
    while (i < end) {
        const uint64_t word = t->bits[i / 64], down = (dropped ? word : ~word) >> i % 64;
        if (down) return ww__min_u64(i + (uint64_t)__builtin_ctzll(down), end);
        i = (i / 64 + 1) * 64;
    }
    return end;
}

static uint64_t part_first(const nearly *t, uint64_t number) { return ww__min_u64(number * t->part_n, t->b->n); }

static void run(nearly *t, ww__task *task) {
    t->next = 0;
    ww__parallel(t->b->device, t->b->workers, task, t);
}

/* ---- a sample ---- */

static bool looks_so(const ww__sort_buffers *b) {
    const uint64_t step = b->n / WINDOWS;
    size_t unordered = 0;
    for (uint64_t k = 0; k < WINDOWS && unordered <= WINDOWS / UNORDERED; k++)
        unordered += b->loops->sorted(ww__key_in(b, WW__INPUT, k * step), WINDOW, b->s->less->bound) < WINDOW;
    return unordered <= WINDOWS / UNORDERED;
}
_Static_assert((int)WW__SAMPLES_LEAST >= WINDOWS * WINDOW, "windows follow one another");

/* ---- what is dropped ---- */

/* Whether one more may be dropped. */
static bool count_drop(nearly *t, uint64_t *dropped, uint64_t most) {
    if (++*dropped > most || __atomic_load_n(&t->failed, __ATOMIC_RELAXED)) {
        __atomic_store_n(&t->failed, true, __ATOMIC_RELAXED);
        return false;
    }
    return true;
}

/* `top` is the last kept element, `second` the one before it, which may be none. */
static void look_at_part(nearly *t, uint64_t first, uint64_t end) {
    const uint64_t most = (end - first) / DROPPED;
    uint64_t top = first, second = none, dropped = 0;
    unsigned streak = 0;
    for (uint64_t i = first + 1; i < end;) {
        if (top == i - 1) {
            const uint64_t many = t->b->loops->sorted(input_at(t, top), (size_t)(end - top), t->b->s->less->bound);
            if (many > 1) {
                top += many - 1;
                second = top - 1;
                i = top + 1;
                streak = 0;
                continue;
            }
        } else if (!is_less(t, i, top)) {
            second = top;
            top = i++;
            streak = 0;
            continue;
        }
        if (!count_drop(t, &dropped, most)) return;
        if (second == none || !is_less(t, i, second)) {
            drop(t, top);
            top = i++;
        } else if (++streak > STREAK) {
            drop(t, top);
            top = second;
            second = kept_before(t, first, top);
        } else {
            drop(t, i++);
        }
    }
}

static void look_at_parts(void *argument, size_t worker) {
    nearly *t = argument;
    (void)worker;
    for (uint64_t number; (number = ww__claim(&t->next)) < t->part_count;)
        look_at_part(t, part_first(t, number), part_first(t, number + 1));
}

/* Where a part ends, and the next one begins. */
static bool join_at(nearly *t, uint64_t seam) {
    for (unsigned drops = 0; drops < SEAM_MOST; drops++) {
        const uint64_t left = kept_before(t, 0, seam), right = next_of(t, seam, t->b->n, false);
        if (left == none || right == t->b->n || !is_less(t, right, left)) return true;
        const uint64_t second = kept_before(t, 0, left);
        drop(t, second == none || !is_less(t, right, second) ? left : right);
    }
    return false;
}

/* Counts what is dropped; whether it is few. */
static bool count_parts(nearly *t) {
    t->many = 0;
    for (uint64_t number = 0; number < t->part_count; number++) {
        const uint64_t first = part_first(t, number), end = part_first(t, number + 1);
        part *p = &t->parts[number];
        *p = (part){0, t->many};
        for (uint64_t word = first / 64; word < (end + 63) / 64; word++)
            p->dropped += (unsigned)__builtin_popcountll(t->bits[word]);
        t->many += p->dropped;
    }
    return t->many <= t->most;
}

static bool find_dropped(nearly *t) {
    memset(t->bits, 0, (size_t)((t->b->n + 63) / 64) * sizeof *t->bits);
    run(t, look_at_parts);
    for (uint64_t number = 1; number < t->part_count && !t->failed; number++)
        if (!join_at(t, part_first(t, number))) t->failed = true;
    return !t->failed && count_parts(t);
}

/* ---- kept and dropped, to the scratch copy: one behind the other ---- */

static void copy(const nearly *t, int to, uint64_t to_first, int from, uint64_t first, uint64_t n) {
    const ww__sort_buffers *b = t->b;
    memcpy(ww__key_in(b, to, to_first), ww__key_in(b, from, first), n * b->key_size);
    if (b->value_size) memcpy(ww__value_in(b, to, to_first), ww__value_in(b, from, first), n * b->value_size);
}

static void part_them(void *argument, size_t worker) {
    nearly *t = argument;
    const uint64_t kept = t->b->n - t->many;
    (void)worker;
    for (uint64_t number; (number = ww__claim(&t->next)) < t->part_count;) {
        const uint64_t end = part_first(t, number + 1);
        uint64_t j = t->parts[number].before;
        for (uint64_t i = part_first(t, number); i < end; i++) {
            const uint64_t until = next_of(t, i, end, true);
            if (until > i) copy(t, WW__SCRATCH, i - j, WW__INPUT, i, until - i);
            i = until;
            if (i == end) break;
            copy(t, WW__SCRATCH, kept + j, WW__INPUT, i, 1);
            t->before[j] = (uint32_t)(i - j);
            t->order[0][j] = (uint32_t)j;
            j++;
        }
    }
}

/* Nothing is in the result's place any more: there is room. */
static ww_status sort_dropped(nearly *t) {
    const ww__sort_buffers *b = t->b;
    ww__sort_buffers few = *b;
    few.n = b->device->on_paper ? t->most : t->many;
    few.value_size = sizeof **t->order;
    if (b->device->on_paper) return ww__samples_sort(&few);
    few.keys[WW__INPUT] = ww__key_in(b, WW__SCRATCH, b->n - few.n);
    few.keys[WW__RESULT] = b->keys[WW__RESULT];
    few.keys[WW__SCRATCH] = ww__key_in(b, WW__RESULT, few.n);
    few.values[WW__INPUT] = (unsigned char *)t->order[0];
    few.values[WW__RESULT] = (unsigned char *)t->order[1];
    few.values[WW__SCRATCH] = (unsigned char *)t->order[2];
    WW_TRY(ww__samples_sort(&few));
    memcpy(few.keys[WW__INPUT], few.keys[WW__RESULT], (size_t)few.n * b->key_size);
    return WW_OK;
}

/* ---- places ---- */

static uint64_t bound_of(const nearly *t, uint64_t first, uint64_t n, uint64_t needle, bool upper) {
    uint64_t rank;
    t->b->loops->bound(&rank, ww__key_in(t->b, WW__SCRATCH, first), (size_t)n, ww__key_in(t->b, WW__SCRATCH, needle), 1,
                       upper, t->b->s->less->bound);
    return rank;
}

static void find_places(void *argument, size_t worker) {
    nearly *t = argument;
    const ww__sort_buffers *b = t->b;
    const uint64_t kept = b->n - t->many;
    (void)worker;
    for (uint64_t j; (j = ww__claim(&t->next) * BLOCK) < t->many;) {
        const size_t m = (size_t)ww__min_u64(BLOCK, t->many - j);
        const uint64_t low = bound_of(t, 0, kept, kept + j, false);
        const size_t n = (size_t)bound_of(t, low, kept - low, kept + j + m - 1, true);
        const unsigned char *from = ww__key_in(b, WW__SCRATCH, low), *needles = ww__key_in(b, WW__SCRATCH, kept + j);
        uint64_t least[BLOCK], most[BLOCK];
        b->loops->bound(least, from, n, needles, m, 0, b->s->less->bound);
        b->loops->bound(most, from, n, needles, m, 1, b->s->less->bound);
        for (size_t k = 0; k < m; k++) {
            const uint64_t own = t->before[t->order[1][j + k]];
            const uint64_t at = own > low + most[k] ? low + most[k] : own;
            t->place[j + k] = (uint32_t)(at > low + least[k] ? at : low + least[k]);
        }
    }
}

static void raise_places(nearly *t) {
    for (uint64_t j = 1; j < t->many; j++)
        if (t->place[j] < t->place[j - 1]) t->place[j] = t->place[j - 1];
}

/* ---- the result ---- */

/* The first dropped element that stands at `i` or behind it. */
static uint64_t dropped_from(const nearly *t, uint64_t i) {
    uint64_t low = 0, high = t->many;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (t->place[middle] + middle < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_dropped(const nearly *t, uint64_t i, uint64_t j) {
    const ww__sort_buffers *b = t->b;
    const uint64_t kept = b->n - t->many;
    memcpy(ww__key_in(b, WW__RESULT, i), ww__key_in(b, WW__SCRATCH, kept + j), b->key_size);
    if (b->value_size)
        memcpy(ww__value_in(b, WW__RESULT, i), ww__value_in(b, WW__SCRATCH, kept + t->order[1][j]), b->value_size);
}

static void put_pieces(void *argument, size_t worker) {
    nearly *t = argument;
    const ww__sort_buffers *b = t->b;
    const bool streaming = ww__streams(b->device, b->n * (b->key_size + b->value_size));
    (void)worker;
    for (uint64_t i; (i = ww__claim(&t->next) * t->piece) < b->n;) {
        const uint64_t end = ww__min_u64(i + t->piece, b->n);
        for (uint64_t j = dropped_from(t, i); i < end;) {
            const uint64_t next = j < t->many ? t->place[j] + j : b->n, n = ww__min_u64(next, end) - i;
            if (n) {
                ww__stream_memory(b->device, ww__key_in(b, WW__RESULT, i), ww__key_in(b, WW__SCRATCH, i - j),
                                  n * b->key_size, streaming);
                if (b->value_size)
                    ww__stream_memory(b->device, ww__value_in(b, WW__RESULT, i), ww__value_in(b, WW__SCRATCH, i - j),
                                      n * b->value_size, streaming);
                i += n;
            }
            if (i < end) put_dropped(t, i++, j++);
        }
    }
    ww__stream_done();
}

/* ---- the whole ---- */

static ww_status take_room(nearly *t) {
    ww_device *device = t->b->device;
    const uint64_t wanted = PARTS_A_WORKER * t->b->workers, most = t->b->n / PART_LEAST + 1;
    t->part_count = ww__min_u64(wanted, most);
    t->part_n = (t->b->n / t->part_count / 64 + 1) * 64;
    t->most = t->b->n / DROPPED;
    t->piece = PIECE_BYTES / (t->b->key_size + t->b->value_size) + 1;
    WW_TRY(ww__scratch_array(device, (t->b->n + 63) / 64, sizeof *t->bits, &t->bits));
    WW_TRY(ww__scratch_array(device, t->part_count, sizeof *t->parts, &t->parts));
    WW_TRY(ww__scratch_array(device, t->most, sizeof *t->before, &t->before));
    for (size_t k = 0; k < 3; k++) WW_TRY(ww__scratch_array(device, t->most, sizeof *t->order[k], &t->order[k]));
    t->place = t->order[2];
    return WW_OK;
}

static ww_status sort_all(nearly *t, bool *done) {
    WW_TRY(take_room(t));
    if (!t->b->device->on_paper) {
        if (!find_dropped(t)) return WW_OK;
        run(t, part_them);
    }
    WW_TRY(sort_dropped(t));
    if (t->b->device->on_paper) return WW_OK;
    run(t, find_places);
    raise_places(t);
    run(t, put_pieces);
    *done = true;
    return WW_OK;
}

ww_status ww__nearly_sort(const ww__sort_buffers *b, bool *done) {
    nearly t = {.b = b};
    *done = false;
    if (!b->device->on_paper && !looks_so(b)) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(b->device);
    const ww_status status = sort_all(&t, done);
    ww__scratch_back(b->device, &mark);
    return status;
}

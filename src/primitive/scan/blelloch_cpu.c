/* Blelloch's scan (Prefix sums and their applications, 1990) over a binary tree, for any number of elements n. A node of
 * size 2 d covers elements k … k + 2 d - 1, k a multiple of 2 d; l = k + d - 1 is the last element of its left child,
 * r = k + 2 d - 1 of its right one.
 *
 *     up-sweep: for d := 1, 2, 4, …                 x[r] becomes the sum of its node
 *         forall whole nodes in parallel do x[r] := x[l] + x[r]
 *     down-sweep: for d := …, 4, 2, 1               x[r], the sum of all before the node, goes to both children
 *         forall whole nodes in parallel do t := x[l]; x[l] := x[r]; x[r] := x[r] + t
 *
 * The order of the last sum is what makes operators that do not commute right. On each level at most one node reaches
 * past n; the sum of all before it has no element to stand in and is kept in `spine`, which starts with the root (the
 * initial value) and ends where the nodes come out even. Work O(n), 2 log2 n supersteps. What comes out is the
 * exclusive scan; the inclusive one is it + the input.
 *
 * With segments (Sengupta, Harris, Zhang and Owens, 2007) up[i] says whether the node that ends at i has a head, and x[i] is
 * the sum of what follows its last head:
 *
 *     up:   if not up[r] then x[r] := x[l] + x[r];   up[r] := up[l] or up[r]
 *     down: t := x[l]; x[l] := x[r]
 *           x[r] := the initial value                if the right child begins with a head
 *                   the initial value + t            if there is a head in the left child
 *                   x[r] + t                         otherwise
 */
#include "primitive/scan/heads.h"
#include "primitive/scan/superstep.h"

typedef struct job {
    const ww__scanning *s;
    const ww_combine_loops *loops;
    const void *anew; /* the initial value or the identity */
    size_t size, at_once;
    unsigned char *x;    /* the tree */
    uint8_t *heads, *up; /* of segments, else NULL */
    /* Of each worker: four arrays of at_once elements, and what reading the inputs needs. */
    unsigned char *rooms;
    size_t room, part;
    uint64_t d;
} job;

static unsigned char *room_of(const job *j, size_t worker, size_t array) {
    return j->rooms + worker * j->room + array * j->part;
}

static void begin(void *argument, size_t worker, uint64_t first, size_t n) {
    const job *j = argument;
    if (j->heads) {
        ww__heads_read(j->s, first, n, j->heads + first, room_of(j, worker, 4));
        memcpy(j->up + first, j->heads + first, n);
    }
    memcpy(j->x + first * j->size, ww__input_read(j->s->device, j->s->in, first, n, room_of(j, worker, 4)),
           n * j->size);
}

static void sweep_up(void *argument, size_t worker, uint64_t node, size_t n) {
    const job *j = argument;
    const size_t size = j->size, stride = 2 * j->d;
    unsigned char *left = room_of(j, worker, 0), *right = room_of(j, worker, 1), *sum = room_of(j, worker, 2);
    const uint64_t l = node * stride + j->d - 1, r = l + j->d;
    ww__move(left, 1, j->x + l * size, stride, n, size);
    ww__move(right, 1, j->x + r * size, stride, n, size);
    j->loops->pairwise(sum, left, right, n, j->s->op->bound);
    for (size_t i = 0; j->heads && i < n; i++) {
        uint8_t *up = j->up + r + i * stride;
        if (*up) memcpy(sum + i * size, right + i * size, size);
        *up |= j->up[l + i * stride];
    }
    ww__move(j->x + r * size, stride, sum, 1, n, size);
}

/* What precedes each of n right children: from what precedes the node, the sum of the left child, and heads. */
static void precede(const job *j, uint64_t l, const void *before, const void *left, unsigned char *result, size_t n) {
    const size_t size = j->size, stride = 2 * j->d;
    const unsigned char *t = left;
    j->loops->pairwise(result, before, left, n, j->s->op->bound);
    for (size_t i = 0; j->heads && i < n; i++) {
        const uint64_t at = l + i * stride;
        if (j->heads[at + 1])
            memcpy(result + i * size, j->anew, size);
        else if (j->up[at] && j->s->initial)
            j->loops->prefix(result + i * size, j->s->initial, t + i * size, 1, j->s->op->bound);
        else if (j->up[at])
            memcpy(result + i * size, t + i * size, size);
    }
}

static void sweep_down(void *argument, size_t worker, uint64_t node, size_t n) {
    const job *j = argument;
    const size_t size = j->size, stride = 2 * j->d;
    unsigned char *left = room_of(j, worker, 0), *before = room_of(j, worker, 1), *after = room_of(j, worker, 2);
    const uint64_t l = node * stride + j->d - 1, r = l + j->d;
    ww__move(left, 1, j->x + l * size, stride, n, size);
    ww__move(before, 1, j->x + r * size, stride, n, size);
    precede(j, l, before, left, after, n);
    ww__move(j->x + l * size, stride, before, 1, n, size);
    ww__move(j->x + r * size, stride, after, 1, n, size);
}

/* The node of this level that reaches past the end: its left child gets what precedes it, if it is whole. */
static void sweep_spine(const job *j, unsigned char *spine) {
    const uint64_t n = j->s->in->count, rest = n % (2 * j->d), l = n - rest + j->d - 1;
    if (rest < j->d) return; /* the left child is the one that reaches past the end (or there is none) */
    unsigned char *left = room_of(j, 0, 0), *after = room_of(j, 0, 1);
    memcpy(left, j->x + l * j->size, j->size);
    memcpy(j->x + l * j->size, spine, j->size);
    if (rest == j->d) return; /* and there is no right child */
    precede(j, l, spine, left, after, 1);
    memcpy(spine, after, j->size);
}

/* From the exclusive scan in the tree to what is wanted. */
static void finish(void *argument, size_t worker, uint64_t first, size_t n) {
    const job *j = argument;
    const size_t size = j->size;
    unsigned char *out = (unsigned char *)j->s->out->data + first * size, *results = room_of(j, worker, 0);
    const unsigned char *before = j->x + first * size;
    if (!j->s->exclusive) {
        j->loops->pairwise(results, before, ww__input_read(j->s->device, j->s->in, first, n, room_of(j, worker, 4)), n,
                           j->s->op->bound);
        before = results;
    }
    memcpy(out, before, n * size);
}

static ww_status prepare(job *j, bool segmented, unsigned char **last, unsigned char **spine) {
    const ww__scanning *s = j->s;
    const uint64_t n = s->in->count;
    const size_t in_room = ww__input_room(s->in, j->at_once),
                 heads_room = segmented ? ww__heads_room(s, j->at_once) : 0;
    j->part = ww__round_up(j->at_once * j->size, 64);
    j->room = ww__round_up(4 * j->part + (in_room > heads_room ? in_room : heads_room), 64);
    WW_TRY(ww__scratch_array(s->device, n, j->size, &j->x));
    if (segmented) {
        WW_TRY(ww__scratch(s->device, n, &j->heads));
        WW_TRY(ww__scratch(s->device, n, &j->up));
    }
    WW_TRY(ww__scratch_array(s->device, ww__workers(s->device, n * j->size), j->room, &j->rooms));
    WW_TRY(ww__scratch(s->device, j->size, last));
    WW_TRY(ww__scratch(s->device, j->size, spine));
    if (s->device->on_paper) return WW_OK;
    memcpy(*last, ww__input_read(s->device, s->in, n - 1, 1, j->rooms), j->size);
    memcpy(*spine, j->anew, j->size);
    return WW_OK;
}

ww_status ww__scan_blelloch_cpu(const ww__scanning *s) {
    const uint64_t n = s->in->count;
    const size_t size = s->in->size, tile = ww__tile(size);
    job j = {.s = s,
             .loops = ww__loops(s->device, s->op),
             .anew = s->initial ? s->initial : s->op->identity,
             .size = size,
             .at_once = tile > 2 ? tile / 2 : 1,
             .d = 1};
    unsigned char *last, *spine;
    WW_TRY(prepare(&j, s->heads || s->keys, &last, &spine));
    if (s->device->on_paper) return WW_OK;
    ww__trace(s->device, "blelloch", s->op, n, 6 * n * size, ww__workers(s->device, n * size));
    ww__superstep_run(s->device, n * size, n, j.at_once, begin, &j);
    for (; 2 * j.d <= n; j.d *= 2) ww__superstep_run(s->device, n / j.d * size, n / (2 * j.d), j.at_once, sweep_up, &j);
    if (j.d == n)
        memcpy(j.x + (n - 1) * size, spine, size); /* a whole root */
    else
        j.d *= 2; /* n lies between: the root reaches past the end */
    for (j.d /= 2; j.d; j.d /= 2) {
        sweep_spine(&j, spine);
        ww__superstep_run(s->device, n / j.d * size, n / (2 * j.d), j.at_once, sweep_down, &j);
    }
    if (s->total) j.loops->pairwise(s->total, j.x + (n - 1) * size, last, 1, s->op->bound);
    ww__superstep_run(s->device, n * size, n, j.at_once, finish, &j);
    return WW_OK;
}

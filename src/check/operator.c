/* The laws of an operator, on samples: its identity, associativity, and that it commutes if it says so.
 *
 * Rounding is no fault. Where elements have floats, two results differ when one is far from the other, by more than 2^-10 of the
 * largest number at that place among arguments and results (double: 2^-20), and by more than 64 times what they move by when each
 * argument, and what is between, is moved by an ulp, in eight ways. A sum that cancels moves by as much as it is off; an operator
 * that is not associative does not. Where an infinity or a NaN comes in, results are compared only if each is one of the arguments:
 * then nothing was rounded (the larger of two, where one is a NaN). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/checks.h"

enum { SAMPLES = 48, TRIPLES = 400, NUDGES = 8, TIMES = 64 };

/* Arguments and what is made of them: pointers into the room. */
enum { A, B, C, AB, BC, LEFT, RIGHT, AGAIN, AT_FIRST, NA, NB, NC, NAB, NBC, PLACES };

typedef struct trial {
    ww_device *device;
    const ww_function *f;
    ww__members m;
    size_t size;
    ww__samples x;
    unsigned char *at[PLACES];
    uint64_t random;
} trial;

/* The one place that calls it. */
static void combine(const trial *t, void *out, const void *a, const void *b) {
    const ww_combine_loops *loops = ww__loops(t->device, t->f);
    loops->pairwise(out, a, b, 1, t->f->bound);
}

static ww__shown show(const trial *t, const void *element) { return ww__show(&t->m, t->size, element); }

/* ---- whether results differ ---- */

/* The ways to compute two results from arguments, which are in places A, B and C. */
typedef void making(trial *t, int a, int b, int c, int ab, int bc, bool nudge);

static void nudge_if(trial *t, int place, bool nudge) {
    if (nudge) ww__members_nudge(&t->m, t->at[place], &t->random);
}

static void associate(trial *t, int a, int b, int c, int ab, int bc, bool nudge) {
    combine(t, t->at[ab], t->at[a], t->at[b]);
    combine(t, t->at[bc], t->at[b], t->at[c]);
    nudge_if(t, ab, nudge);
    nudge_if(t, bc, nudge);
    combine(t, t->at[LEFT], t->at[ab], t->at[c]);
    combine(t, t->at[RIGHT], t->at[a], t->at[bc]);
}

static void commute(trial *t, int a, int b, int c, int ab, int bc, bool nudge) {
    (void)c, (void)ab, (void)bc, (void)nudge;
    combine(t, t->at[LEFT], t->at[a], t->at[b]);
    combine(t, t->at[RIGHT], t->at[b], t->at[a]);
}

/* What was found of one law: the results as they are, in LEFT and RIGHT, are kept here while others are made. */
typedef struct results {
    const unsigned char *left, *right;
    int arguments; /* places A … */
} results;

static bool is_argument(const trial *t, const void *result, int arguments) {
    for (int p = A; p < A + arguments; p++)
        if (ww__members_same(&t->m, t->at[p], result, false)) return true;
    return false;
}

static bool all_finite(const trial *t, const results *r) {
    for (int p = A; p < A + r->arguments; p++)
        if (!ww__members_finite(&t->m, t->at[p])) return false;
    return ww__members_finite(&t->m, r->left) && ww__members_finite(&t->m, r->right);
}

/* Not fmax: the library needs no libm. */
static double larger(double a, double b) { return a > b ? a : b; }

/* The largest number at a place of an element. */
static double largest(const trial *t, const ww__member *m, size_t k, const results *r) {
    double most = larger(fabs(ww__member_float(m, r->left, k)), fabs(ww__member_float(m, r->right, k)));
    for (int p = A; p < A + r->arguments; p++) most = larger(most, fabs(ww__member_float(m, t->at[p], k)));
    return most;
}

/* How far one float of the results is from that of nudged ones. */
static double moved(const trial *t, const ww__member *m, size_t k, const results *r) {
    return larger(fabs(ww__member_float(m, r->left, k) - ww__member_float(m, t->at[LEFT], k)),
                  fabs(ww__member_float(m, r->right, k) - ww__member_float(m, t->at[RIGHT], k)));
}

static bool far_apart(const trial *t, const ww__member *m, size_t k, const results *r, double by) {
    const double apart = fabs(ww__member_float(m, r->left, k) - ww__member_float(m, r->right, k));
    const double gross = m->size == sizeof(double) ? 0x1p-20 : m->size == sizeof(float) ? 0x1p-10 : 0x1p-5;
    /* Not so for numbers that are no longer exact since they are so small. */
    const double least = m->size == sizeof(double)                ? DBL_MIN
                         : m->size == sizeof(float) || m->is_bf16 ? FLT_MIN
                                                                  : 0x1p-14;
    return apart > gross * largest(t, m, k, r) + least && !(apart <= TIMES * by);
}

static bool members_apart(const trial *t, const ww__member *m, size_t k, const results *r) {
    if (m->kind == WW_KIND_FLOAT) return far_apart(t, m, k, r, 0);
    const size_t at = m->offset + k * m->size;
    return memcmp(r->left + at, r->right + at, m->size) != 0;
}

/* Whether that difference is explained by what nudged arguments make. An integer is if it moves at all. */
static bool explained(trial *t, making *make, const ww__member *m, size_t k, const results *r) {
    double by = 0;
    for (int n = 0; n < NUDGES; n++) {
        for (int p = 0; p < r->arguments; p++) {
            memcpy(t->at[NA + p], t->at[A + p], t->size);
            ww__members_nudge(&t->m, t->at[NA + p], &t->random);
        }
        make(t, NA, NB, NC, NAB, NBC, true);
        if (!ww__members_finite(&t->m, t->at[LEFT]) || !ww__members_finite(&t->m, t->at[RIGHT])) return true;
        const size_t at = m->offset + k * m->size;
        if (m->kind == WW_KIND_FLOAT)
            by = larger(by, moved(t, m, k, r));
        else if (memcmp(t->at[LEFT] + at, r->left + at, m->size) || memcmp(t->at[RIGHT] + at, r->right + at, m->size))
            return true;
    }
    return m->kind == WW_KIND_FLOAT && !far_apart(t, m, k, r, by);
}

static bool differ(trial *t, making *make, const results *r) {
    if (ww__members_same(&t->m, r->left, r->right, false)) return false;
    if (!t->m.floats) return true;
    if (!all_finite(t, r)) return is_argument(t, r->left, r->arguments) && is_argument(t, r->right, r->arguments);
    for (const ww__member *m = t->m.member; m < t->m.member + t->m.many; m++)
        for (size_t k = 0; k < m->count; k++)
            if (members_apart(t, m, k, r) && !explained(t, make, m, k, r)) return true;
    return false;
}

/* ---- laws ---- */

/* Whether the results that `make` has left are different; they are kept in places AB and BC, which it no longer needs. */
static bool breaks(trial *t, making *make, int arguments) {
    make(t, A, B, C, AB, BC, false);
    memcpy(t->at[AB], t->at[LEFT], t->size);
    memcpy(t->at[BC], t->at[RIGHT], t->size);
    const results r = {t->at[AB], t->at[BC], arguments};
    return differ(t, make, &r);
}

static void set(trial *t, int place, const void *element) { memcpy(t->at[place], element, t->size); }

static ww_status try_three(trial *t, const void *a, const void *b, const void *c) {
    set(t, A, a);
    set(t, B, b);
    set(t, C, c);
    WW_CHECK(t->device, !breaks(t, associate, 3), WW_INVALID,
             WW__PLACE " is not associative: (a + b) + c = %s, a + (b + c) = %s for a = %s, b = %s, c = %s",
             WW__PLACE_OF(t->f), show(t, t->at[AB]).text, show(t, t->at[BC]).text, show(t, t->at[A]).text,
             show(t, t->at[B]).text, show(t, t->at[C]).text);
    return WW_OK;
}

/* `before` is what it made of these when it was called before. */
static ww_status call_again(trial *t, const void *a, const void *b, int before) {
    combine(t, t->at[AGAIN], a, b);
    WW_CHECK(t->device, ww__members_same(&t->m, t->at[before], t->at[AGAIN], true), WW_INVALID,
             WW__PLACE " is not pure: for a = %s and b = %s it returned %s, and %s when it was called again",
             WW__PLACE_OF(t->f), show(t, a).text, show(t, b).text, show(t, t->at[before]).text,
             show(t, t->at[AGAIN]).text);
    return WW_OK;
}

static ww_status try_two(trial *t, const void *a, const void *b) {
    set(t, A, a);
    set(t, B, b);
    combine(t, t->at[LEFT], a, b);
    WW_TRY(call_again(t, a, b, LEFT));
    if (!(t->f->flags & WW_COMMUTES)) return WW_OK;
    WW_CHECK(t->device, !breaks(t, commute, 2), WW_INVALID,
             WW__PLACE " is declared to commute (WW_COMMUTES), but does not: a + b = %s, b + a = %s for a = %s, b = %s",
             WW__PLACE_OF(t->f), show(t, t->at[AB]).text, show(t, t->at[BC]).text, show(t, a).text, show(t, b).text);
    return WW_OK;
}

/* What identity + x is to be, and is: far from it, or NaN where x is a number. */
static bool is_changed(trial *t, const void *x, const unsigned char *result) {
    const results r = {x, result, 1};
    if (ww__members_same(&t->m, x, result, false)) return false;
    if (!t->m.floats || !ww__members_finite(&t->m, result)) return true;
    if (!ww__members_finite(&t->m, x)) return is_argument(t, result, 2);
    for (const ww__member *m = t->m.member; m < t->m.member + t->m.many; m++)
        for (size_t k = 0; k < m->count; k++)
            if (members_apart(t, m, k, &r)) return true;
    return false;
}

static ww_status try_identity(trial *t, const void *x) {
    set(t, A, x);
    set(t, B, t->f->identity);
    combine(t, t->at[LEFT], t->f->identity, x);
    combine(t, t->at[RIGHT], x, t->f->identity);
    for (int side = 0; side < 2; side++)
        WW_CHECK(t->device, !is_changed(t, x, t->at[side ? RIGHT : LEFT]), WW_INVALID,
                 WW__PLACE " has no identity in %s: %s = %s for x = %s", WW__PLACE_OF(t->f),
                 show(t, t->f->identity).text, side ? "x + identity" : "identity + x",
                 show(t, t->at[side ? RIGHT : LEFT]).text, show(t, x).text);
    return WW_OK;
}

/* A sample. Those that combine ordered elements get them in order, as they are in calls. */
static const void *pick(trial *t, size_t from, size_t *at) {
    *at = from + (size_t)(ww__random(&t->random) % (t->x.many - from));
    return ww__sample(&t->x, *at);
}

static ww_status try_picked(trial *t) {
    size_t at = 0;
    const bool ordered = !(t->f->flags & WW_COMMUTES);
    const void *const a = pick(t, 0, &at), *const b = pick(t, ordered ? at : 0, &at),
                      *const c = pick(t, ordered ? at : 0, &at);
    WW_TRY(try_two(t, a, b));
    return try_three(t, a, b, c);
}

static ww_status try_laws(trial *t) {
    const ww__samples *x = &t->x;
    const void *const ends[] = {ww__sample(x, 0), ww__sample(x, x->many - 1)};
    combine(t, t->at[AT_FIRST], ends[0], ends[1]);
    for (size_t i = 0; i < x->many; i++) WW_TRY(try_identity(t, ww__sample(x, i)));
    for (size_t i = 0; i + 2 < x->many; i++)
        WW_TRY(try_three(t, ww__sample(x, i), ww__sample(x, i + 1), ww__sample(x, i + 2)));
    for (size_t i = 0; i < TRIPLES; i++) WW_TRY(try_picked(t));
    return call_again(t, ends[0], ends[1], AT_FIRST);
}

ww_status ww__checks_operator(ww_device *device, const ww_function *op, const ww_input *input) {
    if (ww__is_built_in(op)) return WW_OK;
    WW_TRY(ww__check_text(device, op));
    ww__check_pointers(device, op, op->bound, op->bound_count);
    trial t = {.device = device, .f = op, .size = input->size, .random = 1};
    device->checks->used = 0;
    ww__members_of(input->type, input->size, &t.m);
    WW_TRY(ww__samples_take(device, input, SAMPLES, &t.m, &t.x));
    for (int p = 0; p < PLACES; p++)
        if (!(t.at[p] = ww__check_take(device->checks, 1, t.size))) return WW_OK;
    const uint64_t digest = ww__environment_digest(op, op->bound, op->bound_count);
    if (t.x.many) WW_TRY(try_laws(&t));
    WW_CHECK(device, digest == ww__environment_digest(op, op->bound, op->bound_count), WW_INVALID,
             WW__PLACE " is not pure: it changes its environment", WW__PLACE_OF(op));
    return WW_OK;
}

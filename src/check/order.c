/* The laws of a strict weak order, on samples.
 *
 * All pairs are compared. In such an order the number of elements before one is its rank, and a goes before b where its rank is
 * lower; and what is so, is such an order. So a pair for which that does not hold shows that it is none, and with a third
 * element, which is looked for then, makes the sentence. */
#include <string.h>

#include "check/checks.h"

enum { SAMPLES = 128 };

typedef struct trial {
    ww_device *device;
    const ww_function *f;
    ww__members m;
    size_t many, size;
    const unsigned char *x; /* many elements */
    uint8_t *before;        /* [many * a + b]: a goes before b */
    uint32_t *rank;
} trial;

static const void *element(const trial *t, size_t i) { return t->x + i * t->size; }

/* The one place that calls it. */
static bool goes_before(const trial *t, size_t a, size_t b) {
    const ww_less_loops *loops = ww__loops(t->device, t->f);
    return loops->less(element(t, a), element(t, b), t->f->bound);
}

static ww__shown show(const trial *t, size_t i) { return ww__show(&t->m, t->size, element(t, i)); }

static bool before(const trial *t, size_t a, size_t b) { return t->before[a * t->many + b]; }

/* A NaN is the usual reason. */
static const char *hint(const trial *t, size_t a, size_t b, size_t c) {
    const size_t three[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (ww__members_nan(&t->m, element(t, three[i])))
            return ". There are NaNs in the data, and < does not order these: ask for them first, or use the built-in order of "
                   "floats";
    return "";
}

static ww_status one(const trial *t, size_t a) {
    return ww__fail(t->device, WW_INVALID,
                    WW__PLACE
                    " is not a strict weak order: a goes before itself, for a = %s; <= in place of < does that",
                    WW__PLACE_OF(t->f), show(t, a).text);
}

static ww_status two(const trial *t, size_t a, size_t b) {
    return ww__fail(t->device, WW_INVALID,
                    WW__PLACE " is not a strict weak order: a goes before b and b before a, for a = %s, b = %s",
                    WW__PLACE_OF(t->f), show(t, a).text, show(t, b).text);
}

static ww_status three(const trial *t, const char *what, size_t a, size_t b, size_t c) {
    return ww__fail(t->device, WW_INVALID, WW__PLACE " is not a strict weak order: %s, for a = %s, b = %s, c = %s%s",
                    WW__PLACE_OF(t->f), what, show(t, a).text, show(t, b).text, show(t, c).text, hint(t, a, b, c));
}

/* a < b < c and not a < c; or a and b, b and c in no order, and a < c. The pair (a, c) has shown that there is such a b, but not always
 * with itself: all are tried. */
static ww_status find_third(const trial *t) {
    for (size_t a = 0; a < t->many; a++)
        for (size_t c = 0; c < t->many; c++)
            for (size_t b = 0; b < t->many; b++) {
                if (before(t, a, b) && before(t, b, c) && !before(t, a, c))
                    return three(t, "a goes before b and b before c, but a not before c", a, b, c);
                if (before(t, a, c) && !before(t, a, b) && !before(t, b, a) && !before(t, b, c) && !before(t, c, b))
                    return three(t, "neither of a and b goes before the other, nor of b and c, but a goes before c", a,
                                 b, c);
            }
    return WW_OK;
}

static ww_status compare_all(trial *t) {
    memset(t->rank, 0, t->many * sizeof *t->rank);
    for (size_t a = 0; a < t->many; a++)
        for (size_t b = 0; b < t->many; b++) {
            t->before[a * t->many + b] = goes_before(t, a, b);
            t->rank[b] += t->before[a * t->many + b];
        }
    for (size_t a = 0; a < t->many; a++) {
        if (before(t, a, a)) return one(t, a);
        for (size_t b = 0; b < a; b++)
            if (before(t, a, b) && before(t, b, a)) return two(t, b, a);
    }
    return WW_OK;
}

static ww_status look_at_ranks(const trial *t) {
    for (size_t a = 0; a < t->many; a++)
        for (size_t b = 0; b < t->many; b++)
            if (before(t, a, b) != (t->rank[a] < t->rank[b])) return find_third(t);
    return WW_OK;
}

/* From the last pair to the first. */
static ww_status compare_again(const trial *t, uint64_t digest) {
    for (size_t p = t->many * t->many; p-- > 0;) {
        const size_t a = p / t->many, b = p % t->many;
        WW_CHECK(t->device, goes_before(t, a, b) == before(t, a, b), WW_INVALID,
                 WW__PLACE " is not pure: called again, it no longer says the same, for a = %s, b = %s",
                 WW__PLACE_OF(t->f), show(t, a).text, show(t, b).text);
    }
    WW_CHECK(t->device, digest == ww__environment_digest(t->f, t->f->bound, t->f->bound_count), WW_INVALID,
             WW__PLACE " is not pure: it changes its environment", WW__PLACE_OF(t->f));
    return WW_OK;
}

/* Those of both inputs together. */
static bool join(ww__checks *c, trial *t, const ww__samples *a, const ww__samples *b) {
    unsigned char *const x = ww__check_take(c, a->many + b->many, t->size);
    t->many = a->many + b->many;
    if (!x) return false;
    if (a->many) memcpy(x, a->data, a->many * t->size);
    if (b->many) memcpy(x + a->many * t->size, b->data, b->many * t->size);
    t->x = x;
    t->before = ww__check_take(c, t->many * t->many, 1);
    t->rank = ww__check_take(c, t->many, sizeof *t->rank);
    return t->before && t->rank;
}

ww_status ww__checks_order(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b) {
    if (ww__is_built_in(less)) return WW_OK;
    WW_TRY(ww__check_text(device, less));
    ww__check_pointers(device, less, less->bound, less->bound_count);
    trial t = {.device = device, .f = less, .size = a->size};
    ww__samples of_a, of_b = {0, 0, NULL};
    device->checks->used = 0;
    ww__members_of(a->type, a->size, &t.m);
    WW_TRY(ww__samples_take(device, a, b ? SAMPLES / 2 : SAMPLES, &t.m, &of_a));
    if (b) WW_TRY(ww__samples_take(device, b, SAMPLES / 2, &t.m, &of_b));
    if (!join(device->checks, &t, &of_a, &of_b)) return WW_OK;
    const uint64_t digest = ww__environment_digest(less, less->bound, less->bound_count);
    WW_TRY(compare_all(&t));
    WW_TRY(compare_again(&t, digest));
    return look_at_ranks(&t);
}

/* The merge path says what n elements are the first. Inside a run of equal elements, of which a merge takes a's first, the
 * loop passes pairs first, then what one input has more of: so the cut is moved to what the loop has passed of the run
 * after as many elements (the balanced path of Baxter's moderngpu). */
#include "primitive/set/set_cut.h"

#include <string.h>

/* How many elements from `first` on equal the key, `most` at most. */
static uint64_t equals(const ww_less_loops *loops, const void *environment, const ww__sorted *s, uint64_t first,
                       uint64_t most, const void *key) {
    const ww__span near = {first, first + ww__min_u64(most, s->input->count - first)};
    return ww__path_bound(loops, environment, s, near, key, true) - first;
}

ww__place ww__set_cut(const ww_less_loops *loops, const void *environment, const ww__sorted *a, const ww__sorted *b,
                      void *key, ww__place from, uint64_t n) {
    const uint64_t na = a->input->count, nb = b->input->count;
    if (n >= (na - from.a) + (nb - from.b)) return (ww__place){na, nb};
    const uint64_t i = from.a +
                       ww__path_cut(loops, environment, a, (ww__span){from.a, na}, b, (ww__span){from.b, nb}, n);
    const uint64_t j = from.b + (n - (i - from.a));
    /* The next element of the merge, and where the run of its equals begins. */
    const void *next = i < na ? ww__sorted_at(a, i) : NULL;
    const void *other = j < nb ? ww__sorted_at(b, j) : NULL;
    if (!next || (other && loops->less(other, next, environment))) next = other;
    memcpy(key, next, a->input->size);
    const ww__place run = {ww__path_bound(loops, environment, a, (ww__span){from.a, i}, key, false),
                           ww__path_bound(loops, environment, b, (ww__span){from.b, j}, key, false)};
    const uint64_t passed = (i - run.a) + (j - run.b);
    if (!passed) return (ww__place){i, j};
    const uint64_t equals_a = equals(loops, environment, a, run.a, passed, key),
                   equals_b = equals(loops, environment, b, run.b, passed, key);
    const uint64_t pairs = ww__min_u64(passed / 2, ww__min_u64(equals_a, equals_b));
    const uint64_t alone = pairs == passed / 2 ? 0 : passed - 2 * pairs;
    ww__place to = {run.a + pairs, run.b + pairs};
    if (pairs == equals_b)
        to.a += ww__min_u64(alone, equals_a - pairs);
    else
        to.b += ww__min_u64(alone, equals_b - pairs);
    /* Inputs that are not sorted could stop it here. */
    return to.a > from.a || to.b > from.b ? to : (ww__place){i, j};
}

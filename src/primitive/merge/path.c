#include "primitive/merge/path.h"

ww__sorted ww__sorted_of(const ww_device *device, const ww_input *input, void *buffer) {
    return (ww__sorted){device, input, ww__input_memory(input), buffer};
}

uint64_t ww__path_cut(const ww_less_loops *loops, const void *environment, const ww__sorted *a, ww__span in_a,
                      const ww__sorted *b, ww__span in_b, uint64_t diagonal) {
    const uint64_t na = in_a.end - in_a.first, nb = in_b.end - in_b.first;
    uint64_t low = diagonal > nb ? diagonal - nb : 0, high = diagonal < na ? diagonal : na;
    /* a's element `middle` is among the first where b's element diagonal - 1 - middle does not go before it. */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const void *y = ww__sorted_at(b, in_b.first + (diagonal - 1 - middle));
        if (loops->less(y, ww__sorted_at(a, in_a.first + middle), environment))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint64_t ww__path_bound(const ww_less_loops *loops, const void *environment, const ww__sorted *s, ww__span in,
                        const void *wanted, bool upper) {
    uint64_t low = in.first, high = in.end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const void *x = ww__sorted_at(s, middle);
        if (upper ? !loops->less(wanted, x, environment) : loops->less(x, wanted, environment))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

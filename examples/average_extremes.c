/* Average and extremes of an array in one pass.
 *
 * Each element becomes a summary of itself alone; two summaries joined are the summary of both. Joining is associative
 * and commutative, so ww_reduce may do it in parts, in any order. The summaries are made on the fly: the array is read
 * once and nothing is stored. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_STRUCT(summary, {
    int64_t sum;
    uint64_t count;
    int32_t lowest, highest;
});

WW_MAP(summary_of, summary, int32_t, x, void, none, {
    summary s = {x, 1, x, x};
    return s;
});

WW_COMBINE(join, summary, a, b, WW_COMMUTES, WW_IDENTITY({0, 0, INT32_MAX, INT32_MIN}), {
    summary s = {a.sum + b.sum, a.count + b.count, a.lowest < b.lowest ? a.lowest : b.lowest,
                 a.highest > b.highest ? a.highest : b.highest};
    return s;
});

int main(void) {
    /* Temperatures in thousandths of a degree: a rising line with noise on it. */
    const size_t n = 5000000;
    int32_t *measured = (int32_t *)malloc(n * sizeof *measured);
    if (!measured) return 1;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        measured[i] = (int32_t)(i / 500) - 3000 + (int32_t)(random >> 50);
    }

    summary all;
    const ww_input summaries = ww_mapped(&summary_of_ww, ww_memory(measured, n));
    ww_device *device;
    if (ww_open(NULL, &device) || ww_reduce(device, &join_ww, summaries, ww_array_of(&all, 1, &summary_ww))) {
        fprintf(stderr, "average_extremes: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    summary wanted = {0, 0, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < n; i++) {
        wanted.sum += measured[i];
        wanted.count++;
        if (measured[i] < wanted.lowest) wanted.lowest = measured[i];
        if (measured[i] > wanted.highest) wanted.highest = measured[i];
    }
    const int wrong = all.sum != wanted.sum || all.count != wanted.count || all.lowest != wanted.lowest ||
                      all.highest != wanted.highest;
    printf("%zu temperatures: average %.3f, lowest %.3f, highest %.3f: %s\n", n,
           (double)all.sum / (double)all.count / 1000, all.lowest / 1000.0, all.highest / 1000.0,
           wrong ? "WRONG" : "right");
    free(measured);
    return wrong;
}

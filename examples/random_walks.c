/* Ten thousand random walks of 100 normally distributed steps, in a kernel that takes random numbers by counter. Walk w takes
 * stream w, so it is the same whichever thread computes it, and whenever. Then ten of the walks' ends are drawn, without replacement. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { WALKS = 10000, DRAWN = 10 };

/* Sums of 12 numbers in [0, 1), less 6: nearly normal, of variance 1. A block of Philox has four of them. */
WW_STRUCT(walking, {
    float *end;
    uint64_t seed;
});
WW_KERNEL_USES((ww_philox), walk, walking, a, rank, {
    float at = 0;
    for (uint64_t step = 0; step < 100; step++) {
        uint32_t sum = 0;
        for (uint64_t b = 0; b < 3; b++) {
            const ww_random_block x = ww_philox(a->seed, rank, 3 * step + b);
            for (int k = 0; k < 4; k++) sum += x.word[k] >> 8;
        }
        at += (float)((int32_t)sum - 6 * 16777216) * 5.9604644775390625e-8f;
    }
    a->end[rank] = at;
});
WW_MAP(square, double, float, x, void, none, { return (double)x * (double)x; });

int main(void) {
    ww_device *device;
    void *memory = NULL;
    double squares = 0;
    float drawn[DRAWN];
    const ww_random from = {2026, 0, 0};
    if (ww_open(NULL, &device) || ww_alloc(device, WALKS * sizeof(float), &memory)) {
        fprintf(stderr, "random_walks: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    const walking all = {(float *)memory, from.seed};
    if (ww_launch(device, ww_with(walk, &all), WALKS) ||
        ww_reduce(device, &ww_add, ww_mapped(&square_ww, ww_memory(all.end, WALKS)), ww_array(&squares, 1)) ||
        ww_sample(device, from, ww_memory(all.end, WALKS), ww_array(drawn, DRAWN), WW_SAMPLE_SHUFFLED) ||
        ww_sync(device)) {
        fprintf(stderr, "random_walks: %s\n", ww_error(device));
        ww_free(device, memory);
        ww_close(device);
        return 1;
    }
    const double spread = sqrt(squares / WALKS);
    printf("after 100 steps walks are %.3f from where they began (root mean square); ten of them:", spread);
    for (int i = 0; i < DRAWN; i++) printf(" %.1f", (double)drawn[i]);
    printf("\n");
    ww_free(device, memory);
    ww_close(device);
    return fabs(spread - 10) > 0.3;
}

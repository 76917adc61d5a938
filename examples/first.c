/* A million keys are counted by a bucket function of our own, then sorted. */
#include <stdio.h>

#include <warpwise.h>

WW_STRUCT(delta, { uint32_t width, buckets; });

WW_MAP(delta_bucket, uint32_t, uint32_t, key, delta, d, {
    uint32_t b = key / d->width;
    return b < d->buckets ? b : d->buckets - 1;
});

enum { KEYS = 1000000, BUCKETS = 32 };
static uint32_t keys[KEYS], sorted[KEYS], counts[BUCKETS];

int main(void) {
    for (uint32_t i = 0; i < KEYS; i++) keys[i] = i * 2654435761u % 40000;

    const delta d = {1000, BUCKETS};
    ww_device *device;
    if (ww_open(NULL, &device) ||
        ww_histogram(device, ww_with(delta_bucket, &d), ww_memory(keys, KEYS), ww_array(counts, BUCKETS), ww_none, NULL) ||
        ww_sort(device, ww_memory(keys, KEYS), ww_no_input, ww_array(sorted, KEYS), ww_none, NULL)) {
        fprintf(stderr, "first: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    /* Sorted keys stand in the order of their buckets, so each bucket's count says where the next one begins. */
    uint32_t wrong = 0, at = 0;
    for (uint32_t b = 0; b < BUCKETS; b++)
        for (uint32_t k = 0; k < counts[b]; k++, at++)
            if (at >= KEYS || delta_bucket(sorted[at], &d) != b || (at && sorted[at - 1] > sorted[at])) wrong++;
    printf("%u keys below 1000, %u in the last bucket, median %u: %s\n", counts[0], counts[BUCKETS - 1],
           sorted[KEYS / 2], wrong || at != KEYS ? "WRONG" : "right");
    return wrong || at != KEYS;
}

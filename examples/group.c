/* Three devices sort one array together: each has a block of it, and gets as many of the sorted keys as its block has. Then they add
 * up floats, with the bytes that one device gives. */
#include <stdio.h>
#include <string.h>

#include <warpwise.h>

enum { RANKS = 3, KEYS = 300000 };
static uint32_t keys[KEYS], sorted[KEYS];
static float shares[KEYS], sums[RANKS];

/* Blocks may have any lengths: here rank 0 has a sixth, rank 1 a third, rank 2 the rest. */
static const size_t begin[RANKS + 1] = {0, KEYS / 6, KEYS / 2, KEYS};

/* Every rank makes the same calls, each with its own block. */
static ww_status work(ww_group *group, void *unused) {
    (void)unused;
    const uint32_t rank = ww_group_rank(group);
    const size_t first = begin[rank], count = begin[rank + 1] - first;
    const ww_status status = ww_group_sort(group, ww_memory(keys + first, count), ww_no_input,
                                           ww_array(sorted + first, count), ww_none, NULL);
    if (status) return status;
    return ww_group_reduce(group, &ww_add, ww_memory(shares + first, count), ww_array(&sums[rank], 1));
}

int main(void) {
    for (uint32_t i = 0; i < KEYS; i++) {
        keys[i] = i * 2654435761u % 1000000;
        shares[i] = 1.0f / (float)(i + 1);
    }

    /* NULL is what WARPWISE_DEVICE names, else a CPU; "cuda:0", "cuda:1" would be two GPUs. */
    const char *devices[RANKS] = {NULL, "cpu:threads=1", "cpu:threads=1"};
    char why[256];
    if (ww_group_run(devices, RANKS, NULL, work, NULL, why, sizeof why)) {
        fprintf(stderr, "group: %s\n", why);
        return 1;
    }

    float one = 0; /* device's sum */
    ww_device *device;
    if (ww_open("cpu", &device) || ww_reduce(device, &ww_add, ww_memory(shares, KEYS), ww_array(&one, 1))) {
        fprintf(stderr, "group: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    uint32_t wrong = 0;
    for (uint32_t i = 1; i < KEYS; i++) wrong += sorted[i - 1] > sorted[i];
    for (uint32_t r = 0; r < RANKS; r++) wrong += memcmp(&sums[r], &one, sizeof one) != 0;
    printf("%u keys on %d ranks, median %u, sum %.6f on each: %s\n", KEYS, RANKS, sorted[KEYS / 2], (double)one,
           wrong ? "WRONG" : "right");
    return wrong != 0;
}

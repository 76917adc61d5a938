/* Which two things are bought together most often: pairs of items, of many baskets, counted in a dictionary from within a kernel. A thread
 * makes all pairs of one basket, so nobody writes them down before they are counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

enum { BASKETS = 20000, MOST = 6, ITEMS = 60, PAIRS_MOST = ITEMS * ITEMS };

/* Basket i has the items item[begin[i]] … item[begin[i + 1] - 1], rising. */
WW_STRUCT_USES((ww_slab_u32_u32), baskets, {
    ww_slab_u32_u32 counts;
    const uint32_t *begin;
    const uint32_t *item;
    uint32_t *lost;
});

WW_KERNEL_USES((ww_slab_u32_u32_place), count_pairs, baskets, b, i, {
    for (uint32_t x = b->begin[i]; x < b->begin[i + 1]; x++) {
        for (uint32_t y = x + 1; y < b->begin[i + 1]; y++) {
            uint32_t *count = ww_slab_u32_u32_place(&b->counts, b->item[x] * 1000 + b->item[y], 0);
            ww_atomic_add(count ? count : b->lost, 1u);
        }
    }
});

int main(void) {
    ww_device *device = NULL;
    ww_slab *slab = NULL;
    void *begin = NULL, *item = NULL, *lost = NULL;
    static uint32_t keys[PAIRS_MOST], counts[PAIRS_MOST], wanted[ITEMS][ITEMS];
    uint32_t many = 0, random = 1;
    if (ww_open(NULL, &device) || ww_alloc_host(device, (BASKETS + 1) * sizeof(uint32_t), &begin) ||
        ww_alloc_host(device, BASKETS * MOST * sizeof(uint32_t), &item) ||
        ww_alloc_host(device, sizeof(uint32_t), &lost)) {
        fprintf(stderr, "common_pairs: %s\n", ww_error(device));
        return 1;
    }
    baskets b;
    memset(&b, 0, sizeof b);
    uint32_t *const starts = (uint32_t *)begin, *const items = (uint32_t *)item;
    *(b.lost = (uint32_t *)lost) = 0;
    b.begin = starts;
    b.item = items;

    /* Small numbers are bought more often. */
    for (uint32_t i = 0, at = 0; i <= BASKETS; i++) {
        starts[i] = at;
        for (uint32_t next = 0, k = 0; i < BASKETS && k < MOST && next < ITEMS; k++) {
            random = random * 1664525 + 1013904223;
            items[at++] = next;
            next += 1 + (random >> 16) % (2 * k + 3) * ((random >> 24) % 4);
        }
    }

    /* Room for the pairs that there are, which are few; were there more the kernel would be told. */
    if (ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, PAIRS_MOST, &slab, NULL) ||
        ww_slab_u32_u32_view(slab, PAIRS_MOST, &b.counts) || ww_launch(device, ww_with(count_pairs, &b), BASKETS) ||
        ww_slab_pairs(slab, ww_array(keys, PAIRS_MOST), ww_array(counts, PAIRS_MOST), ww_array(&many, 1)) ||
        ww_sync(device)) {
        fprintf(stderr, "common_pairs: %s\n", ww_error(device));
        return 1;
    }

    /* The same by hand. */
    uint32_t different = 0, right = 0, most = 0;
    for (uint32_t i = 0; i < BASKETS; i++)
        for (uint32_t x = starts[i]; x < starts[i + 1]; x++)
            for (uint32_t y = x + 1; y < starts[i + 1]; y++) different += !wanted[items[x]][items[y]]++;
    for (uint32_t k = 0; k < many; k++) {
        right += counts[k] == wanted[keys[k] / 1000][keys[k] % 1000];
        if (counts[k] > counts[most]) most = k;
    }
    printf("%u different pairs; the commonest, %u times: %u and %u\n", many, counts[most], keys[most] / 1000,
           keys[most] % 1000);
    const int wrong = *b.lost || right != many || many != different;
    ww_slab_close(slab);
    ww_free(device, begin);
    ww_free(device, item);
    ww_free(device, lost);
    ww_close(device);
    return wrong;
}

/* How often each word of a text comes, and the commonest: a dictionary from words to counts, to which all words are added at once.
 *
 * A word is known by a number that is made of its letters (FNV-1a, 64 bits): of a million different words no two share one, but for
 * once in thirty million texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

static const char verse[] =
    "row row row your boat gently down the stream merrily merrily merrily merrily life is but a dream "
    "row row row your boat gently down the brook if you catch a little fish please let it off the hook ";

enum { TIMES = 200, WORDS_MOST = 16384 };

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    static uint64_t words[WORDS_MOST], sorted[WORDS_MOST], different[WORDS_MOST], counts[WORDS_MOST];
    const char *begin[WORDS_MOST];
    uint64_t n = 0, many = 0;
    for (int t = 0; t < TIMES; t++)
        for (const char *c = verse; *c; c++, n++) {
            begin[n] = c;
            words[n] = UINT64_C(0xCBF29CE484222325);
            for (; *c != ' '; c++) words[n] = (words[n] ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
        }

    ww_device *device;
    ww_slab *slab = NULL;
    if (ww_open(NULL, &device) || ww_slab_open(device, &ww_type_uint64_t, &ww_type_uint64_t, 100, &slab, NULL) ||
        ww_slab_combine(slab, &ww_add, ww_memory(words, n), ww_constant(ww_value(uint64_t, 1), n), ww_none) ||
        ww_slab_pairs(slab, ww_array(different, WORDS_MOST), ww_array(counts, WORDS_MOST), ww_array(&many, 1))) {
        fprintf(stderr, "word_counts: %s\n", ww_error(device));
        ww_slab_close(slab);
        ww_close(device);
        return 1;
    }
    ww_slab_close(slab);
    ww_close(device);

    /* The same by sorting. */
    uint64_t runs = 0, right = 0, most = 0;
    memcpy(sorted, words, n * sizeof *words);
    qsort(sorted, n, sizeof *sorted, by_number);
    for (uint64_t i = 0, end; i < n; i = end, runs++) {
        for (end = i; end < n && sorted[end] == sorted[i]; end++) {}
        for (uint64_t k = 0; k < many; k++) right += different[k] == sorted[i] && counts[k] == end - i;
    }
    for (uint64_t k = 0; k < many; k++)
        if (counts[k] > counts[most]) most = k;
    for (uint64_t i = 0; i < n; i++)
        if (words[i] == different[most]) {
            printf("%llu words, %llu different; the commonest, %llu times: %.*s\n", (unsigned long long)n,
                   (unsigned long long)many, (unsigned long long)counts[most], (int)strcspn(begin[i], " "), begin[i]);
            break;
        }
    return !(right == runs && runs == many);
}

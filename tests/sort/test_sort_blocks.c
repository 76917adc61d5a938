/* Blocks that vectors sort in registers, under every width, by the zero-one principle: every column of zeros and ones that each
 * number of rows can have, and zeros and ones in all mixtures at every length up to a full block. */
#include <stdio.h>

#include "radix/network_leaf.h"
#include "support/cases.h"

enum { ROWS = 16, MOST = ROWS * 16, GUARD = 4 };

typedef struct block {
    ww__network_leaf *leaf;
    size_t size, lanes, n;
} block;

/* Sorts the zeros and ones of `ones`. What stands for them differs in all bits but the highest of a zero. */
static void check_block(const block *b, const unsigned char *ones) {
    static unsigned char in[8 * MOST], out[8 * (MOST + GUARD)], slots[WW__NETWORK_SLOTS];
    const uint64_t zero = 0x0101010101010101, one = 0xFEFEFEFEFEFEFEFE, poison = 0xA5A5A5A5A5A5A5A5;
    size_t zeros = 0;
    for (size_t i = 0; i < b->n; i++) {
        memcpy(in + i * b->size, ones[i] ? &one : &zero, b->size);
        zeros += !ones[i];
    }
    memset(out, 0xA5, sizeof out);
    b->leaf((void *[2]){in, out}, 0, b->n, ~(ww__word)0, slots);
    for (size_t i = 0; i < b->n + GUARD; i++) {
        const uint64_t *wanted = i < zeros ? &zero : i < b->n ? &one : &poison;
        if (memcmp(out + i * b->size, wanted, b->size) == 0) continue;
        printf("number %zu of %zu, where %zu are zeros\n", i, b->n, zeros);
        expect(false);
        return;
    }
}

static void check_columns(block b, const char *name) {
    static const size_t rows[] = {2, 4, 8, 12, 16};
    unsigned char ones[MOST];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        b.n = rows[r] * b.lanes;
        CASE("sort blocks", "%s size=%zu rows=%zu columns", name, b.size, rows[r]);
        if (!case_wanted()) continue;
        for (size_t first = 0; first < (size_t)1 << rows[r]; first += b.lanes) {
            for (size_t i = 0; i < b.n; i++) ones[i] = (first + i % b.lanes) >> i / b.lanes & 1;
            check_block(&b, ones);
        }
    }
}

/* Of each length shares of ones from none to all: in front, or anywhere. */
static void check_lengths(block b, const char *name) {
    unsigned char ones[MOST];
    uint64_t random = seed_of_run();
    CASE("sort blocks", "%s size=%zu lengths seed=%llu", name, b.size, (unsigned long long)seed_of_run());
    if (!case_wanted()) return;
    for (b.n = 1; b.n <= ROWS * b.lanes; b.n++)
        for (size_t share = 0; share <= 64; share++) {
            for (size_t i = 0; i < b.n; i++)
                ones[i] = share % 4 ? random_next(&random) % 64 < share : i * 64 < share * b.n;
            check_block(&b, ones);
        }
}

static void zeros_and_ones(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t size = 1; size <= 8; size *= 2) {
            const size_t bytes = device->vector == WW_VECTOR_AVX512 ? 64 : 32;
            const block b = {ww__network_leaf_of(device->vector, size), size, bytes / size, 0};
            expect((b.leaf != NULL) == ((size == 4 && device->vector != WW_VECTOR_PLAIN) ||
                                        (size == 8 && device->vector == WW_VECTOR_AVX512)));
            if (!b.leaf) continue;
            check_columns(b, setting_name(s));
            check_lengths(b, setting_name(s));
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_and_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

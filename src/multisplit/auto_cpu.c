/* What auto does on a CPU with more than two buckets: the first row that the call fits in. Every mover gives the same bytes.
 *
 * Measured on Zen 3 (AVX2, 512 KiB of second-level cache a core, 32 MiB of third-level), one thread, CPU time, 2026-11: the rows
 * "methods: …, delta, m = …, uniform" of `warpwise bench split --threads=1`, with --size=1000, 20000, 1000000, 24 and whole. Time
 * over the least of the movers' in the same row, each the least of 4 to 101 samples; keys of 4 bytes, the mean of those with
 * values of 4 and without. Up to 2*10^4 auto was direct then.
 *
 *     n         10^3             2*10^4           10^5                   10^6              3*10^6            2^24
 *     buckets   7    100  1000   7    100  1000   7    33   100  1000    4    32   256     3    33   1000    8    32   128
 *     direct    1.00 1.00 1.00   1.32 1.06 1.00   1.20 1.28 1.05 1.00    1.17 1.34 1.10    1.18 1.45 1.18    1.25 1.63 1.68
 *     block     1.07 1.20 2.34   1.00 1.00 1.30   1.00 1.00 1.00 1.21    1.06 1.01 1.00    1.11 1.00 1.18    1.00 1.00 1.03
 *     lines                                       1.25 1.19 1.15 1.18    1.00 1.09 1.10    1.00 1.44 1.00    1.15 1.21 1.13
 *
 * AVX-512 on an EPYC 9004 (1 MiB of second-level cache a core, 32 MiB of third-level), ww_by_bits, one thread, G keys/s; what stays in the
 * caches gains nothing by lines, from 2^24 bytes on they are ahead, more so on two threads:
 *
 *     n         2^17              2^20              2^22              2^24
 *     buckets   32   256  4096    32   256  4096    32   256  4096    32   256  4096
 *     direct    0.27 0.28 0.22    0.24 0.31 0.16    0.27 0.25 0.20    0.23 0.16 0.16
 *     block     0.27 0.27 0.11    0.35 0.26 0.10    0.32 0.21 0.13    0.33 0.21 0.12
 *     lines     0.27 0.27 0.17    0.23 0.21 0.15    0.28 0.17 0.21    0.27 0.22 0.26
 *
 * The loops of lines.h that move directly came after that (0.76 at 2^20 and 256 buckets, 0.4 to 0.5 at 4,096); of pairs of 4 and 4 bytes,
 * which come to twice as many places, they are ahead up to 256 buckets only.
 *
 * An Intel Xeon with AVX-512 (family 6, model 207: 2 MiB of second-level cache a core, a third-level cache far away), ww_by_bits, M keys/s of
 * calls that follow one another (bench/results/2026-11-27-cpu-selections). Lines ask for their next place when they have been
 * written, which direct stores cannot:
 *
 *                    keys of 4 bytes, one thread        pairs of 4 and 4, one thread     on two
 *     n, buckets     2^16, 256  2^20, 256  2^20, 4096   2^16, 256  2^20, 256  2^20, 4096  keys 2^20, 256  pairs 2^20, 256
 *     direct         564        300        276          313        227        133         624             359
 *     block          320        296        98           175        213        80          366             302
 *     lines          447        430        180          312        314        211         700             600
 *
 * On two threads of a Xeon with AVX-512, 2 MiB of second-level cache a core, 2^25 keys in 32 buckets (bench/results/
 * 2026-11-21-xeon-avx512-later): direct 0.94, block 1.19, lines 1. The width of vectors and the processor's maker tell the kinds of
 * machine apart. Elements of other sizes were measured on Zen 3 alone. */
#include "multisplit/pass.h"

#define ANY UINT64_MAX

/* Vectors of up to 256 bits, of 512, those of Intel's. */
typedef enum machines { NARROW, WIDE, INTEL, ALL } machines;

static const struct choice {
    machines machines;
    bool lines;                   /* elements that go through lines, or others */
    size_t size_least, size_most; /* bytes of an element */
    uint64_t bytes;               /* of all elements, at most */
    uint64_t bits;                /* of the digit, at most */
    const ww__mover *mover;
} choices[] = {
    {NARROW, true, 4, 8, 1 << 14, ANY, &ww__move_direct}, /* small calls */
    {NARROW, true, 4, 8, 1 << 20, 7, &ww__move_block},
    {NARROW, true, 4, 8, 1 << 20, ANY, &ww__move_direct},
    {NARROW, true, 4, 8, ANY, 2, &ww__move_lines},
    {NARROW, true, 4, 8, ANY, 8, &ww__move_block},
    {ALL, true, 1, SIZE_MAX, 1 << 18, ANY, &ww__move_direct},
    {WIDE, true, 4, 8, 1 << 24, 5, &ww__move_block},
    {WIDE, true, 4, 4, 1 << 23, ANY, &ww__move_direct},
    {INTEL, true, 4, 8, 1 << 24, 5, &ww__move_block},
    {INTEL, true, 4, 8, ANY, 8, &ww__move_lines},
    {INTEL, true, 4, 4, 1 << 21, ANY, &ww__move_direct},
    {INTEL, true, 8, 8, 1 << 20, ANY, &ww__move_direct},
    {WIDE, true, 8, 8, 1 << 24, 8, &ww__move_direct},
    {ALL, true, 1, SIZE_MAX, ANY, ANY, &ww__move_lines},
    {ALL, false, 1, SIZE_MAX, 1 << 18, ANY, &ww__move_direct},
    {ALL, false, 1, 16, ANY, ANY, &ww__move_block},
    {ALL, false, 17, 32, ANY, 6, &ww__move_block},
    {ALL, false, 1, SIZE_MAX, ANY, ANY, &ww__move_direct},
};

static machines machine_of(const ww_device *device) {
    if (device->vector != WW_VECTOR_AVX512) return NARROW;
#if defined(__x86_64__)
    if (__builtin_cpu_is("intel")) return INTEL;
#endif
    return WIDE;
}

const ww__mover *ww__auto_mover(const ww_device *device, bool lines, size_t size, uint64_t n, unsigned bits) {
    const machines machine = machine_of(device);
    const struct choice *c = choices;
    while ((c->machines != ALL && c->machines != machine) || c->lines != lines || size < c->size_least ||
           size > c->size_most || n * size > c->bytes || bits > c->bits)
        c++;
    return c->mover;
}

/* Whether the places where a part's buckets begin lie apart in a second-level cache, where stores to so few of them then find
 * their lines. Buckets of one length, a power of two, share few sets of the cache: of uniform keys 2^25 took 1.7 times as long
 * without lines, of others 0.7 to 0.9 times (an EPYC 9004, 2026-11). */
static bool lie_apart(const ww__pass *p) {
    enum { LINE = 64, SETS = 2048, WINDOWS = 64, FEW = 16 };
    const uint64_t *start = ww__pass_row(p, 0), *stop = ww__pass_row(p, 1);
    uint32_t windows[WINDOWS] = {0}, used = 0, most = 0;
    for (size_t b = 0; b < (size_t)1 << p->bits; b++) {
        if (start[b] == stop[b]) continue;
        const size_t window = (size_t)(start[b] * p->key_size / LINE % SETS * WINDOWS / SETS);
        const uint32_t many = ++windows[window];
        most = many > most ? many : most;
        used++;
    }
    return most <= FEW + used / 8;
}

const ww__mover *ww__auto_mover_of_places(const ww__pass *p) {
    const size_t size = p->key_size + p->value_size;
    const bool measured = machine_of(p->device) == WIDE && p->lines && size >= 4 && size <= 8 && p->bits <= 8;
    return p->mover == &ww__move_lines && measured && lie_apart(p) ? &ww__move_direct : p->mover;
}

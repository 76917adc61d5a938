/* Bodies that attract each other: one computation of all forces in a Plummer sphere, by the tree (items are bodies) and
 * between all pairs (items are pairs: 2^30 of them are 2^15 bodies). A result is right where 99 of 100 bodies of a sample
 * have the force that all pairs in f64 give, to a thousandth (all pairs: to 10^-5; the tree by monopoles: to a hundredth). All
 * pairs have a peak as their base: fused multiply-adds in registers, as many as a pair has operations; or, where that is
 * quicker, a reciprocal square root of the device's among them. */
#define WARPWISE_OWN_LOOPS
#define WARPWISE_FUSED_LOOPS
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/timing.h"

enum { MASS, X, Y, Z, COLUMNS, OUT = 4 };
typedef enum way { TREE, MONOPOLES, PAIRS } way;

static const double softening = 0.01;

static size_t bodies_of(const bench_work *w) {
    size_t n = w->n;
    if (w->parameter == PAIRS) n = (size_t)sqrt((double)w->n);
    return n ? n : 1;
}

static double uniform(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

static void make(bench_work *w) {
    const size_t n = bodies_of(w);
    uint64_t state = 60;
    double *in = work_pages(w, n * COLUMNS * sizeof *in);
    w->in = in;
    w->out = work_pages(w, w->out_bytes = n * OUT * sizeof *in);
    for (size_t i = 0; i < n; i++) {
        const double r = 1 / sqrt(pow(0.999 * uniform(&state) + 1e-12, -2.0 / 3) - 1), z = 2 * uniform(&state) - 1;
        const double angle = 6.283185307179586 * uniform(&state), flat = sqrt(1 - z * z);
        in[MASS * n + i] = 1 / (double)n;
        in[X * n + i] = r * flat * cos(angle);
        in[Y * n + i] = r * flat * sin(angle);
        in[Z * n + i] = r * z;
    }
}

/* Of the row that is measured. */
static ww_nbody *nbody;

static void end(void) {
    ww_nbody_destroy(nbody);
    nbody = NULL;
}

static ww_status run(bench_work *w) {
    const uint64_t n = bodies_of(w);
    const double *in = w->in;
    double *out = w->out;
    ww_nbody_options o = WW_NBODY_OPTIONS;
    ww_status status = WW_OK;
    const ww_input rest = ww_constant(ww_value(double, 0), n);
    o.softening = softening;
    o.method = w->parameter == PAIRS ? WW_NBODY_EXACT : WW_NBODY_TREE;
    o.quadrupoles = w->parameter == TREE;
    if (!nbody) status = ww_nbody_create(w->device, n, &o, &nbody);
    if (!status)
        status = ww_nbody_set(nbody, ww_memory(in, n), ww_memory(in + X * n, n), ww_memory(in + Y * n, n),
                              ww_memory(in + Z * n, n), rest, rest, rest);
    return status ? status
                  : ww_nbody_forces(nbody, ww_array(out, n), ww_array(out + n, n), ww_array(out + 2 * n, n),
                                    ww_array(out + 3 * n, n));
}

/* ---- the peak ---- */

/* Operations of a pair: differences 3, their squares 3, the root 11 (or the device's own), masses 3, sums 4. */
enum { OPERATIONS = 24, TURNS = 4096 };

/* Eight chains of multiply-adds with a root of the device's for each pair. */
WW_STRUCT(rooted_chains, {
    float factor;
    float term;
    float *to;
});
WW_KERNEL(multiply_add_root, rooted_chains, a, rank, {
    float x[8];
    float sum = 0;
    for (uint32_t k = 0; k < 8; k++) x[k] = a->factor + a->term;
    for (uint32_t turn = 0; turn < 512; turn++)
        for (uint32_t k = 0; k < 8; k++) {
            for (uint32_t i = 0; i < 13; i++) x[k] = fmaf(x[k], a->factor, a->term);
            x[k] = ww_rsqrt(x[k]);
        }
    for (uint32_t k = 0; k < 8; k++) sum += x[k];
    a->to[rank % 64] = sum / 8;
});
static ww_status run_peak_rooted(bench_work *w) {
    const rooted_chains a = {0.5f, 0.5f, w->out};
    return ww_launch(w->device, ww_with(multiply_add_root, &a), w->n / (8 * 512) + 1);
}

/* Chains of multiply-adds side by side, which fill twelve registers of 256 bits or of 512. */
#define PEAK(LANES) \
    WW_STRUCT(chains_##LANES, { \
        float factor; \
        float term; \
        float *to; \
    }); \
    /* Else it would be compiled for the narrowest vectors. */ \
    static inline __attribute__((always_inline)) void ww__body_multiply_add_##LANES(uint64_t, const chains_##LANES *); \
    WW_KERNEL(multiply_add_##LANES, chains_##LANES, a, rank, { \
        float x[LANES]; \
        float sum = 0; \
        for (uint32_t k = 0; k < LANES; k++) x[k] = a->factor + a->term; \
        for (uint32_t turn = 0; turn < 4096; turn++) \
            for (uint32_t k = 0; k < LANES; k++) x[k] = fmaf(x[k], a->factor, a->term); \
        for (uint32_t k = 0; k < LANES; k++) sum += x[k]; \
        a->to[rank % 64] = sum / LANES; \
    }); \
    static ww_status run_peak_##LANES(bench_work *w) { \
        const chains_##LANES a = {0.5f, 0.5f, w->out}; \
        return ww_launch(w->device, ww_with(multiply_add_##LANES, &a), w->n / (LANES * TURNS / OPERATIONS) + 1); \
    }
PEAK(96)
PEAK(192)

static double seconds_of(ww_status (*run_peak)(bench_work *), bench_work *w) {
    const double start = seconds_now();
    return run_peak(w) || ww_sync(w->device) ? 1e9 : seconds_now() - start;
}

/* The quickest of them, which the first call finds out. */
static ww_status run_peak(bench_work *w) {
    static ww_status (*const peaks[])(bench_work *) = {run_peak_96, run_peak_192, run_peak_rooted};
    static ww_status (*best)(bench_work *);
    ww_status (*quickest)(bench_work *) = run_peak_96;
    double least = 1e9;
    for (size_t k = 0; !best && k < BENCH_COUNT(peaks); k++) (void)seconds_of(peaks[k], w); /* compiled on a GPU */
    for (size_t k = 0; !best && k < BENCH_COUNT(peaks); k++) {
        const double seconds = seconds_of(peaks[k], w);
        if (seconds >= least) continue;
        least = seconds;
        quickest = peaks[k];
    }
    best = best ? best : quickest;
    return best(w);
}

/* Half of 1 and a half more is 1, however often. */
static bool right_peak(const bench_work *w) { return *(const float *)w->out == 1; }

/* ---- the check ---- */

/* Sums side by side: vectors like that, and it is the bulk of a run's time. */
enum { LANES = 8 };

static double error_of(const bench_work *w, size_t i) {
    const size_t n = bodies_of(w);
    const double *in = w->in, *out = w->out, *x = in + X * n, *y = in + Y * n, *z = in + Z * n;
    double px[LANES] = {0}, py[LANES] = {0}, pz[LANES] = {0}, off = 0, size = 0;
    for (size_t k = 0; k < n; k += LANES)
        for (size_t l = 0; l < LANES && k + l < n; l++) {
            const double dx = x[k + l] - x[i], dy = y[k + l] - y[i], dz = z[k + l] - z[i];
            const double square = softening * softening + dx * dx + dy * dy + dz * dz;
            const double pull = in[k + l] / (square * sqrt(square));
            px[l] += pull * dx, py[l] += pull * dy, pz[l] += pull * dz;
        }
    for (size_t c = 0; c < 3; c++) {
        const double *lane = c == 0 ? px : c == 1 ? py : pz;
        double pull = 0;
        for (size_t l = 0; l < LANES; l++) pull += lane[l];
        off += (out[c * n + i] - pull) * (out[c * n + i] - pull);
        size += pull * pull;
    }
    return sqrt(off / size);
}

/* As each sample takes time in proportion to n. */
static size_t samples_of(size_t n) { return n < 200 ? n : n > 1 << 20 ? 100 : 200; }

static bool right(const bench_work *w) {
    static const double most[] = {[TREE] = 1e-3, [MONOPOLES] = 1e-2, [PAIRS] = 1e-5};
    const size_t n = bodies_of(w), sample = samples_of(n);
    size_t wrong = 0;
    if (w->base) return right_peak(w);
    if (n < 2) return true;
    for (size_t k = 0; k < sample; k++) wrong += !(error_of(w, k * (n / sample)) <= most[w->parameter]);
    return wrong <= sample / 100;
}

/* clang-format off */
#define ROW(title, how, many) \
    {.name = title, .call = "ww_nbody_forces", .make = make, .run = run, .right = right, .end = end, .bytes = 64, .element = 8, \
     .parameter = how, .usual = many}
static const bench_row rows[] = {
    ROW("tree, theta 0.5", TREE, 1 << 17), ROW("tree, monopoles", MONOPOLES, 1 << 17),     {.name = "all pairs", .call = "ww_nbody_forces", .make = make, .run = run, .right = right, .end = end, .bytes = 64,
     .element = 8, .parameter = PAIRS, .usual = 1 << 30, .base_call = "a pair's multiply-adds and root, in registers",
     .base = run_peak},
};
/* clang-format on */

const bench_family family_nbody = {.name = "nbody",
                                   .title = "Bodies that attract each other",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows)};

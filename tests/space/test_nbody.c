/* Bodies against all pairs in f64, whose bodies are everywhere: in a cluster, in a cube, in one place, on a line, far away, of
 * negative mass. What steps have to conserve: an orbit that closes, energy, momentum, the way back. What is refused, and
 * memory that is not there. */
#include <math.h>
#include <stdlib.h>

#include "reference/nbody.h"
#include "support/cases.h"
#include "warpwise.h"

enum { MOST = 2000 };
enum { IN = 7, OUT = 5 };
static double in[IN][MOST], wanted[OUT][MOST], error[MOST];

static double uniform(uint64_t *seed) { return (double)(random_next(seed) >> 11) * 0x1p-53; }

typedef enum where { CLUSTER, CUBE, FLAT, LINE, ONE_PLACE, FAR_AWAY, TWINS, SIGNS, TINY_UNITS, CORNER, PLACES } where;
static const char *const place_names[PLACES] = {"cluster",  "cube",  "flat",  "line",       "one-place",
                                                "far-away", "twins", "signs", "tiny-units", "corner"};

enum { BALANCED = 300 };

/* A Plummer sphere, and what is made of it. */
static void place(where w, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        const double r = 1 / sqrt(pow(uniform(&seed) * 0.999 + 1e-9, -2 / 3.) - 1), z = 2 * uniform(&seed) - 1;
        const double turn = 6.283185307179586 * uniform(&seed), flat = sqrt(1 - z * z);
        in[0][i] = (0.5 + uniform(&seed)) / (double)(n ? n : 1);
        in[1][i] = w == CUBE ? uniform(&seed) : r * flat * cos(turn);
        in[2][i] = w == CUBE ? uniform(&seed) : r * flat * sin(turn);
        in[3][i] = w == CUBE ? uniform(&seed) : w == FLAT ? 0 : r * z;
        for (size_t k = 4; k < IN; k++) in[k][i] = w == FLAT && k == 6 ? 0 : 0.2 * (uniform(&seed) - 0.5);
        if (w == LINE) in[1][i] = in[2][i] = 3 - 2 * (in[3][i] = r * z);
        for (size_t k = 1; k < 4; k++) {
            if (w == ONE_PLACE) in[k][i] = 0.1 * (double)k;
            if (w == FAR_AWAY && i == n / 2) in[k][i] = 1e9;
            if (w == TWINS && i % 3) in[k][i] = in[k][i - 1];
            if (w == TINY_UNITS) in[k][i] *= 1e-30;
        }
        /* Eight crowds, each in one of the smallest cells, much nearer to one another than these are long; two far away. */
        for (size_t k = 1; k < 4 && w == CORNER; k++)
            in[k][i] = i < 2 ? (double)i : 0.5 + (i >> (k - 1) & 1 ? 1 : -1) * (1e-9 + 1e-11 * uniform(&seed));
        if (w == SIGNS && i % 3 == 0) in[0][i] *= -0.7;
        /* Two crowds whose masses cancel to the last bit, seen from a third that weighs next to nothing. */
        if (w == SIGNS && n == BALANCED) {
            const size_t crowd = i % 3;
            in[0][i] = crowd ? (crowd == 1 ? 1 : -1) * (double)(1 + i / 3 % 7) / 1024 : 1e-7;
            for (size_t k = 1; k < 4 && crowd; k++) in[k][i] = 0.1 * in[k][i] + (k == 1 ? 8 + 2 * (double)crowd : 0);
        }
        if (w == TINY_UNITS) in[0][i] *= 1e40;
    }
}

static ww_nbody *begin(ww_device *device, size_t n, const ww_nbody_options *o) {
    ww_nbody *bodies;
    double *column[IN];
    ww_input input[IN];
    for (size_t k = 0; k < IN; k++) {
        column[k] = need(8 * n + 1);
        memcpy(column[k], in[k], 8 * n);
        input[k] = ww_memory(column[k], n);
    }
    if (o && o->dimensions == 2) input[3] = input[6] = ww_no_input;
    expect_status(device, ww_nbody_create(device, n, o, &bodies), WW_OK);
    expect_status(device, ww_nbody_set(bodies, input[0], input[1], input[2], input[3], input[4], input[5], input[6]),
                  WW_OK);
    for (size_t k = 0; k < IN; k++) free(column[k]);
    return bodies;
}

/* Four or six arrays out of a call, with guarded edges, for the caller to free. */
static void forces(ww_device *device, ww_nbody *bodies, size_t n, guarded got[4]) {
    ww_array out[4];
    for (size_t k = 0; k < 4; k++) {
        got[k] = guarded_new(8 * n);
        out[k] = ww_array((double *)got[k].data, n);
    }
    expect_status(device, ww_nbody_forces(bodies, out[0], out[1], out[2], out[3]), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t k = 0; k < 4; k++) guarded_check(&got[k]);
}

static void state_of(ww_device *device, ww_nbody *bodies, size_t n, guarded got[6]) {
    ww_array out[6];
    for (size_t k = 0; k < 6; k++) {
        got[k] = guarded_new(8 * n);
        out[k] = ww_array((double *)got[k].data, n);
    }
    expect_status(device, ww_nbody_get(bodies, out[0], out[1], out[2], out[3], out[4], out[5]), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t k = 0; k < 6; k++) guarded_check(&got[k]);
}

static void free_all(guarded *got, size_t many) {
    for (size_t k = 0; k < many; k++) guarded_free(&got[k]);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors of accelerations, relative to the sum of the pulls' sizes (where pulls cancel there is nothing to be relative to),
 * and of the potential, all in order. */
static void errors(const guarded got[4], size_t n) {
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t k = 0; k < 3; k++) square += pow(((const double *)got[k].data)[i] - wanted[k][i], 2);
        const double off = fabs(((const double *)got[3].data)[i] - wanted[3][i]);
        error[i] = fmax(wanted[4][i] > 0 ? sqrt(square) / wanted[4][i]
                        : square > 0     ? 1
                                         : 0,
                        wanted[3][i] != 0 ? off / fabs(wanted[3][i])
                        : off > 0         ? 1
                                          : 0);
        if (!(error[i] <= 1)) error[i] = 1;
    }
    qsort(error, n, sizeof *error, by_size);
}

static const struct {
    const char *name;
    uint32_t method;
    double theta;
    bool quadrupoles;
    double half, most, all; /* bounds of the median, of 99 in 100, of all */
} ways[] = {{"exact", WW_NBODY_EXACT, 0.5, false, 1e-6, 5e-6, 1e-4},
            {"tree-0", WW_NBODY_TREE, 0, true, 1e-6, 5e-6, 1e-4},
            {"tree", WW_NBODY_AUTO, 0.5, true, 1.5e-4, 1.2e-3, 1e-2},
            {"monopoles", WW_NBODY_TREE, 0.5, false, 3e-3, 1.2e-2, 5e-2},
            {"wide", WW_NBODY_TREE, 1, true, 3e-3, 2.5e-2, 1e-1}};

static void against_all_pairs(void **state) {
    static const size_t sizes[] = {0, 1, 2, 16, 17, 33, 300, MOST};
    const double *const places[3] = {in[1], in[2], in[3]};
    double *const out[OUT] = {wanted[0], wanted[1], wanted[2], wanted[3], wanted[4]};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof sizes / sizeof *sizes * PLACES; c++) {
            const where w = (where)(c % PLACES);
            const size_t n = sizes[c / PLACES], way_count = sizeof ways / sizeof *ways;
            if (n == MOST && (on_emulator() || tests_are_short())) continue;
            place(w, n, seed_of_run() + c);
            ww_nbody_options o = WW_NBODY_OPTIONS;
            if (w == TINY_UNITS) o.softening = 1e-33;
            if (w == TWINS) o.softening = 0.05;
            if (w == CORNER) o.softening = 1e-11;
            reference_nbody(in[0], places, n, o.softening, out);
            for (size_t k = 0; k < way_count; k++) {
                if (n < 300 && k != c % way_count) continue;
                if (on_emulator() && (c + k) % 3) continue;
                CASE("nbody", "%s %s %s n=%zu", setting_name(s), place_names[w], ways[k].name, n);
                if (!case_wanted()) continue;
                o.method = ways[k].method;
                o.theta = ways[k].theta;
                o.quadrupoles = ways[k].quadrupoles;
                o.dimensions = w == FLAT ? 2 : 3;
                guarded got[4];
                ww_nbody *bodies = begin(device, n, &o);
                forces(device, bodies, n, got);
                errors(got, n);
                /* Of masses of both signs the potential cancels, and it is not the sum of its terms' sizes. A line's bodies
                 * have some neighbours very near beside those that they walk with, as have crowds', and a few of a plane's. Three in one place
                 * weigh three times as much. */
                const double times = w == SIGNS ? 20 : w == LINE || w == CORNER ? 30 : w == TWINS || w == FLAT ? 2 : 1;
                if (n) expect(error[n - 1] <= times * ways[k].all);
                if (n >= 300) {
                    expect(error[n / 2] <= times * ways[k].half);
                    expect(error[n - 1 - n / 100] <= times * ways[k].most);
                }
                free_all(got, 4);
                ww_nbody_destroy(bodies);
            }
        }
        ww_close(device);
    }
}

/* The same bytes with one thread, with several, and again; and in the bodies' own order. */
static void same_bytes(void **state) {
    enum { N = 700 };
    static double first[6][N];
    bool there = false; /* of the first case that is run */
    (void)state;
    place(CLUSTER, N, seed_of_run());
    for (size_t s = 0; s < setting_count(); s++)
        for (int again = 0; again < 2; again++) {
            CASE("nbody", "%s same bytes %d", setting_name(s), again);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            ww_nbody *bodies = begin(device, N, NULL);
            guarded got[6];
            expect_status(device, ww_nbody_step(bodies, 0.01, 2), WW_OK);
            state_of(device, bodies, N, got);
            for (size_t k = 0; k < 6; k++) {
                if (!there) memcpy(first[k], got[k].data, sizeof first[k]);
                expect_elements(got[k].data, first[k], N, sizeof(double));
            }
            there = true;
            free_all(got, 6);
            ww_nbody_destroy(bodies);
            ww_close(device);
            if (cases_asked()) return;
        }
}

/* ---- steps ---- */

/* Two bodies of mass 1 and 0.5 around each other, not softened: they are back after a turn. */
static void orbit_closes(void **state) {
    enum { STEPS = 400 };
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++)
        for (uint32_t method = WW_NBODY_TREE; method <= WW_NBODY_EXACT; method++) {
            const double turn = 6.283185307179586 / sqrt(1.5 / (1.25 * 1.25 * 1.25)),
                         speed = sqrt(1.5 * (2 - 1 / 1.25));
            const double start[IN][2] = {{1, 0.5}, {0, 1}, {0, 0}, {0, 0}, {0, 0}, {-speed / 3, speed * 2 / 3}, {0, 0}};
            CASE("nbody", "%s orbit method=%u", setting_name(s), method);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            ww_nbody_options o = WW_NBODY_OPTIONS;
            ww_nbody_totals before = WW_NBODY_TOTALS, after = WW_NBODY_TOTALS;
            guarded got[6];
            for (size_t k = 0; k < IN; k++) memcpy(in[k], start[k], sizeof start[k]);
            o.softening = 0;
            o.method = method;
            ww_nbody *bodies = begin(device, 2, &o);
            expect_status(device, ww_nbody_totals_get(bodies, &before), WW_OK);
            expect_status(device, ww_nbody_step(bodies, turn / STEPS, STEPS / 2), WW_OK);
            state_of(device, bodies, 2, got);
            const double *x = got[0].data;
            expect(fabs(x[1] - x[0] + 1.5) < 2e-3); /* the apocentre, at a (1 + e), on the other side */
            free_all(got, 6);
            expect_status(device, ww_nbody_step(bodies, turn / STEPS, STEPS / 2), WW_OK);
            expect_status(device, ww_nbody_totals_get(bodies, &after), WW_OK);
            state_of(device, bodies, 2, got);
            for (size_t k = 0; k < 6; k++)
                for (size_t i = 0; i < 2; i++) expect(fabs(((const double *)got[k].data)[i] - start[k + 1][i]) < 2e-3);
            expect(fabs(before.kinetic + before.potential + 0.5 * 1 / (2 * 1.25)) < 1e-6);
            expect(fabs(after.kinetic + after.potential - before.kinetic - before.potential) < 1e-6);
            expect(fabs(after.angular_momentum[2] - before.angular_momentum[2]) < 1e-6);
            expect(before.interactions == 4 && before.mass == 1.5);
            free_all(got, 6);
            ww_nbody_destroy(bodies);
            ww_close(device);
        }
}

/* A cluster keeps its energy and momentum, comes back when time runs back, and 0 steps change nothing. */
static void expect_totals(const ww_nbody_totals *t, size_t n) {
    double mass = 0, kinetic = 0, of[3][3] = {{0}};
    for (size_t i = 0; i < n; i++) {
        const double m = in[0][i];
        mass += m;
        for (size_t k = 0; k < 3; k++) {
            const size_t a = (k + 1) % 3, b = (k + 2) % 3;
            kinetic += 0.5 * m * in[4 + k][i] * in[4 + k][i];
            of[0][k] += m * in[1 + k][i];
            of[1][k] += m * in[4 + k][i];
            of[2][k] += m * (in[1 + a][i] * in[4 + b][i] - in[1 + b][i] * in[4 + a][i]);
        }
    }
    expect(fabs(t->mass - mass) < 1e-12 && fabs(t->kinetic - kinetic) < 1e-12);
    for (size_t k = 0; k < 3; k++) {
        expect(fabs(t->center[k] - of[0][k] / mass) < 1e-12 && fabs(t->momentum[k] - of[1][k]) < 1e-12);
        expect(fabs(t->angular_momentum[k] - of[2][k]) < 1e-11);
    }
}

static void conserved(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++)
        for (uint32_t method = WW_NBODY_TREE; method <= WW_NBODY_EXACT; method++) {
            const size_t n = on_emulator() ? 100 : 400, steps = on_emulator() ? 3 : 40;
            CASE("nbody", "%s conserved method=%u", setting_name(s), method);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            ww_nbody_options o = WW_NBODY_OPTIONS;
            ww_nbody_totals before = WW_NBODY_TOTALS, after = WW_NBODY_TOTALS;
            guarded got[6];
            place(CLUSTER, n, seed_of_run() + 5);
            o.method = method;
            o.softening = 0.1;
            ww_nbody *bodies = begin(device, n, &o);
            expect_status(device, ww_nbody_totals_get(bodies, &before), WW_OK);
            expect_totals(&before, n);
            expect_status(device, ww_nbody_step(bodies, 0.02, 0), WW_OK);
            state_of(device, bodies, n, got);
            for (size_t k = 0; k < 6; k++) expect_elements(got[k].data, in[k + 1], n, sizeof(double));
            free_all(got, 6);
            expect_status(device, ww_nbody_step(bodies, 0.02, steps), WW_OK);
            expect_status(device, ww_nbody_totals_get(bodies, &after), WW_OK);
            const double energy = before.kinetic + before.potential;
            expect(energy < 0 && fabs(after.kinetic + after.potential - energy) < 1e-3 * fabs(energy));
            expect(after.kinetic > 1.01 * before.kinetic || on_emulator()); /* it falls together */
            for (size_t k = 0; k < 3; k++) {
                expect(fabs(after.momentum[k] - before.momentum[k]) < (method == WW_NBODY_EXACT ? 1e-7 : 1e-4));
                expect(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 1e-4);
            }
            expect_status(device, ww_nbody_step(bodies, -0.02, steps), WW_OK);
            state_of(device, bodies, n, got);
            for (size_t k = 0; k < 6; k++)
                for (size_t i = 0; i < n; i++) expect(fabs(((const double *)got[k].data)[i] - in[k + 1][i]) < 1e-4);
            free_all(got, 6);
            ww_nbody_destroy(bodies);
            ww_close(device);
        }
}

/* ---- nodes as wholes ---- */

/* A rod, askew in each of the planes in turn, seen from far away: with its second moments it pulls nearly as its bodies do. */
static void rods(void **state) {
    (void)state;
    enum { ROD = 64, N = ROD + 1 }; /* the far one walks alone */
    const double *const places[3] = {in[1], in[2], in[3]};
    double *const out[OUT] = {wanted[0], wanted[1], wanted[2], wanted[3], wanted[4]};
    ww_device *device = setting_open(0);
    for (size_t plane = 0; plane < 3; plane++) {
        ww_nbody_options o = WW_NBODY_OPTIONS;
        guarded got[4];
        CASE("nbody", "rods plane=%zu", plane);
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < IN; k++)
                in[k][i] = k == 0 ? 1. / ROD : k > 3 || k - 1 == plane ? 0 : (double)i / ROD;
        in[1][ROD] = 4, in[2][ROD] = 1.6, in[3][ROD] = 1.9;
        o.method = WW_NBODY_TREE;
        o.theta = 1;
        reference_nbody(in[0], places, N, o.softening, out);
        ww_nbody *bodies = begin(device, N, &o);
        forces(device, bodies, N, got);
        double off = 0, all = 0;
        for (size_t k = 0; k < 3; k++) {
            off += pow(((const double *)got[k].data)[ROD] - wanted[k][ROD], 2);
            all += pow(wanted[k][ROD], 2);
        }
        expect(sqrt(off / all) < 2e-3);
        free_all(got, 4);
        ww_nbody_destroy(bodies);
    }
    ww_close(device);
}

/* Two bodies of masses that f32 has no numbers for, and of which the sum says nothing. */
static void masses(void **state) {
    static const double masses[][2] = {{1e100, -1e100}, {1e-160, 3e-160}, {5e-324, 5e-324}, {1e150, 1e150}};
    (void)state;
    ww_device *device = setting_open(0);
    for (size_t k = 0; k < 2 * sizeof masses / sizeof *masses; k++) {
        ww_nbody_options o = WW_NBODY_OPTIONS;
        guarded got[4];
        CASE("nbody", "masses %g, %g %s", masses[k / 2][0], masses[k / 2][1], k % 2 ? "exact" : "tree");
        memset(in, 0, sizeof in);
        in[0][0] = masses[k / 2][0], in[0][1] = masses[k / 2][1];
        in[1][1] = 1;
        o.method = k % 2 ? WW_NBODY_EXACT : WW_NBODY_TREE;
        o.softening = 0;
        ww_nbody *bodies = begin(device, 2, &o);
        forces(device, bodies, 2, got);
        const double *const ax = got[0].data, *const potential = got[3].data;
        for (size_t i = 0; i < 2; i++) {
            const double pull = i ? -in[0][0] : in[0][1];
            const double below = fabs(pull) * (in[0][1 - i] < 0 ? -1 : 1), most = 1e-6 * fabs(pull) + 1e-300;
            expect(fabs(ax[i] - pull) <= most && fabs(potential[i] + below) <= most);
            expect(((const double *)got[1].data)[i] == 0 && ((const double *)got[2].data)[i] == 0);
        }
        free_all(got, 4);
        ww_nbody_destroy(bodies);
    }
    ww_close(device);
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_nbody *bodies = NULL;
    ww_nbody_options o = WW_NBODY_OPTIONS;
    ww_nbody_totals totals = WW_NBODY_TOTALS;
    double *x = need(8 * 3);
    float *narrow = need(4 * 3);
    guarded got[6];
    CASE("nbody", "refused");
    for (size_t i = 0; i < 3; i++) x[i] = (double)i;
    const ww_input three = ww_memory(x, 3), none = ww_no_input;
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
    } while (0)
    o.theta = -1;
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, &o, &bodies), "theta is -1");
    o.theta = (double)NAN;
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, &o, &bodies), "theta is");
    o = (ww_nbody_options)WW_NBODY_OPTIONS;
    o.softening = (double)INFINITY;
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, &o, &bodies), "softening is inf");
    o = (ww_nbody_options)WW_NBODY_OPTIONS;
    o.dimensions = 4;
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, &o, &bodies), "dimensions is 4");
    o.dimensions = 0;
    o.method = 3;
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, &o, &bodies), "method is 3");
    REFUSED(WW_LIMIT, ww_nbody_create(device, (uint64_t)1 << 31, NULL, &bodies), "2147483648 bodies");
    REFUSED(WW_INVALID, ww_nbody_create(device, 3, NULL, NULL), "nbody is NULL");
    expect(!bodies);
    expect_status(device, ww_nbody_create(device, 3, NULL, &bodies), WW_OK);
    REFUSED(WW_INVALID, ww_nbody_set(bodies, three, three, three, none, three, three, three), "ww_nbody_set",
            "z is missing");
    REFUSED(WW_TYPE, ww_nbody_set(bodies, three, ww_memory(narrow, 3), three, three, three, three, three), "x is f32");
    REFUSED(WW_INVALID, ww_nbody_set(bodies, three, three, three, three, three, ww_memory(x, 2), three), "3 bodies",
            "vy has 2");
    REFUSED(WW_INVALID, ww_nbody_get(bodies, ww_array(x, 2), ww_none, ww_none, ww_none, ww_none, ww_none),
            "ww_nbody_get", "x has 2");
    REFUSED(WW_TYPE, ww_nbody_forces(bodies, ww_none, ww_none, ww_none, ww_array(narrow, 3)), "potential is f32");
    REFUSED(WW_INVALID, ww_nbody_step(bodies, (double)INFINITY, 1), "dt is inf");
    totals.size = 4;
    expect_status(device, ww_nbody_totals_get(bodies, &totals), WW_INVALID);
    for (int k = 0; k < 3; k++) {
        double *wrong = need(8 * 3);
        for (size_t i = 0; i < 3; i++) wrong[i] = 1;
        wrong[1] = k == 0 ? (double)NAN : k == 1 ? -(double)INFINITY : 1e151;
        const ww_input bad = ww_memory(wrong, 3);
        REFUSED(WW_RANGE, ww_nbody_set(bodies, three, three, three, bad, three, three, three),
                "ww_nbody_set: body 1 has z");
        REFUSED(WW_RANGE, ww_nbody_set(bodies, bad, three, three, three, three, three, three), "body 1 has mass");
        REFUSED(WW_RANGE, ww_nbody_set(bodies, three, three, three, three, bad, bad, three), "body 1 has vx");
        state_of(device, bodies, 3, got); /* as they were made */
        for (size_t c = 0; c < 6; c++)
            for (size_t i = 0; i < 3; i++) expect(((const double *)got[c].data)[i] == 0);
        free_all(got, 6);
        free(wrong);
    }
    double *fast = need(8 * 3);
    for (size_t i = 0; i < 3; i++) fast[i] = i == 2 ? 1e149 : 0;
    const ww_input flies = ww_memory(fast, 3);
    expect_status(device, ww_nbody_set(bodies, three, three, three, three, three, flies, three), WW_OK);
    REFUSED(WW_RANGE, ww_nbody_step(bodies, 3, 9), "ww_nbody_step", "after step 4 body 2 has y 1.2e+150");
    expect(ww_nbody_step(NULL, 1, 1) == WW_INVALID && ww_nbody_create(NULL, 1, NULL, &bodies) == WW_INVALID);
    expect(ww_nbody_set(NULL, three, three, three, three, three, three, three) == WW_INVALID);
    expect(ww_nbody_totals_get(NULL, &totals) == WW_INVALID);
    expect(ww_nbody_get(NULL, ww_none, ww_none, ww_none, ww_none, ww_none, ww_none) == WW_INVALID);
    expect(ww_nbody_forces(NULL, ww_none, ww_none, ww_none, ww_none) == WW_INVALID);
    ww_nbody_destroy(bodies);
    ww_nbody_destroy(NULL);
    free(x);
    free(fast);
    free(narrow);
    ww_close(device);
}

/* Every allocation fails in turn: MEMORY, nothing leaks, and another try goes well. */
static void memory_fails(void **state) {
    (void)state;
    if (left_out_on_gpu("the allocator is the host's")) return;
    CASE("nbody", "memory fails");
    place(CLUSTER, 300, seed_of_run());
    size_t failures = 0;
    for (size_t at = 0;; at++) {
        counting_allocator counter = {.fail_at = at};
        ww_open_options options = WW_OPEN_OPTIONS;
        ww_device *device = NULL;
        ww_nbody *bodies = NULL;
        ww_nbody_totals totals = WW_NBODY_TOTALS;
        options.allocator = counting_allocator_use(&counter);
        ww_status status = ww_open_with("cpu:threads=1", &device, &options);
        if (!status) status = ww_nbody_create(device, 300, NULL, &bodies);
        if (!status)
            status = ww_nbody_set(bodies, ww_memory(in[0], 300), ww_memory(in[1], 300), ww_memory(in[2], 300),
                                  ww_memory(in[3], 300), ww_memory(in[4], 300), ww_memory(in[5], 300),
                                  ww_memory(in[6], 300));
        if (!status) status = ww_nbody_step(bodies, 0.01, 2);
        if (!status) status = ww_nbody_totals_get(bodies, &totals);
        expect(status == WW_OK || status == WW_MEMORY);
        if (status && bodies) {
            counter.fail_at = SIZE_MAX;
            expect_status(device, ww_nbody_step(bodies, 0.01, 1), WW_OK);
        }
        failures += status == WW_MEMORY;
        ww_nbody_destroy(bodies);
        ww_close(device);
        expect(!counter.live_blocks && !counter.live_bytes);
        if (!status) break;
    }
    expect(failures >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_all_pairs),
                                       cmocka_unit_test(same_bytes),
                                       cmocka_unit_test(orbit_closes),
                                       cmocka_unit_test(conserved),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(memory_fails),
                                       cmocka_unit_test(rods),
                                       cmocka_unit_test(masses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

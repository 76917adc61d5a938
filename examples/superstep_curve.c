/* A curve drawn by straight pieces that are as short as it is bent: each thread has a piece, and forks into two halves where
 * the curve leaves it by more than a tolerance; what is flat enough is written out, and its thread ends.
 *
 * The curve is the spiral (t cos 12 t, t sin 12 t), 0 <= t <= 1, whose inner part takes longer steps of t than its outer
 * part. A fork gives both children their parent's piece; the rank among the siblings says which half is theirs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_CONSTANT(TOLERANCE, double, 1e-4);
enum { MOST = 1 << 16 };

WW_STRUCT(pieces, {
    double *begin;
    double *end;
    const uint32_t *half; /* which child of its parent a thread is; NULL at first */
    uint8_t *children;
    uint8_t *flat;
    double *cuts;   /* where the pieces that are done end */
    uint32_t *done; /* how many there are */
});

/* How far the middle of the chord is from the curve's, at most: by the second derivative, (24 i - 144 t) e^(12 i t) as a
 * complex number. */
WW_FUNCTION(deviation, double, (double begin, double end), {
    const double bent = 24 + 144 * end;
    return bent * (end - begin) * (end - begin) / 8;
});

WW_KERNEL_USES((TOLERANCE, deviation), halve, pieces, p, rank, {
    const double middle = (p->begin[rank] + p->end[rank]) / 2;
    if (p->half) {
        if (p->half[rank])
            p->begin[rank] = middle;
        else
            p->end[rank] = middle;
    }
    const uint8_t flat = deviation(p->begin[rank], p->end[rank]) <= TOLERANCE;
    p->flat[rank] = flat;
    p->children[rank] = 2;
    if (flat) p->cuts[ww_atomic_add(p->done, 1u)] = p->end[rank];
});

/* One thread with the whole curve. */
typedef struct drawing {
    ww_team *team;
    ww_column begin, end, half, children, flat;
} drawing;

static ww_status start(ww_device *device, drawing *d) {
    ww_status s = ww_team_create(device, 1, &d->team);
    if (!s) s = ww_team_add(d->team, ww_constant(ww_value(double, 0), 1), &d->begin);
    if (!s) s = ww_team_add(d->team, ww_constant(ww_value(double, 1), 1), &d->end);
    if (!s) s = ww_team_add(d->team, ww_constant(ww_value(uint32_t, 0), 1), &d->half);
    if (!s) s = ww_team_add(d->team, ww_constant(ww_value(uint8_t, 0), 1), &d->children);
    return s ? s : ww_team_add(d->team, ww_constant(ww_value(uint8_t, 0), 1), &d->flat);
}

static ww_status draw(const drawing *d, double *cuts, uint32_t *done, size_t *rounds) {
    ww_team_options ranks = WW_TEAM_OPTIONS;
    ww_status s = WW_OK;
    ranks.rank = d->half;
    for (*rounds = 0; !s && ww_team_size(d->team); ++*rounds) {
        const pieces p = {(double *)ww_team_data(d->team, d->begin),
                          (double *)ww_team_data(d->team, d->end),
                          *rounds ? (const uint32_t *)ww_team_data(d->team, d->half) : NULL,
                          (uint8_t *)ww_team_data(d->team, d->children),
                          (uint8_t *)ww_team_data(d->team, d->flat),
                          cuts,
                          done};
        s = ww_team_step(d->team, ww_with(halve, &p));
        if (!s) s = ww_team_kill(d->team, ww_from(ww_team_array(d->team, d->flat)), NULL);
        if (!s) s = ww_team_fork(d->team, ww_from(ww_team_array(d->team, d->children)), &ranks);
    }
    return s;
}

/* The chords' middles and the curve's, serially; false where one is too far. */
static int close_enough(const double *cuts, uint32_t many) {
    double from = 0;
    for (uint32_t i = 0; i < many; from = cuts[i++]) {
        const double to = cuts[i], t = (from + to) / 2;
        const double x = (from * cos(12 * from) + to * cos(12 * to)) / 2 - t * cos(12 * t);
        const double y = (from * sin(12 * from) + to * sin(12 * to)) / 2 - t * sin(12 * t);
        if (to <= from || sqrt(x * x + y * y) > TOLERANCE) return 0;
    }
    return from == 1;
}

int main(void) {
    drawing d = {NULL, 0, 0, 0, 0, 0};
    void *cuts = NULL, *sorted = NULL, *done = NULL;
    double *mine = (double *)malloc(MOST * sizeof *mine);
    uint32_t many = 0;
    size_t rounds = 0;
    ww_device *device;
    if (!mine) return 1;
    ww_status s = ww_open(NULL, &device);
    if (!s) s = ww_alloc(device, MOST * sizeof(double), &cuts);
    if (!s) s = ww_alloc(device, MOST * sizeof(double), &sorted);
    if (!s) s = ww_alloc(device, sizeof many, &done);
    if (!s) s = ww_fill(device, ww_array((uint32_t *)done, 1), ww_value(uint32_t, 0));
    if (!s) s = start(device, &d);
    if (!s) s = draw(&d, (double *)cuts, (uint32_t *)done, &rounds);
    if (!s) s = ww_copy(device, ww_memory((const uint32_t *)done, 1), ww_array(&many, 1));
    if (!s)
        s = ww_sort(device, ww_memory((const double *)cuts, many), ww_no_input, ww_array((double *)sorted, many),
                    ww_none, NULL);
    if (!s) s = ww_copy(device, ww_memory((const double *)sorted, many), ww_array(mine, many));
    if (!s) s = ww_sync(device);
    if (s) fprintf(stderr, "superstep_curve: %s\n", ww_error(device));
    const int right = !s && close_enough(mine, many);
    if (!s) printf("%u pieces after %zu rounds: %s\n", many, rounds, right ? "right" : "WRONG");
    ww_team_destroy(d.team);
    ww_free(device, cuts);
    ww_free(device, sorted);
    ww_free(device, done);
    ww_close(device);
    free(mine);
    return !right;
}

/* Colliding particles, as in Green's CUDA Particles (2008): balls in a box fall, bounce and come to rest in a heap. Each step
 * moves them, puts them in a grid and has those that touch push each other; at the end a walk in a kernel counts contacts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { SIDE = 6, N = SIDE * SIDE * SIDE, STEPS = 150 };
static const double RADIUS = 0.05;

/* How many others each ball touches. */
WW_STRUCT_USES((ww_grid_f32), contacts, {
    ww_grid_f32 grid;
    uint32_t *touching;
    float diameter;
});
WW_KERNEL_USES((ww_grid_f32_walk, ww_grid_f32_from_point, ww_grid_f32_next), count_contacts, contacts, c, at, {
    ww_grid_f32_walk near;
    uint32_t touching = 0;
    ww_grid_f32_from_point(&c->grid, &near, (uint32_t)at, c->diameter);
    while (ww_grid_f32_next(&c->grid, &near)) touching++;
    c->touching[c->grid.index[at]] = touching;
});

/* A block of balls in the middle of the box, none exactly above another; at rest. */
static void begin(float *const at[6]) {
    for (int i = 0; i < N; i++) {
        at[0][i] = (float)(i % SIDE - SIDE / 2) * 0.101f + 0.003f * (float)(i % 7);
        at[1][i] = (float)(i / SIDE % SIDE) * 0.101f - 0.5f;
        at[2][i] = (float)(i / SIDE / SIDE - SIDE / 2) * 0.101f + 0.003f * (float)(i % 5);
        at[3][i] = at[4][i] = at[5][i] = 0;
    }
}

/* The energy of the heap above the floor, for unit mass and gravity. */
static double height(const float *y) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += (double)y[i] + 1;
    return sum / N;
}

/* All inside of the box, and few of them in one another. */
static int wrong(float *const at[6]) {
    int outside = 0, deep = 0;
    for (int i = 0; i < N; i++) {
        for (int d = 0; d < 3; d++) outside += !(fabs((double)at[d][i]) <= 1);
        for (int j = 0; j < i; j++) {
            double square = 0;
            for (int d = 0; d < 3; d++) square += pow((double)(at[d][i] - at[d][j]), 2);
            deep += square < RADIUS * RADIUS;
        }
    }
    return outside + (deep > N / 50);
}

int main(void) {
    static float memory[6][N];
    static uint32_t touching[N];
    float *there[6] = {NULL, NULL, NULL, NULL, NULL, NULL}, *here[6];
    void *block = NULL, *touching_there = NULL;
    ww_device *device;
    ww_grid *grid = NULL;
    ww_grid_options options = WW_GRID_OPTIONS;
    ww_collide_options step = WW_COLLIDE_OPTIONS;
    contacts c;
    uint64_t sum = 0;
    for (int k = 0; k < 6; k++) here[k] = memory[k];
    begin(here);
    const double before = height(here[1]);
    step.radius = RADIUS;
    step.time_step = 0.5;
    step.gravity[1] = -0.0003;
    step.drag = 0.005;
    step.walls = 1;
    options.cell = 2 * RADIUS; /* two that touch are in cells beside each other */
    options.domain = WW_GRID_BOX;
    for (int d = 0; d < 3; d++) {
        options.low[d] = step.low[d] = -1;
        options.high[d] = step.high[d] = 1;
    }
    ww_status s = ww_open(NULL, &device);
    for (int k = 0; k < 6 && !s; k++) {
        s = ww_alloc(device, sizeof memory[k], &block);
        there[k] = s ? NULL : (float *)block;
        if (!s) s = ww_copy(device, ww_memory(here[k], N), ww_array(there[k], N));
    }
    const ww_points points = ww_points_3d(ww_memory(there[0], N), ww_memory(there[1], N), ww_memory(there[2], N));
    const ww_particles balls = {ww_array(there[0], N), ww_array(there[1], N), ww_array(there[2], N),
                                ww_array(there[3], N), ww_array(there[4], N), ww_array(there[5], N)};
    if (!s) s = ww_grid_create(device, &points, &options, &grid);
    for (int k = 0; k < STEPS && !s; k++) s = ww_grid_collide(grid, &balls, &step);
    if (!s) s = ww_alloc(device, sizeof touching, &touching_there);
    if (!s) s = ww_grid_view_f32(grid, &c.grid);
    c.touching = (uint32_t *)touching_there;
    c.diameter = (float)(2 * RADIUS);
    if (!s) s = ww_launch(device, ww_with(count_contacts, &c), N);
    if (!s) s = ww_copy(device, ww_memory(c.touching, N), ww_array(touching, N));
    for (int k = 0; k < 3 && !s; k++) s = ww_copy(device, ww_memory(there[k], N), ww_array(here[k], N));
    if (!s) s = ww_sync(device);
    if (s) fprintf(stderr, "colliding_particles: %s\n", ww_error(device));
    for (int i = 0; i < N && !s; i++) sum += touching[i];
    const int bad = s || wrong(here) || height(here[1]) >= before || sum == 0 || sum % 2;
    if (!s)
        printf("%d balls fell from %.2f to %.2f and touch at %llu places: %s\n", N, before, height(here[1]),
               (unsigned long long)(sum / 2), bad ? "WRONG" : "right");
    ww_grid_destroy(grid);
    for (int k = 0; k < 6; k++) ww_free(device, there[k]);
    ww_free(device, touching_there);
    ww_close(device);
    return bad;
}

/* Three equal bodies that chase each other along a figure of eight (Chenciner and Montgomery, 2000; its start by Simó):
 * after one period each is where it began. Leapfrog keeps the energy in bounds on the way. */
#include <math.h>
#include <stdio.h>

#include <warpwise.h>

enum { BODIES = 3, STEPS = 300 };

int main(void) {
    static const double period = 6.32591398;
    static const double mass[BODIES] = {1, 1, 1};
    static const double x[BODIES] = {0.97000436, -0.97000436, 0}, y[BODIES] = {-0.24308753, 0.24308753, 0};
    static const double vx[BODIES] = {0.466203685, 0.466203685, -0.93240737};
    static const double vy[BODIES] = {0.43236573, 0.43236573, -0.86473146};
    double x_end[BODIES] = {0}, y_end[BODIES] = {0}, farthest = 0;
    ww_nbody_options options = WW_NBODY_OPTIONS;
    ww_nbody_totals before = WW_NBODY_TOTALS, after = WW_NBODY_TOTALS;
    ww_device *device;
    ww_nbody *bodies = NULL;

    options.dimensions = 2;
    options.method = WW_NBODY_EXACT;
    options.softening = 0;
    ww_status status = ww_open(NULL, &device);
    if (!status) status = ww_nbody_create(device, BODIES, &options, &bodies);
    if (!status)
        status = ww_nbody_set(bodies, ww_memory(mass, BODIES), ww_memory(x, BODIES), ww_memory(y, BODIES), ww_no_input,
                              ww_memory(vx, BODIES), ww_memory(vy, BODIES), ww_no_input);
    if (!status) status = ww_nbody_totals_get(bodies, &before);
    if (!status) status = ww_nbody_step(bodies, period / STEPS, STEPS);
    if (!status) status = ww_nbody_totals_get(bodies, &after);
    if (!status)
        status = ww_nbody_get(bodies, ww_array(x_end, BODIES), ww_array(y_end, BODIES), ww_none, ww_none, ww_none,
                              ww_none);
    if (!status) status = ww_sync(device);
    if (status) fprintf(stderr, "%s\n", ww_error(device));
    for (int i = 0; i < BODIES; i++) farthest = fmax(farthest, hypot(x_end[i] - x[i], y_end[i] - y[i]));
    const double drift = fabs(after.kinetic + after.potential - before.kinetic - before.potential);
    if (!status)
        printf("after a period each body is within %.0e of its start, and the energy within %.0e\n",
               farthest < 1e-3 ? 1e-3 : farthest, drift < 1e-5 ? 1e-5 : drift);
    ww_nbody_destroy(bodies);
    ww_close(device);
    return status || farthest > 1e-3 || drift > 1e-5;
}

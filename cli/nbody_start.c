/* Bodies to begin with. */
#include <math.h>

#include "nbody.h"
#include "tour_data.h"

static const double turn = 6.283185307179586;

static double uniform(uint64_t *seed) { return (double)(next_random(seed) >> 11) * 0x1p-53; }

/* A random direction times a length. */
static void point(uint64_t *seed, double length, double out[3]) {
    const double z = 2 * uniform(seed) - 1, angle = turn * uniform(seed), flat = sqrt(1 - z * z);
    out[0] = length * flat * cos(angle);
    out[1] = length * flat * sin(angle);
    out[2] = length * z;
}

/* One body of Plummer's sphere with scale length 1 and mass 1: its radius by the inverse of the mass inside, its speed as a
 * part of the escape speed by rejection. The outermost thousandth is left out, which goes very far. */
static void plummer_body(uint64_t *seed, double place[3], double velocity[3]) {
    const double inside = 0.999 * uniform(seed) + 1e-12;
    const double radius = 1 / sqrt(pow(inside, -2.0 / 3) - 1);
    double part, height;
    do {
        part = uniform(seed);
        height = 0.1 * uniform(seed);
    } while (height > part * part * pow(1 - part * part, 3.5));
    point(seed, radius, place);
    point(seed, part * sqrt(2) * pow(1 + radius * radius, -0.25), velocity);
}

/* The center of mass to the origin, at rest. */
static void center(bodies *b) {
    for (int k = X; k <= VZ; k++) {
        double sum = 0, mass = 0;
        for (uint64_t i = 0; i < b->count; i++) {
            sum += b->column[MASS][i] * b->column[k][i];
            mass += b->column[MASS][i];
        }
        for (uint64_t i = 0; i < b->count; i++) b->column[k][i] -= sum / mass;
    }
}

void start_plummer(bodies *b, uint64_t seed) {
    const double length = 3 * turn / 32; /* energy -1/4 */
    for (uint64_t i = 0; i < b->count; i++) {
        double place[3], velocity[3];
        plummer_body(&seed, place, velocity);
        b->column[MASS][i] = 1 / (double)b->count;
        for (int k = 0; k < 3; k++) {
            b->column[X + k][i] = place[k] * length;
            b->column[VX + k][i] = velocity[k] / sqrt(length);
        }
    }
    center(b);
}

/* ---- two galaxies ---- */

enum { BULGE = 3, OF = 10 }; /* 3 bodies in 10 */
static const double bulge_length = 0.25, disk_length = 0.5, disk_edge = 3;

/* The mass of a galaxy of mass 1 that pulls a body of the disk at this radius inward. */
static double mass_inside(double r) {
    const double bulge = pow(r * r / (r * r + bulge_length * bulge_length), 1.5), x = r / disk_length;
    return ((double)BULGE * bulge + (double)(OF - BULGE) * (1 - (1 + x) * exp(-x))) / (double)OF;
}

static void disk_body(uint64_t *seed, double place[3], double velocity[3]) {
    double r;
    do r = -disk_length * log((uniform(seed) + 1e-15) * (uniform(seed) + 1e-15)); /* surface density e^(-r / length) */
    while (r > disk_edge);
    const double angle = turn * uniform(seed), speed = r > 0 ? sqrt(mass_inside(r) / r) : 0;
    double shake[3];
    point(seed, 0.2 * speed, shake);
    place[0] = r * cos(angle);
    place[1] = r * sin(angle);
    place[2] = 0.04 * (uniform(seed) + uniform(seed) - 1);
    velocity[0] = -speed * sin(angle) + shake[0];
    velocity[1] = speed * cos(angle) + shake[1];
    velocity[2] = shake[2];
}

static void bulge_body(uint64_t *seed, double place[3], double velocity[3]) {
    plummer_body(seed, place, velocity);
    const double r = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
    for (int k = 0; k < 3; k++) {
        place[k] *= r > 12 ? bulge_length * 12 / r : bulge_length;
        velocity[k] *= sqrt((double)BULGE / (double)OF / bulge_length);
    }
}

/* About the x axis. */
static void tilt(double v[3], double angle) {
    const double y = v[1] * cos(angle) - v[2] * sin(angle);
    v[2] = v[1] * sin(angle) + v[2] * cos(angle);
    v[1] = y;
}

void start_galaxies(bodies *b, uint64_t seed) {
    static const double at[2][3] = {{-1.9, -0.7, 0}, {1.9, 0.7, 0}}, speed[2][3] = {{0.32, 0, 0.03}, {-0.32, 0, -0.03}};
    static const double tilted[2] = {0.45, -0.9};
    for (uint64_t i = 0; i < b->count; i++) {
        const int galaxy = i >= b->count / 2 + b->count % 2;
        double place[3], velocity[3];
        if (i % OF < BULGE)
            bulge_body(&seed, place, velocity);
        else
            disk_body(&seed, place, velocity);
        tilt(place, tilted[galaxy]);
        tilt(velocity, tilted[galaxy]);
        b->column[MASS][i] = 2 / (double)b->count;
        for (int k = 0; k < 3; k++) {
            b->column[X + k][i] = place[k] + at[galaxy][k];
            b->column[VX + k][i] = velocity[k] + speed[galaxy][k];
        }
    }
    center(b);
}

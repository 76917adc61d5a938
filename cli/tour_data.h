/* What the tour works on: the machine's own files, and generated readings. */
#ifndef CLI_TOUR_DATA_H
#define CLI_TOUR_DATA_H

#include "job.h"

typedef struct collection {
    unsigned char *bytes; /* of the device's memory */
    size_t length;
    size_t files;
    const char *from; /* where the first of them lies, as a pattern; or "made up" */
} collection;

/* Shared libraries and programs, one after another, a multiple of 4 bytes. Never empty: where a machine has none that can
 * be read, made-up bytes stand in. */
int collect_binaries(job *j, size_t most, collection *c);

/* Texts; every file ends with a newline. */
int collect_texts(job *j, size_t most, collection *c);

WW_STRUCT(reading, {
    uint64_t time;
    uint32_t sensor;
    float value;
});

enum { SENSORS = 65536 };

/* n readings at random times from sensors of which a few send most. */
void make_readings(reading *readings, size_t n, uint64_t seed);

/* splitmix64: a random number and the next state. */
uint64_t next_random(uint64_t *state);

#endif

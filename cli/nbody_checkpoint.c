/* A run in a file, to go on from: numbers of 8 bytes, little-endian. 24 of them say what it is, then come the columns. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "nbody.h"

/* "WWNBODY1" */
static const uint64_t magic = 0x3159444f424e5757u;

enum {
    MAGIC,
    COUNT,
    DIMENSIONS,
    STEPS,
    DT,
    METHOD,
    THETA,
    SOFTENING,
    QUADRUPOLES,
    VIEW,
    STARTED,
    ENERGY,
    MOMENTUM,
    CHECKSUM = 15,
    HEAD = 24
};

/* Fletcher's sums of all words but the one that holds them. */
static uint64_t checksum(const uint64_t *word, uint64_t count) {
    uint64_t a = 1, b = 0;
    for (uint64_t k = 0; k < count; k++) {
        a += k == CHECKSUM ? 0 : word[k] ^ (word[k] >> 29);
        b = (b << 5 | b >> 59) + a;
    }
    return a ^ b * 0x9e3779b97f4a7c15u;
}

static uint64_t bits(double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static double number_of(uint64_t word) {
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

int checkpoint_make(job *j, const nbody_run *run, const bodies *b, ww_array *data) {
    static uint64_t like;
    uint64_t words;
    if (__builtin_mul_overflow(b->count, (uint64_t)COLUMNS, &words))
        return job_fail(j, "%" PRIu64 " bodies do not fit in memory", b->count);
    words += HEAD;
    if (job_room(j, ww_array(&like, 1), words, data)) return FAILED;
    uint64_t *word = data->data;
    memset(word, 0, HEAD * sizeof *word);
    word[MAGIC] = magic;
    word[COUNT] = b->count;
    word[DIMENSIONS] = b->dimensions;
    word[STEPS] = run->done;
    word[DT] = bits(run->dt);
    word[METHOD] = run->options.method;
    word[THETA] = bits(run->options.theta);
    word[SOFTENING] = bits(run->options.softening);
    word[QUADRUPOLES] = run->options.quadrupoles;
    word[VIEW] = bits(run->half_width);
    word[STARTED] = run->started;
    word[ENERGY] = bits(run->start.energy);
    for (int k = 0; k < 3; k++) word[MOMENTUM + k] = bits(run->start.momentum[k]);
    if (b->count) memcpy(word + HEAD, b->room.data, (words - HEAD) * sizeof *word);
    word[CHECKSUM] = checksum(word, words);
    return DONE;
}

static int take(job *j, const char *path, const uint64_t *word, uint64_t words, nbody_run *run, bodies *b) {
    uint64_t numbers;
    if (words < HEAD || word[MAGIC] != magic) return job_fail(j, "%s: is not a checkpoint of warpwise nbody", path);
    if (__builtin_mul_overflow(word[COUNT], (uint64_t)COLUMNS, &numbers) || numbers != words - HEAD)
        return job_fail(j, "%s: says that it has %" PRIu64 " bodies, and has %" PRIu64 " bytes", path, word[COUNT],
                        8 * words);
    if (word[CHECKSUM] != checksum(word, words))
        return job_fail(j, "%s: is damaged: its checksum does not match", path);
    if ((word[DIMENSIONS] != 2 && word[DIMENSIONS] != 3) || word[METHOD] > WW_NBODY_EXACT)
        return job_fail(j, "%s: is of another version of warpwise nbody", path);
    if (bodies_room(j, word[COUNT], b)) return FAILED;
    b->dimensions = (uint32_t)word[DIMENSIONS];
    if (numbers) memcpy(b->room.data, word + HEAD, numbers * sizeof *word);
    run->done = word[STEPS];
    run->dt = number_of(word[DT]);
    run->options.method = (uint32_t)word[METHOD];
    run->options.theta = number_of(word[THETA]);
    run->options.softening = number_of(word[SOFTENING]);
    run->options.quadrupoles = word[QUADRUPOLES] != 0;
    run->half_width = number_of(word[VIEW]);
    run->started = word[STARTED] != 0;
    run->start.energy = number_of(word[ENERGY]);
    for (int k = 0; k < 3; k++) run->start.momentum[k] = number_of(word[MOMENTUM + k]);
    return DONE;
}

int checkpoint_read(job *j, const char *path, nbody_run *run, bodies *b) {
    ww_file_array file;
    const ww_array words = ww_array_of(NULL, 0, &ww_type_uint64_t);
    if (named_npy(path)) return job_fail(j, "%s: a checkpoint is not a .npy", path);
    if (job_read(j, path, words, &file)) return FAILED;
    const int status = take(j, path, file.array.data, file.array.count, run, b);
    job_forget(j, &file);
    return status;
}

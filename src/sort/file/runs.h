/* Sorted runs of one length, but for the last one, in memory or in a temporary file.
 *
 * In the file each run is followed by a page of samples: the keys of some of its elements at equal distances, by which a search
 * comes close to a place in the run without reading it. */
#ifndef WW__FILE_RUNS_H
#define WW__FILE_RUNS_H

#include "device/device.h"
#include "sort/file/channel.h"
#include "sort/file/key.h"

enum { WW__SAMPLES_BYTES = 4096 };

typedef struct ww__file_runs {
    const ww__file_key *key;
    size_t size;           /* of an element */
    unsigned char *memory; /* NULL: in the file */
    const ww__channel *file;
    uint64_t first;  /* byte of the file at which the first run begins */
    uint64_t length; /* elements of a run */
    uint64_t n;      /* of all runs */
} ww__file_runs;

static inline uint64_t ww__file_runs_count(const ww__file_runs *r) { return r->n ? (r->n - 1) / r->length + 1 : 0; }
static inline uint64_t ww__file_run_length(const ww__file_runs *r, uint64_t run) {
    return ww__min_u64(r->length, r->n - run * r->length);
}

/* Samples of a run, and elements from one to the next: sample i is element i * step. */
static inline uint64_t ww__file_runs_samples(const ww__file_runs *r) {
    return r->memory ? 0 : WW__SAMPLES_BYTES / r->key->bytes;
}
static inline uint64_t ww__file_runs_step(const ww__file_runs *r) {
    const uint64_t samples = ww__file_runs_samples(r);
    return samples ? (r->length - 1) / samples + 1 : r->length;
}

static inline uint64_t ww__file_run_bytes(const ww__file_runs *r) {
    return r->memory ? r->length * r->size : ww__round_up(r->length * r->size, WW__DIRECT_BYTES) + WW__SAMPLES_BYTES;
}
/* The byte of the file, or of the memory, at which an element of a run begins. */
static inline uint64_t ww__file_run_at(const ww__file_runs *r, uint64_t run, uint64_t element) {
    return r->first + run * ww__file_run_bytes(r) + element * r->size;
}
static inline uint64_t ww__file_run_samples_at(const ww__file_runs *r, uint64_t run) {
    return ww__file_run_at(r, run + 1, 0) - WW__SAMPLES_BYTES;
}

#endif

/* One trip of all elements through memory: chunk after chunk comes, is sorted and goes, while the next one comes and the one before
 * goes on threads of their own. */
#ifndef WW__FILE_TRIP_H
#define WW__FILE_TRIP_H

#include <pthread.h>

#include "file/file.h"
#include "sort/file/cut.h"

enum { WW__TRIP_PIECE = 4 << 20, WW__TRIP_BUFFERS = 2 };

/* What went wrong on a thread that may not say it. */
typedef enum ww__trip_problem {
    WW__TRIP_FINE,
    WW__TRIP_INPUT,  /* `number` is the errno, `at` the bytes before it */
    WW__TRIP_SHRANK, /* `at` bytes of the input were there */
    WW__TRIP_ENDED,  /* the same, of one whose length is not known */
    WW__TRIP_LONGER, /* more elements came than the header says */
    WW__TRIP_OUTPUT,
    WW__TRIP_TEMPORARY_READ,
    WW__TRIP_TEMPORARY_WRITE
} ww__trip_problem;

/* Where elements come from: an input, or runs. */
typedef struct ww__trip_from {
    const ww__channel *input;  /* NULL: runs */
    uint64_t first;            /* the byte of the input at which elements begin */
    const unsigned char *head; /* its first bytes, where they have been read already */
    size_t head_bytes;
    const ww__file_runs *runs;
    uint64_t group;    /* so many neighbouring runs are merged to one */
    ww__file_cut *cut; /* for that */
} ww__trip_from;

/* Where they go: to an output, to runs of a file, or nowhere, as they are sorted in the memory where runs are. */
typedef struct ww__trip_to {
    const ww__channel *output; /* NULL: runs */
    char header[WW__NPY_WRITTEN_BYTES];
    size_t header_bytes;
    const ww__file_runs *runs;
    unsigned char *samples; /* room for a run's */
} ww__trip_to;

typedef struct ww__trip {
    ww_device *device;
    size_t size;    /* of an element */
    uint64_t n;     /* elements; UINT64_MAX: not known before the end */
    uint64_t chunk; /* elements of a chunk, but for the last */
    ww__trip_from from;
    ww__trip_to to;
    unsigned char *buffer[WW__TRIP_BUFFERS]; /* WW__DIRECT_BYTES more than a chunk */
    /* Sorts a chunk, on the calling thread. */
    ww_status (*sort)(void *context, void *elements, uint64_t count);
    /* Told how many bytes have been read and written on all trips; false to stop. On the calling thread. */
    bool (*tell)(void *context, uint64_t done);
    void *context;
    uint64_t done;

    /* The state, behind the lock. Chunks are counted: so many have come, have been sorted, have gone. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t came, sorted, gone, gone_bytes; /* gone_bytes: of the chunk that is going */
    uint64_t chunks;                         /* UINT64_MAX: not known yet */
    uint64_t count[WW__TRIP_BUFFERS];
    bool stop, stopped_by_caller;
    ww__trip_problem problem;
    int number;
    uint64_t at;
    bool threads; /* reading and writing have threads of their own */
} ww__trip;

void ww__trip_open(ww__trip *trip);
void ww__trip_close(ww__trip *trip);

/* Begins a trip, after the one before: what is counted is 0 again. `from`, `to`, `n` and `chunk` are there. */
void ww__trip_begin(ww__trip *trip);

/* Has the first chunk come, before the trip is made; or sees that there is none. */
void ww__trip_bring_first(ww__trip *trip);

/* Makes the trip. A status is the sort's. WW_OK says nothing of `problem` and `stopped_by_caller`. */
ww_status ww__trip_make(ww__trip *trip);

/* For channels: whether the trip goes on. */
bool ww__trip_goes_on(void *trip);

#endif

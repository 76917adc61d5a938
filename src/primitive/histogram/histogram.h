/* The inner interface of the histograms: how elements become bins, and counting them. */
#ifndef WW__HISTOGRAM_H
#define WW__HISTOGRAM_H

#include "device/device.h"
#include "function/check.h"
#include "function/types.h"
#include "warpwise/primitive.h"

enum { WW__BINS_MOST = 1 << 24, WW__WARP_BINS_MOST = 256 };

/* The bins of a batch of elements; any number that is not below the number of bins means that there is none. */
typedef void ww__bin_loop(const void *plan, uint32_t *bins, const void *x, size_t n);

typedef struct ww__binning {
    ww__bin_loop *loop;
    const void *plan;
    const char *method;          /* for the trace */
    const ww_function *function; /* … of the caller's, or NULL */
    bool clamped;                /* no bin is given as the number of bins, never as more */
    bool strict;                 /* an element without a bin is a fault */
    bool numbered; /* elements of 32 bits are their bins' numbers; no bin is a larger one, or a negative */
} ww__binning;

/* Equal bins over low <= x < high. */
typedef struct ww__even {
    uint32_t bins, shift;
    bool shifted; /* (high - low) / bins is 2^shift */
    uint64_t low, range;
    uint64_t whole;        /* bins / range = whole + fraction */
    uint64_t upper, lower; /* the fraction * 2^128, rounded up; types of up to 32 bits: upper is that * 2^64 */
#if WW_HAS_U128
    ww_u128 low_u128, range_u128;
#endif
    double low_double, high_double, span;
} ww__even;

/* Fails with INVALID when the limits do not describe bins. type is a number's. */
ww_status ww__even_plan(ww_device *device, const ww_type *type, const void *low, const void *high, uint64_t bins,
                        ww__even *plan, ww__binning *binning);

/* Bins between edges. */
typedef struct ww__edges {
    const void *edges; /* bins + 1 of them */
    uint32_t bins;
    uint32_t most;  /* edges in one cell, at most */
    uint32_t shift; /* the cell of an integer x: (x - edges[0]) >> shift */
    uint32_t cells;
    double scale, last_cell; /* the cell of a float: (x - edges[0]) * scale, not above the last */
    uint32_t *start;         /* where in `edges` to look for an element of this cell */
} ww__edges;

bool ww__edges_rise(const ww_type *type, const void *edges, uint64_t count);

/* Fails with INVALID where the edges do not rise. Takes scratch memory for the cells. */
ww_status ww__edges_plan(ww_device *device, const ww_type *type, const void *edges, uint64_t bins, ww__edges *plan,
                         ww__binning *binning);

/* Counts all of `in` in equal bins, between edges, or by a function. */
typedef struct ww__histogram_request {
    ww_histogram_method method; /* not auto */
    const ww_input *in;
    const ww_array *counts, *outside; /* outside may be ww_none */
    const ww__even *even;             /* with its binning; NULL: other bins */
    const ww__binning *binning;
    const ww_input *edges; /* counts + 1 of them, which rise (else INVALID); NULL: other bins */
    const ww_function *bucket_of;
    bool accumulate; /* adds to what stands in the counts */
} ww__histogram_request;

/* A checked request, inside a call that is under way, on the device's backend. On a GPU edges that do not
 * rise and elements without a bucket are reported at the next synchronisation (device/gpu/record.h). */
ww_status ww__histogram(ww_device *device, const ww__histogram_request *r);

#endif

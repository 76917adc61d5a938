/* Each thread copies one contiguous share; on a GPU copies are queued, with one wait. Samples of the two methods alternate;
 * all of a run's are kept, and the method with the better median is the copy rate. */
#include "measuring/copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "measuring/pages.h"
#include "measuring/timing.h"
#include "measuring/user_functions.h"

typedef struct share {
    char *to;
    const char *from;
    size_t bytes;
    int method;
} share;

enum { MEMCPY, STREAM };    /* the CPU's methods */
enum { LIBRARY_COPY, MAP }; /* a GPU's */

#if defined(__x86_64__)
enum { AHEAD = 4096 }; /* bytes; the hardware prefetcher alone does not keep up */

__attribute__((target("avx2"))) static void stream_avx2(char *to, const char *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 128) {
        _mm_prefetch(from + i + AHEAD, _MM_HINT_T0);
        _mm_prefetch(from + i + AHEAD + 64, _MM_HINT_T0);
        for (size_t k = 0; k < 128; k += 32)
            _mm256_stream_si256((__m256i *)(void *)(to + i + k),
                                _mm256_load_si256((const __m256i *)(const void *)(from + i + k)));
    }
    _mm_sfence();
}
#endif

static void copy_stream(char *to, const char *from, size_t bytes) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        stream_avx2(to, from, bytes);
        return;
    }
#endif
    memcpy(to, from, bytes);
}

static void *copy_share(void *argument) {
    const share *s = argument;
    if (s->method == MEMCPY)
        memcpy(s->to, s->from, s->bytes);
    else
        copy_stream(s->to, s->from, s->bytes);
    return NULL;
}

static double copy_by_threads(const copy_rate *copy, int method) {
    enum { MOST = 256 };
    pthread_t thread[MOST];
    share shares[MOST];
    const size_t threads = copy->threads < MOST ? copy->threads : MOST;
    const size_t part = copy->bytes / threads / 4096 * 4096;
    const double start = sample_now();
    for (size_t t = 0; t < threads; t++) {
        const size_t first = t * part;
        shares[t] = (share){(char *)copy->to + first, (const char *)copy->from + first,
                            t + 1 < threads ? part : copy->bytes - first, method};
        if (t == 0) continue; /* the calling thread's */
        if (pthread_create(&thread[t], NULL, copy_share, &shares[t])) exit(1);
    }
    copy_share(&shares[0]);
    for (size_t t = 1; t < threads; t++) pthread_join(thread[t], NULL);
    return sample_seconds(start, (unsigned)threads);
}

static void must(ww_status status, ww_device *device) {
    if (!status) return;
    fprintf(stderr, "warpwise bench: copying on the device: %s\n", ww_error(device));
    exit(1);
}

static double copy_by_device(const copy_rate *copy, int method) {
    const ww_array from = ww_array((uint32_t *)copy->from, copy->bytes / 4);
    const ww_array to = ww_array((uint32_t *)copy->to, copy->bytes / 4);
    const double start = seconds_now();
    for (unsigned k = 0; k < copy->queued[method]; k++)
        must(method == LIBRARY_COPY ? ww_copy(copy->device, ww_from(from), to)
                                    : ww_map(copy->device, user_functions_here.affine, ww_from(from), to),
             copy->device);
    must(ww_sync(copy->device), copy->device);
    return (seconds_now() - start) / copy->queued[method];
}

static double copy_once(const copy_rate *copy, int method) {
    return copy->device ? copy_by_device(copy, method) : copy_by_threads(copy, method);
}

void copy_begin(copy_rate *copy, unsigned threads, size_t bytes) {
    *copy = (copy_rate){.names = {"memcpy", "streaming stores"}, .threads = threads, .bytes = bytes};
    const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    while (copy->bytes > memory / 8 && copy->bytes > (size_t)1 << 26) copy->bytes /= 2;
    copy->from = pages_new(copy->bytes);
    copy->to = pages_new(copy->bytes);
}

void copy_begin_on(copy_rate *copy, ww_device *device, size_t bytes) {
    *copy = (copy_rate){.names = {"ww_copy", "ww_map"}, .device = device, .bytes = (bytes + 3) / 4 * 4};
    must(ww_alloc(device, copy->bytes, &copy->from), device);
    must(ww_alloc(device, copy->bytes, &copy->to), device);
    must(ww_fill(device, ww_array((uint32_t *)copy->from, copy->bytes / 4), ww_value(uint32_t, 1)), device);
    for (int m = 0; m < COPY_METHODS; m++) {
        copy->queued[m] = 1;
        copy_once(copy, m); /* it may compile */
        copy->queued[m] = calls_between_waits(copy_once(copy, m));
    }
}

void copy_recall(copy_rate *copy, int method, double seconds) {
    double *grown = realloc(copy->samples[method], (copy->count[method] + 1) * sizeof *grown);
    if (!grown) exit(1);
    copy->samples[method] = grown;
    grown[copy->count[method]++] = seconds;
}

void copy_measure(copy_rate *copy, unsigned repeat) {
    for (unsigned r = 0; r < repeat; r++)
        for (int m = 0; m < COPY_METHODS; m++) copy_recall(copy, m, copy_once(copy, m));
    for (int m = 0; m < COPY_METHODS; m++) copy->spread[m] = spread_of(copy->samples[m], copy->count[m]);
    copy->best = copy->spread[1].median < copy->spread[0].median;
    copy->gbps = 2.0 * (double)copy->bytes / copy->spread[copy->best].median / 1e9;
}

void copy_end(copy_rate *copy) {
    if (copy->device) {
        ww_free(copy->device, copy->from);
        ww_free(copy->device, copy->to);
    } else {
        pages_free(copy->from, copy->bytes);
        pages_free(copy->to, copy->bytes);
    }
    for (int m = 0; m < COPY_METHODS; m++) free(copy->samples[m]);
}

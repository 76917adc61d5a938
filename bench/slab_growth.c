/* warpwise-bench-slab-growth [DEVICE LOG2-OF-ALL LOG2-OF-A-BATCH]: a slab hash of u32 keys and values that is opened for one batch,
 * and gets as many as there are in all, then loses them again. Printed is, for each doubling of the pairs, what calls take: the median, the
 * longest, and the longest by the median. The first batches go through once before, with what is compiled for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <warpwise.h>

enum { CALLS_MOST = 1 << 16 };

static ww_device *device;

static void need(ww_status status) {
    if (!status) return;
    fprintf(stderr, "warpwise-bench-slab-growth: %s\n", device ? ww_error(device) : "there is no such device");
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

WW_MAP(growth_key, uint32_t, uint32_t, i, void, none, { return i * 2654435761u; });

/* Batch number k, inserted or deleted; the seconds that it takes. */
static double run(ww_slab *slab, size_t k, size_t batch, bool deletes) {
    const ww_input numbers = ww_counting(&ww_type_uint32_t, k * batch, batch);
    const ww_input keys = ww_mapped(&growth_key_ww, numbers);
    const double from = now();
    need(deletes ? ww_slab_delete(slab, keys, ww_none) : ww_slab_insert(slab, keys, numbers, ww_none));
    need(ww_sync(device));
    return now() - from;
}

static void print_doubling(size_t first, size_t end, size_t batch, double *seconds) {
    const size_t calls = end - first;
    qsort(seconds + first, calls, sizeof *seconds, by_value);
    const double median = seconds[first + calls / 2], longest = seconds[end - 1];
    printf("%12zu to %12zu pairs   %6zu calls   median %8.3f ms   longest %8.3f ms   %6.1f times\n", first * batch,
           end * batch, calls, 1e3 * median, 1e3 * longest, longest / median);
}

static void grow_and_shrink(size_t calls, size_t batch, bool prints) {
    static double seconds[CALLS_MOST];
    ww_slab_info info = WW_SLAB_INFO;
    ww_slab *slab;
    need(ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, batch, &slab, NULL));
    for (int deletes = 0; deletes < 2; deletes++) {
        for (size_t k = 0; k < calls; k++) seconds[k] = run(slab, deletes ? calls - 1 - k : k, batch, deletes);
        need(ww_slab_info_get(slab, &info));
        if (!prints) continue;
        printf("%s: %llu pairs, %llu buckets, %.1f MiB\n", deletes ? "deleted" : "inserted",
               (unsigned long long)info.pairs, (unsigned long long)info.buckets, (double)info.memory / (1 << 20));
        if (deletes) /* the last pairs are the first to go: as they came */
            for (size_t k = 0; k < calls / 2; k++) {
                const double other = seconds[k];
                seconds[k] = seconds[calls - 1 - k];
                seconds[calls - 1 - k] = other;
            }
        for (size_t first = 1; first < calls; first *= 2) print_doubling(first, first * 2, batch, seconds);
    }
    need(ww_slab_check(slab));
    ww_slab_close(slab);
}

int main(int count, char **arguments) {
    const int all_log = count > 2 ? atoi(arguments[2]) : 24, batch_log = count > 3 ? atoi(arguments[3]) : 16;
    if (batch_log < 0 || all_log > 32 || all_log < batch_log + 2 || all_log - batch_log > 16) {
        fprintf(stderr, "usage: warpwise-bench-slab-growth [DEVICE LOG2-OF-ALL LOG2-OF-A-BATCH]\n");
        return 2;
    }
    ww_open_options o = WW_OPEN_OPTIONS;
    o.threads = 2;
    need(ww_open_with(count > 1 ? arguments[1] : "cpu", &device, &o));
    const size_t batch = (size_t)1 << batch_log, calls = (size_t)1 << (all_log - batch_log);
    grow_and_shrink(calls < 16 ? calls : 16, batch, false);
    grow_and_shrink(calls, batch, true);
    ww_close(device);
    return 0;
}

/* What ww_sort_large_over takes from host to host:
 *
 *     build/bench-sort-large LOG2 DEVICE...         2^LOG2 of u32, and half as many bytes of pairs of u64; cuda:0 cuda:1, or emu emu
 *
 * First the rates at which pinned memory is copied to each device, from it, both ways at once, and of all devices at once. Then
 * sorts, of pinned memory into other pinned memory: one device by ww_sort_large, all that fits at once, and in chunks; all devices,
 * with chunks of several lengths (by a limit of scratch memory); all devices as a group whose ranks have blocks of the host's memory; and
 * memory that is not pinned. Medians of SAMPLES after one that is not counted. What comes out is in order, and has the sum and the
 * sum of squares of what went in. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warpwise.h"

enum { DEVICES_MOST = 8, SAMPLES = 5, FILLERS = 16 };

static ww_device *device[DEVICES_MOST];
static const char *name[DEVICES_MOST];
static uint32_t devices;
static unsigned char *in, *out;
static uint64_t n; /* of u32 */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void must(ww_device *d, ww_status status, const char *doing) {
    if (!status) return;
    fprintf(stderr, "%s: %s: %s\n", doing, ww_status_name(status), ww_error(d));
    exit(EXIT_FAILURE);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- the host's memory, by several threads ---- */

typedef struct part {
    pthread_t thread;
    void (*work)(struct part *p);
    uint64_t first, count, sum, squares, falls;
    const void *from;
    size_t size; /* of a key */
    void *to;
    ww_device *device;
    int ways; /* of copies: 1 in, 2 out, 3 both in turn */
    double rate;
} part;

static void *start(void *argument) {
    part *p = argument;
    p->work(p);
    return NULL;
}

static void on_all(part *parts, size_t many) {
    for (size_t k = 0; k < many; k++)
        if (pthread_create(&parts[k].thread, NULL, start, &parts[k])) exit(EXIT_FAILURE);
    for (size_t k = 0; k < many; k++) pthread_join(parts[k].thread, NULL);
}

static uint64_t mixed(uint64_t x) { /* splitmix64 */
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void fill_part(part *p) {
    uint64_t *to = p->to;
    for (uint64_t i = p->first; i < p->first + p->count; i++) to[i] = mixed(i);
}

static uint64_t key_at(const part *p, uint64_t i) {
    return p->size == 4 ? ((const uint32_t *)p->from)[i] : ((const uint64_t *)p->from)[i];
}

static void look_at_part(part *p) {
    p->sum = p->squares = p->falls = 0;
    for (uint64_t i = p->first; i < p->first + p->count; i++) {
        const uint64_t key = key_at(p, i);
        p->sum += key;
        p->squares += mixed(key);
        p->falls += i && key_at(p, i - 1) > key;
    }
}

/* `count` elements of `size` bytes, cut for the threads. */
static void cut(part *parts, void (*work)(part *p), const void *from, void *to, uint64_t count, size_t size) {
    for (size_t k = 0; k < FILLERS; k++) {
        const uint64_t first = count / FILLERS * k;
        parts[k] = (part){.work = work,
                          .first = first,
                          .count = k + 1 < FILLERS ? count / FILLERS : count - first,
                          .from = from,
                          .to = to,
                          .size = size};
    }
    on_all(parts, FILLERS);
}

static part look_at(const void *keys, uint64_t count, size_t size) {
    part parts[FILLERS], all = {0};
    cut(parts, look_at_part, keys, NULL, count, size);
    for (size_t k = 0; k < FILLERS; k++) {
        all.sum += parts[k].sum;
        all.squares += parts[k].squares;
        all.falls += parts[k].falls;
    }
    return all;
}

/* ---- copy rates ---- */

enum { COPIES = 24, PIECE = 256 << 20 };

static void copy_part(part *p) {
    void *inside;
    const uint64_t bytes = 4 * n < PIECE ? 4 * n : PIECE;
    must(p->device, ww_alloc(p->device, bytes, &inside), "memory");
    unsigned char *const host = (unsigned char *)p->to + p->first;
    const ww_array there = ww_array((uint8_t *)inside, bytes), here = ww_array((uint8_t *)host, bytes);
    double begin = 0;
    for (int k = -2; k < COPIES; k++) {
        if (!k) {
            must(p->device, ww_sync(p->device), "copies");
            begin = seconds();
        }
        must(p->device, ww_copy(p->device, ww_from(p->ways == 1 ? here : there), p->ways == 1 ? there : here),
             "copies");
    }
    must(p->device, ww_sync(p->device), "copies");
    p->rate = (double)(COPIES * bytes) / (seconds() - begin) * 1e-9;
    ww_free(p->device, inside);
}

/* Copies in, out, or both ways at once by two handles, on the first `many` devices at the same time: GB/s of each way. */
static void tell_rates(uint32_t many, uint32_t first, bool goes_in, bool goes_out) {
    part parts[2 * DEVICES_MOST];
    ww_device *more[DEVICES_MOST];
    size_t count = 0;
    const uint64_t step = 4 * n / (2 * DEVICES_MOST) / 4096 * 4096;
    for (uint32_t k = first; k < first + many; k++) {
        must(NULL, ww_open(name[k], &more[k]), "open");
        if (goes_in)
            parts[count] = (part){.work = copy_part, .device = device[k], .ways = 1, .to = in, .first = count * step},
            count++;
        if (goes_out)
            parts[count] = (part){.work = copy_part, .device = more[k], .ways = 2, .to = out, .first = count * step},
            count++;
    }
    if (4 * n >= (uint64_t)PIECE * 2 * DEVICES_MOST || count == 1) {
        on_all(parts, count);
        printf("copies %s%s%s%s of %u:", name[first], many > 1 ? " and others" : "", goes_in ? " in" : "",
               goes_out ? " out" : "", many);
        for (size_t k = 0; k < count; k++) printf(" %.1f", parts[k].rate);
        printf(" GB/s\n");
        fflush(stdout);
    }
    for (uint32_t k = first; k < first + many; k++) ww_close(more[k]);
}

/* ---- sorts ---- */

typedef struct sort {
    const char *what;
    uint32_t many;  /* devices */
    uint64_t limit; /* of scratch memory; 0: none */
    uint64_t count; /* keys */
    size_t size;    /* of a key; 8: values of 8 go with it */
    bool as_group;
    void *from, *to; /* keys, then values */
    int samples;
} sort;

static ww_array keys_of(const sort *s, void *memory, uint64_t first, uint64_t count) {
    return s->size == 4 ? ww_array((uint32_t *)memory + first, count) : ww_array((uint64_t *)memory + first, count);
}
static ww_array values_of(const sort *s, void *memory, uint64_t first, uint64_t count) {
    return s->size == 4 ? ww_none : ww_array((uint64_t *)memory + s->count + first, count);
}

static ww_status sort_block(ww_group *group, void *context) {
    const sort *s = context;
    const uint32_t rank = ww_group_rank(group);
    const uint64_t first = s->count / s->many * rank,
                   count = rank + 1 < s->many ? s->count / s->many : s->count - first;
    const ww_array values = values_of(s, s->from, first, count);
    double best = 0;
    for (int k = 0; k < 3; k++) { /* memory is taken once */
        const double begin = seconds();
        const ww_status status = ww_group_sort(
            group, ww_from(keys_of(s, s->from, first, count)), values.type ? ww_from(values) : ww_no_input,
            keys_of(s, s->to, first, count), values_of(s, s->to, first, count), NULL);
        if (status) return status;
        const double took = seconds() - begin;
        if (best <= 0 || took < best) best = took;
    }
    if (!rank) printf("%-44s %8.1f ms (best of 3)\n", s->what, 1e3 * best);
    return WW_OK;
}

static double run(const sort *s) {
    double took[SAMPLES];
    const ww_array values = values_of(s, s->from, 0, s->count);
    const ww_input keys = ww_from(keys_of(s, s->from, 0, s->count)), with = values.type ? ww_from(values) : ww_no_input;
    const ww_array keys_out = keys_of(s, s->to, 0, s->count), values_out = values_of(s, s->to, 0, s->count);
    const part before = look_at(s->from, s->count, s->size);
    double median = 0;
    for (uint32_t k = 0; k < s->many; k++) must(device[k], ww_scratch_limit(device[k], s->limit), "limit");
    if (s->as_group) {
        char why[512] = "";
        if (ww_group_run(name, s->many, NULL, sort_block, (void *)s, why, sizeof why)) printf("%s: %s\n", s->what, why);
    } else {
        for (int k = -1; k < s->samples; k++) {
            const double begin = seconds();
            must(device[0],
                 s->many == 1 ? ww_sort_large(device[0], keys, with, keys_out, values_out, NULL)
                              : ww_sort_large_over(device, s->many, keys, with, keys_out, values_out, NULL),
                 s->what);
            if (k >= 0) took[k] = seconds() - begin;
        }
        qsort(took, (size_t)s->samples, sizeof *took, by_value);
        median = took[s->samples / 2];
        printf("%-44s %8.1f ms (%.1f to %.1f), %.1f GB/s\n", s->what, 1e3 * median, 1e3 * took[0],
               1e3 * took[s->samples - 1], (double)(s->count * s->size * (s->size == 8 ? 2 : 1)) / median * 1e-9);
    }
    const part after = look_at(s->to, s->count, s->size);
    if (after.falls || after.sum != before.sum || after.squares != before.squares) {
        printf("%s: wrong: %llu falls\n", s->what, (unsigned long long)after.falls);
        exit(EXIT_FAILURE);
    }
    fflush(stdout);
    return median;
}

/* Scratch memory for chunks of so many: three buffers, a copy, and counters. */
static uint64_t limit_of(uint64_t chunk, size_t bytes) { return chunk * (4 * bytes + 5) + (3 << 20); }

static void sort_all(uint64_t count, size_t size, const char *type) {
    const size_t bytes = size == 4 ? 4 : 16;
    char what[80];
    double one = 0;
    sort s = {.what = what, .many = 1, .count = count, .size = size, .from = in, .to = out, .samples = SAMPLES};
    snprintf(what, sizeof what, "%s, one device, at once", type);
    one = run(&s);
    snprintf(what, sizeof what, "%s, one device, 32 chunks", type);
    s.limit = limit_of(count / 32, bytes);
    const double in_chunks = run(&s);
    for (s.many = 2; s.many <= devices; s.many++) {
        static const unsigned each[] = {0, 8, 16};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
            snprintf(what, sizeof what, each[k] ? "%s, %u devices, %u chunks each" : "%s, %u devices", type, s.many,
                     each[k]);
            s.limit = each[k] ? limit_of(count / (s.many * each[k]), bytes) : 0;
            const double took = run(&s);
            printf("    one device at once / this: %.2f; in chunks: %.2f\n", one / took, in_chunks / took);
        }
        s.limit = 0;
        s.as_group = true;
        snprintf(what, sizeof what, "%s, a group of %u", type, s.many);
        run(&s);
        s.as_group = false;
    }
}

int main(int argc, char **argv) {
    ww_device_info info = WW_DEVICE_INFO;
    part parts[FILLERS];
    void *memory;
    if (argc < 3 || argc > 2 + DEVICES_MOST) return EXIT_FAILURE;
    n = UINT64_C(1) << atoi(argv[1]);
    for (; devices + 2 < (uint32_t)argc; devices++) {
        name[devices] = argv[devices + 2];
        must(device[devices], ww_open(name[devices], &device[devices]), "open");
        must(device[devices], ww_device_info_get(device[devices], &info), "info");
        printf("%s: %s\n", name[devices], info.description);
    }
    double begin = seconds();
    must(device[0], ww_alloc_host(device[0], 4 * n, &memory), "memory");
    in = memory;
    must(device[0], ww_alloc_host(device[0], 4 * n, &memory), "memory");
    out = memory;
    printf("%.1f GiB pinned twice in %.1f s\n", (double)n / (1 << 28), seconds() - begin);
    cut(parts, fill_part, NULL, in, n / 2, 8);
    for (uint32_t k = 0; k < devices; k++) {
        tell_rates(1, k, true, false);
        tell_rates(1, k, false, true);
        tell_rates(1, k, true, true);
    }
    tell_rates(devices, 0, true, false);
    tell_rates(devices, 0, false, true);
    tell_rates(devices, 0, true, true);
    sort_all(n, 4, "u32");
    sort_all(n / 8, 8, "u64+u64");
    /* Not pinned. */
    void *plain_in = malloc(n), *plain_out = malloc(n);
    if (!plain_in || !plain_out) return EXIT_FAILURE;
    cut(parts, fill_part, NULL, plain_in, n / 8, 8);
    memset(plain_out, 1, n);
    sort s = {.what = "u32, not pinned, a quarter, one device",
              .many = 1,
              .count = n / 4,
              .size = 4,
              .from = plain_in,
              .to = plain_out,
              .samples = 2};
    run(&s);
    s.what = "u32, not pinned, a quarter, all devices";
    s.many = devices;
    run(&s);
    free(plain_in);
    free(plain_out);
    ww_free(device[0], in);
    ww_free(device[0], out);
    for (uint32_t k = 0; k < devices; k++) ww_close(device[k]);
    return EXIT_SUCCESS;
}

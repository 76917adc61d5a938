/* What the calls of a loop's step cost a GPU (see README.md): a step is the calls that an argument names, a letter each, on 900 elements
 * of 1,000 or on 450, whose counts the device knows.
 *
 *     cc -O2 -std=c11 -D_GNU_SOURCE -o loop_calls loop_calls.c -lwarpwise
 *     ./loop_calls ms2piS3ird ---------d mmmmmmmmmd */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <warpwise.h>

enum { ROOM = 1000, THERE = 900, STEPS = 2000, TIMES = 3 };
enum { LEFT, ALL, KEPT, NUMBERS };

WW_MAP(step_of, uint32_t, uint32_t, x, void, none, { return x * 5 + 1; });
WW_MAP(step_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP2(step_mix, uint32_t, uint32_t, x, uint32_t, y, void, none, { return x ^ y; });
WW_STRUCT(step_numbers, { uint64_t *left; });
WW_KERNEL(step_done, step_numbers, a, rank, { a->left[rank]--; });
WW_KERNEL(step_idle, step_numbers, a, rank, {
    if (rank) a->left[rank]--;
});

static uint32_t *x, *y, *z, *sum;
static uint64_t *number;

static ww_input in(const uint32_t *p, int k) { return ww_counted(ww_memory(p, ROOM), number + k); }
static ww_array out(uint32_t *p, int k) { return ww_counted_array(ww_array(p, ROOM), number + k); }

static ww_status call(ww_device *device, char letter) {
    const step_numbers n = {number + LEFT};
    switch (letter) {
    case 'm':
        return ww_map(device, &step_of_ww, in(x, ALL), out(y, ALL));
    case 'i':
        return ww_map(device, &step_of_ww, in(z, KEPT), out(z, KEPT));
    case '2':
        return ww_map2(device, &step_mix_ww, in(x, ALL), in(y, ALL), out(y, ALL));
    case '3':
        return ww_map2(device, &step_mix_ww, in(z, KEPT), in(z, KEPT), out(y, KEPT));
    case 's':
        return ww_scan(device, &ww_add, in(y, ALL), out(y, ALL), NULL);
    case 'S':
        return ww_scan(device, &ww_add, in(z, KEPT), out(z, KEPT), NULL);
    case 'p':
        return ww_pack_if(device, &step_odd_ww, in(y, ALL), ww_array(z, ROOM), ww_array(number + KEPT, 1), NULL);
    case 'r':
        return ww_reduce(device, &ww_add, in(z, KEPT), ww_array(sum, 1));
    case 'd':
        return ww_launch(device, ww_with(step_done, &n), 1);
    default:
        return ww_launch(device, ww_with(step_idle, &n), 1);
    }
}

static ww_status step(ww_device *device, void *letters) {
    ww_status status = WW_OK;
    for (const char *c = letters; *c && !status; c++) status = call(device, *c);
    return status;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static ww_status fill(ww_device *device) {
    static uint32_t some[ROOM];
    const uint64_t numbers[NUMBERS] = {STEPS + 1, THERE, THERE / 2};
    uint32_t *const to[] = {x, y, z};
    for (uint32_t i = 0; i < ROOM; i++) some[i] = i * 2654435761u;
    ww_status status = ww_copy(device, ww_memory(numbers, NUMBERS), ww_array(number, NUMBERS));
    for (int k = 0; k < 3 && !status; k++)
        status = ww_copy(device, ww_memory((const uint32_t *)some, ROOM), ww_array(to[k], ROOM));
    return status ? status : ww_sync(device);
}

int main(int many, char **letters) {
    ww_device *device;
    ww_status status = ww_open("cuda", &device);
    uint32_t **const arrays[] = {&x, &y, &z, &sum};
    for (int k = 0; k < 4 && !status; k++) status = ww_alloc(device, ROOM * sizeof **arrays[k], (void **)arrays[k]);
    if (!status) status = ww_alloc(device, NUMBERS * sizeof *number, (void **)&number);
    for (int k = 1; k < many && !status; k++) {
        double best = 1e18;
        uint64_t rounds = 0;
        for (int r = 0; r < TIMES && !status; r++) {
            status = fill(device);
            const double from = now();
            if (!status) status = ww_repeat(device, number + LEFT, UINT64_MAX, step, letters[k], &rounds);
            if (now() - from < best) best = now() - from;
        }
        printf("%-12s %8.3f us a step of %llu\n", letters[k], best / (double)rounds, (unsigned long long)rounds);
    }
    if (status) fprintf(stderr, "loop_calls: %s\n", ww_error(device));
    ww_close(device);
    return status != WW_OK;
}

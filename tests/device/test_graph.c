/* The steady state on a GPU: a call that was made before allocates nothing on the host and waits for nothing, so that it can
 * be captured in a CUDA graph; replays on changed input give what a new call gives, also when a larger call has made the
 * handle's scratch memory grow meanwhile. */
#include <dlfcn.h>
#include <stdio.h>

#include "support/cases.h"

/* The linker sends the program's and the library's calls here (CMakeLists.txt); what a driver does inside is its own. */
static size_t allocations;
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
int __real_posix_memalign(void **block, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes) { return allocations++, __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { return allocations++, __real_calloc(count, bytes); }
void *__wrap_realloc(void *block, size_t bytes) { return allocations++, __real_realloc(block, bytes); }
int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes) {
    return allocations++, __real_posix_memalign(block, alignment, bytes);
}

enum { LARGER = 5 /* times as much as is captured */, EDGES = 20 };

/* In the GPU's memory, LARGER * n elements each. */
typedef struct world {
    ww_device *device;
    size_t n;
    uint32_t *x, *sorted, *index, *out, *second, *edges;
    uint8_t *flags;
    uint64_t *count;
} world;

WW_MAP(triple, uint32_t, uint32_t, x, void, none, { return 3 * x; });
WW_MAP(thirties, uint32_t, uint32_t, x, void, none, { return 30 * x; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(low_ten, uint32_t, uint32_t, x, void, none, { return x & 1023; });
WW_COMBINE(either, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a | b; });
WW_STRUCT(squares, {
    const uint32_t *from;
    uint32_t *to;
});
WW_KERNEL(square_one, squares, a, rank, { a->to[rank] = a->from[rank] * a->from[rank]; });

#define IN(name, count) ww_memory(w->name, count)
#define OUT(name, count) ww_array(w->name, count)
#define CALL(name, ...) \
    static ww_status name(const world *w, size_t n) { return __VA_ARGS__; }
CALL(mapped, ww_map(w->device, &ww_triple, NULL, IN(x, n), OUT(out, n)))
CALL(stored, ww_store(w->device, IN(x, n), OUT(out, n)))
static ww_status launched(const world *w, size_t n) {
    const squares a = {w->x, w->out};
    return ww_launch(w->device, &ww_square_one, &a, n);
}
CALL(reduced, ww_reduce(w->device, &ww_add, IN(x, n), OUT(out, 1)))
CALL(reduced_by_key,
     ww_reduce_by_key(w->device, &ww_add, IN(sorted, n), IN(x, n), OUT(out, n), OUT(second, n), OUT(count, 1)))
CALL(least, ww_arg_min(w->device, NULL, IN(x, n), OUT(out, 1), OUT(count, 1)))
CALL(scanned, ww_scan(w->device, &ww_either, IN(x, n), OUT(out, n), NULL))
CALL(scanned_by_flags, ww_scan_segmented(w->device, &ww_add, IN(x, n), IN(flags, n), OUT(out, n), NULL))
CALL(scanned_by_key, ww_scan_by_key(w->device, &ww_add, IN(sorted, n), IN(x, n), OUT(out, n), NULL))
CALL(enumerated, ww_enumerate(w->device, IN(flags, n), OUT(out, n), OUT(count, 1)))
CALL(differences, ww_adjacent_difference(w->device, IN(x, n), OUT(out, n)))
CALL(packed, ww_pack(w->device, IN(x, n), IN(flags, n), OUT(out, n), OUT(count, 1), NULL))
CALL(split_stable, ww_split_if(w->device, &ww_is_odd, NULL, IN(x, n), OUT(out, n), OUT(count, 1), NULL))
CALL(gathered, ww_gather(w->device, OUT(x, n), IN(index, n), OUT(out, n)))
CALL(scattered, ww_scatter(w->device, IN(x, n), IN(index, n), OUT(out, n), WW_CONFLICT_LAST))
CALL(counted, ww_histogram(w->device, &ww_low_ten, NULL, IN(x, n), OUT(out, 1024), ww_none, NULL))
CALL(merged, ww_merge(w->device, NULL, IN(sorted, n / 2), IN(sorted, n - n / 2), ww_no_input(), ww_no_input(),
                      OUT(out, n), ww_none))
CALL(searched, ww_lower_bound(w->device, NULL, IN(sorted, n), IN(x, n), OUT(out, n)))
CALL(united, ww_set_union(w->device, NULL, IN(sorted, n / 2), IN(sorted, n / 2), OUT(out, n), OUT(count, 1)))
CALL(runs, ww_run_lengths(w->device, IN(sorted, n), OUT(out, n), OUT(second, n), OUT(count, 1)))
CALL(keys_sorted, ww_sort(w->device, IN(x, n), ww_no_input(), OUT(out, n), ww_none, NULL))
static ww_status sorted_by(const world *w, size_t n, ww_sort_method method) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort(w->device, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), &o);
}
CALL(merge_sorted, sorted_by(w, n, WW_SORT_MERGE))
CALL(quick_sorted, sorted_by(w, n, WW_SORT_QUICK))
CALL(split_sorted, sorted_by(w, n, WW_SORT_SPLIT1))
CALL(network_sorted, sorted_by(w, n, WW_SORT_MERGE_NETWORK))
CALL(pairs_sorted, ww_sort(w->device, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), NULL))
CALL(order_sorted, ww_sort_index(w->device, IN(x, n), OUT(out, n), NULL))
CALL(records_sorted,
     ww_sort_records(w->device, 6, 9, ww_record_memory(w->x, n / 8, 32), ww_records(w->out, n / 8, 32), NULL))
CALL(segments_sorted,
     ww_sort_segments(w->device, ww_mapped(&ww_thirties, NULL, ww_counting(&ww_type_uint32_t, 0, n / 30 + 1)), IN(x, n),
                      IN(index, n), OUT(out, n), OUT(second, n), NULL))
CALL(first_chosen, ww_top_k(w->device, IN(x, n), IN(index, n), OUT(out, n / 10), OUT(second, n / 10), NULL))
static const ww_multisplit_options in_blocks = {sizeof in_blocks, WW_MULTISPLIT_BLOCK},
                                   reduced_bit = {sizeof reduced_bit, WW_MULTISPLIT_REDUCED_BIT};
CALL(multisplit, ww_multisplit(w->device, &ww_low_ten, NULL, 1024, IN(x, n), ww_no_input(), OUT(out, n), ww_none,
                               OUT(second, 1025), NULL))
CALL(pairs_multisplit,
     ww_multisplit(w->device, &ww_is_odd, NULL, 2, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), ww_none, NULL))
CALL(multisplit_in_blocks, ww_multisplit(w->device, &ww_low_ten, NULL, 1024, IN(x, n), ww_no_input(), OUT(out, n),
                                         ww_none, OUT(second, 1025), &in_blocks))
CALL(multisplit_reduced, ww_multisplit(w->device, &ww_low_ten, NULL, 1024, IN(x, n), IN(index, n), OUT(out, n),
                                       OUT(second, n), ww_none, &reduced_bit))
CALL(multisplit_edges, ww_multisplit_edges(w->device, IN(edges, EDGES), IN(x, n), ww_no_input(), OUT(out, n), ww_none,
                                           OUT(second, EDGES + 2), NULL))
CALL(unique, ww_unique(w->device, IN(sorted, n), OUT(out, n), OUT(count, 1)))
CALL(found, ww_find(w->device, IN(flags, n), "\1\0\1", 3, OUT(out, n), OUT(count, 1), NULL))
CALL(long_found, ww_find(w->device, IN(flags, n), "\1\0\1\1\0\0\1\0\1", 9, OUT(out, n), OUT(count, 1), NULL))
CALL(nearly_found,
     ww_find_near(w->device, IN(flags, n), "\1\1\0\1\0", 5, 1, OUT(out, n), OUT(second, n), OUT(count, 1), NULL))

typedef struct one_call {
    const char *name;
    ww_status (*make)(const world *w, size_t n);
} one_call;
static const one_call calls[] = {
    {"map", mapped},
    {"store", stored},
    {"launch", launched},
    {"reduce", reduced},
    {"reduce by key", reduced_by_key},
    {"arg min", least},
    {"scan", scanned},
    {"scan by flags", scanned_by_flags},
    {"scan by key", scanned_by_key},
    {"enumerate", enumerated},
    {"adjacent difference", differences},
    {"pack", packed},
    {"split", split_stable},
    {"gather", gathered},
    {"scatter", scattered},
    {"histogram", counted},
    {"merge", merged},
    {"lower bound", searched},
    {"union", united},
    {"run lengths", runs},
    {"unique", unique},
    {"find", found},
    {"find a long pattern", long_found},
    {"find nearly", nearly_found},
    {"sort", keys_sorted},
    {"sort pairs", pairs_sorted},
    {"sort index", order_sorted},
    {"sort records", records_sorted},
    {"sort segments", segments_sorted},
    {"top k", first_chosen},
    {"merge sort", merge_sorted},
    {"sort by quick", quick_sorted},
    {"sort by split1", split_sorted},
    {"sort by merge-network", network_sorted},
    {"multisplit", multisplit},
    {"multisplit pairs", pairs_multisplit},
    {"multisplit in blocks", multisplit_in_blocks},
    {"multisplit by labels", multisplit_reduced},
    {"multisplit edges", multisplit_edges},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* New inputs: x random, sorted rising in short runs, index below n. */
static void fill_inputs(const world *w, uint64_t seed) {
    const size_t many = LARGER * w->n;
    uint32_t *x = need(many * 4), *sorted = need(many * 4), *index = need(many * 4), key = 0;
    uint8_t *flags = need(many);
    for (size_t i = 0; i < many; i++) {
        const uint64_t r = random_next(&seed);
        x[i] = (uint32_t)r;
        index[i] = (uint32_t)((r >> 32) % w->n);
        flags[i] = (uint8_t)(r >> 60 & 1);
        sorted[i] = key += (r >> 50 & 7) == 0;
    }
    const struct {
        const void *from;
        void *to;
        const ww_type *type;
    } all[] = {{x, w->x, &ww_type_uint32_t},
               {sorted, w->sorted, &ww_type_uint32_t},
               {index, w->index, &ww_type_uint32_t},
               {flags, w->flags, &ww_type_uint8_t}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        expect_status(w->device,
                      ww_copy(w->device, ww_array_of((void *)(uintptr_t)all[k].from, many, all[k].type),
                              ww_array_of(all[k].to, many, all[k].type)),
                      WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    free(flags);
    free(index);
    free(sorted);
    free(x);
}

static void poison(const world *w) {
    const uint32_t pattern = 0x5A5A5A5A;
    const uint64_t wide = 0x5A5A5A5A5A5A5A5A;
    expect_status(w->device, ww_fill(w->device, OUT(out, w->n), &pattern), WW_OK);
    expect_status(w->device, ww_fill(w->device, OUT(second, w->n), &pattern), WW_OK);
    expect_status(w->device, ww_fill(w->device, OUT(count, 1), &wide), WW_OK);
}

typedef struct outputs {
    uint32_t *out, *second;
    uint64_t count;
} outputs;

static outputs read_outputs(const world *w) {
    outputs o = {need(w->n * 4), need(w->n * 4), 0};
    expect_status(w->device, ww_copy(w->device, OUT(out, w->n), ww_array(o.out, w->n)), WW_OK);
    expect_status(w->device, ww_copy(w->device, OUT(second, w->n), ww_array(o.second, w->n)), WW_OK);
    expect_status(w->device, ww_copy(w->device, OUT(count, 1), ww_array(&o.count, 1)), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    return o;
}

static void free_outputs(outputs *o) {
    free(o->out);
    free(o->second);
}

static void *take(ww_device *device, size_t bytes) {
    void *block;
    expect_status(device, ww_alloc(device, bytes, &block), WW_OK);
    return block;
}

static world begin(ww_device *device) {
    const size_t n = on_emulator() ? 2000 : 100000, many = LARGER * n;
    const world w = {.device = device,
                     .n = n,
                     .x = take(device, many * 4),
                     .sorted = take(device, many * 4),
                     .index = take(device, many * 4),
                     .out = take(device, many * 4),
                     .second = take(device, many * 4),
                     .edges = take(device, EDGES * 4),
                     .flags = take(device, many),
                     .count = take(device, 8)};
    uint32_t edges[EDGES];
    for (uint32_t e = 0; e < EDGES; e++) edges[e] = (e + 1) * 200000000;
    expect_status(device, ww_copy(device, ww_array(edges, EDGES), ww_array(w.edges, EDGES)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    fill_inputs(&w, 1);
    return w;
}

static void end(const world *w) {
    void *const all[] = {w->x, w->sorted, w->index, w->out, w->second, w->edges, w->flags, w->count};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) expect_status(w->device, ww_free(w->device, all[k]), WW_OK);
}

/* On the emulator too: the host's part of calls is the same code. */
static void warmed_calls_allocate_nothing(void **state) {
    (void)state;
    if (!on_gpu()) return; /* a CPU's calls take scratch memory only, which test_device.c counts */
    ww_device *device = setting_open(0);
    const world w = begin(device);
    expect(allocations > 0); /* they are counted */
    for (size_t c = 0; c < CALLS; c++) {
        CASE("graph", "no allocation %s", calls[c].name);
        if (!case_wanted()) continue;
        for (int k = 0; k < 2; k++) expect_status(device, calls[c].make(&w, w.n), WW_OK);
        const size_t before = allocations;
        const ww_status status = calls[c].make(&w, w.n);
        const size_t made = allocations - before;
        expect_status(device, status, WW_OK);
        expect(made == 0);
    }
    end(&w);
    ww_close(device);
}

/* ---- CUDA's own interface, of the driver that the library has opened ---- */

typedef int result;
static struct {
    result (*init)(unsigned), (*retain)(void **, int), (*release)(int), (*set)(void *);
    result (*create)(void **, unsigned), (*destroy)(void *), (*begin)(void *, int), (*end)(void *, void **);
    result (*instantiate)(void **, void *, unsigned long long), (*launch)(void *, void *), (*forget)(void *);
} cuda;

static bool open_cuda(void) {
    static const char *const names[] = {"cuInit",
                                        "cuDevicePrimaryCtxRetain",
                                        "cuDevicePrimaryCtxRelease_v2",
                                        "cuCtxSetCurrent",
                                        "cuStreamCreate",
                                        "cuStreamDestroy_v2",
                                        "cuStreamBeginCapture_v2",
                                        "cuStreamEndCapture",
                                        "cuGraphInstantiateWithFlags",
                                        "cuGraphLaunch",
                                        "cuGraphExecDestroy"};
    void *functions[sizeof names / sizeof *names], *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return false;
    _Static_assert(sizeof functions == sizeof cuda, "a table of pointers");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) expect((functions[k] = dlsym(library, names[k])) != NULL);
    memcpy(&cuda, functions, sizeof cuda);
    return true;
}

enum { STRICTEST = 0 /* CU_STREAM_CAPTURE_MODE_GLOBAL: whatever could wait is refused */, NON_BLOCKING = 1 };

static void check_replays(const world *w, void *stream, const one_call *call) {
    CASE("graph", "replays of %s", call->name);
    if (!case_wanted()) return;
    void *graph = NULL, *replay = NULL;
    expect_status(w->device, call->make(w, w->n), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    expect(!cuda.begin(stream, STRICTEST));
    const ww_status status = call->make(w, w->n);
    const result ended = cuda.end(stream, &graph);
    if (status) fprintf(stderr, "%s: %s\n", call->name, ww_error(w->device));
    expect(!status && !ended);
    expect(!cuda.instantiate(&replay, graph, 0));
    for (uint64_t turn = 1; turn <= 3; turn++) {
        fill_inputs(w, 100 * turn);
        if (turn == 2) expect_status(w->device, call->make(w, LARGER * w->n), WW_OK);
        poison(w);
        expect(!cuda.launch(replay, stream));
        outputs got = read_outputs(w);
        poison(w);
        expect_status(w->device, call->make(w, w->n), WW_OK);
        outputs wanted = read_outputs(w);
        expect(got.count == wanted.count);
        expect_bytes(got.out, wanted.out, w->n * 4);
        expect_bytes(got.second, wanted.second, w->n * 4);
        free_outputs(&got);
        free_outputs(&wanted);
    }
    expect(!cuda.forget(replay));
}

static void replays(void **state) {
    (void)state;
    void *context = NULL, *stream = NULL;
    if (!on_gpu() || strncmp(getenv("WARPWISE_TEST_DEVICE"), "cuda", 4) || !open_cuda()) {
        left_out("only CUDA has graphs");
        return;
    }
    expect(!cuda.init(0) && !cuda.retain(&context, 0) && !cuda.set(context) && !cuda.create(&stream, NON_BLOCKING));
    ww_open_options options = WW_OPEN_OPTIONS;
    options.cuda_context = context;
    options.cuda_stream = stream;
    for (size_t c = 0; c < CALLS; c++) {
        ww_device *device = NULL; /* a new one each time: nothing has made its scratch memory large before */
        expect_status(device, ww_open_with("cuda", &options, &device), WW_OK);
        const world w = begin(device);
        check_replays(&w, stream, &calls[c]);
        end(&w);
        ww_close(device);
    }
    /* What would have to wait is refused, and the handle lives on. */
    ww_device *device = NULL;
    void *graph;
    uint32_t sum;
    expect_status(device, ww_open_with("cuda", &options, &device), WW_OK);
    const world w = begin(device);
    expect(!cuda.begin(stream, STRICTEST));
    expect(ww_reduce(device, &ww_add, ww_memory(w.x, w.n), ww_array(&sum, 1)) == WW_UNSUPPORTED);
    expect_sentence(device, "to be captured in a graph", "made once before");
    cuda.end(stream, &graph);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(w.x, w.n), ww_array(&sum, 1)), WW_OK);
    end(&w);
    ww_close(device);
    cuda.destroy(stream);
    cuda.set(NULL);
    cuda.release(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(warmed_calls_allocate_nothing), cmocka_unit_test(replays)};
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}

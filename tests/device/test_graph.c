/* The steady state on a GPU: a call that was made before allocates nothing on the host and waits for nothing, so that it can
 * be captured in a CUDA graph; replays on changed input give what a new call gives, also when a larger call has made the
 * handle's scratch memory grow meanwhile. */
#include <dlfcn.h>
#include <stdio.h>

#include "queued_calls.h"
#include "support/failing_driver.h"

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

/* What another handle gives that made no call before. */
static void expect_as_anew(const world *w, const one_call *call, outputs *got) {
    world anew = *w;
    anew.device = setting_open(0);
    anew.patterns = open_patterns(anew.device);
    poison(w);
    expect_status(anew.device, call->make(&anew, w->n), WW_OK);
    outputs wanted = read_outputs(w);
    expect(got->count == wanted.count);
    expect_bytes(got->out, wanted.out, w->n * 4);
    expect_bytes(got->second, wanted.second, w->n * 4);
    free_outputs(&wanted);
    ww_patterns_close(anew.patterns);
    ww_close(anew.device);
}

/* On the emulator too: the host's part of calls is the same code. The third call's inputs are new, as a replay's are; it takes
 * no memory of the host's or of the driver's. */
static void warmed_calls_allocate_nothing(void **state) {
    (void)state;
    if (!on_gpu()) return; /* a CPU's calls take scratch memory only, which test_device.c counts */
    ww_device *device = setting_open(0);
    failing_driver f = {.fail_at = SIZE_MAX};
    const world w = begin(device);
    expect(allocations > 0); /* they are counted */
    failing_driver_begin(device, &f);
    for (size_t c = 0; c < CALLS; c++) {
        CASE("graph", "no allocation %s", calls[c].name);
        if (!case_wanted()) continue;
        for (int k = 0; k < 2; k++) expect_status(device, calls[c].make(&w, w.n), WW_OK);
        fill_inputs(&w, 1 + c);
        poison(&w);
        const size_t before = allocations, given = f.allocations;
        const ww_status status = calls[c].make(&w, w.n);
        const size_t made = allocations - before;
        expect_status(device, status, WW_OK);
        expect(made == 0 && f.allocations == given);
        outputs got = read_outputs(&w);
        expect_as_anew(&w, &calls[c], &got);
        free_outputs(&got);
    }
    failing_driver_end(&f);
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
        expect_status(device, ww_open_with("cuda", &device, &options), WW_OK);
        const world w = begin(device);
        check_replays(&w, stream, &calls[c]);
        end(&w);
        ww_close(device);
    }
    /* What would have to wait is refused, and the handle lives on. */
    ww_device *device = NULL;
    void *graph;
    uint32_t sum;
    expect_status(device, ww_open_with("cuda", &device, &options), WW_OK);
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

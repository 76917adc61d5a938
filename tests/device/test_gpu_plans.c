/* What GPUs are asked for: the launches of all calls of the kernel pack's list (tools/kernel-pack/calls.c), for every number of
 * elements that changes a plan, made on a GPU that runs nothing. Each launch is one that a GPU takes. And together they are
 * those of gpu_plans.txt, a line for each kernel: tests on the emulator see whether results are right, and not whether a plan is
 * still the one that was measured. Where a plan was changed on purpose,
 *     WARPWISE_RECORD=tests/device/gpu_plans.txt build/tests/test_gpu_plans
 * writes that file anew, and its lines that differ say which kernels are launched in another way. */
#include <inttypes.h>
#include <stdio.h>

#include "device/gpu/gpu.h"
#include "device/gpu/pack_format.h"
#include "kernel-pack/calls.h"
#include "kernel-pack/compile_only.h"
#include "plan_calls.h"
#include "support/cases.h"
#include "support/located.h"

enum { NAME = 96, KERNELS_MOST = 512, CODE_BYTES = 256, THREADS_MOST = 1024, LINE = 512 };

/* All launches of a kernel; `digest` is of their programs' texts, blocks, threads and shared memory, in their order. */
typedef struct launches {
    char name[NAME]; /* "primitive/search/search.cu search" */
    const char *compiled;
    uint64_t many, digest, least_blocks, most_blocks;
    uint32_t least_threads, most_threads;
    size_t least_shared, most_shared;
} launches;

static launches all[KERNELS_MOST];
static size_t kernels;
static const char *compiled; /* how this pass gets its programs */
static char refused[LINE];   /* the first launch that no GPU would take */

/* A program, as `code` holds it and as it is loaded, and what its kernels are known by. */
typedef struct program {
    uint64_t hash;
    char file[NAME - 32];
} program;
typedef struct found {
    struct found *next;
    uint64_t hash;
    launches *launches;
} found;
static found *all_found;

static launches *launches_of(const program *p, const char *kernel) {
    char name[NAME];
    snprintf(name, sizeof name, "%s %s", p->file, kernel);
    for (size_t k = 0; k < kernels; k++)
        if (all[k].compiled == compiled && !strcmp(all[k].name, name)) return &all[k];
    expect(kernels < KERNELS_MOST);
    launches *l = &all[kernels++];
    *l = (launches){.compiled = compiled, .digest = WW__PACK_HASH_BEGIN};
    memcpy(l->name, name, sizeof name);
    l->least_blocks = UINT64_MAX;
    l->least_threads = UINT32_MAX;
    l->least_shared = SIZE_MAX;
    return l;
}

/* ---- the driver ---- */

/* A program ends by including the file that has its kernels. */
static ww_status compile(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    (void)d, (void)headers;
    *code = (ww__code){calloc(1, CODE_BYTES), CODE_BYTES};
    program *p = code->bytes;
    if (!p) return WW_MEMORY;
    p->hash = ww__pack_hash(WW__PACK_HASH_BEGIN, source, strlen(source));
    for (const char *at = source; (at = strstr(at, "#include \"")); at++)
        snprintf(p->file, sizeof p->file, "%.*s", (int)strcspn(at + 10, "\""), at + 10);
    return WW_OK;
}

static ww_status load(ww__driver *d, const ww__code *code, void **loaded) {
    (void)d;
    program *p = malloc(sizeof *p);
    if (p) memcpy(p, code->bytes, sizeof *p);
    *loaded = p;
    return p ? WW_OK : WW_MEMORY;
}
static void unload(ww__driver *d, void *loaded) {
    (void)d;
    free(loaded);
}

static ww_status find(ww__driver *d, void *loaded, const char *name, void **kernel) {
    (void)d;
    const program *p = loaded;
    found *f = malloc(sizeof *f);
    if (!f) return WW_MEMORY;
    *f = (found){all_found, p->hash, launches_of(p, name)};
    *kernel = all_found = f;
    return WW_OK;
}
static void forget_found(void) {
    for (found *f = all_found, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    all_found = NULL;
}

static ww_status launch(ww__driver *d, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                        const void *arguments, size_t bytes, ww__launch_when when) {
    launches *const l = ((const found *)kernel)->launches;
    const uint64_t told[] = {((const found *)kernel)->hash, blocks, threads, shared, bytes, when};
    (void)arguments;
    if (!*refused && (!threads || threads > THREADS_MOST || shared > d->shared_most || blocks > d->blocks_most ||
                      bytes > WW__ARGUMENTS_MOST))
        snprintf(refused, sizeof refused, "%s: %" PRIu64 " blocks of %u threads with %zu bytes of shared memory of %zu",
                 l->name, blocks, threads, shared, d->shared_most);
    l->many++;
    l->digest = ww__pack_hash(l->digest, told, sizeof told);
    l->least_blocks = ww__min_u64(l->least_blocks, blocks);
    l->most_blocks = blocks > l->most_blocks ? blocks : l->most_blocks;
    l->least_threads = threads < l->least_threads ? threads : l->least_threads;
    l->most_threads = threads > l->most_threads ? threads : l->most_threads;
    l->least_shared = shared < l->least_shared ? shared : l->least_shared;
    l->most_shared = shared > l->most_shared ? shared : l->most_shared;
    return WW_OK;
}

static bool has_none(ww__driver *d, const char *source) {
    (void)d, (void)source;
    return false;
}

/* general: by the plans where nothing compiles, of which one program does for all types, sizes and options. */
static ww_device *open_gpu(size_t shared_most, bool general) {
    compile_only *c = compile_only_new(90);
    ww_device *device;
    if (!c) abort();
    c->driver.shared_most = shared_most;
    c->driver.compile = compile;
    c->driver.load = load;
    c->driver.unload = unload;
    c->driver.find = find;
    c->driver.launch = launch;
    c->driver.has = has_none;
    c->has_compiler = !general;
    expect_status(NULL, compile_only_device(c, &device), WW_OK);
    return device;
}

static void make_all(size_t shared_most, bool general, bool packed) {
    kernels = 0;
    *refused = 0;
    compiled = general ? "general" : "compiled";
    ww_device *device = open_gpu(shared_most, general);
    for (made pass = EACH; packed && pass <= REST; pass++) expect(make_calls(device, pass));
    expect(make_plan_calls(device));
    ww_close(device);
    forget_found();
    if (*refused) fprintf(stderr, "no GPU takes %s\n", refused);
    expect(!*refused);
}

/* ---- the record ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const launches *)a)->name, ((const launches *)b)->name);
}

static void say(const launches *l, char line[LINE]) {
    snprintf(line, LINE,
             "%s %s: %" PRIu64 " launches, blocks %" PRIu64 "-%" PRIu64 ", threads %u-%u, shared %zu-%zu, %016" PRIx64
             "\n",
             l->compiled, l->name, l->many, l->least_blocks, l->most_blocks, l->least_threads, l->most_threads,
             l->least_shared, l->most_shared, l->digest);
}

/* Lines of both are in the same order. */
static void compare(FILE *record) {
    char was[LINE] = "", is[LINE];
    size_t differ = 0;
    rewind(record);
    while (fgets(was, sizeof was, record) && strncmp(was, compiled, strlen(compiled))) continue;
    for (size_t k = 0; k < kernels; k++) {
        say(&all[k], is);
        if (!strcmp(was, is)) {
            if (!fgets(was, sizeof was, record)) *was = 0;
            continue;
        }
        fprintf(stderr, "is   %s", is);
        const size_t name = strcspn(is, ":");
        if (!strncmp(was, is, name + 1)) {
            fprintf(stderr, "was  %s", was);
            if (!fgets(was, sizeof was, record)) *was = 0;
        }
        differ++;
    }
    if (differ)
        fprintf(stderr, "%zu kernels are launched in another way than tests/device/gpu_plans.txt says\n", differ);
    expect(!differ);
    expect(!*was || strncmp(was, compiled, strlen(compiled)));
}

static void write_record(FILE *record) {
    char line[LINE];
    for (size_t k = 0; k < kernels; k++) {
        say(&all[k], line);
        if (fputs(line, record) < 0) abort();
    }
}

static void plans_are_those_recorded(void **state) {
    (void)state;
    const char *const record_to = getenv("WARPWISE_RECORD");
    FILE *record = record_to ? fopen(record_to, "w") : fopen(located(GPU_PLANS), "r");
    expect(record != NULL);
    for (int general = 0; general < 2; general++) {
        CASE("gpu plans", "%s", general ? "64 KiB, where nothing compiles" : "227 KiB");
        if (!case_wanted()) continue;
        make_all((size_t)(general ? 64 : 227) << 10, general, true);
        qsort(all, kernels, sizeof *all, by_name);
        if (record_to)
            write_record(record);
        else
            compare(record);
    }
    fclose(record);
}

/* Those that give a block the least, and what most of them give. */
static void smaller_gpus_take_them(void **state) {
    (void)state;
    static const size_t kib[] = {64, 99};
    for (size_t s = 0; s < sizeof kib / sizeof *kib; s++) {
        CASE("gpu plans", "%zu KiB", kib[s]);
        if (case_wanted()) make_all(kib[s] << 10, false, false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_are_those_recorded),
                                       cmocka_unit_test(smaller_gpus_take_them)};
    setenv("WARPWISE_CACHE", "off", 1);
    return cmocka_run_group_tests_name("gpu plans", tests, NULL, NULL);
}

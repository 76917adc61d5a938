/* Programs: found among those made before, else in the kernel pack or the cache on disk, else compiled. And launching
 * their kernels. */
#include "device/gpu/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/cache.h"
#include "device/gpu/environment.h"
#include "device/gpu/included.h"
#include "device/gpu/kernels.h"
#include "device/gpu/pack.h"

enum { KERNELS = 8 }; /* of a program that are called */

struct ww__program {
    ww__program *next;
    void *loaded;              /* NULL: it was looked for, and is not at hand */
    const char *name[KERNELS]; /* looked up so far; string literals */
    void *kernel[KERNELS];
    size_t kernels;
    ww__recipe recipe; /* last: only its first parts are kept */
};

static size_t program_bytes(const ww__recipe *r) {
    return sizeof(ww__program) - sizeof(ww__recipe) + offsetof(ww__recipe, part) + r->parts * sizeof *r->part;
}

static ww_status load(ww_device *device, const ww__code *code, ww__program *program) {
    ww__driver *driver = device->gpu->driver;
    return ww__gpu_said(device, driver->load(driver, code, &program->loaded));
}

/* Compiled code that was kept may be too new for this driver, or of another one's making: if it does not load, what
 * comes next is tried. */
static bool load_kept(ww_device *device, ww__code code, ww__program *program) {
    ww__driver *driver = device->gpu->driver;
    const ww_status status = driver->load(driver, &code, &program->loaded);
    free(code.bytes);
    return !status;
}

/* What a program on disk must have come from, besides its own text: the compiler, and the kernel text that it includes. */
enum { MAKER = sizeof((ww__driver *)0)->compiler + 16 + WW__DIGEST_TEXT };
static void name_maker(const ww_device *device, const char *source, char maker[MAKER]) {
    char included[WW__DIGEST_TEXT];
    ww__included_digest(source, ww__kernel_headers, included);
    snprintf(maker, MAKER, "%s, kernel text %s", device->gpu->driver->compiler, included);
}

static bool find_kept(ww_device *device, const char *source, const char *maker, ww__program *program) {
    ww__gpu *gpu = device->gpu;
    ww__code code = {NULL, 0};
    if (ww__pack_find(gpu->pack, gpu->driver->architecture, source, &code) && load_kept(device, code, program)) {
        gpu->programs_from_pack++;
        return true;
    }
    if (ww__cache_find(maker, source, &code) && load_kept(device, code, program)) {
        gpu->programs_from_disk++;
        return true;
    }
    return false;
}

static ww_status compile(ww_device *device, const char *source, ww__code *code) {
    ww__driver *driver = device->gpu->driver;
    const ww_status status = driver->compile(driver, source, ww__kernel_headers, code);
    if (status != WW_UNSUPPORTED || !device->gpu->pack) return ww__gpu_said(device, status);
    return ww__fail(device, status, "%s. (The kernel pack %s has no program for this call that this driver loads.)",
                    driver->why, ww__pack_path(device->gpu->pack));
}

static ww_status make(ww_device *device, const char *source, ww__program *program) {
    char maker[MAKER];
    ww__code code = {NULL, 0};
    name_maker(device, source, maker);
    if (find_kept(device, source, maker, program)) return WW_OK;
    WW_TRY(compile(device, source, &code));
    device->gpu->programs_compiled++;
    const ww_status status = load(device, &code, program);
    const char *wrong = status ? NULL : ww__cache_keep(maker, source, &code);
    if (wrong && device->trace)
        fprintf(stderr, "warpwise: programs are not kept, because of the cache's folder or one on the way to it: %s\n",
                wrong);
    free(code.bytes);
    return status;
}

/* The program's text, and the struct with nothing loaded; NULL where memory ran out. */
static ww__program *begin(ww_device *device, const ww__recipe *recipe, char **source) {
    *source = ww__recipe_text(recipe);
    ww__program *program = ww__allocate(device, program_bytes(recipe), 64);
    if (!*source || !program) {
        free(*source);
        ww__release(device, program, program_bytes(recipe));
        return NULL;
    }
    program->loaded = NULL;
    program->kernels = 0;
    memcpy(&program->recipe, recipe, offsetof(ww__recipe, part) + recipe->parts * sizeof *recipe->part);
    return program;
}

static void keep(ww_device *device, ww__program *program) {
    program->next = device->gpu->programs;
    device->gpu->programs = program;
}

static ww_status build(ww_device *device, const ww__recipe *recipe, ww__program **built) {
    char *source;
    WW_CHECK(device, !recipe->full, WW_LIMIT,
             "this call has more inputs and functions than a GPU's program can be made of");
    ww__program *program = begin(device, recipe, &source);
    if (!program) return ww__no_memory(device, program_bytes(recipe));
    const ww_status status = make(device, source, program);
    free(source);
    if (status) {
        ww__release(device, program, program_bytes(recipe));
        return status;
    }
    keep(device, program);
    *built = program;
    return WW_OK;
}

/* What is found comes first: a call that is made again and again finds its programs at once, however many there are. */
static ww__program *find_met(ww_device *device, const ww__recipe *recipe) {
    ww__program **const first = &device->gpu->programs;
    for (ww__program **link = first; *link; link = &(*link)->next) {
        ww__program *const p = *link;
        if (!ww__recipe_same(&p->recipe, recipe)) continue;
        *link = p->next;
        p->next = *first;
        return *first = p;
    }
    return NULL;
}

static ww_status find_program(ww_device *device, const ww__recipe *recipe, ww__program **found) {
    *found = find_met(device, recipe);
    return *found && (*found)->loaded ? WW_OK : build(device, recipe, found);
}

bool ww__gpu_has(ww_device *device, const ww__recipe *recipe) {
    ww__driver *driver = device->gpu->driver;
    char maker[MAKER], *source;
    if (ww__gpu_compiles(device)) return true;
    ww__program *program = find_met(device, recipe);
    if (program) return program->loaded != NULL;
    if (recipe->full || !(program = begin(device, recipe, &source))) return false;
    name_maker(device, source, maker);
    const bool there = driver->has ? driver->has(driver, source) && !make(device, source, program)
                                   : find_kept(device, source, maker, program);
    free(source);
    keep(device, program);
    return there;
}

static ww_status find_kernel(ww_device *device, ww__program *program, const char *name, void **kernel) {
    ww__driver *driver = device->gpu->driver;
    for (size_t k = 0; k < program->kernels; k++)
        if (program->name[k] == name) {
            *kernel = program->kernel[k];
            return WW_OK;
        }
    WW_TRY(ww__gpu_said(device, driver->find(driver, program->loaded, name, kernel)));
    if (program->kernels < KERNELS) {
        program->name[program->kernels] = name;
        program->kernel[program->kernels++] = *kernel;
    }
    return WW_OK;
}

static void trace(const ww_device *device, const char *kernel, uint64_t blocks, uint32_t threads) {
    if (device->trace)
        fprintf(stderr, "warpwise: %s kernel=%s device=%s blocks=%" PRIu64 " threads=%u\n", device->call, kernel,
                device->gpu->driver->backend, blocks, threads);
}

/* The first kernel of a call whose program is not at hand may be one that looks at a count on the device, or computes an input: then the
 * call is made again with counts that the host has looked at, or with inputs that have been stored. */
static ww_status go_another_way(ww_device *device, const ww__recipe *recipe) {
    if (device->gpu->driver->has) return WW_OK; /* a pack's list is of what calls ask for first */
    const bool counted = device->counts == WW__COUNTS_TAKEN, computed = device->stores == WW__STORES_POSSIBLE;
    if (device->launched || !(counted || computed) || ww__gpu_has(device, recipe)) return WW_OK;
    return counted ? WW__SETTLE : WW__STORE;
}

static ww_status launch(ww_device *device, const ww__recipe *recipe, const char *kernel, uint64_t blocks,
                        uint32_t threads, size_t shared, const ww__arguments *arguments, ww__launch_when when) {
    ww__driver *driver = device->gpu->driver;
    ww__program *program = NULL;
    void *function = NULL;
    WW_TRY(ww__stage_due(device));
    WW_CHECK(device, blocks <= driver->blocks_most, WW_LIMIT,
             "this would take %llu blocks, and the GPU runs %u at most", (unsigned long long)blocks,
             driver->blocks_most);
    WW_TRY(go_another_way(device, recipe));
    if (device->on_paper) return WW_OK;
    device->launched = true;
    WW_TRY(find_program(device, recipe, &program));
    WW_TRY(find_kernel(device, program, kernel, &function));
    ww__arguments with;
    if (recipe->kept) { /* device/kernel/environment.cuh */
        with = *arguments;
        WW_TRY(ww__argument_environment(device, &with, recipe->kept));
        arguments = &with;
    }
    trace(device, kernel, blocks, threads);
    return ww__gpu_said(
        device, driver->launch(driver, function, blocks, threads, shared, arguments->bytes, arguments->used, when));
}

ww_status ww__gpu_launch(ww_device *device, const ww__recipe *recipe, const char *kernel, uint64_t blocks,
                         uint32_t threads, size_t shared, const ww__arguments *arguments) {
    return launch(device, recipe, kernel, blocks, threads, shared, arguments,
                  recipe->counted ? WW__LAUNCH_EARLY_IN_LOOPS : WW__LAUNCH_AFTER);
}

ww_status ww__gpu_launch_early(ww_device *device, const ww__recipe *recipe, const char *kernel, uint64_t blocks,
                               uint32_t threads, size_t shared, const ww__arguments *arguments) {
    return launch(device, recipe, kernel, blocks, threads, shared, arguments, WW__LAUNCH_EARLY);
}

ww_status ww__gpu_launch_together(ww_device *device, const ww__recipe *recipe, const char *kernel, uint64_t blocks,
                                  uint32_t threads, size_t shared, const ww__arguments *arguments) {
    return launch(device, recipe, kernel, blocks, threads, shared, arguments, WW__LAUNCH_TOGETHER);
}

void ww__programs_release(ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    for (ww__program *p = device->gpu->programs, *next; p; p = next) {
        next = p->next;
        if (p->loaded) driver->unload(driver, p->loaded);
        ww__release(device, p, program_bytes(&p->recipe));
    }
    device->gpu->programs = NULL;
}

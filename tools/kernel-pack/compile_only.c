#include "compile_only.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/gpu.h"

/* No address of a process is as high. */
static const uintptr_t unreachable = (uintptr_t)1 << 60;

static compile_only *of(ww__driver *d) { return (compile_only *)(void *)d; }
static bool is_unreachable(const void *pointer) { return (uintptr_t)pointer >= unreachable; }

static void close_it(ww__driver *d) {
    ww__cuda_compiler_close(&of(d)->compiler);
    free(d);
}

/* What is on the GPU is never read; but blocks do not overlap, as calls look at that. */
static ww_status allocate(ww__driver *d, size_t bytes, void **block) {
    if (bytes > unreachable - of(d)->taken) return WW_MEMORY;
    *block = (void *)(unreachable + of(d)->taken); /* NOLINT(performance-no-int-to-ptr): it is never followed */
    of(d)->taken += (bytes + 255) / 256 * 256;
    return WW_OK;
}
static void release(ww__driver *d, void *block) { (void)d, (void)block; }

static ww_status allocate_host(ww__driver *d, size_t bytes, void **block) {
    (void)d;
    *block = calloc(1, bytes);
    return *block ? WW_OK : WW_MEMORY;
}
static void release_host(ww__driver *d, void *block) {
    (void)d;
    free(block);
}
/* What is there the host reads, too: single values, and environments. */
static ww__place place(ww__driver *d, const void *pointer) {
    return is_unreachable(pointer) ? WW__PLACE_DEVICE : of(d)->host_apart ? WW__PLACE_UNREACHABLE : WW__PLACE_HOST;
}

static void put_answer(compile_only_answer a, unsigned char *to, size_t bytes) {
    const bool all = a.word == UINT32_MAX, number = bytes <= sizeof(uint64_t);
    for (size_t k = 0; k < bytes; k++) {
        const size_t at = k / sizeof a.word;
        const bool there = all || (number ? !at : a.where >> at % 32 & 1);
        to[k] = there ? (unsigned char)(a.word >> k % sizeof a.word * 8) : 0;
    }
}

static ww_status copy(ww__driver *d, void *to, const void *from, size_t bytes) {
    compile_only *c = of(d);
    if (is_unreachable(to) || !is_unreachable(from)) return WW_OK;
    if (from == c->kept_zero || c->answered == c->answers)
        memset(to, 0, bytes);
    else
        put_answer(c->answer[c->answered++], to, bytes);
    return WW_OK;
}
static ww_status fill(ww__driver *d, void *to, unsigned char byte, size_t bytes) {
    (void)d, (void)to, (void)byte, (void)bytes;
    return WW_OK;
}
static ww_status sync(ww__driver *d) {
    (void)d;
    return WW_OK;
}
static bool compiles(ww__driver *d) { return of(d)->has_compiler; }
static ww_status compile(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    return ww__cuda_compile(&of(d)->compiler, source, headers, code, d->why, sizeof d->why);
}
static ww_status load(ww__driver *d, const ww__code *code, void **program) {
    *program = d;
    return code->size > 100 ? WW_OK : WW_LOST;
}
static void unload(ww__driver *d, void *program) { (void)d, (void)program; }
static ww_status find(ww__driver *d, void *program, const char *name, void **kernel) {
    (void)program, (void)name;
    *kernel = d;
    return WW_OK;
}
static ww_status launch(ww__driver *d, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                        const void *arguments, size_t bytes, ww__launch_when when) {
    (void)d, (void)kernel, (void)blocks, (void)threads, (void)shared, (void)arguments, (void)bytes, (void)when;
    return WW_OK;
}

compile_only *compile_only_new(int architecture) {
    compile_only *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->driver = (ww__driver){.backend = "cuda",
                             .processors = 132,
                             .blocks_most = 0x7FFFFFFF,
                             .shared_most = 227 << 10,
                             .close = close_it,
                             .allocate = allocate,
                             .release = release,
                             .allocate_host = allocate_host,
                             .release_host = release_host,
                             .place = place,
                             .copy = copy,
                             .fill = fill,
                             .sync = sync,
                             .compiles = compiles,
                             .compile = compile,
                             .load = load,
                             .unload = unload,
                             .find = find,
                             .launch = launch};
    c->has_compiler = true;
    c->compiler.driver_major = 99;
    c->compiler.architecture = architecture;
    snprintf(c->driver.compiler, sizeof c->driver.compiler, "compile only sm_%d", architecture);
    return c;
}

bool compile_only_find_compiler(compile_only *c, char *why, size_t room) {
    return ww__nvrtc_api_open(&c->compiler.api, &c->compiler.library, c->compiler.driver_major, why, room);
}

ww_status compile_only_device(compile_only *c, ww_device **device) {
    ww_status status = ww_open("cpu:threads=1", device);
    if (status) {
        close_it(&c->driver);
        return status;
    }
    status = ww__gpu_open(*device, &c->driver);
    (*device)->failed = status != WW_OK; /* as ww_open does */
    (*device)->failure = status;
    return status;
}

#include "support/compile_only.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/compiler.h"
#include "device/gpu/gpu.h"

typedef struct compiling {
    ww__driver driver;
    ww__cuda_compiler compiler;
} compiling;

static void close_it(ww__driver *d) {
    ww__cuda_compiler_close(&((compiling *)(void *)d)->compiler);
    free(d);
}
static ww_status allocate(ww__driver *d, size_t bytes, void **block) {
    (void)d;
    *block = malloc(bytes);
    return *block ? WW_OK : WW_MEMORY;
}
static void release(ww__driver *d, void *block) {
    (void)d;
    free(block);
}
static ww__place place(ww__driver *d, const void *pointer) {
    (void)d;
    (void)pointer;
    return WW__PLACE_DEVICE;
}
static ww_status copy(ww__driver *d, void *to, const void *from, size_t bytes) {
    (void)d;
    memmove(to, from, bytes);
    return WW_OK;
}
static ww_status fill(ww__driver *d, void *to, unsigned char byte, size_t bytes) {
    (void)d;
    memset(to, byte, bytes);
    return WW_OK;
}
static ww_status sync(ww__driver *d) {
    (void)d;
    return WW_OK;
}
static ww_status compile(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    return ww__cuda_compile(&((compiling *)(void *)d)->compiler, source, headers, code, d->why, sizeof d->why);
}
static ww_status load(ww__driver *d, const ww__code *code, void **program) {
    *program = d;
    return code->size > 100 ? WW_OK : WW_LOST;
}
static void unload(ww__driver *d, void *program) {
    (void)d;
    (void)program;
}
static ww_status find(ww__driver *d, void *program, const char *name, void **kernel) {
    (void)program;
    (void)name;
    *kernel = d;
    return WW_OK;
}
static ww_status launch(ww__driver *d, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                        const void *arguments, size_t bytes) {
    (void)d, (void)kernel, (void)blocks, (void)threads, (void)shared, (void)arguments, (void)bytes;
    return WW_OK;
}

ww_device *compile_only_open(int architecture) {
    compiling *c = calloc(1, sizeof *c);
    char why[512];
    if (!c) abort();
    c->driver = (ww__driver){.backend = "compile",
                             .processors = 132,
                             .blocks_most = 0x7FFFFFFF,
                             .shared_most = 227 << 10,
                             .close = close_it,
                             .allocate = allocate,
                             .release = release,
                             .allocate_host = allocate,
                             .release_host = release,
                             .place = place,
                             .copy = copy,
                             .fill = fill,
                             .sync = sync,
                             .compile = compile,
                             .load = load,
                             .unload = unload,
                             .find = find,
                             .launch = launch};
    c->compiler.driver_major = 99;
    c->compiler.architecture = architecture;
    snprintf(c->driver.compiler, sizeof c->driver.compiler, "compile only sm_%d", architecture);
    if (!ww__nvrtc_api_open(&c->compiler.api, &c->compiler.library, c->compiler.driver_major, why, sizeof why)) {
        printf("left out: %s\n", why);
        free(c);
        return NULL;
    }
    ww_device *device;
    if (ww_open("cpu:threads=1", &device) || ww__gpu_open(device, &c->driver)) abort();
    return device;
}

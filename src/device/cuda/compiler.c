/* See compiler.h. */
#include "device/cuda/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS = 256 /* cmake/kernels.cmake refuses more */, ARCHITECTURES = 64 };

/* The newest architecture that this NVRTC knows and that is not above the GPU's. */
static int known_architecture(const ww__cuda_compiler *c) {
    int many = 0, all[ARCHITECTURES], best = 0;
    if (c->api.nvrtcGetNumSupportedArchs(&many) || many > ARCHITECTURES || c->api.nvrtcGetSupportedArchs(all)) return 0;
    for (int i = 0; i < many; i++)
        if (all[i] <= c->architecture && all[i] > best) best = all[i];
    return best;
}

static void keep_log(const ww__cuda_compiler *c, nvrtcProgram program, char *why, size_t room) {
    size_t bytes = 0;
    snprintf(why, room, "the compiler failed without a word");
    if (c->api.nvrtcGetProgramLogSize(program, &bytes) || bytes < 2) return;
    char *log = malloc(bytes);
    if (log && !c->api.nvrtcGetProgramLog(program, log)) snprintf(why, room, "%s", log);
    free(log);
}

/* The machine code, or for a GPU that is newer than NVRTC the PTX. */
static bool take_code(const ww__cuda_compiler *c, nvrtcProgram program, bool machine, ww__code *code) {
    if (machine ? c->api.nvrtcGetCUBINSize(program, &code->size) : c->api.nvrtcGetPTXSize(program, &code->size))
        return false;
    code->bytes = malloc(code->size);
    if (!code->bytes) return false;
    return !(machine ? c->api.nvrtcGetCUBIN(program, code->bytes) : c->api.nvrtcGetPTX(program, code->bytes));
}

bool ww__cuda_compiler_there(ww__cuda_compiler *c) {
    char why[512];
    if (!c->library && !c->missing)
        c->missing = !ww__nvrtc_api_open(&c->api, &c->library, c->driver_major, why, sizeof why);
    return c->library && known_architecture(c);
}

ww_status ww__cuda_compile(ww__cuda_compiler *c, const char *source, const ww__header *headers, ww__code *code,
                           char *why, size_t room) {
    const char *names[HEADERS], *texts[HEADERS];
    int many = 0;
    if (!c->library && !ww__nvrtc_api_open(&c->api, &c->library, c->driver_major, why, room)) return WW_UNSUPPORTED;
    for (; headers[many].name && many < HEADERS; many++) {
        names[many] = headers[many].name;
        texts[many] = headers[many].text;
    }
    const int known = known_architecture(c);
    const bool machine = known == c->architecture && !c->portable;
    char target[48];
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", machine ? "sm" : "compute", known);
    /* --fmad=false: multiplications and additions are rounded one by one, as on the CPU. */
    const char *const options[] = {target,
                                   "--std=c++17",
                                   "--fmad=false",
                                   "--device-int128",
                                   "--diag-suppress=177",
                                   c->quick ? "--Ofast-compile=max" : "--Ofast-compile=mid",
                                   "--minimal"};
    const int many_options = sizeof options / sizeof *options - (c->quick ? 0 : c->sooner ? 1 : 2);
    nvrtcProgram program;
    if (c->api.nvrtcCreateProgram(&program, source, "warpwise.cu", many, texts, names)) {
        snprintf(why, room, "NVRTC could not take the program");
        return WW_MEMORY;
    }
    ww_status status = WW_OK;
    if (c->api.nvrtcCompileProgram(program, many_options, options)) {
        keep_log(c, program, why, room);
        status = WW_COMPILE;
    } else if (!take_code(c, program, machine, code)) {
        snprintf(why, room, "out of memory for a compiled program");
        free(code->bytes);
        status = WW_MEMORY;
    }
    c->api.nvrtcDestroyProgram(&program);
    return status;
}

void ww__cuda_compiler_close(ww__cuda_compiler *c) {
    if (c->library) dlclose(c->library);
    c->library = NULL;
}

/* An NVRTC that compiles nothing: it keeps the text of every program that it is given, each once, in the folder WARPWISE_IDLE_KEEP, named
 * by the hash that kernel packs have of it (device/gpu/pack_format.h). It knows no architecture, so that calls go the ways that they
 * go where nothing compiles. With it and idle_driver.c any program says which kernels' programs it would have built. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/cuda/api.h"
#include "device/gpu/pack_format.h"

#define DECLARE(name, parameters) nvrtcResult name parameters;
WW__NVRTC_FUNCTIONS(DECLARE)
#undef DECLARE

static int nothing;

nvrtcResult nvrtcVersion(int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    *count = 0;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *architectures) {
    (void)architectures;
    return NVRTC_SUCCESS;
}

/* Under another name first: several programs may write the same one. */
static void keep(const char *folder, const char *source) {
    char path[4096], draft[4200];
    const unsigned long long hash = ww__pack_hash(WW__PACK_HASH_BEGIN, source, strlen(source));
    snprintf(path, sizeof path, "%s/%016llx.cu", folder, hash);
    if (!access(path, F_OK)) return;
    snprintf(draft, sizeof draft, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(draft, "w");
    if (!f || fputs(source, f) < 0 || fclose(f) || rename(draft, path)) abort();
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *texts, const char *const *names) {
    (void)name, (void)headers, (void)texts, (void)names;
    const char *folder = secure_getenv("WARPWISE_IDLE_KEEP");
    if (folder) keep(folder, source);
    *program = (nvrtcProgram)(void *)&nothing;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    *program = NULL;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char *const *option) {
    (void)program, (void)options, (void)option;
    return NVRTC_SUCCESS;
}

enum { CODE_BYTES = 128 };
static nvrtcResult give(char *code) {
    memset(code, 0, CODE_BYTES);
    return NVRTC_SUCCESS;
}
static nvrtcResult say_bytes(size_t *bytes) {
    *bytes = CODE_BYTES;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) { return program ? give(cubin) : NVRTC_ERROR_COMPILATION; }
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) { return program ? give(ptx) : NVRTC_ERROR_COMPILATION; }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    return program ? say_bytes(bytes) : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
    return program ? say_bytes(bytes) : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    *bytes = 1;
    return program ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    *log = 0;
    return program ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

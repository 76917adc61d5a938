/* Finding NCCL. */
#include "group/nccl_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/found.h"

#define NAME(name, parameters) #name,

/* What a file turned out to be: NCCL, or the reason why not. */
typedef struct trial {
    ww__nccl_api *api;
    char wrong[256];
} trial;

/* dlsym gives a void pointer, which POSIX lets hold a function's. */
static bool fill(ww__nccl_api *api, void *library, const char **missing) {
    static const char *const names[] = {WW__NCCL_FUNCTIONS(NAME) "ncclGetErrorString"};
    enum { MANY = sizeof names / sizeof *names };
    void *functions[MANY];
    _Static_assert(sizeof functions == offsetof(ww__nccl_api, version), "a table of pointers");
    for (size_t i = 0; i < MANY; i++)
        if (!(functions[i] = dlsym(library, *missing = names[i]))) return false;
    memcpy(api, functions, sizeof functions);
    api->emulated = dlsym(library, "warpwise_emulated_nccl") != NULL;
    return !api->ncclGetVersion(&api->version);
}

static bool opens(void *context, const char *path) {
    trial *t = context;
    const char *missing = "";
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return false;
    if (fill(t->api, library, &missing)) return true;
    if (!t->wrong[0])
        snprintf(t->wrong, sizeof t->wrong, "%s is too old, or not NCCL: it has no %s; NCCL 2.14 or newer is needed",
                 path, missing);
    dlclose(library);
    return false;
}

bool ww__nccl_api_open(ww__nccl_api *api, char *why, size_t room) {
    static const char *const folders[] = {
        "/usr/local/cuda/lib64/",
        "/usr/local/cuda-[0-9]*/lib*/",
        "/usr/lib/*-linux-gnu/",
        "~/.local/lib/python3*/site-packages/nvidia/nccl/lib/",
        "/usr/lib/python3*/*-packages/nvidia/nccl/lib/",
        "/usr/local/lib/python3*/*-packages/nvidia/nccl/lib/",
    };
    trial t = {.api = api};
    char left[256] = "";
    const char *asked = secure_getenv("WARPWISE_NCCL");
    if (asked && *asked) {
        if (opens(&t, asked)) return true;
        snprintf(why, room, "%s%.180s%s",
                 t.wrong[0] ? "" : "WARPWISE_NCCL names no library that can be opened: ", t.wrong[0] ? t.wrong : asked,
                 "");
        return false;
    }
    if (opens(&t, "libnccl.so.2")) return true;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        char pattern[256];
        snprintf(pattern, sizeof pattern, "%slibnccl.so.2", folders[f]);
        if (ww__found_library(pattern, opens, &t, left, sizeof left)) return true;
    }
    snprintf(why, room, "%.250s",
             t.wrong[0]
                 ? t.wrong
                 : "NCCL is not here (libnccl.so.2): install it, or pip's nvidia-nccl package, or name the file in "
                   "WARPWISE_NCCL");
    return false;
}

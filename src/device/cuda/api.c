/* Opening the CUDA driver and NVRTC. */
#include "device/cuda/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/found.h"

/* Fills a table of function pointers from a library; the name of the first that it lacks, or NULL. dlsym gives a void
 * pointer, which POSIX lets hold a function's. */
static const char *find_all(void *library, const char *const *names, void **functions, size_t many) {
    for (size_t i = 0; i < many; i++)
        if (!(functions[i] = dlsym(library, names[i]))) return names[i];
    return NULL;
}

#define NAME(name, parameters) #name,

bool ww__cuda_api_open(ww__cuda_api *api, void **library, char *why, size_t room) {
    static const char *const names[] = {WW__CUDA_FUNCTIONS(NAME)};
    enum { MANY = sizeof names / sizeof *names };
    void *functions[MANY];
    _Static_assert(sizeof functions == sizeof *api, "a table of pointers");
    *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!*library) {
        snprintf(why, room,
                 "there is no NVIDIA driver here (libcuda.so.1 cannot be opened); install one, or use \"cpu\"");
        return false;
    }
    const char *missing = find_all(*library, names, functions, MANY);
    if (missing) {
        snprintf(why, room, "the NVIDIA driver is too old: it has no %s; CUDA 12 or newer is needed", missing);
        dlclose(*library);
        return false;
    }
    memcpy(api, functions, sizeof functions);
    return true;
}

bool ww__cuda_loop_api_open(ww__cuda_loop_api *api, void *library) {
    static const char *const names[] = {WW__CUDA_LOOP_FUNCTIONS(NAME)};
    enum { MANY = sizeof names / sizeof *names };
    void *functions[MANY];
    _Static_assert(sizeof functions == sizeof *api, "a table of pointers");
    if (find_all(library, names, functions, MANY)) return false;
    memcpy(api, functions, sizeof functions);
    return true;
}

/* NVRTC asks the loader for a second library, by its name alone, when it compiles first: where NVRTC came from a folder that the
 * loader does not look into, pip's for one, this one must be there before. It stays loaded, as NVRTC would have it. */
static void load_builtins(const char *path, int major, int minor) {
    char beside[512];
    const char *slash = strrchr(path, '/');
    if (!slash) return;
    const int length = snprintf(beside, sizeof beside, "%.*slibnvrtc-builtins.so.%d.%d", (int)(slash + 1 - path), path,
                                major, minor);
    if (length > 0 && (size_t)length < sizeof beside) (void)dlopen(beside, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/* Opens `path` if it holds all of NVRTC, of a major version that the driver takes. */
static bool try_nvrtc(ww__nvrtc_api *api, void **library, const char *path, int driver_major) {
    static const char *const names[] = {WW__NVRTC_FUNCTIONS(NAME)};
    enum { MANY = sizeof names / sizeof *names };
    void *functions[MANY];
    _Static_assert(sizeof functions == sizeof *api, "a table of pointers");
    int major = 0, minor = 0;
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library) return false;
    if (!find_all(*library, names, functions, MANY)) {
        memcpy(api, functions, sizeof functions);
        if (!api->nvrtcVersion(&major, &minor) && major <= driver_major) {
            load_builtins(path, major, minor);
            return true;
        }
    }
    dlclose(*library);
    return false;
}

typedef struct trial {
    ww__nvrtc_api *api;
    void **library;
    int driver_major;
} trial;

static bool opens(void *context, const char *path) {
    const trial *t = context;
    return try_nvrtc(t->api, t->library, path, t->driver_major);
}

bool ww__nvrtc_api_open(ww__nvrtc_api *api, void **library, int driver_major, char *why, size_t room) {
    static const char *const folders[] = {
        "", /* where the loader looks */
        "/usr/local/cuda/lib64/",
        "/usr/local/cuda-[0-9]*/lib64/",
        "/usr/lib/*-linux-gnu/",
        "/opt/cuda/lib64/",
        "~/.local/lib/python3*/site-packages/nvidia/cu*/lib/",
        "~/.local/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/",
        "/usr/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/",
        "/usr/local/lib/python3*/*-packages/nvidia/cu*/lib/",
    };
    enum { OLDEST = 12, NEWEST = 15 };
    trial t = {api, library, driver_major};
    char left[512] = "";
    const char *asked = secure_getenv("WARPWISE_NVRTC");
    if (asked && *asked) {
        if (try_nvrtc(api, library, asked, driver_major)) return true;
        snprintf(why, room, "WARPWISE_NVRTC=%s is not an NVRTC that this driver (CUDA %d) takes", asked, driver_major);
        return false;
    }
    for (int major = driver_major < NEWEST ? driver_major : NEWEST; major >= OLDEST; major--)
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            char path[256];
            snprintf(path, sizeof path, "%slibnvrtc.so.%d", folders[f], major);
            if (*folders[f] ? ww__found_library(path, opens, &t, left, sizeof left)
                            : try_nvrtc(api, library, path, driver_major))
                return true;
        }
    snprintf(why, room,
             "NVIDIA's run-time compiler is not here (libnvrtc.so.%d to %d): install the CUDA toolkit or its package "
             "cuda-nvrtc, or name the file in WARPWISE_NVRTC%s",
             OLDEST, driver_major, left);
    return false;
}

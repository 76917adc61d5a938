/* Opened with dlopen when the first row asks for it: only rows of tiles on a GPU do. */
#include "peers/cub.h"

#include <dlfcn.h>
#include <stdio.h>

static char folder[4096] = ".", about[200];
static const cub_module *module;

void cub_find_in(const char *directory) { snprintf(folder, sizeof folder, "%s", directory); }

const cub_module *cub_open(const char **why) {
    static char sentence[200];
    char path[sizeof folder + 32];
    *why = sentence;
    if (module || *sentence) return module;
    snprintf(path, sizeof path, "%s/bench-peer-cub.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) module = dlsym(library, CUB_SYMBOL);
    if (module)
        module->describe(about, sizeof about);
    else
        snprintf(sentence, sizeof sentence, "%s",
                 library ? "bench-peer-cub.so is not a peer"
                         : "bench-peer-cub.so is not built: `make bench` does it where nvcc is");
    return module;
}

const char *cub_about(void) { return module ? about : NULL; }

void cub_close(void) {
    if (module) module->end();
}

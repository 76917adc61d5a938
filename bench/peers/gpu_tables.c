/* Opened with dlopen when the first row asks for them: only rows of slab hashes on a GPU do. */
#include "peers/gpu_tables.h"

#include <dlfcn.h>
#include <stdio.h>

static char folder[4096] = ".";
static struct {
    const char *name;
    const gpu_tables *opened;
    char about[100], why[200];
} modules[GPU_TABLES_MODULES] = {{.name = "cuco"}, {.name = "bght"}};

void gpu_tables_find_in(const char *directory) { snprintf(folder, sizeof folder, "%s", directory); }

const gpu_tables *gpu_tables_open(gpu_tables_of which, const char **why) {
    char path[sizeof folder + 32];
    *why = modules[which].why;
    if (modules[which].opened || *modules[which].why) return modules[which].opened;
    snprintf(path, sizeof path, "%s/bench-peer-%s.so", folder, modules[which].name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) modules[which].opened = dlsym(library, GPU_TABLES_SYMBOL);
    if (modules[which].opened)
        modules[which].opened->describe(modules[which].about, sizeof modules[which].about);
    else
        snprintf(modules[which].why, sizeof modules[which].why, "bench-peer-%s.so is %s", modules[which].name,
                 library ? "no peer" : "not built: bench/README.md says how");
    return modules[which].opened;
}

const char *gpu_tables_about(gpu_tables_of which) { return modules[which].opened ? modules[which].about : NULL; }

const char *gpu_tables_wait(void) {
    const char *wrong = NULL;
    for (int m = 0; m < GPU_TABLES_MODULES && !wrong; m++)
        if (modules[m].opened) wrong = modules[m].opened->wait();
    return wrong;
}

void gpu_tables_end(void) {
    for (int m = 0; m < GPU_TABLES_MODULES; m++)
        if (modules[m].opened) modules[m].opened->end();
}

#include "support/compile_only.h"
#include "support/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel-pack/compile_only.h"

static bool compiles_quickly(compile_only *c) {
    static const ww__header none[] = {{NULL, NULL}};
    ww__code code = {NULL, 0};
    c->compiler.quick = true;
    const ww_status status = c->driver.compile(&c->driver, "__global__ void nothing() {}", none, &code);
    free(code.bytes);
    return !status;
}

ww_device *compile_only_open(int architecture, bool quickly) {
    compile_only *c = compile_only_new(architecture);
    ww_device *device;
    char why[512];
    if (!c) abort();
    if (!compile_only_find_compiler(c, why, sizeof why)) {
        left_out("%s", why);
        c->driver.close(&c->driver);
        return NULL;
    }
    c->compiler.quick = quickly && compiles_quickly(c);
    if (c->compiler.quick) /* programs are kept on disk under this name */
        snprintf(c->driver.compiler, sizeof c->driver.compiler, "compile only sm_%d quickly", architecture);
    if (compile_only_device(c, &device)) abort();
    return device;
}

#include "support/compile_only.h"
#include "support/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel-pack/compile_only.h"

static bool compiles_quickly(compile_only *c) {
    static const ww__header none[] = {{NULL, NULL}};
    ww__code code = {NULL, 0};
    c->compiler.quick = true;
    const ww_status status = c->driver.compile(&c->driver, "__global__ void nothing() {}", none, &code);
    free(code.bytes);
    return !status;
}

const char *compile_only_fault_of(const char *ptx) {
    enum { SHARED_MOST = 48 << 10 }; /* what a kernel may declare; launches can add more */
    if (strstr(ptx, ".extern .func")) return "a function that nobody defined";
    for (const char *at = ptx; (at = strstr(at, ".shared .align")); at++) {
        const char *line_end = strchr(at, '\n'), *size = strchr(at, '[');
        const bool declared = at == ptx || at[-1] == '\t' || at[-1] == '\n';
        if (declared && line_end && size && size < line_end && strtoul(size + 1, NULL, 10) > SHARED_MOST)
            return "more than 48 KiB of shared memory";
    }
    return NULL;
}

/* The driver's own, and a look at its PTX. */
static ww_status compile_to_ptx(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    compile_only *c = (compile_only *)(void *)d;
    const ww_status status = ww__cuda_compile(&c->compiler, source, headers, code, d->why, sizeof d->why);
    const char *fault = status ? NULL : compile_only_fault_of(code->bytes); /* PTX is text that ends in a zero */
    if (!fault) return status;
    snprintf(d->why, sizeof d->why, "the PTX has %s", fault);
    free(code->bytes);
    code->bytes = NULL;
    return WW_COMPILE;
}

ww_device *compile_only_open(int architecture, compile_only_effort effort) {
    compile_only *c = compile_only_new(architecture);
    ww_device *device;
    char why[512];
    int major = 0, minor = 0;
    if (!c) abort();
    if (!compile_only_find_compiler(c, why, sizeof why)) {
        left_out("%s", why);
        c->driver.close(&c->driver);
        return NULL;
    }
    c->compiler.quick = effort != COMPILE_FULLY && compiles_quickly(c);
    c->compiler.portable = effort == COMPILE_TO_PTX;
    if (c->compiler.portable) c->driver.compile = compile_to_ptx;
    c->compiler.api.nvrtcVersion(&major, &minor);
    /* Programs are kept on disk under this name. */
    snprintf(c->driver.compiler, sizeof c->driver.compiler, "compile only sm_%d%s%s, NVRTC %d.%d", architecture,
             c->compiler.portable ? " to PTX" : "", c->compiler.quick ? " quickly" : "", major, minor);
    if (compile_only_device(c, &device)) abort();
    return device;
}

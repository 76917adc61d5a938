#include "support/compile_only.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel-pack/compile_only.h"

ww_device *compile_only_open(int architecture) {
    compile_only *c = compile_only_new(architecture);
    ww_device *device;
    char why[512];
    if (!c) abort();
    if (!compile_only_find_compiler(c, why, sizeof why)) {
        printf("left out: %s\n", why);
        c->driver.close(&c->driver);
        return NULL;
    }
    if (compile_only_device(c, &device)) abort();
    return device;
}

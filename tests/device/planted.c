/* A shared object that an attacker would like to be loaded, as the emulator or as NVRTC: it leaves "ran by UID" beside itself. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void run(void) {
    char path[4096];
    Dl_info here;
    if (!dladdr(__extension__(void *) run, &here)) return;
    snprintf(path, sizeof path, "%s.ran", here.dli_fname);
    FILE *f = fopen(path, "w");
    if (!f) return;
    fprintf(f, "ran by %ld\n", (long)geteuid());
    fclose(f);
}

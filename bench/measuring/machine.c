/* From /proc/cpuinfo, uname and sysconf; the commit from the build. */
#include "measuring/machine.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "measuring/origin.h"

static void trim(char *line) {
    size_t n = strlen(line);
    while (n && (line[n - 1] == '\n' || line[n - 1] == ' ')) line[--n] = 0;
}

/* The first line of the file that begins with one of the names: what stands behind its colon. */
static void cpu_model(char *text, size_t room) {
    snprintf(text, room, "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f) return;
    char line[512], family[32] = "", model[32] = "";
    while (fgets(line, sizeof line, f)) {
        trim(line);
        char *value = strchr(line, ':');
        if (!value) continue;
        value += value[1] == ' ' ? 2 : 1;
        if (!strncmp(line, "model name", 10) || !strncmp(line, "Model", 5)) snprintf(text, room, "%s", value);
        if (!strncmp(line, "cpu family", 10)) snprintf(family, sizeof family, "%.30s", value);
        if (!strncmp(line, "model\t", 6)) snprintf(model, sizeof model, "%.30s", value);
        if (!line[0] || !strncmp(line, "flags", 5)) break;
    }
    fclose(f);
    const size_t used = strlen(text); /* virtual machines tend to hide the name: the family and model tell more */
    if (family[0]) snprintf(text + used, room - used, " (family %s, model %s)", family, model);
}

static size_t cache_bytes(int name) {
    const long bytes = sysconf(name);
    return bytes > 0 ? (size_t)bytes : 0;
}

void machine_describe(bench_machine *machine, const char *date) {
    *machine = (bench_machine){.cores = sysconf(_SC_NPROCESSORS_ONLN)};
    cpu_model(machine->cpu, sizeof machine->cpu);
    struct utsname u;
    if (!uname(&u))
        snprintf(machine->kernel, sizeof machine->kernel, "%.30s %.60s %.30s", u.sysname, u.release, u.machine);
#ifdef __clang__
    snprintf(machine->compiler, sizeof machine->compiler, "clang %s", __clang_version__);
#else
    snprintf(machine->compiler, sizeof machine->compiler, "gcc %s", __VERSION__);
#endif
    trim(machine->compiler);
    const time_t now = time(NULL);
    if (date)
        snprintf(machine->date, sizeof machine->date, "%s", date);
    else
        strftime(machine->date, sizeof machine->date, "%Y-%m-%d", localtime(&now));
    snprintf(machine->commit, sizeof machine->commit, "%s", bench_commit);
    const unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
    machine->memory_gib = ((unsigned long)sysconf(_SC_PHYS_PAGES) * page + (1ul << 29)) >> 30;
#ifdef _SC_LEVEL2_CACHE_SIZE
    machine->cache_l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE);
    machine->cache_l3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE);
#endif
}

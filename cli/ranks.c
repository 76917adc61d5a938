#include "ranks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command.h"

enum { SENTENCE = 1000, PATH = 4096 };

/* A day: ranks wait for disks that are slow, and who does not want to wait presses ^C. */
static const uint64_t limit_ms = UINT64_C(24) * 3600 * 1000;

/* What a rank says of its process. */
typedef struct hello {
    uint64_t line, host, cpus; /* hashes: of the line's words, the machine's name, the processors it may use */
} hello;

/* What became of a step. */
typedef struct word {
    uint64_t number;
    int32_t status;
    char sentence[SENTENCE];
} word;

struct mpi_ranks {
    ww_engine engine; /* the group's, once that is open, which uses it only inside of its calls */
    ww_group *group;
    hello *hellos;
    word mine, *words;
    int shown[2]; /* copies of descriptors 1 and 2 while these show nothing; -1 */
    bool open, lost;
    int settled; /* the status that all have agreed to fail with, or DONE */
};
static mpi_ranks all;

/* ---- the library ---- */

typedef ww_status opener(uint64_t limit_ms, ww_engine *engine, char *why);

/* Each implementation's launcher says who it is. NULL: nobody did. */
static const char *started_by(void) {
    if (secure_getenv("OMPI_COMM_WORLD_SIZE") || secure_getenv("PMIX_RANK")) return "openmpi";
    return secure_getenv("PMI_RANK") ? "mpich" : NULL;
}

static unsigned long number_of(const char *name, const char *other) {
    const char *text = secure_getenv(name);
    if (!text) text = secure_getenv(other);
    return text ? strtoul(text, NULL, 10) : 0;
}

/* Before MPI is open only the launcher knows. */
static bool is_first_here(void) { return number_of("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID") == 0; }

static int cannot(const char *command, const char *what) {
    if (is_first_here()) fprintf(stderr, "%s: --group=mpi: %s\n", command, what);
    return FAILED;
}

static opener *open_file(const char *path, char why[SENTENCE]) {
    opener *function = NULL;
    /* Open MPI's plugins look for its symbols among those of the whole process. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    void *const symbol = library ? dlsym(library, "ww_engine_mpi_world") : NULL;
    memcpy(&function, &symbol, sizeof function); /* POSIX lets a void pointer hold a function's */
    if (!function) snprintf(why, SENTENCE, "%s", library ? "it has no ww_engine_mpi_world" : dlerror());
    return function;
}

/* The file's path beside the library that the command uses (or the program that has it inside). */
static bool beside(const char *name, char path[PATH]) {
    Dl_info info;
    const char *(*version)(void) = ww_version;
    void *inside;
    memcpy(&inside, &version, sizeof inside);
    const char *slash = dladdr(inside, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    return slash && snprintf(path, PATH, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, name) < PATH;
}

/* WARPWISE_MPI, a file; else, beside the library and where the loader looks, that of the MPI which started this process, or
 * any. */
static opener *find_opener(char used[PATH], char what[SENTENCE]) {
    static const char *const kinds[] = {"openmpi", "mpich"};
    const char *named = secure_getenv("WARPWISE_MPI"), *kind = started_by();
    char why[SENTENCE] = "", names[200] = "";
    if (named && *named) {
        opener *const found = open_file(named, why);
        snprintf(used, PATH, "%s", named);
        if (!found) snprintf(what, SENTENCE, "WARPWISE_MPI names no library that can be opened: %.800s", why);
        return found;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char name[60], near[SENTENCE] = "";
        if (kind && strcmp(kind, kinds[k])) continue;
        snprintf(name, sizeof name, "libwarpwise-mpi-%s.so", kinds[k]);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? " or " : "", name);
        opener *found = beside(name, used) && !access(used, F_OK) ? open_file(used, near) : NULL;
        if (!found && !*near) {
            snprintf(used, PATH, "%s", name);
            found = open_file(name, why);
        }
        if (found) return found;
        if (*near) snprintf(why, sizeof why, "%s", near);
    }
    snprintf(what, SENTENCE,
             "%s can be opened neither beside libwarpwise nor where the loader looks, and WARPWISE_MPI names no file "
             "(%.600s)",
             names, why);
    return NULL;
}

/* ---- beginning ---- */

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t length) { /* FNV-1a */
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of_host(void) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct utsname system;
    char boot[64];
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (f) {
        hash = hash_more(hash, boot, fread(boot, 1, sizeof boot, f));
        fclose(f);
    }
    if (!uname(&system)) hash = hash_more(hash, system.nodename, strlen(system.nodename));
    return hash;
}

static hello own_hello(int argc, char *const *argv) {
    hello h = {UINT64_C(0xcbf29ce484222325), hash_of_host(), 0};
    cpu_set_t cpus;
    for (int i = 1; i < argc; i++) h.line = hash_more(h.line, argv[i], strlen(argv[i]) + 1);
    CPU_ZERO(&cpus);
    if (!sched_getaffinity(0, sizeof cpus, &cpus)) h.cpus = hash_more(h.host, &cpus, sizeof cpus);
    return h;
}

/* False: another rank is lost, and the sentence is there. */
static bool gather(mpi_ranks *r, const void *mine, size_t bytes, void *from_all) {
    char why[WW_ENGINE_WHY] = "";
    const ww_engine *e = &r->engine;
    if (r->lost) return false;
    ww_status status = e->gather(e->state, mine, bytes, from_all, why);
    if (!status) status = e->wait(e->state, limit_ms, why);
    if (!status) return true;
    ranks_hold(r, *why ? why : ww_status_text(status));
    e->abort(e->state);
    r->lost = true;
    return false;
}

static void show_nothing(mpi_ranks *r) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int k = 0; k < 2 && nothing >= 0; k++) {
        r->shown[k] = fcntl(k + 1, F_DUPFD_CLOEXEC, 3);
        if (r->shown[k] >= 0) dup2(nothing, k + 1);
    }
    if (nothing >= 0) close(nothing);
}

void ranks_parsed(mpi_ranks *r) {
    for (int k = 0; k < 2; k++) {
        if (r->shown[k] < 0) continue;
        dup2(r->shown[k], k + 1);
        close(r->shown[k]);
        r->shown[k] = -1;
    }
}

static void end_of_process(void) { ranks_close(&all); }

static int compare_lines(mpi_ranks *r, const char *command, int argc, char *const *argv) {
    const hello mine = own_hello(argc, argv);
    if (!gather(r, &mine, sizeof mine, r->hellos)) return ranks_agree(r, command, FAILED, NULL);
    for (uint32_t k = 1; k < r->engine.ranks; k++) {
        if (r->hellos[k].line == r->hellos[0].line) continue;
        if (k == r->engine.rank) fprintf(stderr, "%s: rank %u was given another line than rank 0\n", command, k);
        return MISUSED;
    }
    return DONE;
}

/* A process of one MPI that another one's launcher started would take itself for all there is. */
static int check_size(const mpi_ranks *r, const char *command, const char *used) {
    char what[SENTENCE];
    const unsigned long started = number_of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    if (r->engine.ranks > 1 || started <= 1) return DONE;
    snprintf(what, sizeof what,
             "%lu processes were started, of which %.700s sees one: it belongs to another MPI than mpirun", started,
             used);
    return cannot(command, what);
}

mpi_ranks *ranks_begin(const char *command, int argc, char *const *argv, int *status) {
    mpi_ranks *r = &all;
    char what[SENTENCE], used[PATH], why[WW_ENGINE_WHY] = "";
    r->shown[0] = r->shown[1] = -1;
    *status = FAILED;
    opener *const function = find_opener(used, what);
    if (!function) {
        cannot(command, what);
        return NULL;
    }
    const ww_status opened = function(limit_ms, &r->engine, why);
    if (opened) {
        cannot(command, *why ? why : ww_status_text(opened));
        return NULL;
    }
    r->open = true;
    atexit(end_of_process);
    if (check_size(r, command, used)) return NULL;
    r->hellos = malloc(r->engine.ranks * sizeof *r->hellos);
    r->words = malloc(r->engine.ranks * sizeof *r->words);
    if (!r->hellos || !r->words) {
        cannot(command, "out of memory");
        return NULL;
    }
    if ((*status = compare_lines(r, command, argc, argv))) return NULL;
    if (r->engine.rank) show_nothing(r);
    return r;
}

/* ---- places ---- */

bool ranks_is_first(const mpi_ranks *r) { return r->engine.rank == 0; }

uint32_t ranks_on_host(const mpi_ranks *r) {
    uint32_t before = 0;
    for (uint32_t k = 0; k < r->engine.rank; k++) before += r->hellos[k].host == r->hellos[r->engine.rank].host;
    return before;
}

uint32_t ranks_threads(const mpi_ranks *r) {
    uint32_t sharing = 0, before = 0;
    cpu_set_t cpus;
    for (uint32_t k = 0; k < r->engine.ranks; k++) {
        const bool shares = r->hellos[k].cpus == r->hellos[r->engine.rank].cpus;
        sharing += shares;
        before += shares && k < r->engine.rank;
    }
    const uint32_t cores = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : (uint32_t)CPU_COUNT(&cpus);
    return cores < sharing ? 1 : cores / sharing + (before < cores % sharing);
}

/* ---- the group ---- */

ww_status ranks_open(mpi_ranks *r, ww_device *device) {
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = limit_ms;
    const ww_status status = ww_group_open(device, &r->engine, &options, &r->group);
    if (status) r->lost = true; /* such a group is of no use, and says so */
    return status;
}

ww_group *ranks_group(const mpi_ranks *r) { return r->group; }

void ranks_close(mpi_ranks *r) {
    if (r->group)
        ww_group_close(r->group); /* and its engine */
    else if (r->open)
        r->engine.close(r->engine.state);
    r->group = NULL;
    r->open = false;
    free(r->hellos);
    free(r->words);
    r->hellos = NULL;
    r->words = NULL;
}

void ranks_lost(mpi_ranks *r) { r->lost = true; }

/* ---- saying ---- */

void ranks_hold(mpi_ranks *r, const char *sentence) {
    snprintf(r->mine.sentence, sizeof r->mine.sentence, "%s", sentence);
}

/* Ranks that cannot ask each other any more: all have failed. The lowest that is left speaks: where that is not rank 0 the
 * sentence says so. */
static int say_alone(const mpi_ranks *r, const char *command) {
    if (r->engine.rank == 0 || strstr(r->mine.sentence, "rank 0 ")) {
        fprintf(stderr, "%s: %s\n", command, r->mine.sentence);
    }
    return FAILED;
}

int ranks_agree(mpi_ranks *r, const char *command, int status, uint64_t *number) {
    if (r->settled) return r->settled;
    r->mine.status = status;
    r->mine.number = number ? *number : 0;
    if (!gather(r, &r->mine, sizeof r->mine, r->words)) return r->settled = say_alone(r, command);
    if (number) *number = 0;
    for (uint32_t k = 0; k < r->engine.ranks; k++) {
        if (number) *number += r->words[k].number;
        if (!r->words[k].status) continue;
        const bool named = strncmp(r->mine.sentence, "rank ", 5) == 0; /* by the group, which all ranks heard */
        if (k == r->engine.rank && named) fprintf(stderr, "%s: %s\n", command, r->mine.sentence);
        if (k == r->engine.rank && !named) fprintf(stderr, "%s: rank %u: %s\n", command, k, r->mine.sentence);
        return r->settled = r->words[k].status;
    }
    return DONE;
}

/* ---- the line ---- */

/* argp takes "--group=mpi", "--group mpi" and what is shorter. */
bool ranks_asked(int argc, char *const *argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        const size_t length = strcspn(argv[i], "=");
        if (length < 3 || strncmp(argv[i], "--group", length)) continue;
        const char *value = argv[i][length] ? argv[i] + length + 1 : argv[i + 1];
        if (value && !strcmp(value, "mpi")) return true;
    }
    return false;
}

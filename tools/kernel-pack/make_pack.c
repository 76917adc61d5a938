/* Makes kernel packs.
 *
 *     make-pack list 90 list.pack [SHARED]     all programs of calls.c for a target, empty: calls find there what they would find (tests);
 *                                              or those for GPUs that give a block so many bytes of shared memory alone
 *     make-pack 90 1/4 list.pack part.pack     the first of four shares of them, compiled; part.pack's own are kept
 *     make-pack all.pack part.pack …           one of several
 *
 * Needs NVRTC (but for a list), and no GPU. Programs are kept where the library's version and kernel text are as they were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "compile_only.h"
#include "device/gpu/gpu.h"
#include "device/gpu/kernels.h"
#include "device/gpu/pack.h"
#include "writer.h"

/* What plans look at of the GPUs that take a target's programs. Processors make no difference: see calls.c. */
typedef struct target {
    uint32_t architecture;
    ww__pack_kind kind;
    size_t shared_most[4];
} target;

static const target targets[] = {
    {75, WW__PACK_PTX, {64 << 10, 99 << 10, 163 << 10, 227 << 10}}, /* 7.5, and what is newer than all others */
    {80, WW__PACK_MACHINE_CODE, {163 << 10, 99 << 10}},             /* 8.0, 8.6 and 8.9 */
    {90, WW__PACK_MACHINE_CODE, {227 << 10}},
    {100, WW__PACK_MACHINE_CODE, {227 << 10}},
};

static int fail(const char *format, const char *what) {
    fprintf(stderr, "make-pack: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return 1;
}

/* What the driver's compile fills, and looks into first. */
static pack_writer *writer;
static const target *of;
static ww__pack *before;
static bool left_out;                   /* the target, which this NVRTC does not know */
static unsigned long share, shares = 1; /* from 0 */
static size_t shared_alone;             /* 0: all that the target has */

/* The hashes of programs that were met; 0: none. */
enum { MET_ROOM = 1 << 16 };
static struct met {
    uint64_t hash[MET_ROOM];
    size_t many;
} met;

/* Where this one is, or would be. */
static uint64_t *place_of(const char *source, uint64_t *hash) {
    *hash = ww__pack_hash(WW__PACK_HASH_BEGIN, source, strlen(source)) | 1;
    size_t at = *hash >> 32 & (MET_ROOM - 1);
    while (met.hash[at] && met.hash[at] != *hash) at = (at + 1) & (MET_ROOM - 1);
    return &met.hash[at];
}

static bool is_new(const char *source) {
    uint64_t hash, *at = place_of(source, &hash);
    if (*at) return false;
    if (met.many++ < MET_ROOM / 2) *at = hash;
    return true;
}

/* For a GPU that it does not know NVRTC makes PTX. */
static ww_status compile_new(compile_only *c, const char *source, const ww__header *headers, ww__code *code) {
    char *why = c->driver.why;
    ww_status status = ww__cuda_compile(&c->compiler, source, headers, code, why, sizeof c->driver.why);
    if (status == WW_COMPILE && c->compiler.sooner) { /* perhaps for that */
        c->compiler.sooner = false;
        status = ww__cuda_compile(&c->compiler, source, headers, code, why, sizeof c->driver.why);
    }
    if (status || of->kind == WW__PACK_PTX || (code->size > 4 && !memcmp(code->bytes, "\177ELF", 4))) return status;
    left_out = true;
    free(code->bytes);
    snprintf(why, sizeof c->driver.why, "this NVRTC does not know sm_%u, which is left out", of->architecture);
    return WW_UNSUPPORTED;
}

static bool keep(const char *source, ww__code *code, char *why, size_t room) {
    if (pack_writer_add(writer, source, of->architecture, of->kind, code)) return true;
    snprintf(why, room, "out of memory");
    free(code->bytes);
    return false;
}

/* Calls that have programs of their own come first; the others ask what these have left. */
static made pass;
static bool has(ww__driver *d, const char *source) {
    (void)d;
    uint64_t hash;
    return pass != REST || *place_of(source, &hash);
}

/* Code that is never run; its first byte says how it is to be made. */
static ww_status compile(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    enum { BYTES = 256 };
    (void)headers;
    *code = (ww__code){calloc(1, BYTES), BYTES};
    if (!code->bytes) return WW_MEMORY;
    *(unsigned char *)code->bytes = (unsigned char)pass;
    return !is_new(source) || keep(source, code, d->why, sizeof d->why) ? WW_OK : WW_MEMORY;
}

static bool list_for(size_t shared_most) {
    ww_device *device = NULL;
    compile_only *c = compile_only_new((int)of->architecture);
    if (!c) return !fail("out of memory%s", "");
    c->driver.shared_most = shared_most;
    c->has_compiler = false;
    c->driver.compile = compile;
    c->driver.has = has;
    const ww_status status = compile_only_device(c, &device);
    const bool made = status ? !fail("%s", device ? ww_error(device) : "out of memory") : make_calls(device, pass);
    ww_close(device);
    return made;
}

static bool list_all(void) {
    const size_t sizes = sizeof of->shared_most / sizeof *of->shared_most;
    bool made = true;
    if (shared_alone) return list_for(shared_alone);
    for (size_t s = 0; made && s < sizes && of->shared_most[s]; s++) made = list_for(of->shared_most[s]);
    return made;
}

/* The last pass until it adds nothing: what a call adds another may ask for. */
static bool make_list(void) {
    bool made = true;
    for (pass = EACH; made && pass < REST; pass++)
        if (pass == EACH || of->kind == WW__PACK_PTX) made = list_all();
    for (size_t many = 0; made && of->kind == WW__PACK_PTX && many != met.many;) {
        many = met.many;
        made = list_all();
    }
    return made;
}

static bool includes(const char *source, const char *file) {
    const char *const line = strstr(source, file);
    return line && line[-1] == '"';
}

/* Reductions and scans are slow where they are optimised less (of i8 and those in the CPU's brackets a twelfth of the rate, an H100), and soon
 * compiled in any case; those of casts are many, and stay as they are. */
static bool is_optimised_less(const char *source, made how) {
    if (how != REST) return false;
    return includes(source, "device/kernel/cast.cuh") ||
           (!includes(source, "primitive/reduce/reduce") && !includes(source, "primitive/reduce/extreme.cu") &&
            !includes(source, "primitive/scan/scan.cu") && !includes(source, "primitive/scan/ordered.cu") &&
            !includes(source, "primitive/run/ordered_runs.cu"));
}

static bool make_program(compile_only *c, const char *source, made how) {
    ww__code code = {NULL, 0};
    c->compiler.portable = of->kind == WW__PACK_PTX;
    c->compiler.sooner = is_optimised_less(source, how);
    if (!ww__pack_find(before, of->architecture, source, &code) && compile_new(c, source, ww__kernel_headers, &code))
        return !fail("%s", c->driver.why);
    const bool kept = keep(source, &code, c->driver.why, sizeof c->driver.why);
    if (kept) free(code.bytes);
    return kept || !fail("%s", c->driver.why);
}

static int save(const char *path, bool quick) {
    uint64_t bytes = 0;
    if (!pack_writer_save(writer, path, quick, &bytes)) return fail("%s cannot be written", path);
    printf("%s: %.1f MiB\n", path, (double)bytes / (1 << 20));
    return 0;
}

/* A share of what a list has; what is in the file already is kept. */
static bool make_share(const char *list_path, const char *maker, compile_only *c) {
    char why[512], *source;
    ww_status status;
    ww__pack_program program;
    ww__code code;
    ww__pack *list = ww__pack_open(list_path, maker, &status, why, sizeof why);
    if (!list || !compile_only_find_compiler(c, why, sizeof why)) {
        ww__pack_close(list);
        return !fail("%s", why);
    }
    bool made = true;
    for (size_t i = share; made && !left_out && i < ww__pack_entries(list); i += shares) {
        made = ww__pack_entry(list, i, &program, &source, &code) &&
               make_program(c, source, (enum made) * (unsigned char *)code.bytes);
        free(source);
        free(code.bytes);
    }
    ww__pack_close(list);
    return made;
}

static int make_part(const char *list, const char *path, const char *maker) {
    char why[512];
    ww_status status;
    compile_only *c = compile_only_new((int)of->architecture);
    if (!c) return fail("out of memory%s", "");
    before = ww__pack_open(path, maker, &status, why, sizeof why);
    const bool made = make_share(list, maker, c);
    ww__pack_close(before);
    c->driver.close(&c->driver);
    return made || left_out ? save(path, true) : 1;
}

static bool add_part(const char *path, const char *maker) {
    char why[512], *source;
    ww_status status;
    ww__pack_program program;
    ww__code code;
    ww__pack *part = ww__pack_open(path, maker, &status, why, sizeof why);
    if (!part) return !fail("%s", why);
    bool added = true;
    for (size_t i = 0; added && i < ww__pack_entries(part); i++) {
        added = ww__pack_entry(part, i, &program, &source, &code);
        if (!added) break;
        added = pack_writer_add(writer, source, program.architecture, (ww__pack_kind)program.kind, &code);
        free(source);
        free(code.bytes);
    }
    ww__pack_close(part);
    return added || !fail("%s is damaged, or larger than memory", path);
}

static const target *target_of(const char *word) {
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        if (strtoul(word, NULL, 10) == targets[t].architecture) return &targets[t];
    return NULL;
}

static int run(int argc, char **argv, const char *maker) {
    if (!strcmp(argv[1], "list") && argc >= 4) {
        of = target_of(argv[2]);
        if (argc > 4) shared_alone = strtoul(argv[4], NULL, 10);
        if (!of) return fail("%s is no target: 75, 80, 90 and 100 are", argv[2]);
        return make_list() ? save(argv[3], true) : 1;
    }
    of = target_of(argv[1]);
    if (of && argc == 5) {
        if (sscanf(argv[2], "%lu/%lu", &share, &shares) != 2 || !share-- || share >= shares)
            return fail("%s is no share, as 1/4", argv[2]);
        return make_part(argv[3], argv[4], maker);
    }
    for (int i = 2; i < argc; i++)
        if (!add_part(argv[i], maker)) return 1;
    return save(argv[1], false);
}

int main(int argc, char **argv) {
    char maker[64];
    if (argc < 3) return fail("wants TARGET PART or PACK PART…; targets are %s", "75, 80, 90 and 100");
    setenv("WARPWISE_CACHE", "off", 1);
    ww__gpu_version(maker, sizeof maker);
    writer = pack_writer_new(maker);
    const int status = writer ? run(argc, argv, maker) : fail("out of memory%s", "");
    pack_writer_free(writer);
    return status;
}

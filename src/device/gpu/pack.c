/* See pack.h and pack_format.h. The tables are read and checked when the pack is opened, sources and code when they are
 * wanted: by reading, not by mapping, so that a file that is cut short while it is open is a short read and not a
 * signal. */
#include "device/gpu/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu/unpack.h"
#include "device/trust.h"

static const char name[] = "warpwise-kernels.pack";
static const uint64_t program_most = 64 << 20; /* bytes, unpacked */

struct ww__pack {
    int file;
    uint32_t sources, programs;
    ww__pack_head *head; /* the tables follow it, and the maker */
    const ww__pack_source *source;
    const ww__pack_program *program;
    char *maker, path[];
};

static bool read_at(int file, uint64_t at, void *to, size_t bytes) {
    for (unsigned char *p = to; bytes;) {
        const ssize_t got = pread(file, p, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        p += got;
        at += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return true;
}

static bool inside(uint64_t at, uint64_t bytes, uint64_t begin, uint64_t end) {
    return at >= begin && at <= end && bytes <= end - at;
}

/* How many programs come before a program's bytes; more than there may be where one is out of the table, or comes before itself. */
static uint32_t bases_of(const ww__pack *p, const ww__pack_program *program) {
    uint32_t bases = 0;
    for (; program->base && bases <= WW__PACK_BASES; bases++) {
        if (program->base > p->programs) return UINT32_MAX;
        program = &p->program[program->base - 1];
    }
    return bases;
}

static bool tables_right(const ww__pack *p, uint64_t data) {
    for (uint32_t s = 0; s < p->sources; s++) {
        const ww__pack_source *source = &p->source[s];
        if (!inside(source->at, source->bytes, data, p->head->file_bytes)) return false;
        if (!inside(source->first, source->programs, 0, p->programs)) return false;
    }
    for (uint32_t i = 0; i < p->programs; i++) {
        const ww__pack_program *program = &p->program[i];
        if (!inside(program->at, program->packed_bytes, data, p->head->file_bytes)) return false;
        if (!program->bytes || program->bytes > program_most) return false;
        if (program->kind != WW__PACK_MACHINE_CODE && program->kind != WW__PACK_PTX) return false;
        if (bases_of(p, program) > WW__PACK_BASES) return false;
    }
    return true;
}

/* Reads the head, the tables and the maker. */
static bool read_tables(ww__pack *p, uint64_t file_bytes) {
    ww__pack_head head;
    if (!read_at(p->file, 0, &head, sizeof head) || head.magic != WW__PACK_MAGIC || head.version != WW__PACK_VERSION ||
        head.file_bytes != file_bytes)
        return false;
    /* No sum of these overflows: each is below 2^38. */
    const uint64_t sources = head.sources * (uint64_t)sizeof *p->source,
                   programs = head.programs * (uint64_t)sizeof *p->program,
                   data = sizeof head + sources + programs + head.maker_bytes;
    if (data > file_bytes || !(p->head = malloc((size_t)data + 1))) return false;
    unsigned char *bytes = (unsigned char *)p->head;
    if (!read_at(p->file, 0, bytes, (size_t)data)) return false;
    /* What was looked at is what is used, should the file have changed in between. */
    const uint64_t sum = head.sum;
    head.sum = 0;
    memcpy(p->head, &head, sizeof head);
    if (ww__pack_hash(WW__PACK_HASH_BEGIN, bytes, (size_t)data) != sum) return false;
    bytes[data] = 0;
    p->sources = head.sources;
    p->programs = head.programs;
    p->source = (const ww__pack_source *)(const void *)(bytes + sizeof head);
    p->program = (const ww__pack_program *)(const void *)(bytes + sizeof head + sources);
    p->maker = (char *)bytes + sizeof head + sources + programs;
    return tables_right(p, data);
}

/* `owner` is trusted with the file besides this user and root. */
static ww__pack *open_pack(const char *path, const char *maker, uid_t owner, ww_status *status, char *why,
                           size_t room) {
    struct stat s;
    const char *distrusted = NULL;
    const size_t length = strlen(path) + 1;
    ww__pack *p = malloc(sizeof *p + length);
    if (!p) {
        *status = WW_MEMORY;
        snprintf(why, room, "out of memory for a kernel pack");
        return NULL;
    }
    p->head = NULL;
    memcpy(p->path, path, length);
    p->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe must not make us wait */
    if (p->file < 0 || (distrusted = ww__file_distrusted(p->file, owner)) || fstat(p->file, &s)) {
        *status = WW_FILE;
        snprintf(why, room, "the kernel pack %s cannot be opened: %s", path, distrusted ? distrusted : strerror(errno));
    } else if (s.st_size < 0 || !read_tables(p, (uint64_t)s.st_size)) {
        *status = WW_FORMAT;
        snprintf(why, room,
                 "%s is not a kernel pack, or a damaged one; build it again, or set WARPWISE_KERNEL_PACK=off", path);
    } else if (maker && strcmp(p->maker, maker) != 0) {
        *status = WW_FORMAT;
        snprintf(
            why, room,
            "the kernel pack %s was made for %.80s, and this is %s; build it again, or set WARPWISE_KERNEL_PACK=off",
            path, p->maker, maker);
    } else {
        *status = WW_OK;
        *why = 0;
        return p;
    }
    ww__pack_close(p);
    return NULL;
}

ww__pack *ww__pack_open(const char *path, const char *maker, ww_status *status, char *why, size_t room) {
    return open_pack(path, maker, geteuid(), status, why, room);
}

void ww__pack_close(ww__pack *pack) {
    if (!pack) return;
    if (pack->file >= 0) close(pack->file);
    free(pack->head);
    free(pack);
}

ww__pack *ww__pack_look(const char *maker, ww_status *status, char *why, size_t room) {
    char path[4096];
    uid_t owner = geteuid();
    ww__pack *pack = NULL;
    const char *named = secure_getenv("WARPWISE_KERNEL_PACK");
    *status = WW_OK;
    if (named && !strcmp(named, "off")) return NULL;
    const bool beside = ww__beside(name, path, sizeof path, &owner);
    if (named && *named) return open_pack(named, maker, owner, status, why, room);
    if (beside) pack = open_pack(path, maker, owner, status, why, room);
#ifdef WARPWISE_LIBDIR
    if (!pack && snprintf(path, sizeof path, "%s/%s", WARPWISE_LIBDIR, name) < (int)sizeof path)
        pack = open_pack(path, maker, owner, status, why, room);
#endif
    *status = WW_OK;
    return pack;
}

const char *ww__pack_path(const ww__pack *pack) { return pack->path; }
const char *ww__pack_maker(const ww__pack *pack) { return pack->maker; }

/* How well a program fits a GPU: 0 not at all; machine code before PTX, then the newest. */
static uint32_t fitness(const ww__pack_program *program, uint32_t architecture) {
    if (program->architecture > architecture) return 0;
    if (program->kind == WW__PACK_PTX) return 1 + program->architecture;
    return program->architecture / 10 == architecture / 10 ? UINT32_MAX / 2 + program->architecture : 0;
}

static const ww__pack_program *fittest(const ww__pack *p, const ww__pack_source *source, uint32_t architecture) {
    const ww__pack_program *best = NULL;
    for (uint32_t i = 0; i < source->programs; i++) {
        const ww__pack_program *program = &p->program[source->first + i];
        if (fitness(program, architecture) > (best ? fitness(best, architecture) : 0)) best = program;
    }
    return best;
}

uint64_t ww__pack_programs(const ww__pack *pack, uint32_t architecture) {
    uint64_t programs = 0;
    for (uint32_t s = 0; pack && s < pack->sources; s++)
        programs += fittest(pack, &pack->source[s], architecture) != NULL;
    return programs;
}

/* The bytes with a 0 behind them; NULL where they cannot be read. */
static void *read_new(const ww__pack *p, uint64_t at, uint64_t bytes) {
    char *block = malloc((size_t)bytes + 1);
    if (block && read_at(p->file, at, block, (size_t)bytes)) {
        block[bytes] = 0;
        return block;
    }
    free(block);
    return NULL;
}

static unsigned char *read_packed(const ww__pack *p, const ww__pack_program *program) {
    unsigned char *packed = read_new(p, program->at, program->packed_bytes);
    if (packed && ww__pack_hash(WW__PACK_HASH_BEGIN, packed, (size_t)program->packed_bytes) == program->sum)
        return packed;
    free(packed);
    return NULL;
}

/* Unpacks a program's bytes to `out`, behind `before` bytes of its bases. */
static bool unpack(const ww__pack *p, const ww__pack_program *program, ww__chances *chances, unsigned char *out,
                   size_t before) {
    unsigned char *packed = read_packed(p, program);
    const bool right = packed &&
                       ww__unpack(chances, packed, (size_t)program->packed_bytes, out, before, (size_t)program->bytes);
    free(packed);
    return right;
}

/* A program and what comes before it, the first one first. */
typedef struct bases {
    const ww__pack_program *program[WW__PACK_BASES + 1];
    uint32_t many;
    size_t before; /* bytes before the last */
} bases;

static bases find_bases(const ww__pack *p, const ww__pack_program *program) {
    bases b = {.many = bases_of(p, program) + 1};
    for (uint32_t k = b.many; k-- > 0; program = &p->program[program->base - 1]) {
        b.program[k] = program;
        if (k + 1 < b.many) b.before += (size_t)program->bytes;
        if (!program->base) break;
    }
    return b;
}

static bool unpack_all(const ww__pack *p, const bases *b, unsigned char *out) {
    ww__chances *chances = malloc(sizeof *chances);
    size_t before = 0;
    bool right = chances != NULL;
    if (right) ww__chances_begin(chances);
    for (uint32_t k = 0; right && k < b->many; before += (size_t)b->program[k++]->bytes)
        right = unpack(p, b->program[k], chances, out, before);
    free(chances);
    return right;
}

/* PTX is text, and the driver reads it up to its 0. */
static bool read_code(const ww__pack *p, const ww__pack_program *program, ww__code *code) {
    const bases b = find_bases(p, program);
    const size_t bytes = (size_t)program->bytes;
    unsigned char *out = malloc(b.before + bytes);
    const bool right = out && unpack_all(p, &b, out) && (program->kind != WW__PACK_PTX || !out[b.before + bytes - 1]);
    if (right) memmove(out, out + b.before, bytes);
    if (right) *code = (ww__code){out, bytes};
    if (!right) free(out);
    return right;
}

static bool is_source(const ww__pack *p, const ww__pack_source *source, const char *text, size_t length) {
    if (source->bytes != length) return false;
    char *kept = read_new(p, source->at, source->bytes);
    const bool same = kept && !memcmp(kept, text, length);
    free(kept);
    return same;
}

/* The first source whose hash is not below. */
static uint32_t find_hash(const ww__pack *p, uint64_t hash) {
    uint32_t low = 0, high = p->sources;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->source[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ww__pack_find(const ww__pack *pack, uint32_t architecture, const char *source, ww__code *code) {
    if (!pack) return false;
    const size_t length = strlen(source);
    const uint64_t hash = ww__pack_hash(WW__PACK_HASH_BEGIN, source, length);
    for (uint32_t s = find_hash(pack, hash); s < pack->sources && pack->source[s].hash == hash; s++) {
        const ww__pack_program *program = fittest(pack, &pack->source[s], architecture);
        if (program && is_source(pack, &pack->source[s], source, length)) return read_code(pack, program, code);
    }
    return false;
}

uint32_t ww__pack_entries(const ww__pack *pack) { return pack->programs; }

bool ww__pack_entry(const ww__pack *pack, size_t i, ww__pack_program *program, char **source, ww__code *code) {
    *source = NULL;
    *code = (ww__code){NULL, 0};
    if (i >= pack->programs) return false;
    *program = pack->program[i];
    for (uint32_t s = 0; s < pack->sources && !*source; s++) {
        const ww__pack_source *of = &pack->source[s];
        if (i >= of->first && i - of->first < of->programs) *source = read_new(pack, of->at, of->bytes);
    }
    if (*source && read_code(pack, program, code)) return true;
    free(*source);
    *source = NULL;
    return false;
}

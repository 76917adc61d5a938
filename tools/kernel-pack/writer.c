/* See writer.h. Programs are looked for one by one: a pack has some thousand at most. */
#include "writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "squeeze.h"

typedef struct entry {
    char *source;
    uint64_t hash;
    size_t length;
    ww__pack_program program;
    ww__code code;
    unsigned char *packed;
} entry;

struct pack_writer {
    char *maker;
    entry *entry;
    size_t entries, room;
};

pack_writer *pack_writer_new(const char *maker) {
    pack_writer *w = calloc(1, sizeof *w);
    if (w && (w->maker = strdup(maker))) return w;
    free(w);
    return NULL;
}

void pack_writer_free(pack_writer *w) {
    if (!w) return;
    for (size_t i = 0; i < w->entries; i++) {
        free(w->entry[i].source);
        free(w->entry[i].code.bytes);
        free(w->entry[i].packed);
    }
    free(w->entry);
    free(w->maker);
    free(w);
}

static const entry *find(const pack_writer *w, const char *source, uint64_t hash, uint32_t architecture) {
    for (size_t i = 0; i < w->entries; i++) {
        const entry *e = &w->entry[i];
        if (e->hash == hash && e->program.architecture == architecture && !strcmp(e->source, source)) return e;
    }
    return NULL;
}

static uint64_t hash_of(const char *source) { return ww__pack_hash(WW__PACK_HASH_BEGIN, source, strlen(source)); }

const ww__code *pack_writer_find(const pack_writer *w, const char *source, uint32_t architecture) {
    const entry *e = find(w, source, hash_of(source), architecture);
    return e ? &e->code : NULL;
}

bool pack_writer_add(pack_writer *w, const char *source, uint32_t architecture, ww__pack_kind kind,
                     const ww__code *code) {
    const uint64_t hash = hash_of(source);
    if (find(w, source, hash, architecture)) return true;
    if (w->entries == w->room) {
        const size_t room = w->room ? 2 * w->room : 256;
        entry *larger = realloc(w->entry, room * sizeof *larger);
        if (!larger) return false;
        w->entry = larger;
        w->room = room;
    }
    entry e = {
        .source = strdup(source), .hash = hash, .length = strlen(source), .code = {malloc(code->size), code->size}};
    size_t packed_bytes = 0;
    e.packed = squeeze(code->bytes, code->size, &packed_bytes);
    if (!e.source || !e.code.bytes || !e.packed) {
        free(e.source);
        free(e.code.bytes);
        free(e.packed);
        return false;
    }
    memcpy(e.code.bytes, code->bytes, code->size);
    e.program = (ww__pack_program){.packed_bytes = packed_bytes,
                                   .bytes = code->size,
                                   .sum = ww__pack_hash(WW__PACK_HASH_BEGIN, e.packed, packed_bytes),
                                   .architecture = architecture,
                                   .kind = kind};
    w->entry[w->entries++] = e;
    return true;
}

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    const int order = strcmp(x->source, y->source);
    if (order) return order;
    return (x->program.architecture > y->program.architecture) - (x->program.architecture < y->program.architecture);
}

static bool begins_source(const pack_writer *w, size_t i) {
    return !i || strcmp(w->entry[i].source, w->entry[i - 1].source) != 0;
}

/* Fills the tables; `at` is where the first text goes. The file's bytes. */
static uint64_t lay_out(pack_writer *w, uint64_t at, ww__pack_source *sources) {
    size_t s = 0;
    for (size_t i = 0; i < w->entries; i++) {
        entry *e = &w->entry[i];
        if (begins_source(w, i)) {
            sources[s++] = (ww__pack_source){.hash = e->hash, .at = at, .bytes = e->length, .first = (uint32_t)i};
            at += e->length;
        }
        sources[s - 1].programs++;
        e->program.at = at;
        at += e->program.packed_bytes;
    }
    return at;
}

static bool write_file(const pack_writer *w, const unsigned char *tables, size_t bytes, const char *path) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool written = fwrite(tables, 1, bytes, f) == bytes;
    for (size_t i = 0; i < w->entries && written; i++) {
        const entry *e = &w->entry[i];
        if (begins_source(w, i)) written = fwrite(e->source, 1, e->length, f) == e->length;
        const size_t packed = (size_t)e->program.packed_bytes;
        written = written && fwrite(e->packed, 1, packed, f) == packed;
    }
    written = written && !fchmod(fileno(f), 0644); /* a pack that others may write to is not taken */
    return !fclose(f) && written;
}

static bool replace_file(const pack_writer *w, const unsigned char *tables, size_t bytes, const char *path) {
    const size_t room = strlen(path) + sizeof ".draft";
    char *draft = malloc(room);
    if (!draft) return false;
    snprintf(draft, room, "%s.draft", path);
    const bool done = write_file(w, tables, bytes, draft) && !rename(draft, path);
    if (!done) unlink(draft);
    free(draft);
    return done;
}

bool pack_writer_save(pack_writer *w, const char *path, uint64_t *bytes) {
    size_t sources = 0;
    if (w->entries) qsort(w->entry, w->entries, sizeof *w->entry, compare);
    for (size_t i = 0; i < w->entries; i++) sources += begins_source(w, i);
    ww__pack_head head = {.magic = WW__PACK_MAGIC,
                          .version = WW__PACK_VERSION,
                          .sources = (uint32_t)sources,
                          .programs = (uint32_t)w->entries,
                          .maker_bytes = (uint32_t)strlen(w->maker)};
    const size_t source_bytes = sources * sizeof(ww__pack_source),
                 program_bytes = w->entries * sizeof(ww__pack_program);
    const size_t tables_bytes = sizeof head + source_bytes + program_bytes + head.maker_bytes;
    unsigned char *tables = calloc(1, tables_bytes), *programs = tables + sizeof head + source_bytes;
    if (!tables) return false;
    head.file_bytes = lay_out(w, tables_bytes, (ww__pack_source *)(void *)(tables + sizeof head));
    for (size_t i = 0; i < w->entries; i++)
        memcpy(programs + i * sizeof(ww__pack_program), &w->entry[i].program, sizeof(ww__pack_program));
    memcpy(programs + program_bytes, w->maker, head.maker_bytes);
    memcpy(tables, &head, sizeof head);
    head.sum = ww__pack_hash(WW__PACK_HASH_BEGIN, tables, tables_bytes);
    memcpy(tables, &head, sizeof head);
    const bool saved = replace_file(w, tables, tables_bytes, path);
    free(tables);
    *bytes = head.file_bytes;
    return saved;
}

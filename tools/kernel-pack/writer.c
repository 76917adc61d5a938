/* See writer.h. Programs are looked for one by one: a pack has some thousand at most. */
#include "writer.h"

#include <pthread.h>
#include <stdatomic.h>
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
    const char *family;
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

/* What a program is made of for the most part: the file that its text includes last. */
static const char *family_of(const char *source) {
    const char *last = "";
    for (const char *line = source; (line = strstr(line, "#include \"")); line++) last = line;
    return last;
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
    entry e = {.source = strdup(source),
               .hash = hash,
               .length = strlen(source),
               .program = {.bytes = code->size, .architecture = architecture, .kind = kind},
               .code = {malloc(code->size), code->size}};
    if (!e.source || !e.code.bytes) {
        free(e.source);
        free(e.code.bytes);
        return false;
    }
    memcpy(e.code.bytes, code->bytes, code->size);
    e.family = family_of(e.source);
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

/* ---- packing ---- */

/* What is known behind some programs: their bytes, and chances. */
typedef struct known {
    unsigned char *data;
    size_t bytes;
    ww__chances chances;
} known;

static void begin(known *k) {
    free(k->data);
    k->data = NULL;
    k->bytes = 0;
    ww__chances_begin(&k->chances);
}

/* Packs a program behind these; they are `behind` then, if that is not NULL. */
static bool pack(entry *e, bool quick, const known *base, known *behind) {
    size_t packed_bytes = 0;
    ww__chances chances = base->chances;
    unsigned char *both = malloc(base->bytes + e->code.size);
    if (!both) return false;
    if (base->bytes) memcpy(both, base->data, base->bytes);
    memcpy(both + base->bytes, e->code.bytes, e->code.size);
    free(e->packed);
    e->packed = squeeze(&chances, both, base->bytes, e->code.size, quick, &packed_bytes);
    e->program.packed_bytes = packed_bytes;
    if (e->packed) e->program.sum = ww__pack_hash(WW__PACK_HASH_BEGIN, e->packed, packed_bytes);
    if (behind) {
        free(behind->data);
        *behind = (known){both, base->bytes + e->code.size, chances};
    } else {
        free(both);
    }
    return e->packed != NULL;
}

/* Programs of one kind, target and file together, and there in the order of their texts, so that neighbours are alike. */
static int compare_kinds(const void *a, const void *b) {
    const entry *x = *(entry *const *)a, *y = *(entry *const *)b;
    if (x->program.architecture != y->program.architecture)
        return x->program.architecture < y->program.architecture ? -1 : 1;
    const int family = strcmp(x->family, y->family);
    return family ? family : strcmp(x->source, y->source);
}

static bool is_same_kind(const entry *a, const entry *b) {
    return a->program.architecture == b->program.architecture && !strcmp(a->family, b->family);
}

/* The first program of a kind comes before the first of every few, and that before its neighbours. */
static bool pack_kind(const pack_writer *w, entry *const *sorted, size_t many, bool quick, known *first, known *group) {
    enum { GROUP = 8 };
    uint32_t first_base = 0, group_base = 0;
    bool packed = true;
    for (size_t of_kind = 0; packed && of_kind < many; of_kind++) {
        entry *const e = sorted[of_kind];
        const uint32_t number = (uint32_t)(e - w->entry) + 1;
        if (!of_kind) {
            begin(first);
            packed = pack(e, quick, first, first);
            e->program.base = 0;
            first_base = group_base = number;
        } else if (of_kind % GROUP == 0) {
            packed = pack(e, quick, first, group);
            e->program.base = first_base;
            group_base = number;
        } else {
            packed = pack(e, quick, group_base == first_base ? first : group, NULL);
            e->program.base = group_base;
        }
    }
    return packed;
}

/* Threads take kinds, one after the other. */
typedef struct packing {
    const pack_writer *w;
    entry **sorted;
    bool quick;
    atomic_size_t next; /* where a kind begins, or one that a thread is at */
    atomic_bool failed;
} packing;

static size_t end_of_kind(const packing *p, size_t begin) {
    size_t end = begin;
    while (end < p->w->entries && is_same_kind(p->sorted[begin], p->sorted[end])) end++;
    return end;
}

static void *pack_kinds(void *argument) {
    packing *const p = argument;
    known *first = calloc(2, sizeof *first);
    if (!first) atomic_store(&p->failed, true);
    for (size_t begin = atomic_load(&p->next); !atomic_load(&p->failed) && begin < p->w->entries;) {
        const size_t end = end_of_kind(p, begin);
        if (!atomic_compare_exchange_strong(&p->next, &begin, end)) continue;
        if (!pack_kind(p->w, p->sorted + begin, end - begin, p->quick, &first[0], &first[1]))
            atomic_store(&p->failed, true);
        begin = atomic_load(&p->next);
    }
    if (first) {
        free(first[0].data);
        free(first[1].data);
    }
    free(first);
    return NULL;
}

/* This thread and one more, where there is one. */
static bool pack_all(pack_writer *w, bool quick) {
    packing p = {.w = w, .sorted = malloc((w->entries + 1) * sizeof(entry *)), .quick = quick};
    pthread_t other;
    if (!p.sorted) return false;
    for (size_t i = 0; i < w->entries; i++) p.sorted[i] = &w->entry[i];
    qsort(p.sorted, w->entries, sizeof(entry *), compare_kinds);
    const bool helped = !quick && !pthread_create(&other, NULL, pack_kinds, &p);
    pack_kinds(&p);
    if (helped) pthread_join(other, NULL);
    free(p.sorted);
    return !atomic_load(&p.failed);
}

/* ---- the file ---- */

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

bool pack_writer_save(pack_writer *w, const char *path, bool quick, uint64_t *bytes) {
    size_t sources = 0;
    if (w->entries) qsort(w->entry, w->entries, sizeof *w->entry, compare);
    if (!pack_all(w, quick)) return false;
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

/* The points of all studies of text, each once. */
#include "studies/split_study.h"
#include "studies/text_study.h"

const size_t text_ms[TEXT_MS] = {4, 8, 16, 32, 64, 256, 1024};
const size_t text_binary_ms[TEXT_BINARY_MS] = {2, 4, 8, 16, 32, 64, 256, 1024, 1 << 13, 1 << 16};
const size_t text_lengths[TEXT_LENGTHS] = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 25, 1 << 26, 1 << 27};
const size_t text_space[TEXT_SPACE] = {1 << 14, 1 << 17, 1 << 20, 1 << 23};
const unsigned text_packed_bits[TEXT_WIDTHS] = {1, 2, 4};
const text_kind text_real[TEXT_REAL] = {TEXT_ENGLISH, TEXT_DNA, TEXT_PROTEIN, TEXT_SOURCES};
const size_t text_group_n[TEXT_GROUPS] = {1 << 25, 1 << 24, 1 << 21, 1 << 25, 1 << 23};

enum {
    BITS = 8,
    POINTS = 2 * (TEXT_BINARY_MS + TEXT_MS) + BITS * TEXT_MS + TEXT_BINARY_MS + TEXT_GROUPS * TEXT_LENGTHS +
             TEXT_REAL * TEXT_MS + TEXT_WIDTHS * TEXT_MS + TEXT_SPACE * TEXT_BINARY_MS,
    BYTES = 8,       /* of a character: the text, room for positions, marks */
    SCAN_BYTES = 64, /* with scratch memory */
    FIGURE_M = 16
};

static struct {
    text_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool text_same(const text_point *a, const text_point *b) {
    return a->group == b->group && a->kind == b->kind && a->bits == b->bits && a->n == b->n && a->m == b->m &&
           a->lengths == b->lengths;
}

/* The lengths of Ashkiani (2017); a file's own where it has been given and is not to be repeated. */
size_t text_real_n(text_kind kind) {
    static const size_t sizes[TEXT_KINDS] = {
        [TEXT_ENGLISH] = 100000000, [TEXT_DNA] = 4600000, [TEXT_PROTEIN] = 3300000};
    const size_t bytes = text_file_bytes(kind);
    return bytes && kind != TEXT_ENGLISH ? bytes : sizes[kind];
}

static void name_point(const text_point *p, char *name, size_t room) {
    static const char *const groups[TEXT_GROUPS] = {"methods", "scans", "serial", "packed", "every"};
    char n[24], what[32];
    if (p->kind == TEXT_RANDOM)
        snprintf(what, sizeof what, "%u bit%s", p->bits, p->bits > 1 ? "s" : "");
    else
        snprintf(what, sizeof what, "%s", text_names[p->kind]);
    snprintf(name, room, "find %s%s: %s, m = %zu, n = %s", groups[p->group], p->lengths ? " over n" : "", what, p->m,
             split_count(p->n, n));
}

/* least: the smallest n of points that are otherwise the same. */
static void add(text_point point, size_t least) {
    text_point *p = &all.point[all.count];
    bench_row *row = &all.row[all.count];
    *p = point;
    name_point(p, all.name[all.count], sizeof all.name[0]);
    *row = text_group_rows[p->group];
    row->rival_count = text_rivals(p);
    row->name = all.name[all.count++];
    row->point = p;
    row->items = p->n;
    row->least = least;
    row->element = 1;
    row->bytes = 1;
    row->item_bytes = p->group == TEXT_SCANS || p->group == TEXT_EVERY ? SCAN_BYTES : BYTES;
}

static void add_random(text_methods group, unsigned bits, size_t m) {
    add((text_point){.group = group, .kind = TEXT_RANDOM, .bits = bits, .n = text_group_n[group], .m = m},
        text_group_n[group]);
}

const bench_row *text_studies(size_t *count) {
    *count = all.count;
    if (all.count) return all.row;
    for (size_t i = 0; i < TEXT_BINARY_MS; i++)
        for (int group = TEXT_FAST; group <= TEXT_SERIAL; group++)
            add_random((text_methods)group, 1, text_binary_ms[i]);
    for (unsigned bits = 2; bits <= BITS; bits++)
        for (size_t i = 0; i < TEXT_MS; i++)
            for (int group = TEXT_FAST; group <= (bits == BITS ? TEXT_SERIAL : TEXT_FAST); group++)
                add_random((text_methods)group, bits, text_ms[i]);
    for (int group = TEXT_FAST; group <= TEXT_SERIAL; group++)
        for (size_t i = 0; i < TEXT_LENGTHS; i++)
            if (group == TEXT_FAST || text_lengths[i] <= text_group_n[group])
                add((text_point){.group = (text_methods)group,
                                 .kind = TEXT_RANDOM,
                                 .bits = 1,
                                 .n = text_lengths[i],
                                 .m = FIGURE_M,
                                 .lengths = true},
                    text_lengths[0]);
    for (size_t m = 0; m < TEXT_BINARY_MS; m++)
        for (size_t i = 0; i < TEXT_SPACE && text_binary_ms[m] < text_space[0]; i++)
            add((text_point){.group = TEXT_EVERY,
                             .kind = TEXT_RANDOM,
                             .bits = 1,
                             .n = text_space[i],
                             .m = text_binary_ms[m],
                             .lengths = true},
                text_space[0]);
    for (size_t k = 0; k < TEXT_REAL; k++)
        for (size_t i = 0; i < TEXT_MS && text_real_n(text_real[k]); i++) {
            const size_t n = text_real_n(text_real[k]);
            add((text_point){.group = TEXT_FAST, .kind = text_real[k], .bits = 8, .n = n, .m = text_ms[i]}, n);
        }
    for (size_t b = 0; b < TEXT_WIDTHS; b++)
        for (size_t i = 0; i < TEXT_MS; i++) add_random(TEXT_PACKED, text_packed_bits[b], text_ms[i]);
    *count = all.count;
    return all.row;
}

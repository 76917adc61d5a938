/* Made texts are made by splitmix64, eight random bytes at a time. */
#include "studies/text_data.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/data.h"
#include "measuring/origin.h"
#include "measuring/pages.h"

const char *const text_names[TEXT_KINDS] = {"english", "dna", "protein", "random", "letters", "sources"};

/* ---- files ---- */

static struct file {
    uint8_t *bytes; /* NULL: there is none */
    size_t count;
    char title[200];
} files[TEXT_KINDS];

/* Puts a file's bytes behind those that are there. */
static bool append(struct file *to, const char *path) {
    FILE *f = fopen(path, "rb");
    size_t got = 0;
    bool good = f != NULL;
    do {
        enum { STEP = 1 << 20 };
        uint8_t *more = good ? realloc(to->bytes, to->count + STEP) : NULL;
        if (!(good = good && more)) break;
        to->bytes = more;
        got = fread(to->bytes + to->count, 1, STEP, f);
        to->count += got;
        good = !ferror(f);
    } while (good && got);
    if (f) fclose(f);
    return good;
}

bool text_use(text_kind kind, const char *path) {
    struct file *f = &files[kind];
    const char *name = strrchr(path, '/');
    errno = 0;
    if (!append(f, path) || !f->count) {
        fprintf(stderr, "warpwise bench: %s: %s\n", path, errno ? strerror(errno) : "it is empty");
        return false;
    }
    snprintf(f->title, sizeof f->title, "%.100s of %zu bytes", name ? name + 1 : path, f->count);
    return true;
}

/* The tree that this program was built from; where it is gone, its sources are English, too. */
static void use_sources(void) {
    static const char *const patterns[] = {"include/warpwise/*.h", "src/*/*.[ch]", "src/*/*/*.[ch]"};
    struct file *f = &files[TEXT_SOURCES];
    static bool tried;
    if (tried) return;
    tried = true;
    for (size_t p = 0; p < BENCH_COUNT(patterns); p++) {
        char path[5000];
        glob_t found;
        snprintf(path, sizeof path, "%s/%s", bench_source, patterns[p]);
        if (glob(path, 0, NULL, &found)) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) append(f, found.gl_pathv[i]);
        globfree(&found);
    }
    if (f->count) snprintf(f->title, sizeof f->title, "the library's own sources, %zu bytes", f->count);
}

size_t text_file_bytes(text_kind kind) {
    if (kind == TEXT_SOURCES) use_sources();
    return files[kind].count;
}

const char *text_title(text_kind kind) {
    static const char *const made[TEXT_KINDS] = {"words by their frequency", "random ACGT",
                                                 "random amino acids",       "random characters",
                                                 "random letters",           "words by their frequency"};
    return text_file_bytes(kind) ? files[kind].title : made[kind];
}

/* ---- texts that are made ---- */

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state) { return mix(*state += 0x9e3779b97f4a7c15u); }

/* In 0 … below - 1. */
static size_t any(uint64_t *state, size_t below) { return (size_t)((next(state) >> 32) * (uint64_t)below >> 32); }

static const char frequent[] =
    "the of and to in a is that it was for on as with he be by at his this from are had not but have or which they were one "
    "all we there been their has would what when if more will no out so said up its about who into them can only other time "
    "new some could these two may first then do any like my now over such our man me even most made after also did many "
    "before must through years where much your way well down should because each just those people how too little state "
    "good very make world still own see men work long get here between both life being under never day same another know";
enum { WORDS = 1 << 15, LONGEST_WORD = 24 };

static struct words {
    char word[WORDS][LONGEST_WORD];
    uint8_t length[WORDS];
    bool made;
} words;

/* Of two to four syllables. */
static size_t made_word(uint64_t *seed, char *to) {
    static const char *const begins[] = {"b", "c", "d", "f", "g", "l",  "m",  "n",
                                         "p", "r", "s", "t", "w", "st", "tr", "pl"};
    static const char *const ends[] = {"a",  "e",  "i",  "o",  "u",  "en", "er", "in",
                                       "al", "ou", "ea", "on", "es", "ar", "is", "ed"};
    const size_t syllables = 2 + any(seed, 3);
    to[0] = '\0';
    for (size_t s = 0; s < syllables; s++) {
        strcat(to, begins[any(seed, BENCH_COUNT(begins))]);
        strcat(to, ends[any(seed, BENCH_COUNT(ends))]);
    }
    return strlen(to);
}

static void make_words(void) {
    uint64_t seed = 77;
    size_t w = 0;
    for (const char *at = frequent; *at; w++) {
        const size_t length = strcspn(at, " ");
        memcpy(words.word[w], at, length);
        words.length[w] = (uint8_t)length;
        at += length + (at[length] == ' ');
    }
    for (; w < WORDS; w++) words.length[w] = (uint8_t)made_word(&seed, words.word[w]);
    words.made = true;
}

/* Word w about 1 / (w + 1) as often as the first; sentences and lines of about a dozen words. */
static void fill_english(uint8_t *text, size_t n, uint64_t seed) {
    if (!words.made) make_words();
    const double log_of_words = log2((double)WORDS);
    for (size_t at = 0; at < n;) {
        char piece[LONGEST_WORD + 2];
        const uint64_t r = next(&seed);
        const double u = (double)(r >> 32) / 4294967296.0;
        const size_t w = (size_t)exp2(u * log_of_words) - 1, length = words.length[w < WORDS ? w : WORDS - 1];
        memcpy(piece, words.word[w < WORDS ? w : WORDS - 1], length);
        size_t bytes = length;
        if (r % 12 == 0) piece[bytes++] = r / 16 % 2 ? ',' : '.';
        piece[bytes++] = r / 256 % 12 ? ' ' : '\n';
        const size_t fits = bytes < n - at ? bytes : n - at;
        memcpy(text + at, piece, fits);
        at += fits;
    }
}

/* Random bytes, each the character that the table has for it. */
static void fill_from(uint8_t *text, size_t n, const uint8_t table[256], uint64_t seed) {
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t r = next(&seed);
        for (size_t k = 0; k < 8 && i + k < n; k++) text[i + k] = table[r >> 8 * k & 255];
    }
}

static void fill_characters(uint8_t *text, size_t n, const char *characters, uint64_t seed) {
    const size_t count = strlen(characters);
    uint8_t table[256];
    for (size_t i = 0; i < 256; i++) table[i] = (uint8_t)characters[i * count / 256];
    fill_from(text, n, table, seed);
}

static void fill_bits(uint8_t *text, size_t n, unsigned bits, uint64_t seed) {
    uint8_t table[256];
    for (unsigned i = 0; i < 256; i++) table[i] = (uint8_t)(i & ((1u << bits) - 1));
    fill_from(text, n, table, seed);
}

static void fill_repeated(uint8_t *text, size_t n, const struct file *f) {
    for (size_t at = 0; at < n; at += f->count) memcpy(text + at, f->bytes, f->count < n - at ? f->count : n - at);
}

void text_fill(uint8_t *text, size_t n, text_kind kind, unsigned bits, uint64_t seed) {
    if (text_file_bytes(kind))
        fill_repeated(text, n, &files[kind]);
    else if (kind == TEXT_DNA)
        fill_characters(text, n, "ACGT", seed);
    else if (kind == TEXT_PROTEIN)
        fill_characters(text, n, "ACDEFGHIKLMNPQRSTVWY", seed);
    else if (kind == TEXT_LETTERS)
        fill_characters(text, n, "abcdefghijklmnopqrstuvwxyz", seed);
    else if (kind == TEXT_RANDOM)
        fill_bits(text, n, bits, seed);
    else
        fill_english(text, n, seed);
}

/* ---- a row's ---- */

void text_make(bench_work *w, text_kind kind, unsigned bits, size_t count, size_t shortest, size_t longest) {
    uint8_t *text = w->in = work_pages(w, w->n);
    uint64_t *offsets = work_pages(w, (count + 1) * sizeof *offsets), seed = 41;
    uint8_t *bytes = work_pages(w, count * longest);
    text_fill(text, w->n, kind, bits, 40);
    offsets[0] = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t length = shortest + any(&seed, longest - shortest + 1);
        const size_t from = any(&seed, w->n > length ? w->n - length + 1 : 1);
        for (size_t i = 0; i < length; i++) bytes[offsets[k] + i] = text[(from + i) % w->n];
        offsets[k + 1] = offsets[k] + length;
    }
    w->patterns = (bench_patterns){count, offsets, bytes};
}

void text_make_room(bench_work *w, size_t one_in) {
    w->out = work_pages(w, w->out_bytes = (w->n / one_in + 64) * sizeof(uint32_t));
}

size_t text_room(const bench_work *w) { return w->out_bytes / sizeof(uint32_t); }

const uint8_t *text_pattern(const bench_work *w, size_t *length) {
    const size_t k = w->turn % w->patterns.count;
    *length = (size_t)(w->patterns.offsets[k + 1] - w->patterns.offsets[k]);
    return w->patterns.bytes + w->patterns.offsets[k];
}

/* ---- checks ---- */

/* Whether the next match, where there is room for it, is at `at`. */
static bool agrees(const bench_work *w, uint64_t *matches, size_t at) {
    const uint64_t k = (*matches)++;
    return k >= text_room(w) || ((const uint32_t *)w->out)[k] == at;
}

bool text_right_one(const bench_work *w) {
    size_t length;
    const uint8_t *pattern = text_pattern(w, &length), *const text = w->in, *at = text;
    uint64_t matches = 0;
    for (; (at = memmem(at, w->n - (size_t)(at - text), pattern, length)); at++)
        if (!agrees(w, &matches, (size_t)(at - text))) return false;
    return w->result == matches;
}

bool text_right_near(const bench_work *w, unsigned most) {
    size_t length;
    const uint8_t *pattern = text_pattern(w, &length), *text = w->in;
    uint64_t matches = 0;
    for (size_t at = 0; at + length <= w->n; at++) {
        unsigned differ = 0;
        for (size_t i = 0; i < length && differ <= most; i++) differ += text[at + i] != pattern[i];
        if (differ > most) continue;
        if (matches < text_room(w) && ((const uint8_t *)w->out_second)[matches] != differ) return false;
        if (!agrees(w, &matches, at)) return false;
    }
    return w->result == matches;
}

/* Patterns by their first 8 bytes, and a bit for each hash of such bytes, so that most places are passed by. */
typedef struct begin {
    uint64_t bytes, number;
} begin;

enum { FILTER_BITS = 22 };
static size_t filter_bit(uint64_t bytes) { return (size_t)(mix(bytes) >> (64 - FILTER_BITS)); }

static uint64_t eight(const uint8_t *at) {
    uint64_t bytes;
    memcpy(&bytes, at, 8);
    return bytes;
}

static int by_bytes(const void *a, const void *b) {
    const begin *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static size_t first_of(const begin *begins, size_t count, uint64_t bytes) {
    size_t low = 0;
    while (count) {
        const size_t half = count / 2;
        if (begins[low + half].bytes < bytes)
            low += half + 1, count -= half + 1;
        else
            count = half;
    }
    return low;
}

/* The patterns that begin at `at`. */
static bool agree(const bench_work *w, const begin *begins, size_t at, uint64_t *matches) {
    const bench_patterns *p = &w->patterns;
    const uint8_t *text = (const uint8_t *)w->in + at;
    const uint64_t bytes = eight(text);
    for (size_t i = first_of(begins, p->count, bytes); i < p->count && begins[i].bytes == bytes; i++) {
        const uint64_t number = begins[i].number, length = p->offsets[number + 1] - p->offsets[number];
        if (length > w->n - at || memcmp(text, p->bytes + p->offsets[number], length)) continue;
        if (*matches < text_room(w) && ((const uint32_t *)w->out_second)[*matches] != number) return false;
        if (!agrees(w, matches, at)) return false;
    }
    return true;
}

bool text_right_many(const bench_work *w) {
    const bench_patterns *p = &w->patterns;
    const uint8_t *text = w->in;
    begin *begins = calloc(p->count, sizeof *begins);
    uint64_t *filter = calloc((1 << FILTER_BITS) / 64, sizeof *filter), matches = 0;
    bool right = begins && filter;
    for (size_t k = 0; right && k < p->count; k++) {
        begins[k] = (begin){eight(p->bytes + p->offsets[k]), k};
        const size_t bit = filter_bit(begins[k].bytes);
        filter[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    if (right) qsort(begins, p->count, sizeof *begins, by_bytes);
    for (size_t at = 0; right && at + 8 <= w->n; at++) {
        const size_t bit = filter_bit(eight(text + at));
        if (filter[bit / 64] >> bit % 64 & 1) right = agree(w, begins, at, &matches);
    }
    free(begins);
    free(filter);
    return right && w->result == matches;
}

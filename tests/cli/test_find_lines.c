/* The lines that `warpwise find` prints, from inside (cli/find_lines.c): against printf's, with names and offsets of every
 * length, in a buffer that ends where a page begins that may not be written. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "find_lines.h"
#include "support/cases.h"

/* Puts the buffer at the end of pages of its own; the one behind them faults. */
static unsigned char *fence(lines *l, size_t *bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (l->room + page - 1) / page * page;
    unsigned char *block = mmap(NULL, *bytes = room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(block != MAP_FAILED && !mprotect(block + room, page, PROT_NONE));
    free(l->bytes);
    l->bytes = (char *)block + room - l->room;
    return block;
}

typedef struct writing {
    lines l;
    const char *name;
    char *wanted;
    size_t length;
} writing;

static void compare(writing *w) {
    expect(w->l.used == w->length);
    expect_bytes(w->l.bytes, w->wanted, w->length);
    w->l.used = w->length = 0;
}

static void put(writing *w, uint64_t offset, uint64_t number) {
    char line[64];
    if (lines_full(&w->l)) compare(w);
    lines_put(&w->l, offset, number);
    const int digits = number ? snprintf(line, sizeof line, "%" PRIu64 "\t%" PRIu64 "\n", offset, number)
                              : snprintf(line, sizeof line, "%" PRIu64 "\n", offset);
    if (w->name) {
        const size_t name = strlen(w->name);
        memcpy(w->wanted + w->length, w->name, name);
        w->wanted[w->length + name] = ':';
        w->length += name + 1;
    }
    memcpy(w->wanted + w->length, line, (size_t)digits);
    w->length += (size_t)digits;
}

/* Around each power of ten, then so many of any length, and of the longest, that the buffer is full more than once. */
static void put_many(writing *w, bool numbers, size_t bytes) {
    uint64_t random = seed_of_run();
    for (uint64_t power = 1;; power *= 10) {
        for (uint64_t d = 0; d < 5; d++) put(w, power - (power > 1 ? 2 : 1) + d, numbers ? power + d : 0);
        if (power > UINT64_MAX / 10) break;
    }
    for (size_t done = 0; done < bytes;) {
        const uint64_t r = random_next(&random);
        const uint64_t offset = r % 8 ? UINT64_MAX - r % 100000 : random_next(&random) >> r / 8 % 64;
        const size_t before = w->l.used;
        put(w, offset, numbers ? UINT64_MAX - r % 3 : 0);
        done += w->l.used > before ? w->l.used - before : w->l.used;
    }
    compare(w);
}

static void lines_of_every_length(void **state) {
    (void)state;
    static const size_t names[] = {0, 1, 10, 11, 12, 30, 31, 32, 33, 300, 4095, 3 << 20};
    for (size_t i = 0; i < 2 * (sizeof names / sizeof *names + 1); i++) {
        const bool named = i / 2 > 0, numbers = i % 2;
        const size_t length = named ? names[i / 2 - 1] : 0;
        CASE("find lines", "name=%s%zu%s", named ? "" : "none ", length, numbers ? " with numbers" : "");
        if (!case_wanted()) continue;
        char *name = need(length + 1);
        memset(name, 'n', length);
        name[length] = '\0';
        writing w = {.name = named ? name : NULL};
        expect(lines_open(&w.l, length));
        w.wanted = need(w.l.room + length + 100);
        size_t bytes;
        unsigned char *block = fence(&w.l, &bytes);
        lines_name(&w.l, w.name);
        put_many(&w, numbers, w.l.room + w.l.room / 8);
        w.l.bytes = NULL;
        lines_close(&w.l);
        munmap(block, bytes);
        free(w.wanted), free(name);
    }
}

/* The head that is kept belongs to the name before. */
static void one_name_after_another(void **state) {
    (void)state;
    writing w = {.name = NULL};
    CASE("find lines", "one name after another");
    if (!case_wanted()) return;
    expect(lines_open(&w.l, 10));
    w.wanted = need(w.l.room);
    for (uint64_t i = 0; i < 1000; i++) {
        w.name = i % 3 == 0 ? NULL : i % 3 == 1 ? "short" : "longer one";
        lines_name(&w.l, w.name);
        for (uint64_t k = 0; k < 3; k++) put(&w, 3333 * i + k, 0);
    }
    compare(&w);
    lines_close(&w.l);
    free(w.wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_every_length),
                                       cmocka_unit_test(one_name_after_another)};
    return cmocka_run_group_tests_name("find lines", tests, NULL, NULL);
}

/* A program's text when memory runs out while it is put together: none is given, and what was taken is given back. The address
 * sanitizer, which has no mallinfo2, finds a leak by itself.
 *
 * malloc and realloc are wrapped by the linker. */
#include <malloc.h>

#include "device/gpu/recipe.h"
#include "support/cases.h"

enum { TIMES = 2000 };

static size_t requests, fail_at; /* 0: never */

void *__real_malloc(size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_malloc(size_t bytes) { return ++requests == fail_at ? NULL : __real_malloc(bytes); }
void *__wrap_realloc(void *block, size_t bytes) { return ++requests == fail_at ? NULL : __real_realloc(block, bytes); }

WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });

/* Whether memory was short before the text was whole. */
static bool short_of_memory(const ww__recipe *r, size_t at) {
    requests = 0;
    fail_at = at;
    char *const text = ww__recipe_text(r);
    fail_at = 0;
    free(text);
    return !text;
}

static void memory_runs_out(void **state) {
    (void)state;
    const uint32_t x[4] = {0};
    const ww_input in = ww_mapped(&half_ww, ww_memory(x, 4));
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/map/store.cu");
    ww__recipe_number(&r, "WW_THREADS", 64);
    ww__recipe_input(&r, "in", &in);
    assert_false(short_of_memory(&r, 0));
    const size_t all = requests;
    assert_true(all >= 3);
    for (size_t k = 1; k <= all; k++) {
        CASE("recipe", "request %zu of %zu fails", k, all);
        if (!case_wanted()) continue;
        const size_t before = mallinfo2().uordblks;
        for (int times = 0; times < TIMES; times++) expect(short_of_memory(&r, k));
        expect(mallinfo2().uordblks <=
               before + 16 * TIMES); /* a block takes more; what malloc keeps for itself is less */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("recipe", tests, NULL, NULL);
}

/* A concordance: every place where a word stands in a text, with what is around it: find [WORD [FILE]]
 *
 * Large letters match small ones. How many there are is asked first, and then where: of a text that is read once more that is
 * cheaper than room for as many positions as there could be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

static const char sample[] =
    "Call me Ishmael. Some years ago - never mind how long precisely - having little or no money in my purse, "
    "and nothing particular to interest me on shore, I thought I would sail about a little and see the watery "
    "part of the world. It is a way I have of driving off the spleen and regulating the circulation. There is "
    "nothing surprising in this. If they but knew it, almost all men in their degree, some time or other, "
    "cherish very nearly the same feelings towards the ocean with me.\n";

static uint8_t small_letter(uint8_t c) { return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c; }

/* The same by a plain loop. */
static bool stands_at(const uint8_t *text, const char *word, size_t m) {
    size_t i = 0;
    while (i < m && small_letter(text[i]) == small_letter((uint8_t)word[i])) i++;
    return i == m;
}

static void print_around(const uint8_t *text, size_t n, size_t at, size_t m) {
    enum { AROUND = 30 };
    const size_t first = at < AROUND ? 0 : at - AROUND, end = n - at - m < AROUND ? n : at + m + AROUND;
    printf("%10zu  %*s", at, (int)(AROUND - (at - first)), "");
    for (size_t i = first; i < end; i++) putchar(text[i] >= ' ' && text[i] < 127 ? text[i] : ' ');
    putchar('\n');
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "the";
    const size_t m = strlen(word);
    ww_file_array file = {ww_array((uint8_t *)sample, sizeof sample - 1), {0, 0}};
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = true;
    ww_device *device;
    uint64_t count = 0, *at = NULL;
    if (ww_open(NULL, &device) ||
        (argc > 2 && ww_file_read(device, argv[2], ww_array_of(NULL, 0, &ww_type_uint8_t), &file)) ||
        ww_find(device, ww_from(file.array), word, m, ww_none, ww_array(&count, 1), &options)) {
        fprintf(stderr, "find: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    at = (uint64_t *)malloc((count + 1) * sizeof *at);
    if (!at || ww_find(device, ww_from(file.array), word, m, ww_array(at, count), ww_array(&count, 1), &options)) {
        fprintf(stderr, "find: %s\n", at ? ww_error(device) : "out of memory");
        ww_close(device);
        return 1;
    }

    const uint8_t *text = (const uint8_t *)file.array.data;
    const size_t n = file.array.count;
    size_t found = 0, wrong = 0;
    for (size_t i = 0; i + m <= n; i++) {
        if (!stands_at(text + i, word, m)) continue;
        wrong += found >= count || at[found] != i;
        found++;
    }
    for (size_t k = 0; k < count && k < 20; k++) print_around(text, n, at[k], m);
    printf("%s'%s' %zu times in %zu bytes: %s\n", count > 20 ? "...\n" : "", word, found, n,
           wrong || found != count ? "WRONG" : "right");
    if (argc > 2) ww_file_release(device, &file);
    ww_close(device);
    free(at);
    return wrong || found != count;
}

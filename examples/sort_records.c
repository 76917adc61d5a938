/* Sorts a ledger by date: lines of 32 characters, each a record, by the ten characters of its date.
 *
 * A date as ISO 8601 writes it is in the order of time when its bytes are in memcmp's order, so the key is the text itself.
 * Lines of one day stay in the order in which they were written: the sort is stable. The library makes numbers of
 * the keys and sorts these; each line is moved once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

enum { LINES = 200000, LINE = 32, DATE = 10, NUMBER = DATE + 1, SHOWN = 3 };

/* 2026-03-14 0000123   451.20 EUR, with a newline. */
static void write_line(char *line, uint32_t number, uint32_t random) {
    char text[80];
    const uint32_t day = random % 336, cents = random / 336 % 1000000;
    snprintf(text, sizeof text, "2026-%02u-%02u %07u %8.2f EUR\n", 1 + day / 28, 1 + day % 28, number, cents / 100.0);
    memcpy(line, text, LINE);
}

/* Dates rise, numbers do in each, and every number is there. */
static int is_wrong(const char *lines) {
    unsigned char *seen = (unsigned char *)calloc(LINES, 1);
    if (!seen) return 1;
    int wrong = 0;
    for (size_t i = 0; i < LINES && !wrong; i++) {
        const char *line = lines + i * LINE;
        const unsigned long number = strtoul(line + NUMBER, NULL, 10);
        wrong = (i && memcmp(line - LINE, line, NUMBER + 7) >= 0) || number >= LINES || seen[number]++;
    }
    free(seen);
    return wrong;
}

int main(void) {
    char *ledger = (char *)malloc((size_t)LINES * LINE), *sorted = (char *)malloc((size_t)LINES * LINE);
    if (!ledger || !sorted) return 1;
    for (uint32_t i = 0; i < LINES; i++) write_line(ledger + (size_t)i * LINE, i, i * 2654435761u);

    ww_device *device;
    if (ww_open(NULL, &device) || ww_sort_records(device, 0, DATE, ww_from(ww_records(ledger, LINES, LINE)),
                                                  ww_records(sorted, LINES, LINE), NULL)) {
        fprintf(stderr, "sort_records: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    const int wrong = is_wrong(sorted);
    printf("%.*s%d lines by date: %s\n", SHOWN * LINE, sorted, LINES, wrong ? "WRONG" : "right");
    free(ledger);
    free(sorted);
    return wrong;
}

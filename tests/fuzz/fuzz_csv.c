/* Any bytes at all as CSV: the reader takes what a plain one takes, whatever the portions are, and says what is wrong; and every
 * field as a number: what is read as f64 is what strtod reads, and comes back from its text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "reference/csv.h"
#include "text_numbers.h"

typedef struct taken {
    char *out;
    size_t used;
} taken;

static void check(int right) {
    if (!right) abort();
}

static void check_number(const char *text, size_t length) {
    double value, wanted, back;
    char again[VALUE_TEXT];
    const reading what = read_element(&ww_type_double, text, length, &value);
    if (what != READ_WELL) return;
    char *copy = malloc(length + 1), *end;
    check(copy != NULL);
    memcpy(copy, text, length);
    copy[length] = '\0';
    wanted = strtod(copy, &end);
    check(end + strspn(end, " \t") == copy + length);
    check(isnan(value) ? isnan(wanted) : memcmp(&value, &wanted, sizeof value) == 0);
    free(copy);
    const size_t written = put_element(&ww_type_double, &value, again);
    check(written < VALUE_TEXT && read_element(&ww_type_double, again, written, &back) == READ_WELL);
    check(isnan(value) ? isnan(back) : memcmp(&value, &back, sizeof value) == 0);
}

static bool take(void *context, csv *c, const char *text, size_t length) {
    taken *t = context;
    check_number(text, length);
    t->used += (size_t)sprintf(t->out + t->used, "%llu:", (unsigned long long)c->row);
    memcpy(t->out + t->used, text, length);
    t->used += length;
    t->out[t->used++] = '\n';
    return true;
}

static bool read_in_portions(const char *text, size_t length, uint64_t column, size_t portion, taken *t) {
    csv *c = calloc(1, sizeof *c);
    check(c != NULL);
    *c = (csv){.delimiter = ',', .column = column, .take = take, .context = t};
    t->used = 0;
    csv_begin(c);
    bool right = true;
    for (size_t at = 0; right && at < length; at += portion)
        right = csv_feed(c, text + at, portion < length - at ? portion : length - at);
    right = right && csv_end(c);
    check(right == !c->sentence[0]);
    free(c);
    return right;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    if (length < 2 || length > 20000) return 0;
    const uint64_t column = 1 + bytes[0] % 4;
    const size_t portion = 1 + bytes[1], room = 24 * length + 64;
    const char *const text = (const char *)bytes + 2;
    char *const wanted = malloc(room);
    taken t = {malloc(room), 0};
    size_t wanted_length;
    check(wanted && t.out);
    length -= 2;
    const bool right = reference_csv(text, length, ',', column, CSV_LONGEST, wanted, &wanted_length);
    const size_t portions[] = {length + 1, portion, 1};
    for (int way = 0; way < 3; way++) {
        check(read_in_portions(text, length, column, portions[way], &t) == right);
        check(!right || (t.used == wanted_length && memcmp(t.out, wanted, t.used) == 0));
    }
    free(wanted);
    free(t.out);
    return 0;
}

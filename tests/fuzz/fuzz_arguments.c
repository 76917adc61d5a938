/* Any text behind the options of the command: each parser refuses it or gives what it stands for, and a number that was
 * taken is the number that was written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

static void check(int right) {
    if (!right) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char *text = malloc(length + 1);
    ww_array type;
    number n, range[2];
    number_list edges;
    uint64_t a, b;
    size_t wrong;
    check(text != NULL);
    if (length) memcpy(text, bytes, length);
    text[length] = '\0';

    if (parse_type(text, &type)) check(type.type != NULL && type.size > 0 && type.data == NULL);
    if (parse_number(text, strlen(text), &n)) {
        double element;
        int64_t whole;
        check(!isnan(n.value) && put_number(&n, &ww_type_double, &element) && element == n.value);
        check(compare_numbers(&n, &n) == 0);
        if (n.integer && put_number(&n, &ww_type_int64_t, &whole)) check((double)whole == n.value);
        check(!put_number(&n, &ww_type_record, &element));
    }
    if (parse_count(text, 3, 1000, &a)) check(a >= 3 && a <= 1000);
    if (parse_place(text, &a, &b)) check(b >= 1 && a <= UINT32_MAX && b <= UINT32_MAX);
    if (parse_range(text, range)) check(compare_numbers(&range[0], &range[1]) < 0);
    if (parse_edges(text, &edges, &wrong)) {
        check(edges.count >= 2);
        for (size_t i = 1; i < edges.count; i++) check(compare_numbers(&edges.list[i - 1], &edges.list[i]) < 0);
    }
    free(edges.list);
    free(text);
    return 0;
}

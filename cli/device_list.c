#include "device_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether a device's name begins here. */
static bool begins(const char *text) {
    static const char *const kinds[] = {"cpu", "cuda", "emu", "best"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const size_t length = strlen(kinds[k]);
        if (!strncmp(text, kinds[k], length) && strchr(":,", text[length])) return true; /* or the text's end */
    }
    return false;
}

static const char *add(device_list *list, const char *name, size_t length) {
    if (list->count == DEVICES_MOST || length >= DEVICES_TEXT - list->used) return "these are more than 64 devices";
    char *copy = list->text + list->used;
    memcpy(copy, name, length);
    copy[length] = '\0';
    list->used += length + 1;
    list->names[list->count++] = copy;
    return NULL;
}

/* "cuda:0-3" is four. */
static const char *add_range(device_list *list, const char *name, size_t length) {
    unsigned first, last;
    int end = 0;
    char one[32];
    if (sscanf(name, "cuda:%4u-%4u%n", &first, &last, &end) < 2 || (size_t)end != length)
        return add(list, name, length);
    if (last < first) return "the last GPU is before the first";
    const char *wrong = NULL;
    for (unsigned k = first; k <= last && !wrong; k++)
        wrong = add(list, one, (size_t)snprintf(one, sizeof one, "cuda:%u", k));
    return wrong;
}

const char *device_list_read(device_list *list, const char *text) {
    const char *name = text, *wrong = NULL;
    list->count = 0;
    if (!name || !begins(name)) return NULL;
    for (const char *end; name && !wrong; name = *end ? end + 1 : NULL) {
        end = name + strcspn(name, ",");
        while (*end && !begins(end + 1)) end += 1 + strcspn(end + 1, ",");
        wrong = add_range(list, name, (size_t)(end - name));
    }
    if (list->count == 1 && !strcmp(list->names[0], text)) list->count = 0;
    return wrong;
}

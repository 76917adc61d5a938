#include "devices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "option.h"

/* Whether a device's name begins here. */
static bool begins(const char *text) {
    static const char *const kinds[] = {"cpu", "cuda", "emu", "best"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const size_t length = strlen(kinds[k]);
        if (!strncmp(text, kinds[k], length) && strchr(":,", text[length])) return true; /* or the text's end */
    }
    return false;
}

static void add(struct argp_state *state, device_list *list, const char *name, size_t length) {
    if (list->count == DEVICES_MOST || length >= DEVICES_TEXT - list->used)
        argp_error(state, "--device names more than %d devices", DEVICES_MOST);
    char *copy = list->text + list->used;
    memcpy(copy, name, length);
    copy[length] = '\0';
    list->used += length + 1;
    list->names[list->count++] = copy;
}

/* "cuda:0-3" is four. */
static void add_range(struct argp_state *state, device_list *list, const char *name, size_t length) {
    unsigned first, last;
    int end = 0;
    char one[32];
    if (sscanf(name, "cuda:%4u-%4u%n", &first, &last, &end) < 2 || (size_t)end != length) {
        add(state, list, name, length);
        return;
    }
    if (last < first) argp_error(state, "--device=%.*s: the last GPU is before the first", (int)length, name);
    for (unsigned k = first; k <= last; k++) add(state, list, one, (size_t)snprintf(one, sizeof one, "cuda:%u", k));
}

void take_devices(struct argp_state *state, job *j, device_list *list) {
    const char *name = j->device_name;
    if (!name || !begins(name)) return;
    for (const char *end; name; name = *end ? end + 1 : NULL) {
        end = name + strcspn(name, ",");
        while (*end && !begins(end + 1)) end += 1 + strcspn(end + 1, ",");
        add_range(state, list, name, (size_t)(end - name));
    }
    if (list->count == 1 && !strcmp(list->names[0], j->device_name))
        list->count = 0;
    else
        j->device_name = "cpu";
}

void share_devices(job *j, device_list *list) {
    if (!j->ranks || !list->count) return;
    j->device_name = list->names[ranks_on_host(j->ranks) % list->count];
    list->count = 0;
}

/* ---- sorting ---- */

typedef struct sorting {
    ww_array keys, values;
    const ww_sort_options *options;
} sorting;

static ww_array block_of(ww_array all, uint32_t rank, uint32_t ranks) {
    const uint64_t each = all.count / ranks, more = all.count % ranks;
    if (!all.type) return all;
    all.data = (unsigned char *)all.data + (each * rank + (rank < more ? rank : more)) * all.size;
    all.count = each + (rank < more);
    return all;
}

static ww_status sort_block(ww_group *group, void *context) {
    const sorting *s = context;
    const uint32_t rank = ww_group_rank(group), ranks = ww_group_ranks(group);
    const ww_array keys = block_of(s->keys, rank, ranks), values = block_of(s->values, rank, ranks);
    return ww_group_sort(group, ww_from(keys), values.type ? ww_from(values) : ww_no_input, keys, values, s->options);
}

int sort_on_devices(job *j, const device_list *list, ww_array keys, ww_array values, const ww_sort_options *options) {
    sorting s = {keys, values, options};
    char why[512] = "";
    if (ww_group_run(list->names, list->count, NULL, sort_block, &s, why, sizeof why))
        return job_fail(j, "%s", without_call(why));
    return DONE;
}

#include "devices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "option.h"

void take_devices(struct argp_state *state, job *j, device_list *list) {
    const char *wrong = device_list_read(list, j->device_name);
    if (wrong) argp_error(state, "--device=%s: %s", j->device_name, wrong);
    if (list->count) j->device_name = "cpu";
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

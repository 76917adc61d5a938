#include "devices.h"

#include <sched.h>
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

/* CPUs that are named without a number of threads share those of this process. */
static void share_threads(job *j, const device_list *list) {
    cpu_set_t cpus;
    const uint32_t cores = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : (uint32_t)CPU_COUNT(&cpus);
    j->threads = cores < list->count ? 1 : cores / list->count;
    j->device_name = list->names[0];
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
        share_threads(j, list);
}

void share_devices(job *j, device_list *list) {
    if (!j->ranks || !list->count) return;
    j->device_name = list->names[ranks_on_host(j->ranks) % list->count];
    j->threads = 0;
    list->count = 0;
}

/* ---- sorting ---- */

static int open_others(job *j, const device_list *list, ww_device **devices) {
    for (uint32_t k = 1; k < list->count; k++) {
        ww_open_options options = WW_OPEN_OPTIONS;
        options.threads = j->threads;
        if (ww_open_with(list->names[k], &devices[k], &options)) {
            const char *why = devices[k] ? ww_error(devices[k]) : "out of memory";
            return job_fail(j, "device %u: %s", k + 1, without_call(why));
        }
    }
    return DONE;
}

int sort_on_devices(job *j, const device_list *list, ww_array keys, ww_array values, const ww_sort_options *options) {
    ww_device *devices[DEVICES_MOST] = {j->device};
    const ww_input with = values.type ? ww_from(values) : ww_no_input;
    int status = open_others(j, list, devices);
    if (!status)
        status = job_check(j, ww_sort_large_over(devices, list->count, ww_from(keys), with, keys, values, options));
    for (uint32_t k = 1; k < list->count; k++) ww_close(devices[k]);
    return status;
}

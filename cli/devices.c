#include "devices.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "option.h"

/* CPUs that are named without a number of threads share those of this process. */
static void share_threads(job *j, const device_list *list) {
    cpu_set_t cpus;
    const uint32_t cores = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : (uint32_t)CPU_COUNT(&cpus);
    j->threads = cores < list->count ? 1 : cores / list->count;
    j->device_name = list->names[0];
}

void take_devices(struct argp_state *state, job *j, device_list *list) {
    const char *wrong = device_list_read(list, j->device_name);
    if (wrong) argp_error(state, "--device=%s: %s", j->device_name, wrong);
    if (list->count) share_threads(j, list);
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

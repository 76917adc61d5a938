/* --device with several devices, for the subcommands that a group of them can do: "cpu,cpu", "cuda:0-3". */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <warpwise.h>

#include "device_list.h"
#include "job.h"

/* Takes several devices from the job's --device, whose own is then the first of them; a usage error if there are too many. */
void take_devices(struct argp_state *state, job *j, device_list *list);

/* Of several devices the ranks of a machine (--group) take one each, in turn: the job's own is then this rank's, and no list is
 * left. */
void share_devices(job *j, device_list *list);

/* Sorts keys in place, with values or none, on all devices together. */
int sort_on_devices(job *j, const device_list *list, ww_array keys, ww_array values, const ww_sort_options *options);

#endif

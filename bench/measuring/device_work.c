/* Memory of ww_alloc for every block of the row's but `aside`, which only peers use; pointers to a block become pointers to
 * its copy. The number that a call gives always lies in memory of ww_alloc, so that on a GPU no call waits for it. */
#include "measuring/device_work.h"

#include <string.h>

static ww_array bytes_at(void *data, size_t bytes) { return ww_array((uint8_t *)data, bytes); }

static void *place_of(const bench_work *here, const bench_work *there, const void *data) {
    for (size_t i = 0; i < BENCH_PAGES; i++)
        if (data && here->pages[i] == data) return there->pages[i];
    return NULL;
}

static ww_status copy_block(const bench_work *here, bench_work *there, size_t i) {
    const ww_status status = ww_alloc(there->device, here->pages_bytes[i], &there->pages[i]);
    return status ? status
                  : ww_copy(there->device, ww_from(bytes_at(here->pages[i], here->pages_bytes[i])),
                            bytes_at(there->pages[i], here->pages_bytes[i]));
}

ww_status device_work_begin(const bench_work *here, bool cpu, bench_work *there) {
    *there = *here;
    memset(there->pages, 0, sizeof there->pages);
    ww_status status = ww_alloc(there->device, sizeof there->result, &there->number);
    if (status || cpu) return status;
    for (size_t i = 0; !status && i < BENCH_PAGES; i++)
        if (here->pages[i] && here->pages[i] != here->aside) status = copy_block(here, there, i);
    there->in = place_of(here, there, here->in);
    there->second = place_of(here, there, here->second);
    there->out = place_of(here, there, here->out);
    there->out_second = place_of(here, there, here->out_second);
    there->aside = NULL;
    return status;
}

ww_status device_work_poison(const bench_work *there) {
    const ww_value poison = ww_value(uint8_t, 0xa5), zero = ww_value(uint8_t, 0);
    const ww_array number = bytes_at(there->number, sizeof there->result);
    ww_status status = ww_fill(there->device, number, zero);
    if (!status && there->out) status = ww_fill(there->device, bytes_at(there->out, there->out_bytes), poison);
    if (!status && there->out_second)
        status = ww_fill(there->device, bytes_at(there->out_second, there->out_second_bytes), poison);
    return status;
}

static ww_status fetch(ww_device *device, void *from, void *to, size_t bytes) {
    return from && from != to ? ww_copy(device, ww_from(bytes_at(from, bytes)), bytes_at(to, bytes)) : WW_OK;
}

ww_status device_work_fetch(const bench_work *there, bench_work *here) {
    ww_status status = fetch(there->device, there->number, &here->result, sizeof here->result);
    if (!status) status = fetch(there->device, there->out, here->out, here->out_bytes);
    if (!status) status = fetch(there->device, there->out_second, here->out_second, here->out_second_bytes);
    return status;
}

void device_work_end(bench_work *there) {
    ww_free(there->device, there->number);
    for (size_t i = 0; i < BENCH_PAGES; i++) ww_free(there->device, there->pages[i]);
}

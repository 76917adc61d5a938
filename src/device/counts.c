/* Counts on the device that a call was given: what is wrong with them, and looking at them from the host. See call.h. */
#include "device/call.h"
#include "device/gpu/gpu.h"

typedef unsigned long long ull;

static uint64_t bound_of(const ww__given *g) { return g->input ? g->input->count : g->array->count; }

static void put_count(const ww__given *g, uint64_t count) {
    if (g->input) {
        g->input->count = count;
        g->input->count_at = NULL;
    } else {
        g->array->count = count;
        g->array->count_at = NULL;
    }
}

/* "&keys", without the sign. */
static const char *name_of(const ww__given *g) { return g->name + (*g->name == '&'); }

/* The number is nothing that the call writes: it may be looked at before and after. */
static ww_status check_kept(ww_device *device, const ww__given *g, const ww__given *given, size_t many) {
    const uint64_t *number = ww__number_of(g);
    for (size_t k = 0; k < many; k++) {
        const ww_array *out = given[k].use == WW__READS ? NULL : given[k].array;
        size_t bytes;
        if (!out || !out->data || !ww__bytes(out->count, out->size, &bytes)) continue;
        WW_CHECK(device, !ww__overlap(number, sizeof *number, out->data, bytes), WW_OVERLAP,
                 "the count of %s at %p lies in %s (%p, %zu bytes)", name_of(g), (const void *)number,
                 name_of(&given[k]), out->data, bytes);
    }
    return WW_OK;
}

static ww_status check_number(ww_device *device, const ww__given *g, const ww__given *given, size_t many) {
    const uint64_t *number = ww__number_of(g);
    WW_CHECK(device, (uintptr_t)number % sizeof *number == 0, WW_INVALID,
             "the count of %s at %p is not aligned for a u64", name_of(g), (const void *)number);
    WW_CHECK(device,
             !device->gpu || device->on_paper ||
                 device->gpu->driver->place(device->gpu->driver, number) != WW__PLACE_UNREACHABLE,
             WW_INVALID, "the count of %s at %p is memory that the GPU cannot reach; take it from ww_alloc", name_of(g),
             (const void *)number);
    for (size_t k = 0; k < many; k++)
        WW_CHECK(device, ww__number_of(&given[k]) != number || bound_of(&given[k]) == bound_of(g), WW_INVALID,
                 "%s and %s have one count, and capacities of %llu and %llu elements", name_of(g), name_of(&given[k]),
                 (ull)bound_of(g), (ull)bound_of(&given[k]));
    return check_kept(device, g, given, many);
}

ww_status ww__counts_found(ww_device *device, bool open, const ww__given *given, size_t many) {
    for (size_t k = 0; k < many; k++) {
        if (!ww__number_of(&given[k])) continue;
        if (device->numbers < sizeof device->number / sizeof *device->number)
            device->number[device->numbers++] = ww__number_of(&given[k]);
        WW_TRY(check_number(device, &given[k], given, many));
    }
    if (!device->gpu || !open || device->on_paper) return ww__counts_settle(device, given, many);
    device->counts = WW__COUNTS_OPEN;
    return WW_OK;
}

ww_status ww__count_look(ww_device *device, const uint64_t *number, uint64_t *value) {
    if (!device->gpu) {
        *value = *number;
        return WW_OK;
    }
    WW_CHECK(device, !ww__gpu_capturing(device), WW_UNSUPPORTED,
             "would wait for a count on the device, and is captured in a graph");
    return ww__gpu_copy(device, value, number, sizeof *value);
}

ww_status ww__counts_settle(ww_device *device, const ww__given *given, size_t many) {
    device->counts = WW__COUNTS_SETTLED;
    device->stores = WW__STORES_NONE;
    device->stage_wanted = false;
    for (size_t g = 0; g < many; g++) {
        const uint64_t *number = ww__number_of(&given[g]), bound = number ? bound_of(&given[g]) : 0;
        uint64_t count = bound;
        if (!number) continue;
        if (!device->on_paper) WW_TRY(ww__count_look(device, number, &count));
        for (size_t k = g; k < many; k++)
            if (ww__number_of(&given[k]) == number) put_count(&given[k], ww__min_u64(count, bound));
    }
    return WW_OK;
}

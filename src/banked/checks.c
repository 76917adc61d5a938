/* Methods by name, and what public calls check. */
#include <inttypes.h>
#include <string.h>

#include "call.h"
#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"

enum { BANKS_MOST = 1 << 20 };
static const uint64_t items_most = UINT32_MAX - 1;

/* ---- methods ---- */

static const ww__banked_way ways[] = {
    {WW_BANKED_AUTO, WW__HOW_AUTO, ""},
    {WW_BANKED_LEMMA1, WW__HOW_WIDE, "lemma1 needs at least as many columns as the banks' square"},
    {WW_BANKED_THEOREM1, WW__HOW_SQUARE,
     "theorem1 needs at least as many columns as banks, and a number of banks with small divisors"},
    {WW_BANKED_THEOREM2, WW__HOW_TALL, "theorem2 needs at least as many banks as columns"},
    {WW_BANKED_SHEARSORT, WW__HOW_SHEARSORT, ""},
    {WW_BANKED_LEMMA2, WW__HOW_BALANCED,
     "lemma2 needs more banks than columns, with factors of at most the columns, and enough columns to divide by"}};
enum { WAYS = sizeof ways / sizeof *ways };

const ww__banked_way *ww__banked_way_of(ww_banked_method method) {
    for (size_t k = 1; k < WAYS; k++)
        if (ways[k].method == method) return &ways[k];
    return &ways[0];
}

ww_banked_method ww__banked_method_of(ww__how how) {
    for (size_t k = 1; k < WAYS; k++)
        if (ways[k].how == how) return ways[k].method;
    return WW_BANKED_AUTO;
}

static bool fits(const ww__banked_call *c) {
    switch (c->method) {
    case WW_BANKED_AUTO:
        return true;
    case WW_BANKED_ODDEVEN:
    case WW_BANKED_BITONIC:
        return c->problem == WW__PROBLEM_SORT;
    case WW_BANKED_LEMMA2:
        return c->problem == WW__PROBLEM_PARTITION;
    case WW_BANKED_THEOREM4:
    case WW_BANKED_OFFLINE:
    case WW_BANKED_SORTING:
        return c->problem == WW__PROBLEM_PERMUTE;
    default:
        return c->problem != WW__PROBLEM_PERMUTE;
    }
}

/* ---- checks ---- */

ww_status ww__banked_check_device(ww_device *device) {
    WW_CHECK(device, device->backend == WW__BACKEND_CPU, WW_UNSUPPORTED,
             "the machine of banked memory is a model that runs on the host: open the device \"cpu\"");
    return ww__not_on_paper(device);
}

ww_status ww__banked_check_banks(ww__banked_call *c, const char *name, uint64_t banks, bool multiple) {
    ww_device *device = c->device;
    WW_CHECK(device, banks >= 2, WW_INVALID, "banks is %" PRIu64 ": a machine has at least 2", banks);
    WW_CHECK(device, banks <= BANKS_MOST, WW_LIMIT, "banks is %" PRIu64 ": a machine has at most %d", banks,
             BANKS_MOST);
    WW_CHECK(device, c->count, WW_INVALID, "%s has no elements", name);
    WW_CHECK(device, c->count <= items_most, WW_LIMIT, "%s has %" PRIu64 " elements: at most %" PRIu64, name, c->count,
             items_most);
    WW_CHECK(device, !multiple || c->count >= banks, WW_INVALID,
             "%s has %" PRIu64 " elements for %" PRIu64 " banks: there are more banks than items", name, c->count,
             banks);
    WW_CHECK(device, !multiple || c->count % banks == 0, WW_INVALID,
             "%s has %" PRIu64 " elements, not a multiple of %" PRIu64 " banks", name, c->count, banks);
    c->banks = (uint32_t)banks;
    c->columns = (c->count + banks - 1) / banks;
    return WW_OK;
}

/* What all calls check first: the arrays with numbers, and who does the work. */
ww_status ww__banked_begin(ww__banked_call *c, const char *name, const ww_array *numbers, uint64_t banks, bool multiple,
                           const ww_banked_options *options) {
    ww_device *device = c->device;
    WW_TRY(ww__banked_check_device(device));
    WW_TRY(ww__take_options(device, options, "WW_BANKED_OPTIONS", &c->options, offsetof(ww_banked_options, reserved)));
    c->method = (ww_banked_method)c->options.method;
    WW_CHECK(device, c->options.method <= WW_BANKED_SORTING, WW_INVALID, "options.method is %" PRIu32,
             c->options.method);
    WW_CHECK(device, fits(c), WW_INVALID, "options.method %" PRIu32 " is not one of this problem", c->options.method);
    WW_TRY(ww__check_array(device, name, numbers));
    WW_CHECK(device, numbers->type == &ww_type_uint32_t || numbers->type == &ww_type_uint64_t, WW_TYPE,
             "%s is of %s: u32 or u64 are taken", name, numbers->type->label);
    c->count = numbers->count;
    return ww__banked_check_banks(c, name, banks, multiple);
}

ww_status ww__banked_check_values(const ww__banked_call *c, const char *name, const ww_array *numbers,
                                  const ww_array *values) {
    WW_TRY(ww__check_array(c->device, "values", values));
    WW_CHECK(c->device, values->count == c->count, WW_INVALID, "%s has %" PRIu64 " elements, values %" PRIu64, name,
             c->count, values->count);
    return ww__check_outputs_apart(c->device, name, numbers, "values", values);
}

ww_status ww__banked_check_labels(const ww__banked_call *c, const ww_array *labels) {
    uint64_t *found, each = c->count / c->banks;
    WW_TRY(ww__scratch_array(c->device, c->banks, sizeof *found, &found));
    memset(found, 0, c->banks * sizeof *found);
    for (uint64_t k = 0; k < c->count; k++) {
        const uint64_t label = ww__number(labels, k);
        WW_CHECK(c->device, label < c->banks, WW_RANGE,
                 "labels[%" PRIu64 "] is %" PRIu64 ", and there are %" PRIu32 " rows", k, label, c->banks);
        found[label]++;
    }
    for (uint32_t label = 0; label < c->banks; label++)
        WW_CHECK(c->device, found[label] == each, WW_RANGE,
                 "label %" PRIu32 " occurs %" PRIu64 " times, and a row takes %" PRIu64, label, found[label], each);
    return WW_OK;
}

ww_status ww__banked_check_places(const ww__banked_call *c, const ww_array *index) {
    unsigned char *taken;
    WW_TRY(ww__scratch_array(c->device, c->count, 1, &taken));
    memset(taken, 0, (size_t)c->count);
    for (uint64_t k = 0; k < c->count; k++) {
        const uint64_t place = ww__number(index, k);
        WW_CHECK(c->device, place < c->count, WW_RANGE,
                 "index[%" PRIu64 "] is %" PRIu64 ", and there are %" PRIu64 " places", k, place, c->count);
        if (!taken[place]++) continue;
        uint64_t missing = 0;
        for (uint64_t rest = k; rest < c->count; rest++)
            if (ww__number(index, rest) < c->count) taken[ww__number(index, rest)] = 1;
        while (taken[missing]) missing++;
        return ww__fail(c->device, WW_RANGE, "index[%" PRIu64 "] is %" PRIu64 " again, and no place is %" PRIu64, k,
                        place, missing);
    }
    return WW_OK;
}

/* ww_multisplit and ww_multisplit_edges: the checks, and the choice of the method and the machine. */
#include "device/call.h"
#include "device/checks.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "function/types.h"
#include "multisplit/sides.h"
#include "primitive/map/map.h"

typedef unsigned long long ull;

ww_status ww__bad_edge(ww_device *device, uint64_t position) {
    return position ? ww__fail(device, WW_INVALID, "edges[%llu] is not above the edge before it", (ull)position)
                    : ww__fail(device, WW_INVALID, "edges[0] is not a number");
}

ww_status ww__no_bucket(ww_device *device, uint64_t position, const char *name, uint64_t buckets) {
    return ww__fail(device, WW_RANGE, "keys[%llu]: %s gives no bucket below %llu", (ull)position, name, (ull)buckets);
}

static ww_status check_offsets(const ww__splitting *s, bool values) {
    ww_device *device = s->device;
    WW_TRY(ww__check_counts(device, "offsets", &s->offsets, s->keys.count));
    WW_CHECK(device, s->offsets.count == s->by.buckets + 1, WW_INVALID,
             "offsets has %llu elements, and %llu buckets have %llu", (ull)s->offsets.count, (ull)s->by.buckets,
             (ull)s->by.buckets + 1);
    WW_TRY(ww__check_apart(device, "keys", &s->keys, "offsets", &s->offsets, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", &s->keys_out, "offsets", &s->offsets));
    if (!values) return WW_OK;
    WW_TRY(ww__check_apart(device, "values", &s->values, "offsets", &s->offsets, WW__APART));
    return ww__check_outputs_apart(device, "values_out", &s->values_out, "offsets", &s->offsets);
}

/* All but how keys become buckets. */
static ww_status check(ww__splitting *s, const ww_multisplit_options *options) {
    ww_device *device = s->device;
    ww_multisplit_options o;
    const bool values = s->values.steps || s->values.problem || !ww__is_none(&s->values_out);
    WW_TRY(ww__check_array(device, "keys_out", &s->keys_out));
    WW_TRY(ww__check_same_type(device, "keys", s->keys.type, s->keys.size, "keys_out", s->keys_out.type,
                               s->keys_out.size));
    WW_CHECK(device, s->keys.count == s->keys_out.count, WW_INVALID, "keys has %llu elements, keys_out %llu",
             (ull)s->keys.count, (ull)s->keys_out.count);
    WW_TRY(ww__check_apart(device, "keys", &s->keys, "keys_out", &s->keys_out, WW__APART));
    if (values) WW_TRY(ww__check_values(device, &s->keys, &s->values, &s->keys_out, &s->values_out, WW__APART));
    WW_CHECK(device, s->by.buckets >= 1 && s->by.buckets <= WW_BUCKETS_MOST, WW_INVALID,
             "there are %llu buckets; there can be 1 to %d", (ull)s->by.buckets, WW_BUCKETS_MOST);
    if (!ww__is_none(&s->offsets)) WW_TRY(check_offsets(s, values));
    WW_TRY(ww__take_options(device, options, "WW_MULTISPLIT_OPTIONS", &o, offsetof(ww_multisplit_options, reserved)));
    WW_CHECK(device, o.method <= WW_MULTISPLIT_ONEPASS, WW_INVALID, "there is no multisplit method %d", (int)o.method);
    s->method = (ww_multisplit_method)o.method;
    return WW_OK;
}

static ww_status check_map(ww__splitting *s, ww_function *with) {
    ww_device *device = s->device;
    const ww_function *f = s->by.asked;
    WW_TRY(ww__check_input(device, "keys", &s->keys));
    WW_CHECK(device, f, WW_INVALID, "the bucket function is NULL");
    WW_TRY(ww__check_version(device, f));
    const ww_function *map = ww__bucket_map(f, s->keys.type, s->keys.size);
    WW_CHECK(device, map, WW_TYPE, "%s gives no buckets for keys of type %s (%zu bytes)", f->name, s->keys.type->label,
             s->keys.size);
    s->by.map = f;
    WW_TRY(ww__resolve_map(device, &s->by.map, s->keys.type, s->keys.size, with));
    WW_TRY(ww__check_map(device, s->by.map, s->keys.type, s->keys.size, NULL, 0, true));
    /* A built-in function is the library's own. */
    return f->role == WW_ROLE_BUILT_IN ? WW_OK : ww__try_map(device, s->by.map, &s->keys);
}

static ww_status check_edges(ww__splitting *s) {
    ww_device *device = s->device;
    const ww_input *edges = s->by.edges;
    WW_TRY(ww__check_input(device, "keys", &s->keys));
    WW_CHECK(device, ww__number_index(s->keys.type) >= 0, WW_TYPE, "keys are of type %s, which is not a number",
             s->keys.type->label);
    WW_TRY(ww__check_input(device, "edges", edges));
    WW_TRY(ww__check_same_type(device, "keys", s->keys.type, s->keys.size, "edges", edges->type, edges->size));
    WW_CHECK(device, edges->count < WW_BUCKETS_MOST, WW_INVALID, "there are %llu edges; there can be %d",
             (ull)edges->count, WW_BUCKETS_MOST - 1);
    s->by.buckets = edges->count + 1;
    WW_TRY(ww__check_apart(device, "edges", edges, "keys_out", &s->keys_out, WW__APART));
    if (!ww__is_none(&s->values_out))
        WW_TRY(ww__check_apart(device, "edges", edges, "values_out", &s->values_out, WW__APART));
    return ww__is_none(&s->offsets) ? WW_OK
                                    : ww__check_apart(device, "edges", edges, "offsets", &s->offsets, WW__APART);
}

static ww_status offsets_of_nothing(const ww__splitting *s) {
    static const uint64_t zero = 0;
    if (ww__is_none(&s->offsets)) return WW_OK;
    const ww_input zeros = ww_constant(ww_value_of(&zero, s->offsets.type), s->offsets.count);
    return ww__map(s->device, &(ww__map_request){.in = &zeros, .out = &s->offsets});
}

ww_status ww__multisplit(ww_device *device, const ww__splitting *request) {
    ww__splitting s = *request;
    s.device = device;
    if (!s.keys.count) return offsets_of_nothing(&s);
    if (s.keys.count_at && s.method != WW_MULTISPLIT_AUTO && s.method != WW_MULTISPLIT_ONEPASS) return WW__SETTLE;
    if (s.method == WW_MULTISPLIT_REDUCED_BIT) return ww__multisplit_reduced_bit(&s);
    if (s.method == WW_MULTISPLIT_RECURSIVE) return ww__multisplit_recursive(&s);
    return device->backend == WW__BACKEND_GPU ? ww__multisplit_gpu(&s) : ww__multisplit_cpu(&s);
}

static ww_status by_map(ww__splitting *s, const ww_multisplit_options *options) {
    ww_function with;
    WW_TRY(check_map(s, &with));
    WW_TRY(check(s, options));
    WW_TRY(ww__check_environment_apart(s->device, s->by.map, "keys_out", &s->keys_out));
    WW_TRY(ww__check_environment_apart(s->device, s->by.map, "values_out", &s->values_out));
    WW_TRY(ww__check_environment_apart(s->device, s->by.map, "offsets", &s->offsets));
    return ww__multisplit(s->device, s);
}

static ww_status by_map_shifted(ww__splitting *s) {
    ww_function with;
    WW_TRY(check_map(s, &with));
    s->method = WW_MULTISPLIT_ONEPASS;
    return s->keys.count ? ww__multisplit_gpu(s) : WW_OK;
}

ww_status ww__multisplit_shifted(ww_device *device, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                                 ww_array keys_out, const uint64_t *shift) {
    ww__splitting s = {.device = device,
                       .by = {.asked = bucket_of, .buckets = buckets},
                       .keys = keys,
                       .keys_out = keys_out,
                       .shift = shift};
    WW_CALL(device, "ww_multisplit", by_map_shifted(&s), WW_USES(&s.by.asked), WW_READS(&s.keys));
}

static ww_status by_edges(ww__splitting *s, const ww_multisplit_options *options) {
    WW_TRY(check_edges(s));
    WW_TRY(check(s, options));
    return ww__multisplit(s->device, s);
}

/* One number for all of these. */
static bool is_open(const ww__splitting *s) {
    const uint64_t *at = s->keys.count_at;
    const bool values = s->values.steps || s->values.problem || !ww__is_none(&s->values_out);
    return at && at == s->keys_out.count_at && !s->offsets.count_at &&
           (!values || (at == s->values.count_at && at == s->values_out.count_at));
}

ww_status ww_multisplit(ww_device *device, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                        ww_input values, ww_array keys_out, ww_array values_out, ww_array offsets,
                        const ww_multisplit_options *options) {
    ww__splitting s = {.device = device,
                       .by = {.asked = bucket_of, .buckets = buckets},
                       .keys = keys,
                       .values = values,
                       .keys_out = keys_out,
                       .values_out = values_out,
                       .offsets = offsets};
    WW_CALL_COUNTED(device, "ww_multisplit", is_open(&s), by_map(&s, options), WW_USES(&s.by.asked), WW_READS(&s.keys),
                    WW_READS(&s.values), WW_WRITES(&s.keys_out), WW_WRITES(&s.values_out), WW_WRITES(&s.offsets));
}

ww_status ww_multisplit_edges(ww_device *device, ww_input keys, ww_input values, ww_input edges, ww_array keys_out,
                              ww_array values_out, ww_array offsets, const ww_multisplit_options *options) {
    ww__splitting s = {.device = device,
                       .by = {.edges = &edges},
                       .keys = keys,
                       .values = values,
                       .keys_out = keys_out,
                       .values_out = values_out,
                       .offsets = offsets};
    const bool open = is_open(&s) && !edges.count_at;
    WW_CALL_COUNTED(device, "ww_multisplit_edges", open, by_edges(&s, options), WW_READS(&edges), WW_READS(&s.keys),
                    WW_READS(&s.values), WW_WRITES(&s.keys_out), WW_WRITES(&s.values_out), WW_WRITES(&s.offsets));
}

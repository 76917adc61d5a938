/* Sorts that compare: networks and quicksort, on every device. Each makes the order, as positions of keys; what goes with keys
 * is then gathered, each element read and written once. */
#include "sort/entries.h"
#include "sort/sides.h"

#include "sort/by_position.h"
#include "sort/named/network.h"
#include "sort/named/quick_gpu.h"

static ww_status check_limits(ww_device *device, const ww__sorting *s, ww_sort_method method) {
    const unsigned long long n = s->keys.count;
    WW_CHECK(device, n <= UINT32_MAX, WW_LIMIT, "there are %llu keys; method %s sorts up to %u", n,
             ww__sort_method_name(method), UINT32_MAX);
    WW_CHECK(device, device->backend != WW__BACKEND_GPU || s->keys.size <= WW__ORDERED_MOST, WW_LIMIT,
             "keys have %zu bytes; method %s on a GPU sorts keys of up to %d", s->keys.size,
             ww__sort_method_name(method), WW__ORDERED_MOST);
    return WW_OK;
}

/* Keys are sorted in the output, which they are brought to first where a network does not bring them itself. */
static ww_status order_gpu(ww_device *device, const ww__sorting *s, ww_sort_method method, uint32_t *positions) {
    const uint64_t n = s->keys.count;
    const ww__placed_keys out = {s->keys_out.data, positions};
    ww__placed_keys in = {(void *)(uintptr_t)ww__input_memory(&s->keys), NULL}; /* which is only read */
    if (!in.keys || (method == WW_SORT_QUICK && in.keys != out.keys)) {
        WW_TRY(ww__sort_store(device, &s->keys, &s->keys_out));
        in.keys = out.keys;
    }
    return method == WW_SORT_QUICK ? ww__quick_gpu(device, s, n, &out)
                                   : ww__network_gpu(device, s, ww__network_of(method), n, &in, &out, NULL);
}

static ww_status order_cpu(ww_device *device, const ww__sorting *s, ww_sort_method method, uint32_t *positions) {
    const ww_input index = ww_memory(positions, s->keys.count);
    ww_array keys;
    WW_TRY(ww__sort_readable(device, &s->keys, &s->keys_out, &keys));
    ww__trace(device, ww__sort_method_name(method), s->less, s->keys.count, s->keys.count * s->keys.size,
              device->threads);
    WW_TRY(ww__order_positions_cpu(device, s, method, keys.data, positions));
    return ww__sort_gather(device, &keys, &index, &s->keys_out);
}

ww_status ww__sort_by_order(ww_device *device, const ww__sorting *s, ww_sort_method method) {
    const bool gpu = device->backend == WW__BACKEND_GPU;
    uint32_t *positions;
    WW_TRY(check_limits(device, s, method));
    if (!s->keys.count) return WW_OK;
    if (s->keys.count == 1) return ww__sort_one(device, s);
    WW_TRY(ww__scratch_array(device, s->keys.count, sizeof *positions, &positions));
    WW_TRY(gpu ? order_gpu(device, s, method, positions) : order_cpu(device, s, method, positions));
    if (!s->values.steps) return WW_OK;
    ww_array values;
    WW_TRY(ww__sort_readable(device, &s->values, &s->values_out, &values));
    const ww_input index = ww_memory(positions, s->keys.count);
    return ww__sort_gather(device, &values, &index, &s->values_out);
}

/* ww_sort and ww_sort_by: the checks, and the choice of the method and the machine. */
#include "device/call.h"
#include "device/checks.h"
#include "device/options.h"
#include "function/check.h"
#include "function/function.h"
#include "sort/sides.h"

typedef unsigned long long ull;

static bool is_number(ww_kind kind) {
    return kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED || kind == WW_KIND_FLOAT;
}

/* What outputs may share with inputs. */
static ww__sharing sharing_of(ww__sorted sorted) { return sorted == WW__FIRST_SORTED ? WW__APART : WW__SAME_ALLOWED; }

ww_status ww__sort_check_type(ww_device *device, const ww_type *type) {
    WW_CHECK(device, is_number(type->kind), WW_TYPE, "keys are of type %s, which has no order to sort by", type->label);
    return WW_OK;
}

ww_status ww__sort_check_keys(ww_device *device, const ww__sorting *s, ww__sorted sorted) {
    if (!s->less) WW_TRY(ww__sort_check_type(device, s->keys.type));
    WW_TRY(ww__check_same_type(device, "keys", s->keys.type, s->keys.size, "keys_out", s->keys_out.type,
                               s->keys_out.size));
    WW_CHECK(device,
             s->keys.count == s->keys_out.count || (sorted == WW__FIRST_SORTED && s->keys_out.count < s->keys.count),
             WW_INVALID, "keys has %llu elements, keys_out %llu", (ull)s->keys.count, (ull)s->keys_out.count);
    return ww__check_apart(device, "keys", &s->keys, "keys_out", &s->keys_out, sharing_of(sorted));
}

/* ---- methods ---- */

typedef ww_status sort_by(ww_device *device, const ww__sort_request *r);

static ww_status by_bits(ww_device *device, const ww__sort_request *r) { return ww__sort(device, &r->of); }
static ww_status by_merging(ww_device *device, const ww__sort_request *r) {
    return ww__sort_by_merging(device, &r->of, r->method);
}
static ww_status by_flags(ww_device *device, const ww__sort_request *r) {
    return ww__sort_by_digits(device, &r->of, 1);
}
static ww_status by_digits(ww_device *device, const ww__sort_request *r) {
    return ww__sort_by_digits(device, &r->of, r->digit_bits);
}
static ww_status by_order(ww_device *device, const ww__sort_request *r) {
    return ww__sort_by_order(device, &r->of, r->method);
}

static const struct {
    ww_sort_method method;
    const char *name;
    bool compares; /* so that any order will do */
    sort_by *sort;
} methods[] = {{WW_SORT_AUTO, "auto", false, by_bits},
               {WW_SORT_RADIX, "radix", false, by_bits},
               {WW_SORT_MERGE, "merge", true, by_merging},
               {WW_SORT_MERGE_PLAIN, "merge-plain", true, by_merging},
               {WW_SORT_MERGE_SEARCH, "merge-search", true, by_merging},
               {WW_SORT_MULTISPLIT, "multisplit", false, by_digits},
               {WW_SORT_SPLIT1, "split1", false, by_flags},
               {WW_SORT_QUICK, "quick", true, by_order},
               {WW_SORT_BITONIC, "bitonic", true, by_order},
               {WW_SORT_MERGE_NETWORK, "merge-network", true, by_order},
               {WW_SORT_ODDEVEN, "oddeven", true, by_order}};
enum { METHODS = sizeof methods / sizeof *methods };

static size_t method_of(ww_sort_method method) {
    size_t m = 0;
    while (m < METHODS && methods[m].method != method) m++;
    return m;
}

const char *ww__sort_method_name(ww_sort_method method) { return methods[method_of(method)].name; }

static ww_status check_method(ww_device *device, const ww_sort_options *o, ww__sort_request *r) {
    const size_t m = method_of(o->method);
    const ww__sorting *const s = &r->of;
    WW_CHECK(device, m < METHODS, WW_INVALID, "there is no sort method %d", (int)o->method);
    WW_CHECK(device, !s->less || methods[m].compares || o->method == WW_SORT_AUTO, WW_INVALID,
             "method %s sorts by the bits of keys, not by %s", methods[m].name, s->less->name);
    WW_CHECK(device, methods[m].sort != by_merging || (!o->bit_count && !o->bit_first), WW_INVALID,
             "method %s compares whole keys, not %u bits of them", methods[m].name, o->bit_count);
    WW_CHECK(device, !s->less || !o->bit_count, WW_INVALID, "bit_count is %u, and %s orders whole keys", o->bit_count,
             s->less->name);
    WW_CHECK(device, o->method != WW_SORT_ODDEVEN || s->keys.count <= WW_ODDEVEN_MOST, WW_LIMIT,
             "there are %llu keys; method oddeven sorts up to %d", (ull)s->keys.count, WW_ODDEVEN_MOST);
    r->method = (ww_sort_method)o->method;
    return WW_OK;
}

ww_status ww__sort_take_options(ww_device *device, const ww_sort_options *options, ww_sort_options *taken) {
    return ww__take_options(device, options, "WW_SORT_OPTIONS", taken, offsetof(ww_sort_options, reserved));
}

ww_status ww__sort_check_options(ww_device *device, const ww_sort_options *options, ww__sort_request *r) {
    enum { DIGIT_BITS = 8 };
    ww_sort_options o;
    ww__sorting *const s = &r->of;
    const unsigned bits = (unsigned)(8 * s->keys.size);
    s->bit_count = bits;
    s->by_value = true;
    r->digit_bits = DIGIT_BITS;
    WW_TRY(ww__sort_take_options(device, options, &o));
    WW_TRY(check_method(device, &o, r));
    WW_CHECK(device, !o.digit_bits || (o.digit_bits >= 4 && o.digit_bits <= 8), WW_INVALID,
             "digit_bits is %u, and can be 4 to 8", o.digit_bits);
    s->descending = o.descending;
    if (o.digit_bits) r->digit_bits = o.digit_bits;
    if (!o.bit_count) {
        WW_CHECK(device, !o.bit_first, WW_INVALID, "bit_first is %u and bit_count 0", o.bit_first);
        return WW_OK;
    }
    WW_CHECK(device, s->keys.type->kind != WW_KIND_FLOAT, WW_TYPE,
             "keys of type %s are not sorted by some of their bits", s->keys.type->label);
    WW_CHECK(device, o.bit_first < bits && o.bit_count <= bits - o.bit_first, WW_INVALID,
             "%u bits from bit %u on are not in keys of %u bits", o.bit_count, o.bit_first, bits);
    s->bit_first = o.bit_first;
    s->bit_count = o.bit_count;
    s->by_value = false;
    return WW_OK;
}

ww_status ww__sort(ww_device *device, const ww__sorting *s) {
    return device->backend == WW__BACKEND_GPU ? ww__sort_gpu(device, s, NULL) : ww__sort_cpu(device, s, NULL);
}

/* Of the methods the radix sort alone looks at counts on the device. */
ww_status ww__sort_by_method(ww_device *device, const ww__sort_request *r) {
    const bool by_order = r->of.less && r->method == WW_SORT_AUTO;
    sort_by *const sort = by_order ? by_merging : methods[method_of(r->method)].sort;
    return r->of.keys.count_at && sort != by_bits ? WW__SETTLE : sort(device, r);
}

/* The library's own orders are what ww_sort goes by: methods know keys as numbers then. */
static void choose_order(ww__sort_request *r) {
    ww__sorting *const s = &r->of;
    const bool down = s->less && s->less == ww__order(&ww_descending, s->keys.type, s->keys.size);
    if (down || s->less == ww__order(&ww_ascending, s->keys.type, s->keys.size)) s->less = NULL;
    if (down) s->descending = !s->descending;
}

ww_status ww__sort_check(ww_device *device, ww__sort_request *r, ww__sorted sorted, const ww_sort_options *options) {
    const ww__sorting *const s = &r->of;
    WW_TRY(ww__check_input(device, "keys", &s->keys));
    WW_TRY(ww__check_array(device, "keys_out", &s->keys_out));
    WW_TRY(ww__sort_check_keys(device, s, sorted));
    if (s->values.steps || s->values.problem || !ww__is_none(&s->values_out))
        WW_TRY(ww__check_values(device, &s->keys, &s->values, &s->keys_out, &s->values_out, sharing_of(sorted)));
    WW_TRY(ww__sort_check_options(device, options, r));
    choose_order(r);
    return WW_OK;
}

static ww_status check_and_sort(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    WW_TRY(ww__sort_check(device, r, WW__ALL_SORTED, options));
    return ww__sort_by_method(device, r);
}

static ww_status check_and_sort_by(ww_device *device, const ww_function *less, ww__sort_request *r,
                                   const ww_sort_options *options) {
    ww__sorting *const s = &r->of;
    WW_TRY(ww__check_input(device, "keys", &s->keys));
    WW_TRY(ww__check_order(device, less, s->keys.type, s->keys.size, &s->less));
    WW_TRY(ww__try_order(device, s->less, &s->keys, NULL));
    const ww_function *const asked = s->less; /* an order of the library's is none any more after the checks */
    WW_TRY(ww__sort_check(device, r, WW__ALL_SORTED, options));
    WW_TRY(ww__check_environment_apart(device, asked, "keys_out", &s->keys_out));
    WW_TRY(ww__check_environment_apart(device, asked, "values_out", &s->values_out));
    return ww__sort_by_method(device, r);
}

ww_status ww_sort(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                  const ww_sort_options *options) {
    ww__sort_request r = {.of = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out}};
    const bool has_values = values.steps || values.problem || !ww__is_none(&values_out);
    const bool open = keys.count_at && keys.count_at == keys_out.count_at &&
                      (!has_values || (keys.count_at == values.count_at && keys.count_at == values_out.count_at));
    WW_CALL_COUNTED(device, "ww_sort", open, check_and_sort(device, &r, options), WW_READS(&r.of.keys),
                    WW_READS(&r.of.values), WW_WRITES(&r.of.keys_out), WW_WRITES(&r.of.values_out));
}

ww_status ww_sort_by(ww_device *device, const ww_function *less, ww_input keys, ww_input values, ww_array keys_out,
                     ww_array values_out, const ww_sort_options *options) {
    ww__sort_request r = {.of = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out}};
    WW_CALL(device, "ww_sort_by", check_and_sort_by(device, less, &r, options), WW_USES(&less), WW_READS(&r.of.keys),
            WW_READS(&r.of.values), WW_WRITES(&r.of.keys_out), WW_WRITES(&r.of.values_out));
}

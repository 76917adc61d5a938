/* ww_find_many: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "function/function.h"
#include "text/find.h"
#include "text/many/patterns.h"

typedef unsigned long long ull;

ww_status ww__many_check(const ww_patterns *p, const ww_input *text, uint64_t largest, uint64_t places,
                         const ww_array *positions, const ww_array *numbers, const ww_array *count) {
    ww_device *const device = p->device;
    uint64_t all;
    WW_TRY(ww__check_input(device, "text", text));
    WW_CHECK(device, text->type == &ww_type_uint8_t || text->type == &ww_type_int8_t, WW_TYPE,
             "text is of type %s, not of bytes", text->type->label);
    if (!ww__is_none(positions)) {
        WW_TRY(ww__check_counts(device, "positions", positions, largest));
        WW_TRY(ww__check_apart(device, "text", text, "positions", positions, WW__APART));
    }
    if (!ww__is_none(numbers)) {
        WW_TRY(ww__check_counts(device, "numbers", numbers, p->count - 1));
        WW_CHECK(device, numbers->count == positions->count, WW_INVALID, "numbers has %llu elements, positions %llu",
                 (ull)numbers->count, (ull)positions->count);
        WW_TRY(ww__check_apart(device, "text", text, "numbers", numbers, WW__APART));
        WW_TRY(ww__check_outputs_apart(device, "positions", positions, "numbers", numbers));
    }
    WW_TRY(ww__check_one(device, "count", count));
    if (__builtin_mul_overflow(places, p->most, &all)) all = UINT64_MAX;
    WW_TRY(ww__check_counts(device, "count", count, all));
    WW_TRY(ww__check_apart(device, "text", text, "count", count, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, "positions", positions, "count", count));
    return ww__check_outputs_apart(device, "numbers", numbers, "count", count);
}

/* One pattern is ww_find's on a CPU: its number is 0 wherever it is found. */
static ww_status find_alone(ww_device *device, const ww_patterns *p, const ww_input *text, const ww__searching *s,
                            const ww_array *count) {
    uint64_t total = 0;
    const ww_array one = ww_array(&total, 1);
    const ww__finding f = {.text = *text,
                           .pattern = p->tables.bytes,
                           .n = s->n,
                           .m = p->longest,
                           .starts = s->starts,
                           .bits = 8,
                           .fold = p->fold,
                           .positions = s->positions,
                           .count = one,
                           .counts = ww_none};
    WW_TRY(ww__find(device, &f));
    for (uint64_t i = 0; i < ww__min_u64(total, s->numbers.count); i++)
        if (s->numbers.size == sizeof(uint32_t))
            ((uint32_t *)s->numbers.data)[i] = 0;
        else
            ((uint64_t *)s->numbers.data)[i] = 0;
    return ww__put_count(device, count, total);
}

ww_status ww__many(ww_device *device, const ww_input *text, const ww__searching *search, const ww_array *count) {
    ww__searching s = *search;
    const void *memory;
    uint64_t total;
    if (!s.starts) return ww__put_count(device, count, 0);
    if (device->backend == WW__BACKEND_CPU && s.patterns->count == 1)
        return find_alone(device, s.patterns, text, &s, count);
    WW_TRY(ww__text_in_memory(device, text, &memory));
    s.text = memory;
    if (device->backend == WW__BACKEND_GPU) return ww__many_gpu(device, &s, NULL, count);
    WW_TRY(ww__many_cpu(device, &s, 0, &total));
    return ww__put_count(device, count, total);
}

static ww_status find_many(const ww_patterns *p, const ww_input *text, const ww_array *positions,
                           const ww_array *numbers, const ww_array *count) {
    ww_device *const device = p->device;
    WW_TRY(ww__many_check(p, text, text->count ? text->count - 1 : 0, text->count, positions, numbers, count));
    const ww__searching s = {.patterns = p,
                             .n = text->count,
                             .starts = ww__starts_of(p, text->count),
                             .positions = *positions,
                             .numbers = *numbers};
    return ww__many(device, text, &s, count);
}

ww_status ww_find_many(ww_patterns *patterns, ww_input text, ww_array positions, ww_array numbers, ww_array count) {
    if (!patterns) return WW_INVALID;
    WW_CALL(patterns->device, "ww_find_many", find_many(patterns, &text, &positions, &numbers, &count), WW_READS(&text),
            WW_WRITES_FIRST(&positions, &count), WW_WRITES_FIRST(&numbers, &count));
}

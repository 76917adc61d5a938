/* ww_find, ww_find_first, ww_find_last and ww_find_texts: the checks, and the choice of the method and the machine. */
#include "device/call.h"
#include "device/options.h"
#include "device/paper.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "text/sides.h"

typedef unsigned long long ull;

/* ---- methods ---- */

typedef ww_status find_all(ww_device *device, const ww__finding *f);

static ww_status find_on_machine(ww_device *device, const ww__finding *f) {
    return device->backend == WW__BACKEND_GPU ? ww__find_gpu(device, f) : ww__find_cpu(device, f);
}

static const struct {
    ww_find_method method;
    const char *name;
    bool packed;     /* takes packed texts */
    unsigned window; /* bits that a pattern may have; 0: any */
    find_all *find;
} methods[] = {{WW_FIND_AUTO, "auto", true, 0, find_on_machine},
               {WW_FIND_SERIAL, "serial", false, 0, find_on_machine},
               {WW_FIND_COOPERATIVE, "cooperative", false, 0, ww__find_by_scans},
               {WW_FIND_RECURRENCE, "recurrence", false, 0, ww__find_by_scans},
               {WW_FIND_DIVIDE, "divide", true, 0, find_on_machine},
               {WW_FIND_DIVIDE32, "divide32", true, 32, find_on_machine},
               {WW_FIND_DIVIDE64, "divide64", true, 64, find_on_machine},
               {WW_FIND_HYBRID, "hybrid", false, 0, find_on_machine},
               {WW_FIND_TWOSTAGE, "twostage", false, 0, find_on_machine}};
enum { METHODS = sizeof methods / sizeof *methods };

static size_t method_of(ww_find_method method) {
    size_t m = 0;
    while (m < METHODS && methods[m].method != method) m++;
    return m;
}

const char *ww__find_method_name(ww_find_method method) { return methods[method_of(method)].name; }

ww_status ww__find(ww_device *device, const ww__finding *f) { return methods[method_of(f->method)].find(device, f); }

/* ---- checks ---- */

ww_status ww__find_check_options(ww_device *device, const ww_find_options *options, ww__finding *f) {
    ww_find_options o;
    WW_TRY(ww__take_options(device, options, "WW_FIND_OPTIONS", &o, sizeof o));
    const size_t m = method_of(o.method);
    WW_CHECK(device, m < METHODS, WW_INVALID, "there is no find method %d", (int)o.method);
    WW_CHECK(device, o.alphabet_bits <= 8, WW_INVALID, "alphabet_bits is %u, and can be 1 to 8", o.alphabet_bits);
    f->bits = o.alphabet_bits ? o.alphabet_bits : 8;
    f->method = (ww_find_method)o.method;
    f->fold = o.fold;
    f->packed = o.packed;
    WW_CHECK(device, o.packed || !o.characters, WW_INVALID, "characters is %llu, and the text is not packed",
             (ull)o.characters);
    if (!o.packed) return WW_OK;
    WW_CHECK(device, f->bits <= 4 && f->bits != 3, WW_INVALID, "characters of %u bits are not packed; 1, 2 and 4 are",
             f->bits);
    WW_CHECK(device, !o.fold, WW_INVALID, "packed characters have no case to fold");
    WW_CHECK(device, methods[m].packed, WW_INVALID, "method %s takes no packed text", methods[m].name);
    f->n = o.characters;
    return WW_OK;
}

ww_status ww__find_check_pattern(ww_device *device, const void *pattern, uint64_t count, uint64_t most,
                                 ww__finding *f) {
    const unsigned char *const given = pattern;
    unsigned char *folded;
    WW_CHECK(device, count, WW_INVALID, "the pattern is empty");
    WW_CHECK(device, pattern, WW_INVALID, "the pattern is NULL, and has %llu characters", (ull)count);
    WW_CHECK(device, count <= most, WW_LIMIT, "the pattern has %llu characters, and can have %llu", (ull)count,
             (ull)most);
    for (uint64_t i = 0; i < count && f->bits < 8; i++)
        WW_CHECK(device, given[i] >> f->bits == 0, WW_INVALID, "pattern[%llu] is %u, no character of %u bits", (ull)i,
                 given[i], f->bits);
    const unsigned window = methods[method_of(f->method)].window;
    WW_CHECK(device, !window || count <= window / f->bits, WW_LIMIT,
             "method %s takes patterns of up to %u characters of %u bits, and this one has %llu",
             ww__find_method_name(f->method), window / f->bits, f->bits, (ull)count);
    f->pattern = given;
    f->m = count;
    if (!f->fold) return WW_OK;
    WW_TRY(ww__host_scratch(device, (size_t)count, &folded));
    if (ww__is_paper(folded)) return WW_OK; /* a CPU's memory does not depend on what the pattern is */
    for (uint64_t i = 0; i < count; i++) folded[i] = ww__folded(given[i]);
    f->pattern = folded;
    return WW_OK;
}

/* After options and pattern. */
ww_status ww__find_check_text(ww_device *device, ww__finding *f) {
    WW_TRY(ww__check_input(device, "text", &f->text));
    WW_CHECK(device, f->text.type == &ww_type_uint8_t || f->text.type == &ww_type_int8_t, WW_TYPE,
             "text is of type %s, not of bytes", f->text.type->label);
    uint64_t held = f->text.count;
    if (f->packed) {
        const unsigned to_a_byte = 8 / f->bits;
        WW_CHECK(device, !__builtin_mul_overflow(held, (uint64_t)to_a_byte, &held), WW_LIMIT,
                 "text has %llu bytes of %u characters each", (ull)f->text.count, to_a_byte);
    }
    WW_CHECK(device, f->n <= held, WW_INVALID, "characters is %llu, and the text holds %llu", (ull)f->n, (ull)held);
    if (!f->n) f->n = held;
    f->starts = f->n >= f->m ? f->n - f->m + 1 : 0;
    return WW_OK;
}

ww_status ww__find_check_positions(ww_device *device, const ww__finding *f) {
    if (!ww__is_none(&f->positions)) {
        WW_TRY(ww__check_counts(device, "positions", &f->positions, f->n ? f->n - 1 : 0));
        WW_TRY(ww__check_apart(device, "text", &f->text, "positions", &f->positions, WW__APART));
    }
    WW_TRY(ww__check_one(device, "count", &f->count));
    WW_TRY(ww__check_counts(device, "count", &f->count, f->n));
    WW_TRY(ww__check_apart(device, "text", &f->text, "count", &f->count, WW__APART));
    return ww__check_outputs_apart(device, "positions", &f->positions, "count", &f->count);
}

static ww_status check(ww_device *device, const void *pattern, uint64_t pattern_count, const ww_find_options *options,
                       ww__finding *f) {
    WW_TRY(ww__find_check_options(device, options, f));
    WW_TRY(ww__find_check_pattern(device, pattern, pattern_count, WW_PATTERN_MOST, f));
    return ww__find_check_text(device, f);
}

static ww_status find_one(ww_device *device, const void *pattern, uint64_t pattern_count,
                          const ww_find_options *options, ww__finding *f) {
    WW_TRY(check(device, pattern, pattern_count, options, f));
    WW_CHECK(device, f->method == WW_FIND_AUTO, WW_INVALID,
             "there is one way to find the first or last, and options.method is %s", ww__find_method_name(f->method));
    WW_TRY(ww__check_one(device, "position", &f->count));
    WW_CHECK(device, f->count.type == &ww_type_uint64_t, WW_INVALID, "position is of type %s, not u64",
             f->count.type->label);
    WW_TRY(ww__check_apart(device, "text", &f->text, "position", &f->count, WW__APART));
    return ww__find(device, f);
}

static ww_status find(ww_device *device, const void *pattern, uint64_t pattern_count, const ww_find_options *options,
                      ww__finding *f) {
    WW_TRY(check(device, pattern, pattern_count, options, f));
    WW_TRY(ww__find_check_positions(device, f));
    return ww__find(device, f);
}

static ww_status find_texts(ww_device *device, const void *pattern, uint64_t pattern_count,
                            const ww_find_options *options, ww__finding *f) {
    WW_TRY(ww__check_index(device, "offsets", f->offsets));
    WW_CHECK(device, f->offsets->count, WW_INVALID, "offsets is empty, and has one more than there are texts");
    WW_TRY(check(device, pattern, pattern_count, options, f));
    WW_CHECK(device, !f->packed, WW_INVALID, "several texts are not packed");
    WW_TRY(ww__find_check_positions(device, f));
    WW_TRY(ww__check_apart(device, "offsets", f->offsets, "positions", &f->positions, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", f->offsets, "count", &f->count, WW__APART));
    if (!ww__is_none(&f->counts)) {
        WW_TRY(ww__check_counts(device, "counts", &f->counts, f->n));
        WW_CHECK(device, f->counts.count == f->offsets->count - 1, WW_INVALID,
                 "counts has %llu elements for %llu texts", (ull)f->counts.count, (ull)(f->offsets->count - 1));
        WW_TRY(ww__check_apart(device, "text", &f->text, "counts", &f->counts, WW__APART));
        WW_TRY(ww__check_apart(device, "offsets", f->offsets, "counts", &f->counts, WW__APART));
        WW_TRY(ww__check_outputs_apart(device, "positions", &f->positions, "counts", &f->counts));
        WW_TRY(ww__check_outputs_apart(device, "counts", &f->counts, "count", &f->count));
    }
    return ww__find(device, f);
}

/* ---- the text ---- */

ww_status ww__text_in_memory(ww_device *device, const ww_input *text, const void **memory) {
    ww_array stored;
    if (device->backend == WW__BACKEND_CPU) return ww__input_in_memory(device, text, memory);
    *memory = NULL;
    if (!text->count) return WW_OK;
    WW_TRY(ww__stored(device, text, &stored));
    *memory = stored.data;
    return WW_OK;
}

/* ---- calls ---- */

ww_status ww_find(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count, ww_array positions,
                  ww_array count, const ww_find_options *options) {
    ww__finding f = {.text = text, .positions = positions, .count = count, .counts = ww_none};
    WW_CALL(device, "ww_find", find(device, pattern, pattern_count, options, &f), WW_READS(&f.text),
            WW_WRITES_FIRST(&f.positions, &count));
}

ww_status ww_find_first(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count,
                        ww_array position, const ww_find_options *options) {
    ww__finding f = {.text = text, .want = WW__FIND_FIRST, .positions = ww_none, .count = position, .counts = ww_none};
    WW_CALL(device, "ww_find_first", find_one(device, pattern, pattern_count, options, &f), WW_READS(&f.text));
}

ww_status ww_find_last(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count, ww_array position,
                       const ww_find_options *options) {
    ww__finding f = {.text = text, .want = WW__FIND_LAST, .positions = ww_none, .count = position, .counts = ww_none};
    WW_CALL(device, "ww_find_last", find_one(device, pattern, pattern_count, options, &f), WW_READS(&f.text));
}

ww_status ww_find_texts(ww_device *device, ww_input text, ww_input offsets, const void *pattern, uint64_t pattern_count,
                        ww_array positions, ww_array counts, ww_array count, const ww_find_options *options) {
    ww__finding f = {.text = text, .positions = positions, .count = count, .offsets = &offsets, .counts = counts};
    WW_CALL(device, "ww_find_texts", find_texts(device, pattern, pattern_count, options, &f), WW_READS(&offsets),
            WW_READS(&f.text), WW_WRITES_FIRST(&f.positions, &count), WW_WRITES(&f.counts));
}

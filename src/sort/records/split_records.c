/* ww_split8, ww_split_bits and the indexes of both: records by a field of their bits.
 *
 * Up to 8 bits, a multisplit: of the records themselves where they are numbers of the machine's, by their bits; else a
 * launch reads the field of every record into a label, labels are split as keys, and records (or positions) are their values.
 *
 * More bits, a sort from the lowest 64 of them on: a launch reads 64 bits of every record, in the order so far, as a number;
 * the numbers are sorted with the positions that are that order. Then records are gathered by the positions. */
#include "device/call.h"
#include "function/types.h"
#include "multisplit/multisplit.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "sort/sort.h"

typedef unsigned long long ull;

enum { RECORD_MOST = 65536, LABEL_BITS = 8, DIGIT_BITS = 64, OFFSETS_BITS = 30 };

/* out[i] = up to 64 bits of the record at order[i] (of record i, where there is no order), as a number. */
WW_STRUCT(field, {
    const unsigned char *records;
    const uint32_t *order;
    const uint64_t *order_wide;
    unsigned char *out;
    uint64_t size;
    uint64_t mask;
    uint64_t byte;
    uint32_t bytes;
    uint32_t shift;
});

/* The field lies in `bytes` bytes (up to 9) from `byte` on, of which `shift` bits come before it. */
#define READ_FIELD(T) \
    WW_KERNEL(read_field_##T, field, f, rank, { \
        const uint64_t at = f->order ? f->order[rank] : f->order_wide ? f->order_wide[rank] : rank; \
        const unsigned char *from = f->records + at * f->size + f->byte; \
        uint64_t bits = 0; \
        for (uint32_t k = 0; k < f->bytes && k < 8; k++) bits |= (uint64_t)from[k] << 8 * k; \
        bits >>= f->shift; \
        if (f->bytes > 8) bits |= (uint64_t)from[8] << (64 - f->shift); \
        ((T *)f->out)[rank] = (T)(bits & f->mask); \
    });
READ_FIELD(uint8_t)
READ_FIELD(uint16_t)
READ_FIELD(uint32_t)
READ_FIELD(uint64_t)

typedef struct request {
    ww_device *device;
    uint64_t bit_first, bit_count;
    ww_input in;
    ww_array out, index_out, offsets; /* records go to one of the first two */
} request;

/* ---- checks ---- */

static ww_status check_offsets(const request *r) {
    ww_device *device = r->device;
    WW_CHECK(device, r->bit_count <= OFFSETS_BITS, WW_INVALID, "there are offsets of up to %d bits, not of %llu",
             OFFSETS_BITS, (ull)r->bit_count);
    WW_TRY(ww__check_counts(device, "offsets", &r->offsets, r->in.count));
    WW_CHECK(device, r->offsets.count == ((uint64_t)1 << r->bit_count) + 1, WW_INVALID,
             "offsets has %llu elements, and %llu buckets have %llu", (ull)r->offsets.count, 1ull << r->bit_count,
             (1ull << r->bit_count) + 1);
    return ww__check_apart(device, "in", &r->in, "offsets", &r->offsets, WW__APART);
}

static ww_status check_in(const request *r) {
    const ww_input *in = &r->in;
    WW_CHECK(r->device, !in->type || in->problem || (in->size >= 1 && in->size <= RECORD_MOST), WW_INVALID,
             "in has records of %zu bytes; they can have 1 to %d", in->size, RECORD_MOST);
    return ww__check_input(r->device, "in", in);
}

/* `name`: the output beside offsets. */
static ww_status check(const request *r, const char *name, const ww_array *out) {
    ww_device *device = r->device;
    const ww_input *in = &r->in;
    const uint64_t bits = 8 * (uint64_t)in->size;
    WW_CHECK(device, r->bit_count <= bits && r->bit_first <= bits - r->bit_count, WW_INVALID,
             "%llu bits from bit %llu on are not in records of %llu bits", (ull)r->bit_count, (ull)r->bit_first,
             (ull)bits);
    WW_CHECK(device, in->count == out->count, WW_INVALID, "in has %llu elements, %s %llu", (ull)in->count, name,
             (ull)out->count);
    WW_TRY(ww__check_apart(device, "in", in, name, out, WW__APART));
    if (ww__is_none(&r->offsets)) return WW_OK;
    WW_TRY(check_offsets(r));
    return ww__check_outputs_apart(device, name, out, "offsets", &r->offsets);
}

static ww_status check_out(const request *r) {
    WW_TRY(check_in(r));
    WW_TRY(ww__check_array(r->device, "out", &r->out));
    WW_TRY(ww__check_same_type(r->device, "in", r->in.type, r->in.size, "out", r->out.type, r->out.size));
    return check(r, "out", &r->out);
}

static ww_status check_index(const request *r) {
    WW_TRY(check_in(r));
    WW_TRY(ww__check_counts(r->device, "index_out", &r->index_out, r->in.count ? r->in.count - 1 : 0));
    return check(r, "index_out", &r->index_out);
}

/* ---- fields as numbers ---- */

static const ww_function *reader_of(const ww_type *type) {
    return type->size == 1   ? &read_field_uint8_t_ww
           : type->size == 2 ? &read_field_uint16_t_ww
           : type->size == 4 ? &read_field_uint32_t_ww
                             : &read_field_uint64_t_ww;
}

/* `count` bits (up to 64) from bit `first` on of each record, in the order of `positions` if that has a type. */
static ww_status read_fields(const request *r, const ww_array *records, uint64_t first, uint64_t count,
                             const ww_array *positions, const ww_array *out) {
    const bool wide = positions->type == &ww_type_uint64_t;
    const field f = {.records = records->data,
                     .order = wide ? NULL : positions->data,
                     .order_wide = wide ? positions->data : NULL,
                     .out = out->data,
                     .size = records->size,
                     .mask = count ? UINT64_MAX >> (64 - count) : 0,
                     .byte = first / 8,
                     .bytes = (uint32_t)((first % 8 + count + 7) / 8),
                     .shift = (uint32_t)(first % 8)};
    const ww_function *reader = reader_of(out->type), with = ww_bound(reader, &f, 1, reader->environment);
    return ww__launch(r->device, &(ww__launch_request){&with, records->count, NULL});
}

/* ---- up to 8 bits ---- */

/* Records that are numbers, or can be taken for some; else false. */
static bool as_numbers(const request *r, ww__splitting *s) {
    static const ww_type *const types[] = {
        &ww_type_uint8_t,
        &ww_type_uint16_t,
        &ww_type_uint32_t,
        &ww_type_uint64_t,
#if WW_HAS_U128
        &ww_type_ww_u128,
#endif
    };
    const void *memory = ww__input_memory(&r->in);
    s->keys = r->in;
    s->keys_out = r->out;
    if (r->in.type->kind == WW_KIND_UNSIGNED || r->in.type->kind == WW_KIND_SIGNED) return true;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const uintptr_t places = (uintptr_t)memory | (uintptr_t)r->out.data;
        if (types[t]->size != r->in.size || !memory || places % types[t]->alignment) continue;
        s->keys = ww_memory_of(memory, r->in.count, types[t]);
        s->keys_out = ww_array_of(r->out.data, r->in.count, types[t]);
        return true;
    }
    return false;
}

static ww_status split_numbers(const request *r, ww__splitting *s) {
    const ww_bits bits = {r->bit_count ? (uint32_t)r->bit_first : 0, (uint32_t)r->bit_count};
    const ww_function *map = ww__bucket_map(&ww_by_bits, s->keys.type, s->keys.size);
    const ww_function with = ww_bound(map, &bits, 1, &ww_bits_ww);
    s->by.map = &with;
    s->by.asked = ww_with(ww_by_bits, &bits);
    return ww__multisplit(r->device, s);
}

/* Splits the records' labels, with records or with their positions as values. */
static ww_status split_labels(const request *r, ww__splitting *s) {
    const uint64_t n = r->in.count;
    const ww_array unordered = {.data = NULL};
    ww_array records, labels = ww_array_of(NULL, n, &ww_type_uint8_t);
    s->keys_out = labels;
    WW_TRY(ww__stored(r->device, &r->in, &records));
    WW_TRY(ww__scratch(r->device, n, &labels.data));
    WW_TRY(ww__scratch(r->device, n, &s->keys_out.data));
    WW_TRY(read_fields(r, &records, r->bit_first, r->bit_count, &unordered, &labels));
    const bool moves = !ww__is_none(&r->out);
    s->keys = ww_from(labels);
    s->values = moves ? ww_from(records) : ww_counting(r->index_out.type, 0, n);
    s->values_out = moves ? r->out : r->index_out;
    s->by.map = ww__bucket_map(&ww_by_number, labels.type, labels.size);
    s->by.asked = &ww_by_number;
    return ww__multisplit(r->device, s);
}

/* ---- more bits ---- */

/* Sorts positions by one digit of their records, which `digits` has room for; the first digit finds positions counted up,
 * which `positions` has room for. */
static ww_status sort_digit(const request *r, const ww_array *records, uint64_t done, uint64_t bits,
                            const ww_array *positions, const ww_array *digits) {
    const uint64_t n = r->in.count;
    const ww_array unordered = {.data = NULL};
    WW_TRY(read_fields(r, records, r->bit_first + done, bits, done ? positions : &unordered, digits));
    const ww__sorting sorting = {.keys = ww_from(*digits),
                                 .values = done ? ww_from(*positions) : ww_counting(positions->type, 0, n),
                                 .keys_out = *digits,
                                 .values_out = *positions,
                                 .bit_count = (unsigned)bits};
    const ww__scratch_mark mark = ww__scratch_here(r->device);
    WW_TRY(ww__sort(r->device, &sorting));
    ww__scratch_back(r->device, &mark);
    return WW_OK;
}

static ww_status sort_records(const request *r, ww__splitting *s) {
    const uint64_t n = r->in.count;
    const bool moves = !ww__is_none(&r->out);
    const ww_type *const digit = r->bit_count <= 16   ? &ww_type_uint16_t
                                 : r->bit_count <= 32 ? &ww_type_uint32_t
                                                      : &ww_type_uint64_t;
    ww_array records, digits = ww_array_of(NULL, n, digit), positions = r->index_out;
    WW_TRY(ww__stored(r->device, &r->in, &records));
    WW_TRY(ww__scratch_array(r->device, n, digit->size, &digits.data));
    if (moves) {
        positions = ww_array_of(NULL, n, ww__position_type(n));
        WW_TRY(ww__scratch_array(r->device, n, positions.size, &positions.data));
    }
    /* One record has an order after any digit; its index may go to memory that only the host reaches. */
    const uint64_t all = n == 1 ? ww__min_u64(r->bit_count, DIGIT_BITS) : r->bit_count;
    for (uint64_t done = 0; done < all; done += DIGIT_BITS)
        WW_TRY(sort_digit(r, &records, done, ww__min_u64(all - done, DIGIT_BITS), &positions, &digits));
    const ww_input labels = ww_from(digits), order = ww_from(positions);
    if (!moves) return ww__is_none(&s->offsets) ? WW_OK : ww__multisplit_offsets(s, &labels);
    s->keys = ww_from(records);
    s->keys_out = r->out;
    return ww__multisplit_gather(s, &labels, &order);
}

/* ---- the functions ---- */

static ww_status run(const request *r) {
    ww__splitting s = {.device = r->device, .offsets = r->offsets};
    if (r->bit_count <= OFFSETS_BITS) s.by.buckets = (uint64_t)1 << r->bit_count;
    if (!r->in.count) return ww__multisplit(r->device, &s);
    if (r->bit_count > LABEL_BITS) return sort_records(r, &s);
    return !ww__is_none(&r->out) && as_numbers(r, &s) ? split_numbers(r, &s) : split_labels(r, &s);
}

static ww_status split_out(const request *r) {
    WW_TRY(check_out(r));
    return run(r);
}

static ww_status split(ww_device *device, const char *call, uint64_t bit_first, uint64_t bit_count, const ww_input *in,
                       const ww_array *out, const ww_array *offsets) {
    request r = {device, bit_first, bit_count, *in, *out, ww_none, *offsets};
    WW_CALL(device, call, split_out(&r), WW_READS(&r.in), WW_WRITES(&r.out), WW_WRITES(&r.offsets));
}

ww_status ww_split8(ww_device *device, uint64_t bit_first, ww_input in, ww_array out, ww_array offsets) {
    return split(device, "ww_split8", bit_first, 8, &in, &out, &offsets);
}

ww_status ww_split8_unstable(ww_device *device, uint64_t bit_first, ww_input in, ww_array out, ww_array offsets) {
    return split(device, "ww_split8_unstable", bit_first, 8, &in, &out, &offsets);
}

ww_status ww_split_bits(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in, ww_array out,
                        ww_array offsets) {
    return split(device, "ww_split_bits", bit_first, bit_count, &in, &out, &offsets);
}

static ww_status gather_index(const request *r) {
    WW_TRY(check_index(r));
    return run(r);
}

ww_status ww_split_gather_index(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in,
                                ww_array index_out, ww_array offsets) {
    request r = {device, bit_first, bit_count, in, ww_none, index_out, offsets};
    WW_CALL(device, "ww_split_gather_index", gather_index(&r), WW_READS(&r.in), WW_WRITES(&r.index_out),
            WW_WRITES(&r.offsets));
}

/* The gather index in scratch memory says where each record is; its inverse where each goes. */
static ww_status scatter_index(const request *r) {
    const ww_array index_out = r->index_out;
    request gathered = *r;
    const uint64_t n = r->in.count;
    const ww_input places = ww_counting(index_out.type, 0, n);
    WW_TRY(check_index(r));
    if (n) WW_TRY(ww__scratch_array(r->device, n, index_out.size, &gathered.index_out.data));
    WW_TRY(run(&gathered));
    const ww_input order = ww_from(gathered.index_out);
    if (!n) return WW_OK;
    return ww__scatter(r->device, &(ww__scatter_request){&places, &order, &index_out, WW_CONFLICT_ANY, NULL});
}

ww_status ww_split_scatter_index(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in,
                                 ww_array index_out, ww_array offsets) {
    request r = {device, bit_first, bit_count, in, ww_none, index_out, offsets};
    WW_CALL(device, "ww_split_scatter_index", scatter_index(&r), WW_READS(&r.in), WW_WRITES(&r.index_out),
            WW_WRITES(&r.offsets));
}

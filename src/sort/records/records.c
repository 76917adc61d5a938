/* ww_sort_records and ww_sort_records_index: elements by a part of their bytes (the sort of long keys and
 * large records in Patidar and Narayanan, Scalable Split and Gather Primitives for the GPU, 2009, section 5.1: an index, then
 * a gather).
 *
 * The part is read as a big-endian number, which is in memcmp's order, and the numbers are sorted with the records as values,
 * or with their positions, by which records that were not moved are gathered. A part of more than 16 bytes is sorted from its
 * end to its beginning, 16 bytes at a time: stable sorts of positions, in the order so far. Records that are numbers' size and
 * nothing but key are made numbers, sorted, and made bytes again: equal ones cannot be told apart. */
#include "sort/records/records.h"
#include "device/call.h"
#include "function/check.h"
#include "function/types.h"
#include "multisplit/multisplit.h"
#include "primitive/map/map.h"
#include "sort/by_position.h"
#include "sort/records/read_keys.h"
#include "sort/sort.h"

typedef unsigned long long ull;

enum { RECORD_MOST = 65536 };

typedef struct request {
    ww_device *device;
    uint64_t key_first, key_bytes;
    ww_input in;
    bool indexes; /* to index_out; else records to out */
    ww_array out, index_out;
    bool descending;
} request;

static bool on_gpu(const request *r) { return r->device->backend == WW__BACKEND_GPU; }

/* ---- checks ---- */

static ww_status check_size(ww_device *device, size_t size) {
    WW_CHECK(device, size >= 1 && size <= RECORD_MOST, WW_INVALID, "in has records of %zu bytes; they can have 1 to %d",
             size, RECORD_MOST);
    return WW_OK;
}

static ww_status check_key(ww_device *device, uint64_t first, uint64_t bytes, size_t size) {
    WW_CHECK(device, bytes, WW_INVALID, "key_bytes is 0");
    WW_CHECK(device, bytes <= size && first <= size - bytes, WW_INVALID,
             "a key of %llu bytes from byte %llu on is not in records of %zu bytes", (ull)bytes, (ull)first, size);
    return WW_OK;
}

static ww_status check_in(const request *r) {
    const ww_input *in = &r->in;
    if (in->type && !in->problem) WW_TRY(check_size(r->device, in->size));
    WW_TRY(ww__check_input(r->device, "in", in));
    return check_key(r->device, r->key_first, r->key_bytes, in->size);
}

static ww_status check_out(const request *r) {
    WW_TRY(ww__check_array(r->device, "out", &r->out));
    WW_TRY(ww__check_same_type(r->device, "in", r->in.type, r->in.size, "out", r->out.type, r->out.size));
    WW_CHECK(r->device, r->in.count == r->out.count, WW_INVALID, "in has %llu elements, out %llu", (ull)r->in.count,
             (ull)r->out.count);
    return ww__check_apart(r->device, "in", &r->in, "out", &r->out, WW__SAME_ALLOWED);
}

static ww_status check_index(const request *r) {
    WW_TRY(ww__check_counts(r->device, "index_out", &r->index_out, r->in.count ? r->in.count - 1 : 0));
    WW_CHECK(r->device, r->in.count == r->index_out.count, WW_INVALID, "in has %llu elements, index_out %llu",
             (ull)r->in.count, (ull)r->index_out.count);
    return ww__check_apart(r->device, "in", &r->in, "index_out", &r->index_out, WW__APART);
}

static ww_status check_options(request *r, const ww_sort_options *options) {
    ww_sort_options o;
    WW_TRY(ww__sort_take_options(r->device, options, &o));
    WW_CHECK(r->device, o.method == WW_SORT_AUTO && !o.bit_first && !o.bit_count && !o.digit_bits, WW_INVALID,
             "records are sorted by no named method and no bit range; of the options only descending may be set");
    r->descending = o.descending;
    return WW_OK;
}

/* ---- keys as numbers ---- */

static const ww_type *number_of(uint64_t bytes) {
    return bytes == 1   ? &ww_type_uint8_t
           : bytes == 2 ? &ww_type_uint16_t
           : bytes <= 4 ? &ww_type_uint32_t
           : bytes <= 8 ? &ww_type_uint64_t
#if WW_HAS_U128
                        : &ww_type_ww_u128;
#else
                        : NULL;
#endif
}

/* `bytes` bytes of the key, from byte `first` of the record on, in the order of `positions` if that has data. */
static ww_status read_keys(const request *r, const void *records, uint64_t first, uint64_t bytes,
                           const ww_array *positions, const ww_array *numbers) {
    const ww__key_reading reading = {.records = records,
                                     .count = r->in.count,
                                     .size = r->in.size,
                                     .first = first,
                                     .bytes = (size_t)bytes,
                                     .order = *positions,
                                     .out = numbers->data,
                                     .number_size = numbers->size};
    return on_gpu(r) ? ww__read_keys_gpu(r->device, &reading) : ww__read_keys_cpu(r->device, &reading);
}

/* Sorts numbers in place, by the lowest 8 * bytes of their bits. */
static ww_status sort_numbers(const request *r, const ww_array *numbers, uint64_t bytes, const ww_input *values,
                              const ww_array *values_out) {
    const ww__sorting s = {.keys = ww_from(*numbers),
                           .values = *values,
                           .keys_out = *numbers,
                           .values_out = *values_out,
                           .bit_count = (unsigned)(8 * bytes),
                           .descending = r->descending};
    return ww__sort(r->device, &s);
}

static ww_status numbers_room(const request *r, uint64_t bytes, ww_array *numbers) {
    *numbers = ww_array_of(NULL, r->in.count, number_of(bytes));
    return ww__scratch_array(r->device, numbers->count, numbers->size, &numbers->data);
}

/* ---- the three ways ---- */

static bool is_all_key(const request *r) {
    const size_t size = r->in.size;
    return !r->indexes && r->key_bytes == size && size <= WW__READ_MOST && !(size & (size - 1)) &&
           (uintptr_t)r->out.data % size == 0;
}

static ww_status sort_as_numbers(const request *r, const void *records) {
    const ww_array numbers = ww_array_of(r->out.data, r->in.count, number_of(r->key_bytes)), unordered = {.data = NULL};
    const ww_input no_values = ww_no_input;
    const ww_array nothing = ww_none;
    WW_TRY(read_keys(r, records, 0, r->key_bytes, &unordered, &numbers));
    WW_TRY(sort_numbers(r, &numbers, r->key_bytes, &no_values, &nothing));
    return r->key_bytes == 1 ? WW_OK : read_keys(r, numbers.data, 0, r->key_bytes, &unordered, &numbers);
}

static ww_status sort_by_number(const request *r, const ww_array *records) {
    const ww_array unordered = {.data = NULL};
    ww_array numbers;
    WW_TRY(numbers_room(r, r->key_bytes, &numbers));
    WW_TRY(read_keys(r, records->data, r->key_first, r->key_bytes, &unordered, &numbers));
    const ww_input in = ww_from(*records), counted = ww_counting(r->index_out.type, 0, r->in.count);
    return r->indexes ? sort_numbers(r, &numbers, r->key_bytes, &counted, &r->index_out)
                      : sort_numbers(r, &numbers, r->key_bytes, &in, &r->out);
}

static ww_status sort_positions(const request *r, const ww_array *records, const ww_array *positions) {
    const ww_array unordered = {.data = NULL};
    const ww_input counted = ww_counting(positions->type, 0, r->in.count), so_far = ww_from(*positions);
    ww_array numbers;
    WW_TRY(numbers_room(r, WW__READ_MOST, &numbers));
    for (uint64_t end = r->key_bytes, begin; end > 0; end = begin) {
        begin = end > WW__READ_MOST ? end - WW__READ_MOST : 0;
        const bool last = end == r->key_bytes; /* the key's last bytes come first */
        const ww_array piece = ww_array_of(numbers.data, r->in.count, number_of(end - begin));
        const ww__scratch_mark mark = ww__scratch_here(r->device);
        WW_TRY(read_keys(r, records->data, r->key_first + begin, end - begin, last ? &unordered : positions, &piece));
        WW_TRY(sort_numbers(r, &piece, end - begin, last ? &counted : &so_far, positions));
        ww__scratch_back(r->device, &mark);
    }
    return WW_OK;
}

static ww_status sort_by_pieces(const request *r, ww_array *records) {
    ww_array positions = r->index_out;
    ww__splitting gather = {.device = r->device, .keys = ww_from(*records), .keys_out = r->out};
    if (r->indexes) return sort_positions(r, records, &positions);
    positions = ww_array_of(NULL, r->in.count, ww__position_type(r->in.count));
    WW_TRY(ww__scratch_array(r->device, positions.count, positions.size, &positions.data));
    WW_TRY(sort_positions(r, records, &positions));
    if (records->data == r->out.data) {
        WW_TRY(ww__scratch_array(r->device, records->count, records->size, &records->data));
        WW_TRY(ww__sort_store(r->device, &gather.keys, records));
        gather.keys = ww_from(*records);
    }
    const ww_input order = ww_from(positions);
    return ww__multisplit_gather(&gather, NULL, &order);
}

/* One record is in order; its output may be memory that only the host reaches. */
static ww_status store_one(const request *r) {
    const ww_input position = ww_counting(r->index_out.type, 0, 1);
    const ww_input *in = r->indexes ? &position : &r->in;
    const ww_array *out = r->indexes ? &r->index_out : &r->out;
    return ww__sort_store(r->device, in, out);
}

static ww_status run(const request *r) {
    ww_array records;
    if (!r->in.count) return WW_OK;
    if (r->in.count == 1) return store_one(r);
    WW_TRY(ww__stored(r->device, &r->in, &records));
    return is_all_key(r)                   ? sort_as_numbers(r, records.data)
           : r->key_bytes <= WW__READ_MOST ? sort_by_number(r, &records)
                                           : sort_by_pieces(r, &records);
}

/* ---- the functions ---- */

ww_status ww__sort_records_check(ww_device *device, uint64_t key_first, uint64_t key_bytes, size_t size,
                                 const ww_sort_options *options) {
    request r = {.device = device};
    WW_TRY(check_size(device, size));
    WW_TRY(check_key(device, key_first, key_bytes, size));
    return check_options(&r, options);
}

ww_status ww__sort_records(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_array records,
                           bool descending) {
    const request r = {device, key_first, key_bytes, ww_from(records), false, records, ww_none, descending};
    return run(&r);
}

static ww_status sort_records(request *r, const ww_sort_options *options) {
    WW_TRY(check_in(r));
    WW_TRY(r->indexes ? check_index(r) : check_out(r));
    WW_TRY(check_options(r, options));
    return run(r);
}

ww_status ww_sort_records(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_input in, ww_array out,
                          const ww_sort_options *options) {
    request r = {device, key_first, key_bytes, in, false, out, ww_none, false};
    WW_CALL(device, "ww_sort_records", sort_records(&r, options), WW_READS(&r.in), WW_WRITES(&r.out));
}

ww_status ww_sort_records_index(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_input in,
                                ww_array index_out, const ww_sort_options *options) {
    request r = {device, key_first, key_bytes, in, true, ww_none, index_out, false};
    WW_CALL(device, "ww_sort_records_index", sort_records(&r, options), WW_READS(&r.in), WW_WRITES(&r.index_out));
}

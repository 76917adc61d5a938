/* ww_sort_columns, made of maps, sorts and gathers.
 *
 * Columns that fit are laid side by side in one key, computed as the sort reads it. Those that do not are sorted in groups from the
 * last to the first: each group's columns are gathered by the positions so far, and these go with the group's key through a
 * stable sort. */
#include "device/call.h"
#include "function/check.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "sort/columns/key.h"
#include "sort/sort.h"
#include "warpwise/sort_columns.h"

typedef unsigned long long ull;

enum { MOST = WW_SORT_COLUMNS_MOST, GROUP_BITS = 64 };

/* The call's own copies of what it was given, which staging turns to copies of the arrays. */
typedef struct request {
    ww_sort_column column[MOST];
    ww_carried_column carried[MOST];
    ww_array index;
    size_t columns, carries;
    uint64_t n;
    ww__key_place place[MOST];
} request;

/* ---- checks ---- */

static ww_status check_output(ww_device *device, const request *r, const char *name, const ww_array *out) {
    if (ww__is_none(out)) return WW_OK;
    WW_CHECK(device, out->count == r->n, WW_INVALID, "%s has %llu elements, and there are %llu rows", name,
             (ull)out->count, (ull)r->n);
    for (size_t c = 0; c < r->columns; c++)
        WW_TRY(ww__check_apart(device, "a column", &r->column[c].keys, name, out, WW__APART));
    for (size_t c = 0; c < r->carries; c++)
        WW_TRY(ww__check_apart(device, "a carried column", &r->carried[c].in, name, out, WW__APART));
    return WW_OK;
}

static ww_status check_column(ww_device *device, const request *r, const ww_sort_column *c) {
    const ww_type *const type = c->keys.type;
    WW_TRY(ww__check_input(device, "a column", &c->keys));
    WW_CHECK(device,
             type->size <= sizeof(uint64_t) &&
                 (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED || type->kind == WW_KIND_FLOAT),
             WW_TYPE, "a column is of type %s, and columns are integers of up to 64 bits or floats", type->label);
    WW_CHECK(device, c->keys.count == r->n, WW_INVALID, "a column has %llu elements, and the first one %llu",
             (ull)c->keys.count, (ull)r->n);
    for (size_t k = 0; k < sizeof c->reserved; k++)
        WW_CHECK(device, !c->reserved[k], WW_INVALID, "a column has options that this version does not have");
    if (ww__is_none(&c->sorted)) return WW_OK;
    WW_TRY(ww__check_array(device, "a sorted column", &c->sorted));
    return ww__check_same_type(device, "the column", type, c->keys.size, "the sorted one", c->sorted.type,
                               c->sorted.size);
}

static ww_status check_carried(ww_device *device, const request *r, const ww_carried_column *c) {
    WW_TRY(ww__check_input(device, "a carried column", &c->in));
    WW_CHECK(device, c->in.count == r->n, WW_INVALID, "a carried column has %llu elements, and there are %llu rows",
             (ull)c->in.count, (ull)r->n);
    WW_TRY(ww__check_array(device, "its output", &c->out));
    return ww__check_same_type(device, "a carried column", c->in.type, c->in.size, "its output", c->out.type,
                               c->out.size);
}

/* Output o of all: sorted columns, carried ones, the index. */
static const ww_array *output_of(const request *r, size_t o) {
    return o < r->columns                ? &r->column[o].sorted
           : o < r->columns + r->carries ? &r->carried[o - r->columns].out
                                         : &r->index;
}

static ww_status check(ww_device *device, request *r) {
    r->n = r->column[0].keys.count;
    for (size_t c = 0; c < r->columns; c++) WW_TRY(check_column(device, r, &r->column[c]));
    for (size_t c = 0; c < r->carries; c++) WW_TRY(check_carried(device, r, &r->carried[c]));
    if (!ww__is_none(&r->index)) WW_TRY(ww__check_counts(device, "index_out", &r->index, r->n ? r->n - 1 : 0));
    const size_t outputs = r->columns + r->carries + 1;
    for (size_t o = 0; o < outputs; o++) {
        WW_TRY(check_output(device, r, o + 1 < outputs ? "an output" : "index_out", output_of(r, o)));
        for (size_t p = 0; p < o; p++)
            WW_TRY(ww__check_outputs_apart(device, "an output", output_of(r, p), "another output", output_of(r, o)));
    }
    return WW_OK;
}

/* ---- keys ---- */

static ww_status store(ww_device *device, const ww_input *in, ww_input *stored) {
    ww_array memory;
    WW_TRY(ww__stored(device, in, &memory));
    *stored = ww_from(memory);
    return WW_OK;
}

/* A column as unsigned numbers: integers are converted where they are used, floats only change their name in memory. */
static ww_status numbers_of(ww_device *device, const ww_input *column, ww_input *numbers) {
    *numbers = *column;
    if (column->type->kind != WW_KIND_FLOAT) return WW_OK;
    ww_array memory;
    WW_TRY(ww__stored(device, column, &memory));
    *numbers = ww_memory_of(memory.data, memory.count, ww__key_numbers(column->type));
    return WW_OK;
}

/* What has too many steps with one column more is stored. */
static ww_status add_column(ww_device *device, const ww_type *type, const ww__key_place *place, ww_input *key,
                            const ww_input *column) {
    ww_input numbers, with, stored;
    WW_TRY(numbers_of(device, column, &numbers));
    with = ww__key_with(type, place, *key, numbers);
    if (with.problem && key->steps > 1) {
        WW_TRY(store(device, key, &stored));
        *key = stored;
        with = ww__key_with(type, place, *key, numbers);
    }
    if (with.problem) {
        WW_TRY(store(device, &numbers, &stored));
        with = ww__key_with(type, place, *key, stored);
    }
    *key = with;
    return WW_OK;
}

static unsigned bits_of(const ww_sort_column *c) { return (unsigned)(8 * c->keys.size); }

/* The key of columns first to end - 1, given as inputs. */
static ww_status make_key(ww_device *device, request *r, size_t first, size_t end, const ww_input *const *given,
                          ww_input *key) {
    static const unsigned char zeros[16] = {0};
    unsigned shift = 0;
    for (size_t c = first; c < end; c++) shift += bits_of(&r->column[c]);
    const ww_type *const type = ww__key_type(shift);
    *key = ww_constant(ww_value_of(zeros, type), r->n);
    for (size_t c = first; c < end; c++) {
        shift -= bits_of(&r->column[c]);
        r->place[c] = ww__key_place_of(r->column[c].keys.type, r->column[c].descending, shift);
        WW_TRY(add_column(device, type, &r->place[c], key, given[c - first]));
    }
    return WW_OK;
}

/* ---- what comes of the order ---- */

static ww_status gather(ww_device *device, const ww_input *in, const ww_array *index, const ww_array *out) {
    const ww_input by = ww_from(*index);
    ww_array from;
    WW_TRY(ww__stored(device, in, &from));
    return ww__gather(device, &(ww__gather_request){&from, &by, out});
}

static ww_status gather_carried(ww_device *device, const request *r, const ww_array *index) {
    for (size_t c = 0; c < r->carries; c++) WW_TRY(gather(device, &r->carried[c].in, index, &r->carried[c].out));
    return WW_OK;
}

/* Sorts a key; where there are values they go along. */
static ww_status sort(ww_device *device, const ww_input *key, const ww_input *values, const ww_array *values_out,
                      ww_array *sorted) {
    *sorted = (ww_array){NULL, key->count, key->type, key->size, NULL, 0};
    WW_TRY(ww__scratch_array(device, key->count, key->size, &sorted->data));
    ww__sorting s = {.keys = *key, .keys_out = *sorted, .bit_count = (unsigned)(8 * key->size), .by_value = true};
    if (values) {
        s.values = *values;
        s.values_out = *values_out;
    }
    return ww__sort(device, &s);
}

static ww_status positions(ww_device *device, const request *r, ww_array *index) {
    const ww_type *const type = ww__position_type(r->n);
    *index = (ww_array){NULL, r->n, type, type->size, NULL, 0};
    return ww__scratch_array(device, r->n, type->size, &index->data);
}

/* ---- one key ---- */

static ww_status take_columns(ww_device *device, const request *r, const ww_array *sorted) {
    for (size_t c = 0; c < r->columns; c++) {
        ww_array out = r->column[c].sorted;
        if (ww__is_none(&out)) continue;
        const ww_input taken = ww__key_column(sorted->type, out.type, &r->place[c], ww_from(*sorted));
        out.type = ww__key_numbers(out.type);
        WW_TRY(ww__map(device, &(ww__map_request){.in = &taken, .out = &out}));
    }
    return WW_OK;
}

static ww_status sort_by_one_key(ww_device *device, request *r) {
    const ww_input *given[MOST];
    const bool wanted = !ww__is_none(&r->index);
    ww_array index = r->index, sorted;
    ww_input key;
    for (size_t c = 0; c < r->columns; c++) given[c] = &r->column[c].keys;
    WW_TRY(make_key(device, r, 0, r->columns, given, &key));
    if (!wanted && r->carries == 1) {
        WW_TRY(sort(device, &key, &r->carried[0].in, &r->carried[0].out, &sorted));
    } else if (!wanted && !r->carries) {
        WW_TRY(sort(device, &key, NULL, NULL, &sorted));
    } else {
        if (!wanted) WW_TRY(positions(device, r, &index));
        const ww_input counted = ww_counting(index.type, 0, r->n);
        WW_TRY(sort(device, &key, &counted, &index, &sorted));
        WW_TRY(gather_carried(device, r, &index));
    }
    return take_columns(device, r, &sorted);
}

/* ---- several keys ---- */

/* The first column of the group that ends before column `end`. */
static size_t group_before(const request *r, size_t end) {
    size_t first = end - 1;
    unsigned bits = bits_of(&r->column[first]);
    while (first && bits + bits_of(&r->column[first - 1]) <= GROUP_BITS) bits += bits_of(&r->column[--first]);
    return first;
}

/* `index` goes from the order by the columns behind the group to that by these, too: to `next`. */
static ww_status sort_group(ww_device *device, request *r, size_t first, size_t end, const ww_array *index,
                            const ww_array *next) {
    const ww__scratch_mark mark = ww__scratch_here(device);
    ww_input gathered[MOST], key;
    const ww_input *given[MOST];
    ww_array sorted;
    for (size_t c = first; c < end; c++) {
        given[c - first] = &r->column[c].keys;
        if (end == r->columns) continue;
        const ww_input *const in = &r->column[c].keys;
        ww_array room = {NULL, r->n, in->type, in->size, NULL, 0};
        WW_TRY(ww__scratch_array(device, r->n, in->size, &room.data));
        WW_TRY(gather(device, in, index, &room));
        gathered[c - first] = ww_from(room);
        given[c - first] = &gathered[c - first];
    }
    const ww_input before = end == r->columns ? ww_counting(index->type, 0, r->n) : ww_from(*index);
    WW_TRY(make_key(device, r, first, end, given, &key));
    WW_TRY(sort(device, &key, &before, next, &sorted));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

static ww_status sort_by_groups(ww_device *device, request *r) {
    ww_array index, next;
    WW_TRY(positions(device, r, &index));
    WW_TRY(positions(device, r, &next));
    for (size_t end = r->columns, first; end; end = first) {
        first = group_before(r, end);
        WW_TRY(sort_group(device, r, first, end, &index, &next));
        const ww_array turned = index;
        index = next;
        next = turned;
    }
    for (size_t c = 0; c < r->columns; c++)
        if (!ww__is_none(&r->column[c].sorted))
            WW_TRY(gather(device, &r->column[c].keys, &index, &r->column[c].sorted));
    WW_TRY(gather_carried(device, r, &index));
    if (ww__is_none(&r->index)) return WW_OK;
    /* Positions of u32 where the caller wants u64: counted up and gathered. */
    const ww_input counted = ww_counting(r->index.type, 0, r->n), same = ww_from(index);
    if (r->index.type == index.type) return ww__map(device, &(ww__map_request){.in = &same, .out = &r->index});
    return gather(device, &counted, &index, &r->index);
}

static ww_status sort_columns(ww_device *device, request *r) {
    unsigned bits = 0;
    WW_CHECK(device, r->columns, WW_INVALID, "there are no columns");
    WW_CHECK(device, r->columns <= MOST && r->carries <= MOST, WW_LIMIT,
             "%zu columns sort and %zu are carried, and %d can be of each", r->columns, r->carries, MOST);
    WW_TRY(check(device, r));
    if (!r->n) return WW_OK;
    for (size_t c = 0; c < r->columns; c++) bits += bits_of(&r->column[c]);
    return ww__key_type(bits) ? sort_by_one_key(device, r) : sort_by_groups(device, r);
}

#define GIVEN(k) \
    WW_READS(&r.column[k].keys), WW_WRITES(&r.column[k].sorted), WW_READS(&r.carried[k].in), \
        WW_WRITES(&r.carried[k].out)

ww_status ww_sort_columns(ww_device *device, const ww_sort_column *columns, size_t column_count,
                          const ww_carried_column *carried, size_t carried_count, ww_array index_out) {
    request r = {.index = index_out, .columns = columns ? column_count : 0, .carries = carried ? carried_count : 0};
    for (size_t c = 0; c < MOST && c < r.columns; c++) r.column[c] = columns[c];
    for (size_t c = 0; c < MOST && c < r.carries; c++) r.carried[c] = carried[c];
    WW_CALL(device, "ww_sort_columns", sort_columns(device, &r), GIVEN(0), GIVEN(1), GIVEN(2), GIVEN(3), GIVEN(4),
            GIVEN(5), GIVEN(6), GIVEN(7), WW_WRITES(&r.index));
}

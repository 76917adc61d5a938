/* Computed outputs: results are passed through a function, split into several arrays, or written to indices, in the call's one
 * pass over memory. A running sum of floats, rounded to bytes; points whose coordinates are written to three arrays:
 *
 *     ww_scan(device, &ww_add, ww_memory(x, n), ww_mapped_into(&rounded_ww, ww_array(bytes, n)), NULL);
 *     ww_map(device, &moved_ww, ww_memory_of(points, n, &point_ww),
 *            ww_zipped_into(&point_ww, ww_array(x, n), ww_array(y, n), ww_array(z, n)));
 *
 * They are passed in place of an array of results. ww_map, ww_map2, ww_store, ww_gather, ww_scatter and ww_scan (auto,
 * lookback) write through them in one pass; other calls write n elements of scratch memory, then store these. INVALID where
 * what is in the array is read or what is written is known to the call alone (docs/inputs.md has the list), for single
 * results except ww_reduce's, in groups, graphs, grids and teams. What is written must not overlap what is read (OVERLAP) and
 * has no counts on the device; a GPU takes results of up to 1024 bytes (LIMIT). They live until the end of the block, in C++
 * of the full expression. */
#ifndef WARPWISE_OUTPUT_H
#define WARPWISE_OUTPUT_H

#include "input.h"

/* What ww_array.data points to where ww_array.reserved is WW_ARRAY_COMPUTED. */
typedef struct ww_computed_array {
    const ww_function *function; /* ww_mapped_into's; NULL: the arrays are members */
    const ww_array *into;        /* what is written */
    uint64_t many;               /* arrays: 1 after a function */
} ww_computed_array;
/* … where it is WW_ARRAY_PERMUTED: ww_permuted_into's. */
typedef struct ww_permuted_array {
    const ww_array *into;
    const ww_input *index; /* as many as elements are given */
} ww_permuted_array;
enum { WW_ARRAY_COMPUTED = 1, WW_ARRAY_PERMUTED };

static inline ww_array ww__permuted_into_of(const ww_permuted_array *permuted) {
    union {
        const ww_permuted_array *from;
        void *to;
    } place;
    ww_array a;
    __builtin_memset(&a, 0, sizeof a);
    place.from = permuted;
    a.data = place.to;
    a.count = permuted->index->count;
    a.type = permuted->into->type;
    a.size = permuted->into->size;
    a.reserved = WW_ARRAY_PERMUTED;
    return a;
}

static inline ww_array ww__computed_into(const ww_type *type, const ww_computed_array *computed) {
    union {
        const ww_computed_array *from;
        void *to; /* an array has no const; it is only read */
    } place;
    ww_array a;
    __builtin_memset(&a, 0, sizeof a);
    place.from = computed;
    a.data = place.to;
    a.count = computed->many ? computed->into[0].count : 0;
    a.type = type;
    a.size = type ? type->size : 0;
    a.reserved = WW_ARRAY_COMPUTED;
    return a;
}

/* ww_mapped_into(f, array): elements of the type that the WW_MAP f takes; f(element) is written to the array, which may be
 * a permuted or a zipped one. The call checks that the types fit (TYPE).
 *
 * ww_zipped_into(type, array, …): the members of a WW_STRUCT, in order, each written to an array of its own: 1 to
 * WW_ZIP_MOST plain ones of one count, as for ww_zip. Padding is not written. The opposite of ww_zip:
 * ww_store(device, ww_from(structs), ww_zipped_into(&point_ww, x, y, z)).
 *
 * ww_permuted_into(array, index): as many elements as the index has, any input of u32, u64, i32 or i64 without a count on
 * the device; element i is written to array[index[i]]. The array is of any count, and may be a zipped one (each member to
 * its array at that index) or a mapped one. Elements to which no index refers are unchanged. If two indices are equal, one of
 * their elements remains, and which is unspecified: ww_scatter specifies it. Elements of other sizes than 1, 2, 4 and 8 bytes,
 * and a zip's members, may then be mixtures of both. An index outside the array is RANGE, with the lowest such position: the
 * others are written, and nothing else. (Thrust: permutation_iterator.) */
#ifdef __cplusplus
typedef ww_array ww__array_of_results; /* ww_array followed by a bracket would be the macro */
/* Keeps what the array refers to while the call is made. */
class ww__mapped_into {
    ww_function f;
    ww_array into;
    mutable ww_computed_array computed;
    bool is_function;

  public:
    ww__mapped_into(const ww_function *function, const ww_array &array)
        : f(), into(array), computed(), is_function(function != nullptr) {
        if (function) f = *function;
    }
    operator ww__array_of_results() const {
        computed.function = is_function ? &f : nullptr;
        computed.into = &into;
        computed.many = 1;
        return ww__computed_into(is_function ? f.first : nullptr, &computed);
    }
};
template <size_t many> class ww__zipped_into {
    const ww_type *type;
    ww_array arrays[many];
    mutable ww_computed_array computed;

  public:
    template <class... Arrays>
    explicit ww__zipped_into(const ww_type *of, const Arrays &...each) : type(of), arrays{each...}, computed() {}
    operator ww__array_of_results() const {
        computed.function = nullptr;
        computed.into = arrays;
        computed.many = many;
        return ww__computed_into(type, &computed);
    }
};
class ww__permuted_into {
    ww_array into;
    ww_input index;
    mutable ww_permuted_array permuted;

  public:
    ww__permuted_into(const ww_array &array, const ww_input &at) : into(array), index(at), permuted() {}
    operator ww__array_of_results() const {
        permuted.into = &into;
        permuted.index = &index;
        return ww__permuted_into_of(&permuted);
    }
};
static inline ww__permuted_into ww_permuted_into(const ww_array &array, const ww_input &index) {
    return {array, index};
}
static inline ww__mapped_into ww_mapped_into(const ww_function *f, const ww_array &array) { return {f, array}; }
template <class... Arrays>
static inline ww__zipped_into<sizeof...(Arrays)> ww_zipped_into(const ww_type *type, const Arrays &...arrays) {
    return ww__zipped_into<sizeof...(Arrays)>(type, arrays...);
}
#else
static inline ww_array ww__mapped_into(const ww_computed_array *computed) {
    return ww__computed_into(computed->function ? computed->function->first : NULL, computed);
}
#define ww_mapped_into(f, array) ww__mapped_into((const ww_computed_array[1]){{(f), (const ww_array[1]){array}, 1}})
#define ww_permuted_into(array, index) \
    ww__permuted_into_of((const ww_permuted_array[1]){{(const ww_array[1]){array}, (const ww_input[1]){index}}})
#define ww_zipped_into(type, ...) \
    ww__computed_into((type), \
                      (const ww_computed_array[1]){{NULL, (const ww_array[]){__VA_ARGS__}, \
                                                    sizeof((const ww_array[]){__VA_ARGS__}) / sizeof(ww_array)}})
#endif

#endif

/* Single steps of inputs, for elements of any size: one program, which a kernel pack has, where nothing compiles one for each
 * (stored_inputs.c). A thread moves WW_ROWS words, WW_THREADS apart; all are read before one is written.
 *
 *     store_apart     elements that lie apart, to where they lie apart: strides, members of a zip; a value, which lies 0 apart
 *     store_counted   integers that count
 *     store_picked    elements at indices, as ww_permuted says
 *     store_placed    elements to indices, as ww_permuted_into says, or to where they stand; some of them */
#include "device/kernel/record.cuh"
#include "primitive/map/store_step_arguments.cuh"

/* The word with number i of the launch: which element's, and which of that element's. */
struct place_of_word {
    uint64_t element, word;
};
WW_DEVICE place_of_word place_of(uint64_t i, uint64_t words) {
    place_of_word p = {i, 0};
    if (words == 1) return p;
    const bool is_short = !((i | words) >> 32);
    p.element = is_short ? uint32_t(i) / uint32_t(words) : i / words;
    p.word = i - p.element * words;
    return p;
}

WW_DEVICE uint64_t first_of_block() { return blockIdx.x * uint64_t(WW_THREADS) * WW_ROWS + threadIdx.x; }

template <class W> WW_DEVICE void move_apart(const store_apart_fixed &a) {
    const uint64_t first = first_of_block(), all = a.count * a.words;
    const unsigned char *const from = a.from ? a.from : reinterpret_cast<const unsigned char *>(a.value);
    W x[WW_ROWS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const place_of_word p = place_of(first + r * WW_THREADS, a.words);
        if (first + r * WW_THREADS < all)
            x[r] = *reinterpret_cast<const W *>(from + p.element * a.from_apart + p.word * sizeof(W));
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const place_of_word p = place_of(first + r * WW_THREADS, a.words);
        if (first + r * WW_THREADS < all)
            *reinterpret_cast<W *>(a.to + p.element * a.to_apart + p.word * sizeof(W)) = x[r];
    }
}

WW_GPU_KERNEL(store_apart, store_apart_fixed, WW_THREADS) {
    switch (a.word) {
    case 1:
        move_apart<uint8_t>(a);
        break;
    case 2:
        move_apart<uint16_t>(a);
        break;
    case 4:
        move_apart<uint32_t>(a);
        break;
    case 8:
        move_apart<uint64_t>(a);
        break;
    default:
        move_apart<ww_sixteen>(a);
    }
}

template <class T> WW_DEVICE void count_up(const store_counted_fixed &a) {
    const uint64_t first = first_of_block();
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t i = first + r * WW_THREADS;
        if (i < a.count) static_cast<T *>(a.to)[i] = T(a.first + i * a.stride);
    }
}

WW_GPU_KERNEL(store_counted, store_counted_fixed, WW_THREADS) {
    switch (a.size) {
    case 1:
        count_up<uint8_t>(a);
        break;
    case 2:
        count_up<uint16_t>(a);
        break;
    case 4:
        count_up<uint32_t>(a);
        break;
    case 8:
        count_up<uint64_t>(a);
        break;
    default:
        count_up<ww_u128>(a);
    }
}

struct store_picked_arguments : store_picked_fixed {
    uint64_t limit;
    ww_checking checking;
};

/* A negative index becomes a number that no array is as long as. */
template <class A> WW_DEVICE uint64_t index_of(const A &a, uint64_t element) {
    if (a.index_bytes == 8) return static_cast<const uint64_t *>(a.index)[element];
    const uint32_t narrow = static_cast<const uint32_t *>(a.index)[element];
    return a.is_signed ? uint64_t(int64_t(int32_t(narrow))) : narrow;
}

template <class W> struct zero_word {
    static WW_DEVICE_MEMBER W make() { return W(0); }
};
template <> struct zero_word<ww_sixteen> {
    static WW_DEVICE_MEMBER ww_sixteen make() {
        const ww_sixteen none = {{0, 0, 0, 0}};
        return none;
    }
};

template <class W> WW_DEVICE void pick(const store_picked_arguments &a) {
    const uint64_t first = first_of_block(), all = a.count * a.words;
    W x[WW_ROWS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        if (first + r * WW_THREADS >= all) continue;
        const place_of_word p = place_of(first + r * WW_THREADS, a.words);
        const uint64_t at = index_of(a, p.element);
        if (at < a.limit) {
            x[r] = reinterpret_cast<const W *>(a.from)[at * a.words + p.word];
        } else {
            x[r] = zero_word<W>::make();
            if (!p.word) ww_report(a.checking, p.element, at);
        }
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
        if (first + r * WW_THREADS < all) reinterpret_cast<W *>(a.to)[first + r * WW_THREADS] = x[r];
}

WW_GPU_KERNEL(store_picked, store_picked_arguments, WW_THREADS) {
    switch (a.word) {
    case 1:
        pick<uint8_t>(a);
        break;
    case 2:
        pick<uint16_t>(a);
        break;
    case 4:
        pick<uint32_t>(a);
        break;
    case 8:
        pick<uint64_t>(a);
        break;
    default:
        pick<ww_sixteen>(a);
    }
}

struct store_placed_arguments : store_placed_fixed {
    uint64_t limit;
    ww_checking checking;
};

/* Which elements are stored. */
struct placed_range {
    uint64_t first, end;
};
WW_DEVICE placed_range range_of(const store_placed_arguments &a) {
    placed_range r = {a.range ? a.range[0] : 0, a.count};
    if (a.number) {
        const uint64_t number = a.number_bytes == 4 ? *static_cast<const uint32_t *>(a.number) : *static_cast<const uint64_t *>(a.number);
        r.end = number < r.end ? number : r.end;
    }
    if (a.range && a.range[1] < r.end) r.end = a.range[1];
    return r;
}

template <class W> WW_DEVICE void put_placed(const store_placed_arguments &a) {
    const uint64_t first = first_of_block(), all = a.count * a.words;
    const placed_range range = range_of(a);
    for (int r = 0; r < WW_ROWS; r++) {
        if (first + r * WW_THREADS >= all) continue;
        const place_of_word p = place_of(first + r * WW_THREADS, a.words);
        if (p.element < range.first || p.element >= range.end || (a.only && a.only[p.element] != 1)) continue;
        const uint64_t at = a.index ? index_of(a, p.element) : p.element;
        if (at < a.limit)
            reinterpret_cast<W *>(a.to)[at * a.words + p.word] =
                *reinterpret_cast<const W *>(a.from + p.element * a.from_apart + p.word * sizeof(W));
        else if (!p.word)
            ww_report(a.checking, p.element, at);
    }
}

WW_GPU_KERNEL(store_placed, store_placed_arguments, WW_THREADS) {
    switch (a.word) {
    case 1:
        put_placed<uint8_t>(a);
        break;
    case 2:
        put_placed<uint16_t>(a);
        break;
    case 4:
        put_placed<uint32_t>(a);
        break;
    case 8:
        put_placed<uint64_t>(a);
        break;
    default:
        put_placed<ww_sixteen>(a);
    }
}

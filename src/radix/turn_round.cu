/* Reverses keys and their values, where count_digits.cu found that this sorts them; otherwise does nothing. Each thread moves
 * elements that are equally far from both ends, so that the output may be the input. Reads and writes each element once.
 *
 * WW_KEY, WW_VALUE: bytes of a key, of a value (0: none). WW_COUNTED: values are counted up from a.first_value. */
#include "device/kernel/counted.cuh"
#include "radix/digits.cuh"

typedef ww_number<WW_VALUE>::type ww_value;

#include "radix/turn_arguments.cuh"

enum { ROWS = 4 };

WW_DEVICE ww_value value_at(const turn_arguments &a, uint64_t i) {
#if WW_COUNTED
    return ww_value(a.first_value + i);
#else
    return a.values[i];
#endif
}

WW_DEVICE void turn(const turn_arguments &a) {
    if (*a.seen != TURNED) return;
    const uint64_t pairs = (a.count + 1) / 2, last = a.count - 1;
    for (uint64_t first = (blockIdx.x * uint64_t(WW_THREADS)) * ROWS + threadIdx.x; first < pairs;
         first += uint64_t(gridDim.x) * WW_THREADS * ROWS) {
        ww_key key[ROWS], opposite[ROWS];
#if WW_VALUE
        ww_value value[ROWS], opposite_value[ROWS];
#endif
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const uint64_t i = first + r * WW_THREADS;
            if (i >= pairs) continue;
            key[r] = a.keys[i];
            opposite[r] = a.keys[last - i];
#if WW_VALUE
            value[r] = value_at(a, i);
            opposite_value[r] = value_at(a, last - i);
#endif
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const uint64_t i = first + r * WW_THREADS;
            if (i >= pairs) continue;
            a.keys_out[i] = opposite[r];
            a.keys_out[last - i] = key[r];
#if WW_VALUE
            a.values_out[i] = opposite_value[r];
            a.values_out[last - i] = value[r];
#endif
        }
    }
}

WW_LOOP_KERNEL(turn_round, turn_arguments, WW_THREADS) {
#if !WW_COUNT_AT
    ww_in_line();
#endif
    turn(ww_counted(a));
}

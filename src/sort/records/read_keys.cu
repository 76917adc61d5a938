/* Reads a part of every record as a big-endian number, so that numbers are in memcmp's order: the first kernel of a sort of
 * records. A thread reads WW_ROWS keys, all at once, and writes them beside its neighbours'.
 *
 * WW_WORD: bytes of the words that records are read in: as many as the record's size, the key's place and all addresses are
 * multiples of. WW_WORDS: words of a key; the last may reach beyond it, but not beyond the record. WW_KEY: bytes of the number.
 * WW_ORDERED: bytes of a position where records are read in an order, 0 where they are read as they lie. */
#include "device/kernel/types.cuh"

#if WW_KEY == 16
typedef ww_u128 ww_key;
#else
typedef ww_number<WW_KEY>::type ww_key;
#endif
typedef ww_word<WW_WORD>::type record_word;
typedef ww_word<(WW_WORD < 4 ? WW_WORD : 4)>::type part;
typedef ww_number<WW_ORDERED>::type position;

enum { PARTS = WW_WORD * WW_WORDS / sizeof(part), PART_BITS = 8 * sizeof(part) };

#include "sort/records/read_keys_arguments.cuh"

WW_DEVICE uint32_t first_byte_highest(uint8_t x) { return x; }
WW_DEVICE uint32_t first_byte_highest(uint16_t x) { return (uint32_t(x) << 8 & 0xFF00u) | x >> 8; }
WW_DEVICE uint32_t first_byte_highest(uint32_t x) {
    x = x << 16 | x >> 16;
    return (x & 0x00FF00FFu) << 8 | (x >> 8 & 0x00FF00FFu);
}

union record_key {
    record_word word[WW_WORDS];
    part parts[PARTS];
    WW_DEVICE_MEMBER record_key() {}
};

WW_DEVICE void read_key(const read_keys_arguments &a, uint64_t i, record_key &key) {
    const uint64_t at = WW_ORDERED ? uint64_t(a.order[i]) : i;
    const record_word *from = reinterpret_cast<const record_word *>(a.records + at * a.size);
#pragma unroll
    for (int w = 0; w < WW_WORDS; w++) key.word[w] = from[w];
}

WW_DEVICE ww_key number_in(const record_key &key, uint64_t beyond) {
    ww_key number = ww_key(first_byte_highest(key.parts[0]));
#pragma unroll
    for (int p = 1; p < int(PARTS); p++)
        number = ww_key(number << (PARTS > 1 ? PART_BITS : 0) | first_byte_highest(key.parts[p]));
    return ww_key(number >> beyond);
}

WW_GPU_KERNEL(read_keys, read_keys_arguments, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS * WW_ROWS) + threadIdx.x;
    record_key key[WW_ROWS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
        if (first + r * WW_THREADS < a.count) read_key(a, first + r * WW_THREADS, key[r]);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
        if (first + r * WW_THREADS < a.count) a.out[first + r * WW_THREADS] = number_in(key[r], a.beyond);
}

/* The names of test_definitions.c, which stand for something else here. */
#include "other_file.h"

WW_CONSTANT(PRIME, uint32_t, 40503u);
WW_FUNCTION(
    mix, uint32_t, (uint32_t x), { return x * PRIME ^ x >> 7; }, PRIME);
WW_MAP_USES((mix), scrambled, uint32_t, uint32_t, x, void, none, { return mix(x) + 1; });

WW_STRUCT(halves, { uint16_t low, high; });
WW_FUNCTION(
    halves_of, halves, (uint32_t x),
    {
        halves h;
        h.low = (uint16_t)x;
        h.high = (uint16_t)(x >> 16);
        return h;
    },
    halves);
WW_MAP_USES((halves, halves_of), turned, uint32_t, uint32_t, x, void, none, {
    const halves h = halves_of(x);
    return (uint32_t)h.low << 16 | h.high;
});

const ww_function *const other_scrambled = &scrambled_ww, *const other_turned = &turned_ww;
uint32_t other_scramble(uint32_t x) { return scrambled(x, NULL); }
uint32_t other_turn(uint32_t x) { return turned(x, NULL); }

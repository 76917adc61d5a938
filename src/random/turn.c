/* The same C for every vector width; compilers make vectors of it. Where a number is rejected, which few are, all numbers of the
 * piece are looked at one by one. */
#include "random/turn.h"

typedef struct turns {
    ww__turn_words *of[WW__RANDOM_NORMAL_F64 + 1], *below_8, *below_16;
} turns;

#define SOURCE const random_source *s

#define EACH(name, T, ...) \
    void name(void *WW__R to, const uint32_t *WW__R words, uint64_t first, size_t n, SOURCE) { \
        WW__EXACT \
        T *WW__R out = to; \
        (void)first, (void)s; \
        __VA_ARGS__ \
    }

/* Integers below a bound up to 2^32, of any size up to 4. */
#define BELOW_32(width, T) \
    WW__LOOP(width) \
    EACH(below_##T##_##width, T, { \
        const uint32_t reject = (uint32_t)s->reject; \
        const uint64_t bound = s->bound; \
        uint32_t rejected = 0; \
        for (size_t i = 0; i < n; i++) { \
            const uint64_t product = words[i] * bound; \
            out[i] = (T)(product >> 32); \
            rejected |= (uint32_t)product < reject; \
        } \
        for (size_t i = 0; rejected && i < n; i++) out[i] = (T)below_32(words[i], first + i, s); \
    })

#define TURNS(width, unused) \
    WW__LOOP(width) \
    EACH(unit_f32_##width, float, { \
        for (size_t i = 0; i < n; i++) out[i] = unit_f32(words[i]); \
    }) \
    WW__LOOP(width) \
    EACH(unit_f64_##width, double, { \
        for (size_t i = 0; i < n; i++) out[i] = unit_f64(join_words(words[2 * i], words[2 * i + 1])); \
    }) \
    BELOW_32(width, uint8_t) \
    BELOW_32(width, uint16_t) \
    BELOW_32(width, uint32_t) \
    WW__LOOP(width) \
    EACH(below_uint64_t_##width, uint64_t, { \
        const uint64_t bound = s->bound, reject = s->reject; \
        uint64_t rejected = 0; \
        for (size_t i = 0; i < n; i++) { \
            const uint64_t word = join_words(words[2 * i], words[2 * i + 1]); \
            out[i] = high_product(word, bound); \
            rejected |= word * bound < reject; \
        } \
        for (size_t i = 0; rejected && i < n; i++) \
            out[i] = below_64(join_words(words[2 * i], words[2 * i + 1]), first + i, s); \
    }) \
    WW__LOOP(width) \
    EACH(normal_f32_##width, float, { \
        const float mean = (float)s->mean, deviation = (float)s->deviation; \
        for (size_t i = 0; i < n / 2; i++) { \
            const pair_f32 z = normal_pair_f32(words[2 * i], words[2 * i + 1]); \
            out[2 * i] = mean + deviation * z.x; \
            out[2 * i + 1] = mean + deviation * z.y; \
        } \
    }) \
    WW__LOOP(width) \
    EACH(normal_f64_##width, double, { \
        const double mean = s->mean, deviation = s->deviation; \
        for (size_t i = 0; i < n / 2; i++) { \
            const uint32_t *w = words + 4 * i; \
            const pair_f64 z = normal_pair_f64(join_words(w[0], w[1]), join_words(w[2], w[3])); \
            out[2 * i] = mean + deviation * z.x; \
            out[2 * i + 1] = mean + deviation * z.y; \
        } \
    }) \
    static const turns ww__loops_turns_##width = { \
        {[WW__RANDOM_UNIT_F32] = unit_f32_##width, \
         [WW__RANDOM_UNIT_F64] = unit_f64_##width, \
         [WW__RANDOM_BELOW_32] = below_uint32_t_##width, \
         [WW__RANDOM_BELOW_64] = below_uint64_t_##width, \
         [WW__RANDOM_NORMAL_F32] = normal_f32_##width, \
         [WW__RANDOM_NORMAL_F64] = normal_f64_##width}, \
        below_uint8_t_##width, \
        below_uint16_t_##width, \
    };

WW__EACH_LOOPS(TURNS, 0)

static const turns *const of_width[WW_VECTORS] = WW__LOOPS(turns);

ww__turn_words *ww__turn_words_of(const ww_device *device, ww__random_kind kind, size_t size) {
    int v = device->vector;
    while (v > WW_VECTOR_PLAIN && !of_width[v]) v--;
    const turns *t = of_width[v];
    if (kind == WW__RANDOM_BELOW_32 && size < 4) return size == 1 ? t->below_8 : t->below_16;
    return t->of[kind];
}

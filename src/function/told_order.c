/* The built-in orders as functions of words of each size, which are told what the words are: a kernel pack has programs of these instead of
 * one for each type and direction. */
#include <pthread.h>

#include "device/kernel/key_order.cuh"
#include "function/built_in.h"
#include "function/function.h"

/* key_order.cuh's number of a key. */
#define ORDER(T, label) \
    WW_STRUCT(told_##label, { T flip, fold; }); \
    WW_LESS_WITH(before_##label, T, a, b, told_##label, o, { \
        return (T)(a ^ o->flip ^ (o->fold & (T)(0 - (a >> (8 * sizeof(a) - 1))))) < \
               (T)(b ^ o->flip ^ (o->fold & (T)(0 - (b >> (8 * sizeof(b) - 1))))); \
    });

WW__EACH_UNSIGNED(ORDER)
WW__EACH_U128(ORDER)

enum { DIRECTIONS = 2 };
typedef union told {
    told_u8 u8;
    told_u16 u16;
    told_u32 u32;
    told_u64 u64;
#if WW_HAS_U128
    told_u128 u128;
#endif
} told;

static told telling[WW__NUMBERS][DIRECTIONS];
static ww_function order[WW__NUMBERS][DIRECTIONS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

#define TELL(T, label) \
    if (type->size == sizeof(T)) { \
        telling[k][d].label = (told_##label){WW_KEY_FLIP(T, 8 * sizeof(T), kind, d), \
                                             WW_KEY_FOLD(T, 8 * sizeof(T), kind)}; \
        order[k][d] = ww__with_before_##label(&telling[k][d].label, 1); \
    }

static void make_orders(void) {
    for (int k = 0; k < WW__NUMBERS; k++)
        for (int d = 0; d < DIRECTIONS; d++) {
            const ww_function *const f = ww__ascendings[k];
            const ww_type *const type = f ? f->first : NULL;
            if (!type) continue;
            const uint32_t kind = type->kind == WW_KIND_FLOAT    ? WW_KEY_FLOAT
                                  : type->kind == WW_KIND_SIGNED ? WW_KEY_SIGNED
                                                                 : WW_KEY_UNSIGNED;
            WW__EACH_UNSIGNED(TELL)
            WW__EACH_U128(TELL)
        }
}

const ww_function *ww__told_order(const ww_function *f, const ww_type *type) {
    const int k = ww__number_index(type);
    if (k < 0 || (f != ww__ascendings[k] && f != ww__descendings[k])) return NULL;
    pthread_once(&made, make_orders);
    return &order[k][f == ww__descendings[k]];
}

bool ww__is_told(const ww_function *f) {
    const ww_function *const origin = ww__origin(f);
#define IS(T, label) \
    if (origin == &before_##label##_ww) return true;
    WW__EACH_UNSIGNED(IS)
    WW__EACH_U128(IS)
#undef IS
    return false;
}

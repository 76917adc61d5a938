/* How keys are ordered, said once for C and for kernels: by unsigned numbers of their size that are made of their bits.
 *     number = key ^ flip ^ (fold, where the key's highest bit is set)
 * Unsigned keys are their numbers. Of signed ones the highest bit is flipped. Of floats it is, too, and where it was set all others
 * are folded over: IEEE 754's totalOrder, which is the order of their bits as sign and magnitude. A descending order flips all bits
 * once more. Fold never has the highest bit, so the way back begins with ^ flip, which brings the key's own highest bit back.
 *
 * Macros, for they serve any unsigned type, 128 bits too, and vectors of the compiler's. `bits` is the size of a key: the type may
 * be wider. Kernels have functions of these in key_number.cuh, the host in radix/order.h. */
#ifndef WW_KEY_ORDER_CUH
#define WW_KEY_ORDER_CUH

/* What keys are. */
#define WW_KEY_UNSIGNED 0
#define WW_KEY_SIGNED 1
#define WW_KEY_FLOAT 2
/* An order in one number, 0 of unsigned keys ascending: what they are, and WW_KEY_REVERSED where the order is descending. Programs for
 * any order, which kernels are told, have WW_KEY_ANY instead. */
#define WW_KEY_REVERSED 4
#define WW_KEY_ANY 7
#define WW_KEY_ORDER(kind, descending) ((uint32_t)(kind) | ((descending) ? WW_KEY_REVERSED : 0u))

#define WW_KEY_HIGHEST(T, bits) ((T)((T)1 << ((bits)-1)))
#define WW_KEY_ONES(T, bits) ((T)(WW_KEY_HIGHEST(T, bits) | (WW_KEY_HIGHEST(T, bits) - 1)))

#define WW_KEY_FLIP(T, bits, kind, descending) \
    ((T)(((kind) == WW_KEY_UNSIGNED ? 0 : WW_KEY_HIGHEST(T, bits)) ^ ((descending) ? WW_KEY_ONES(T, bits) : 0)))
#define WW_KEY_FOLD(T, bits, kind) ((T)((kind) == WW_KEY_FLOAT ? WW_KEY_HIGHEST(T, bits) - 1 : 0))

/* Of a vector all lanes at once. WW_KEY_FOLDED is for vectors whose instructions make `negative`: ones where the highest bit is. */
#define WW_KEY_FOLDED(key, negative, flip, fold) ((key) ^ ((flip) ^ ((fold) & (negative))))
#define WW_KEY_NUMBER_IN(bits, key, flip, fold) WW_KEY_FOLDED(key, 0 - ((key) >> ((bits)-1)), flip, fold)

/* The number of a key of type T, and the key of a number. */
#define WW_KEY_NUMBER(T, key, flip, fold) ((T)WW_KEY_NUMBER_IN(8 * sizeof(T), key, flip, fold))
#define WW_NUMBER_KEY(T, number, flip, fold) WW_KEY_NUMBER(T, (T)((number) ^ (flip)), 0, fold)

/* The number of a float's bits in ascending order, in one step less: fold and flip together are all bits. */
#define WW_KEY_TOTAL_ORDER(T, key) \
    ((T)((key) ^ ((0 - ((key) >> (8 * sizeof(T) - 1))) | WW_KEY_HIGHEST(T, 8 * sizeof(T)))))

/* The part of a number from bit `low` on that a mask selects. */
#define WW_KEY_DIGIT(number, low, mask) ((number) >> (low) & (mask))

#endif

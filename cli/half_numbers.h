/* Elements of f16 and bf16 as doubles, and doubles as them. */
#ifndef CLI_HALF_NUMBERS_H
#define CLI_HALF_NUMBERS_H

#include <warpwise.h>

static inline bool is_half(const ww_type *type) { return type == &ww_type_ww_f16 || type == &ww_type_ww_bf16; }

double half_value(const ww_type *type, const void *element);

/* The nearest; what is too large becomes an infinity. */
void put_half(const ww_type *type, double value, void *element);

#endif

/* ww_and: bitwise, for integers. */
#include "function/built_in.h"

#define INTEGER(T, label) WW_COMBINE(and_##label, T, a, b, WW_COMMUTES, WW_IDENTITY((T) ~(T)0), { return (T)(a & b); });

WW__EACH_INTEGER(INTEGER)

const ww__built_in ww__ands = {WW__TABLE_INTEGERS(and)};

/* ww_or: bitwise, for integers. */
#include "function/built_in.h"

#define INTEGER(T, label) WW_COMBINE(or_##label, T, a, b, WW_COMMUTES, WW_IDENTITY(0), { return (T)(a | b); });

WW__EACH_INTEGER(INTEGER)

const ww__built_in ww__ors = {WW__TABLE_INTEGERS(or)};

/* Functions by which groups reduce and scan floats: an operator that is not commutative, and a map. */
#ifndef TESTS_AFFINE_H
#define TESTS_AFFINE_H

#include "warpwise.h"

WW_STRUCT(affine, { float a, b; });
/* First one, then the other: associative but for rounding, and not commutative. */
WW_COMBINE(then, affine, x, y, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine z;
    z.a = x.a * y.a;
    z.b = y.a * x.b + y.b;
    return z;
});
WW_MAP(half, float, float, x, void, none, { return x * 0.5f; });

#endif

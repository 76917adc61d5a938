/* Sums, products and bits of signed integers are those of the unsigned ones of their size. */
#include "device/gpu/recipe.h"
#include "function/built_in.h"
#include "function/function.h"
#include "function/types.h"

static const ww_function *unsigned_twin(const ww_function *f) {
    static const ww__built_in *const tables[] = {&ww__adds, &ww__muls, &ww__ands, &ww__ors};
    const int index = f->first && f->first->kind == WW_KIND_SIGNED ? ww__number_index(f->first) : -1,
              twin = index == WW__I128 ? WW__U128 : index - (WW__I8 - WW__U8);
    for (size_t t = 0; index >= 0 && t < sizeof tables / sizeof *tables; t++)
        if ((*tables[t])[index] == f) return (*tables[t])[twin];
    return NULL;
}

void ww__recipe_share_signs(ww__recipe *r, const ww_function *op) {
    const ww_function *const twin = unsigned_twin(op);
    if (twin) ww__recipe_exchange(r, op, twin);
}

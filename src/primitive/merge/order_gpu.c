#include "primitive/merge/order_gpu.h"

#include "function/function.h"

/* The built-in orders of floats, whose bodies call what only the host has. */
enum { ORDER_FUNCTION, ORDER_FLOATS_UP, ORDER_FLOATS_DOWN };

void ww__recipe_order(ww__recipe *r, const ww_function *order, const ww_type *type, size_t size) {
    uint64_t kind = ORDER_FUNCTION;
    if (type->kind == WW_KIND_FLOAT) {
        if (order == ww__order(&ww_ascending, type, size)) kind = ORDER_FLOATS_UP;
        if (order == ww__order(&ww_descending, type, size)) kind = ORDER_FLOATS_DOWN;
    }
    ww__recipe_number(r, "WW_ORDER", kind);
    ww__recipe_type(r, "ww_item", type, size, NULL);
    if (kind == ORDER_FUNCTION) ww__recipe_function(r, "ww_less", order);
}

#include "primitive/merge/order_gpu.h"

#include "function/function.h"

/* The built-in orders of floats, whose bodies call what only the host has. */
enum { ORDER_FUNCTION, ORDER_FLOATS_UP, ORDER_FLOATS_DOWN };

const ww_function *ww__order_told(const ww_device *device, const ww_function *order, const ww_input *a,
                                  const ww_input *b) {
    const ww_type *const type = a->type;
    if (ww__gpu_compiles(device) || !ww__input_is_memory(a) || !ww__input_is_memory(b)) return order;
    const bool common = (type == &ww_type_uint32_t || type == &ww_type_uint64_t) &&
                        order == ww__order(&ww_ascending, type, type->size);
    const ww_function *const told = common ? NULL : ww__told_order(order, type);
    return told ? told : order;
}

void ww__recipe_ordered(ww__recipe *r, const char *name, const ww_input *input, const ww_function *order) {
    if (ww__is_told(order))
        ww__recipe_moved_input(r, name, input);
    else
        ww__recipe_input(r, name, input);
}

void ww__recipe_order(ww__recipe *r, const ww_function *order, const ww_type *type, size_t size) {
    uint64_t kind = ORDER_FUNCTION;
    if (ww__is_told(order)) {
        ww__recipe_number(r, "WW_ORDER", kind);
        ww__recipe_moved_type(r, "ww_item", type, size, NULL);
        ww__recipe_function(r, "ww_less", order);
        return;
    }
    if (type->kind == WW_KIND_FLOAT) {
        if (order == ww__order(&ww_ascending, type, size)) kind = ORDER_FLOATS_UP;
        if (order == ww__order(&ww_descending, type, size)) kind = ORDER_FLOATS_DOWN;
    }
    ww__recipe_number(r, "WW_ORDER", kind);
    ww__recipe_type(r, "ww_item", type, size, NULL);
    if (kind == ORDER_FUNCTION) ww__recipe_function(r, "ww_less", order);
}

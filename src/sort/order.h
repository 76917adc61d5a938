/* What orders the keys of a checked request: order.h of radix/, and the bits. */
#ifndef WW__SORT_ORDER_H
#define WW__SORT_ORDER_H

#include "radix/order.h"
#include "sort/sort.h"

static inline ww__key_kind ww__key_kind_of(const ww__sorting *s) {
    if (!s->by_value || s->keys.type->kind == WW_KIND_UNSIGNED) return WW_KEY_UNSIGNED;
    return s->keys.type->kind == WW_KIND_FLOAT ? WW_KEY_FLOAT : WW_KEY_SIGNED;
}

static inline ww__radix_order ww__radix_order_of(const ww__sorting *s) {
    return ww__radix_order_from(ww__key_kind_of(s), s->descending, s->keys.size);
}

/* The bits that are compared. */
static inline ww__word ww__radix_mask_of(const ww__sorting *s) { return ww__radix_ones(s->bit_count) << s->bit_first; }

#endif

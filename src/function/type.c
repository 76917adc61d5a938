/* The descriptors of the library's element types. */
#include <string.h>

#include "function/types.h"

const ww_type ww_type_void = {"void", "void", WW_KIND_VOID, 1, 0, NULL};
const ww_type ww_type_record = {"record", "rec", WW_KIND_RECORD, 1, 0, NULL};
#define UNSIGNED(T, label) const ww_type ww_type_##T = {#T, #label, WW_KIND_UNSIGNED, _Alignof(T), sizeof(T), NULL};
#define SIGNED(T, label) const ww_type ww_type_##T = {#T, #label, WW_KIND_SIGNED, _Alignof(T), sizeof(T), NULL};
#define FLOAT(T, label) const ww_type ww_type_##T = {#T, #label, WW_KIND_FLOAT, _Alignof(T), sizeof(T), NULL};
WW__EACH_UNSIGNED(UNSIGNED)
WW__EACH_U128(UNSIGNED)
WW__EACH_SIGNED(SIGNED)
WW__EACH_I128(SIGNED)
WW__EACH_FLOAT(FLOAT)
WW__EACH_HALF(FLOAT)

#define LISTED(T, label) &ww_type_##T,
static const ww_type *const numbers[] = {WW__EACH_NUMBER(LISTED) WW__EACH_HALF(LISTED)};

const ww_type *ww_type_named(const char *label) {
    if (label)
        for (size_t t = 0; t < sizeof numbers / sizeof *numbers; t++)
            if (!strcmp(numbers[t]->label, label)) return numbers[t];
    return NULL;
}

int ww__number_index(const ww_type *type) {
#if WW_HAS_U128
    if (type == &ww_type_ww_u128) return WW__U128;
    if (type == &ww_type_ww_i128) return WW__I128;
#endif
    if (type == &ww_type_uint8_t) return WW__U8;
    if (type == &ww_type_uint16_t) return WW__U16;
    if (type == &ww_type_uint32_t) return WW__U32;
    if (type == &ww_type_uint64_t) return WW__U64;
    if (type == &ww_type_int8_t) return WW__I8;
    if (type == &ww_type_int16_t) return WW__I16;
    if (type == &ww_type_int32_t) return WW__I32;
    if (type == &ww_type_int64_t) return WW__I64;
    if (type == &ww_type_float) return WW__F32;
    if (type == &ww_type_double) return WW__F64;
    if (type == &ww_type_ww_f16) return WW__F16;
    if (type == &ww_type_ww_bf16) return WW__BF16;
    return -1;
}

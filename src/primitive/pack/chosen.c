#include "primitive/pack/chosen.h"

enum { ELEMENT_MOST = 1024 };

ww_status ww__chosen(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *predicate,
                     ww_input *chosen) {
    *chosen = flags ? *flags : ww_mapped(predicate, *in);
    WW_CHECK(device, flags || in->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes that are given to a function are chosen on a CPU only; a GPU takes up to %d",
             in->size, ELEMENT_MOST);
    WW_CHECK(device, !chosen->problem, WW_LIMIT, "by this method a GPU's predicate takes elements of at most %d steps",
             WW_INPUT_STEPS - 1);
    return WW_OK;
}

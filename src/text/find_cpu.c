/* Finding on a CPU: the method's scanner is made, and goes through the text in pieces. */
#include "function/function.h"
#include "text/pieces_cpu.h"
#include "text/sides.h"

static ww__scanner_make *maker_of(ww_find_method method) {
    switch (method) {
    case WW_FIND_SERIAL:
        return ww__scanner_serial;
    case WW_FIND_DIVIDE:
        return ww__scanner_divide;
    case WW_FIND_DIVIDE32:
        return ww__scanner_divide32;
    case WW_FIND_DIVIDE64:
        return ww__scanner_divide64;
    case WW_FIND_HYBRID:
        return ww__scanner_hybrid;
    case WW_FIND_TWOSTAGE:
        return ww__scanner_twostage;
    default:
        return NULL;
    }
}

ww_status ww__find_cpu(ww_device *device, const ww__finding *f) {
    const void *text;
    ww__scanner scanner = {0};
    WW_TRY(ww__input_in_memory(device, &f->text, &text));
    ww__scanner_make *const make = maker_of(f->method);
    WW_TRY(make ? make(device, f, &scanner) : ww__scanner_auto(device, f, text, &scanner));
    return ww__find_pieces(device, f, text, &scanner);
}

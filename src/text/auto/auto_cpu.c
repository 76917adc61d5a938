/* The automatic method on a CPU: which way a text is gone through.
 *
 *     packed                          all starts of a byte together                                packed_cpu.c
 *     64 characters and more          words, far apart, are looked for in the pattern              skip_cpu.c
 *     shorter, or too much alike      the rarest characters at 64 starts together                  windows_cpu.c
 *     too much compared in vain       never back                                                   linear_cpu.c */
#include <string.h>

#include "device/cpu/parallel.h"
#include "text/auto/auto_cpu.h"

/* For the first match the text's begin is sampled, for the last its end: the rest may never be read. */
static void choose_windows(ww__needle *needle, const ww__finding *f, const unsigned char *text) {
    enum { NEAR = 1 << 18 };
    const uint64_t starts = f->want == WW__FIND_ALL ? f->starts : ww__min_u64(f->starts, NEAR);
    if (!f->starts) return;
    ww__rare_choose(needle, text + (f->want == WW__FIND_LAST ? f->starts - starts : 0), starts, UINT32_MAX,
                    &needle->rare);
}

static ww_status make_letters(ww_device *device, ww__needle *needle) {
    unsigned char *letters;
    WW_TRY(ww__scratch(device, (size_t)needle->m, &letters));
    if (device->on_paper) return WW_OK;
    for (uint64_t i = 0; i < needle->m; i++) {
        const unsigned char c = needle->pattern[i];
        letters[i] = c >= 'a' && c <= 'z' ? 32 : 0;
    }
    needle->letters = letters;
    return WW_OK;
}

/* What the rest takes on paper. */
static ww_status on_paper(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    ww__needle like = {.m = f->m};
    if (f->packed) return WW_OK;
    if (f->fold) WW_TRY(make_letters(device, &like));
    return f->m >= WW__SKIP_LEAST ? ww__skip_make(device, &like, scanner) : WW_OK;
}

ww_status ww__scanner_auto(ww_device *device, const ww__finding *f, const unsigned char *text, ww__scanner *scanner) {
    ww__needle *needle;
    WW_TRY(ww__scratch(device, sizeof *needle, &needle));
    if (device->on_paper) return on_paper(device, f, scanner);
    *needle = (ww__needle){.pattern = f->pattern, .m = f->m, .bits = f->packed ? f->bits : 8, .vector = device->vector};
    if (f->packed) {
        ww__packed_make(needle);
        *scanner = (ww__scanner){.scan = ww__packed_scan, .needle = needle};
        return WW_OK;
    }
    if (f->fold) WW_TRY(make_letters(device, needle));
    if (f->m >= WW__SKIP_LEAST) return ww__skip_make(device, needle, scanner);
    choose_windows(needle, f, text);
    *scanner = (ww__scanner){.scan = ww__windows_scan, .needle = needle};
    return WW_OK;
}

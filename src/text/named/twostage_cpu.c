/* Method twostage on a CPU: section 2.7.2, algorithm 1.
 *
 * First the text is skimmed for a subpattern, the pattern's first 16 characters (where they have up to 4 bits; 8 of more), by
 * divide64's lanes. Then what was marked is verified, 32 characters at a time, which the lanes of a vector compare together.
 * Ashkiani (2017) compares fingerprints of such chunks; a CPU compares the chunks themselves in less time, and is sure. */
#include "device/device.h"
#include "text/named/divide_words_cpu.h"

enum { NARROW_BITS = 4, SUBPATTERN_NARROW = 16, SUBPATTERN_WIDE = 8 };

ww_status ww__scanner_twostage(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    const uint64_t subpattern = f->bits <= NARROW_BITS ? SUBPATTERN_NARROW : SUBPATTERN_WIDE;
    ww__words *s;
    WW_TRY(ww__scratch(device, sizeof *s, &s));
    if (device->on_paper) return ww__named_on_paper(device, f);
    WW_TRY(ww__words_make(device, f, f->m < subpattern ? f->m : subpattern, 64, s));
    *scanner = (ww__scanner){ww__words_find, s, false};
    return WW_OK;
}

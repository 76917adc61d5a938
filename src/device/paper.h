/* Calls on paper: between ww_scratch_ask and ww_scratch_asked a call checks its arguments, takes its scratch memory on paper, and
 * does no work. The code that plans and takes memory is the one that always runs, so that what is said is what would be taken:
 *
 *   ww__scratch       counts, and gives an address where no memory is, the same distance from the next one as ever
 *   ww__parallel      returns at once, and so do launches, copies and fills of a GPU, which compiles nothing
 *   a room            looks at device->on_paper before it touches scratch memory, inputs or outputs itself, and where what it
 *                     takes depends on data that it has not seen: there it takes the most that this can be
 *
 * Tests have every call made on paper first, and the two compared (ww__rehearse_calls). */
#ifndef WW__PAPER_H
#define WW__PAPER_H

#include "device/device.h"

/* Takes a piece of `counted` bytes, a multiple of 64; 0: of memory that does not count. */
ww_status ww__paper_piece(ww_device *device, size_t counted, void **pointer);

/* For calls that cannot be made on paper: UNSUPPORTED there. */
ww_status ww__not_on_paper(ww_device *device);

/* Whether an address is one that ww__paper_piece gave. */
bool ww__is_paper(const void *pointer);

/* From now on every call is made on paper first; for tests. What was said counts as taken in scratch_peak, so that tests of bounds
 * see it. */
typedef void ww__say_rehearsed(const ww_device *device, const char *wrong, size_t asked, size_t taken);
void ww__rehearse_calls(ww_device *device, ww__say_rehearsed *say);

/* At the end of the real call. */
void ww__rehearsal_compare(ww_device *device, ww_status status);

#endif

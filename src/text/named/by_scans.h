/* What tests may ask of cooperative and recurrence beyond a request. */
#ifndef WW__TEXT_BY_SCANS_H
#define WW__TEXT_BY_SCANS_H

#include "text/find.h"

typedef struct ww__scans_tuning {
    uint64_t chunk; /* starts, a multiple of 64; a text is gone through in chunks of so many */
    uint64_t base;  /* of recurrence's fingerprint; 1 makes many false ones */
} ww__scans_tuning;

ww_status ww__find_by_scans_tuned(ww_device *device, const ww__finding *finding, const ww__scans_tuning *tuning);

#endif

/* The names and sentences of every status, from the one table in device.h. */
#include "warpwise/device.h"

const char *ww_status_name(ww_status status) {
    switch (status) {
#define NAME(name, value, text) \
    case WW_##name: \
        return "WW_" #name;
        WW_STATUSES(NAME)
#undef NAME
    }
    return "WW_?";
}

const char *ww_status_text(ww_status status) {
    switch (status) {
#define TEXT(name, value, text) \
    case WW_##name: \
        return text;
        WW_STATUSES(TEXT)
#undef TEXT
    }
    return "not a status of this library";
}

#define WORDS_(major, minor, patch) #major "." #minor "." #patch
#define WORDS(major, minor, patch) WORDS_(major, minor, patch)

uint32_t ww_version_number(void) { return WW_VERSION_NUMBER; }

const char *ww_version(void) { return WORDS(WW_VERSION_MAJOR, WW_VERSION_MINOR, WW_VERSION_PATCH); }

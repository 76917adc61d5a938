/* Reading a part of every record as a big-endian number: numbers are in memcmp's order. */
#ifndef WW__READ_KEYS_H
#define WW__READ_KEYS_H

#include "device/device.h"

/* Bytes that are read as one number. */
enum { WW__READ_MOST = WW_HAS_U128 ? 16 : 8 };

typedef struct ww__key_reading {
    const unsigned char *records;
    uint64_t count;
    size_t size;        /* bytes of a record */
    uint64_t first;     /* of its bytes, the key's first */
    size_t bytes;       /* of the key: up to WW__READ_MOST */
    ww_array order;     /* u32 or u64: the records' positions in the order to read them; no data: as they lie */
    void *out;          /* numbers of number_size bytes, aligned; may be the records, if those are nothing but keys */
    size_t number_size; /* a power of two, at least `bytes` */
} ww__key_reading;

ww_status ww__read_keys_cpu(ww_device *device, const ww__key_reading *reading);
ww_status ww__read_keys_gpu(ww_device *device, const ww__key_reading *reading);

#endif

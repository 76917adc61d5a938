/* NumPy's .npy header: what it says, read from bytes and written to bytes. No file is touched here. */
#ifndef WW__NPY_H
#define WW__NPY_H

#include "device/device.h"
#include "warpwise/file.h"

enum {
    WW__NPY_MAGIC_BYTES = 6,
    WW__NPY_PREAMBLE_BYTES = 12,    /* of versions 2 and 3; version 1 has 10 */
    WW__NPY_HEADER_LIMIT = 1 << 20, /* bytes of header text that are read; NumPy's own limit is 10,000 */
    WW__NPY_WRITTEN_BYTES = 1536    /* room for a header that this library writes: 64 numbers of 20 digits */
};

typedef struct ww__npy {
    const ww_type *type; /* ww_type_record for V */
    size_t size;         /* bytes of one element */
    uint64_t count;      /* product of the shape */
    bool swapped;        /* elements are of the other byte order */
    uint64_t dimensions; /* of the shape */
    uint64_t shape[WW_FILE_DIMENSIONS];
} ww__npy;

bool ww__npy_begins(const unsigned char *bytes, size_t length);

/* The length of the preamble and of the header text after it, from the first 12 bytes (10 are enough for version 1). */
ww_status ww__npy_lengths(ww_device *device, const char *name, const unsigned char *bytes, size_t length,
                          size_t *preamble, size_t *header);

/* What the header text says. */
ww_status ww__npy_parse(ww_device *device, const char *name, const char *text, size_t length, ww__npy *npy);

/* Preamble and header, version 1.0, for elements in this shape (NULL: in one row); returns their bytes, a multiple of 64. */
size_t ww__npy_header(const ww_array *array, const ww_file_header *shape, char bytes[WW__NPY_WRITTEN_BYTES]);

#endif

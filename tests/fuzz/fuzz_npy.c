/* Any bytes at all as a .npy file: the parser says what is wrong or gives an array that lies whole inside the bytes. */
#include <stdlib.h>
#include <string.h>

#include "file/source.h"

static void check(int right) {
    if (!right) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static ww_device *device;
    ww_file_array file = {{NULL, 0, NULL, 0, NULL, 0}, {0, 0}};
    ww__source source;
    if (!device) check(ww_open("cpu:threads=1", &device) == WW_OK);
    check(ww__enter(device, "fuzz") == WW_OK);
    ww__source_memory(device, "fuzz.npy", bytes, length, &source);
    const ww_status status = ww__leave(device, ww__read_npy(&source, ww_none, &file));
    check(status == WW_OK || status == WW_FORMAT || status == WW_MEMORY);
    if (status) {
        check(strstr(ww_error(device), "fuzz.npy") != NULL || status == WW_MEMORY);
        check(file.array.data == NULL);
    } else {
        const size_t body = (size_t)file.array.count * file.array.size;
        volatile unsigned char sum = 0; /* so that every byte is really read */
        check(file.array.type != NULL && file.array.size > 0 && body <= length);
        for (size_t i = 0; i < body; i++) sum = (unsigned char)(sum + ((unsigned char *)file.array.data)[i]);
    }
    ww_file_release(device, &file);
    return 0;
}

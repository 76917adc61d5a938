#include "device/gpu/chain.h"

enum { TICKET_BYTES = 128 }; /* a line of its own */

ww_status ww__gpu_chain_begin(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain) {
    unsigned char *words;
    size_t bytes;
    WW_CHECK(device, tiles < UINT32_MAX, WW_LIMIT, "this would take %llu tiles, and a GPU's tickets end at %u",
             (unsigned long long)tiles, UINT32_MAX);
    bytes = TICKET_BYTES + (size_t)tiles * sizeof(uint64_t);
    *chain = (ww__gpu_chain){NULL, NULL, NULL, NULL};
    WW_TRY(ww__scratch(device, bytes, &words));
    chain->ticket = words;
    chain->word = words + TICKET_BYTES;
    if (carrier) {
        WW_TRY(ww__scratch_array(device, tiles, carrier, &chain->own));
        WW_TRY(ww__scratch_array(device, tiles, carrier, &chain->all));
    }
    return ww__gpu_fill(device, words, 0, bytes);
}

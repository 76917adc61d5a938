/* Any bytes as calls on small arrays, beside the serial oracles. */
#include <stdlib.h>

#include "support/random_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    random_calls(bytes, length, abort);
    return 0;
}

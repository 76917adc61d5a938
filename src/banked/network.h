/* Batcher's networks over all words, as they are run on a GPU that knows nothing of banks. */
#ifndef WW__BANKED_NETWORK_H
#define WW__BANKED_NETWORK_H

#include "machine.h"

typedef enum ww__network { WW__NETWORK_ODDEVEN, WW__NETWORK_BITONIC } ww__network;

/* Sorts `words` words, a power of two: word x is in bank x mod banks, column x / banks. The machine waits for conflicts. `kept`
 * has room for two words a processor. */
void ww__network_sort(ww__machine *machine, ww__network network, uint64_t words, uint64_t *kept);
/* Steps without what is waited. */
uint64_t ww__network_steps(ww__network network, uint64_t words, uint32_t banks);

#endif

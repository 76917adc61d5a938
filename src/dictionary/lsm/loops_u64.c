/* The CPU's side of the ordered dictionary for u64 keys. */
#include <stdint.h>

typedef uint64_t ww_key;
#define LSM_LOOPS ww__lsm_loops_u64
#include "dictionary/lsm/loops.h"

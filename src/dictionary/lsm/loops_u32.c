/* The CPU's side of the ordered dictionary for u32 keys. */
#include <stdint.h>

typedef uint32_t ww_key;
#define LSM_LOOPS ww__lsm_loops_u32
#include "dictionary/lsm/loops.h"

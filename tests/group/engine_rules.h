/* What every engine of a group must do, as include/warpwise/group.h says it, whatever carries its bytes. All ranks of an engine
 * call a rule at the same time, each with its own end; each rule closes its engine. False where it does not hold: a line says
 * what, with the seed. */
#ifndef TESTS_GROUP_ENGINE_RULES_H
#define TESTS_GROUP_ENGINE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "warpwise/group.h"

/* Exchanges of random blocks of up to `most` bytes at odd places, several under way, with gathers between. */
bool rule_bytes_arrive(ww_engine *engine, uint64_t seed, uint64_t most);
/* The last rank does not come: others are LOST after their limit, and may close. */
bool rule_silence_is_lost(ww_engine *engine);
/* The last rank gives up: others are told which rank it was; or, where the transport cannot tell, are LOST after their limit. */
bool rule_abort_is_told(ww_engine *engine, bool can_tell);
/* Rank 0 closes when its first exchange has ended, which the others, who come later, still have whole; their next is LOST. */
bool rule_closing_keeps_what_ended(ww_engine *engine, uint64_t seed, bool can_tell);

#endif

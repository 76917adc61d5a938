/* Every size of values that are moved through lines, for one key size: the file that includes this one defines
 *     PAIRS     the file of loops for a pair of sizes, which is included for each with what lines_pairs.h lists
 *     LOOPS     the type of the loops that it makes
 *     KEY_NAME  the key size's short name, NAME(what) a name with that, JOINED(a, b)
 * and gets them in NAME(loops): those without values first, then of 1, 2, 4, 8 and 16 bytes. */

#define VALUE_NAME JOINED(KEY_NAME, none)
#define VALUE unsigned char
#define VALUED 0
#include PAIRS
#define VALUE_NAME JOINED(KEY_NAME, 8)
#define VALUE uint8_t
#define VALUED 1
#include PAIRS
#define VALUE_NAME JOINED(KEY_NAME, 16)
#define VALUE uint16_t
#define VALUED 1
#include PAIRS
#define VALUE_NAME JOINED(KEY_NAME, 32)
#define VALUE uint32_t
#define VALUED 1
#include PAIRS
#define VALUE_NAME JOINED(KEY_NAME, 64)
#define VALUE uint64_t
#define VALUED 1
#include PAIRS
#define VALUE_NAME JOINED(KEY_NAME, 128)
#define VALUE ww__sixteen_bytes
#define VALUED 1
#include PAIRS

static const LOOPS *const NAME(loops)[] = {
    &JOINED(loops, JOINED(KEY_NAME, none)), &JOINED(loops, JOINED(KEY_NAME, 8)),
    &JOINED(loops, JOINED(KEY_NAME, 16)),   &JOINED(loops, JOINED(KEY_NAME, 32)),
    &JOINED(loops, JOINED(KEY_NAME, 64)),   &JOINED(loops, JOINED(KEY_NAME, 128))};

#undef PAIRS
#undef LOOPS

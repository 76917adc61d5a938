/* A multisplit's loops through lines for one key size and all value sizes; lines.c includes this file with
 *     KEY       a type of the keys' size
 *     KEY_NAME  its short name */

#define NAME(what) JOINED(what, KEY_NAME)
typedef KEY NAME(key) __attribute__((aligned(1), may_alias));
#define ANY_KEY NAME(key)

#define VALUE_NAME JOINED(KEY_NAME, none)
#define VALUE unsigned char
#define VALUED 0
#include "multisplit/lines_move.h"
#define VALUE_NAME JOINED(KEY_NAME, 8)
#define VALUE uint8_t
#define VALUED 1
#include "multisplit/lines_move.h"
#define VALUE_NAME JOINED(KEY_NAME, 16)
#define VALUE uint16_t
#define VALUED 1
#include "multisplit/lines_move.h"
#define VALUE_NAME JOINED(KEY_NAME, 32)
#define VALUE uint32_t
#define VALUED 1
#include "multisplit/lines_move.h"
#define VALUE_NAME JOINED(KEY_NAME, 64)
#define VALUE uint64_t
#define VALUED 1
#include "multisplit/lines_move.h"
#define VALUE_NAME JOINED(KEY_NAME, 128)
#define VALUE ww__sixteen_bytes
#define VALUED 1
#include "multisplit/lines_move.h"

static const ww__lines_loops *const NAME(loops)[] = {
    &JOINED(loops, JOINED(KEY_NAME, none)), &JOINED(loops, JOINED(KEY_NAME, 8)),
    &JOINED(loops, JOINED(KEY_NAME, 16)),   &JOINED(loops, JOINED(KEY_NAME, 32)),
    &JOINED(loops, JOINED(KEY_NAME, 64)),   &JOINED(loops, JOINED(KEY_NAME, 128))};

#undef NAME
#undef ANY_KEY
#undef KEY
#undef KEY_NAME

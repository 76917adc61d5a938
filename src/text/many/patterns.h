/* Many patterns made ready: the tables that say which of them begin at a place of a text, and the prefilters in front of them.
 *
 * The different patterns stand in the order of their bytes. A pattern's parent is the longest other one that begins it; so
 * the patterns that begin at a place of a text are one of them and its ancestors. That one is found so: of the patterns that
 * are not behind the text in order, the last one has all patterns that fit among itself and its ancestors (what fits is not
 * behind the text, and so begins what stands between it and the text), and of these those fit that are no longer than what it
 * has in common with the text. The patterns that begin with the text's first eight bytes stand together, and a hash table says
 * where; where there are none, shorter ones are looked for among those that begin with its first two. First bytes are numbers
 * that compare as they do, and ancestors are found by jumps: so a place costs at most the logarithm of the number of patterns,
 * and comparisons, each as long as what the text has in common with patterns beyond what is known.
 *
 * The hash is a plain one, and patterns can be computed that all have the same. So a key stands in one of the WW__PROBES slots
 * from its hash's place on or, where these are taken, in none; and where a look-up has seen as many slots in vain, the patterns
 * with the text's first two bytes are searched, which costs the logarithm, too. In a table that is half full of other patterns
 * that is one look-up in a thousand.
 *
 * Before that a prefilter is asked, which lets nearly no place pass in vain: patterns of 8 bytes and more ("long") by a hash of
 * the first 8, those of 4 to 7 ("short") by one of the first 4, those of 1 to 3 ("tiny") by the first two themselves. */
#ifndef WW__PATTERNS_H
#define WW__PATTERNS_H

#include "device/device.h"
#include "warpwise/text.h"

enum {
    WW__LONG = 8, /* bytes that are hashed of long patterns, and of short ones: the least they have */
    WW__SHORT = 4,
    WW__PAIRS = 1 << 16, /* two bytes, the first one the high one */
    WW__PROBES = 32,     /* slots that a key can stand in */
    WW__SKIM_STEP = 4,   /* a CPU asks at every fourth place first */
    WW__TEDDY_MOST = 4,  /* bytes of a pattern that nibbles are looked up of */
    WW__TEDDY_PATTERNS = 64
};
#define WW__NO_NODE UINT32_MAX

/* A pattern that is different from all others. As kernels see it: struct pattern_node. */
typedef struct ww__pattern_node {
    uint32_t begin, length; /* in `bytes` */
    uint32_t parent, jump;  /* jump: an ancestor further away; WW__NO_NODE where there is none */
    uint32_t total;         /* how many of the caller's patterns are this one or ancestors */
    uint32_t number, equal; /* those that are this one: number[number] … number[number + equal - 1], rising */
    uint32_t depth;         /* 1 without a parent */
} ww__pattern_node;

/* The nodes that begin with the 8 bytes of `key`: low … high - 1. A slot with high 0 is empty. As kernels see it. */
typedef struct ww__pattern_slot {
    uint64_t key;
    uint32_t low, high;
} ww__pattern_slot;

/* Where the tables lie, in the memory of the device. */
typedef struct ww__pattern_tables {
    const uint64_t *key; /* of each node: the first 8 bytes as a number, the first one highest; 0 behind the end */
    const ww__pattern_node *node;
    const uint32_t *number;
    const uint32_t *pair;         /* WW__PAIRS + 1: the first node that is not before these two bytes */
    const uint32_t *filter;       /* bits: tiny (where there are any), short, long */
    const ww__pattern_slot *slot; /* of long patterns: from its hash's place on, the next one that is free, if any */
    const unsigned char *bytes;
} ww__pattern_tables;

struct ww_patterns {
    ww_device *device;
    bool fold;
    uint64_t count, shortest, longest, most; /* most: of those that begin at one place */
    uint32_t nodes;
    bool tiny, four, eight;       /* what kinds there are */
    uint32_t four_log, eight_log; /* bits of their filters */
    uint32_t slot_log;            /* slots; 0: there are no long patterns */
    uint32_t skim_bytes,
        skim_log; /* of a CPU: what is hashed at every fourth place, and its filter's bits; 0: it does not */
    const uint32_t *skim;
    const unsigned char
        *teddy; /* of a CPU: 16 low nibbles and 16 high ones for each of the first bytes; NULL: it does not */
    uint32_t teddy_bytes;
    unsigned char *image; /* all tables, in the host's memory (a CPU), or the GPU's */
    size_t image_bytes;
    ww__pattern_tables tables;
};

/* Hashes, of which the highest bits are taken. The kernel text has the same. */
static inline uint32_t ww__hash_four(uint32_t x) { return x * UINT32_C(0x9E3779B1); }
static inline uint32_t ww__hash_eight(uint32_t low, uint32_t high) {
    return low * UINT32_C(0x9E3779B1) + high * UINT32_C(0x85EBCA77);
}
/* What is looked for, and where. */
typedef struct ww__searching {
    const ww_patterns *patterns;
    const unsigned char *text; /* n bytes */
    uint64_t n, starts;        /* matches begin at 0 … starts - 1 */
    uint64_t behind;           /* and end behind this place of the text: 0 for all */
    uint64_t bias;             /* is added to positions */
    ww_array positions, numbers;
} ww__searching;

/* A checked request, inside a call that is under way, on the device's backend; the text is the input's. */
ww_status ww__many(ww_device *device, const ww_input *text, const ww__searching *s, const ww_array *count);

/* Finds all, and writes them behind the `before` that the outputs have. *total: with these. */
ww_status ww__many_cpu(ww_device *device, const ww__searching *s, uint64_t before, uint64_t *total);
/* The same; `before` is a u64 in the GPU's memory, or NULL. */
ww_status ww__many_gpu(ww_device *device, const ww__searching *s, const void *before, const ww_array *total);

/* How many places of n a match can begin at. */
static inline uint64_t ww__starts_of(const ww_patterns *p, uint64_t n) {
    return n >= p->shortest ? n - p->shortest + 1 : 0;
}

/* Checks the outputs of a call with this text, whose positions are `largest` at most, at so many places. */
ww_status ww__many_check(const ww_patterns *p, const ww_input *text, uint64_t largest, uint64_t places,
                         const ww_array *positions, const ww_array *numbers, const ww_array *count);

#endif

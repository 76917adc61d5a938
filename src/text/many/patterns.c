/* ww_patterns_open and _close: patterns are sorted, equal ones become one node, and the tables of patterns.h are built in one
 * block of the host's memory, which on a GPU is copied to its own.
 *
 * Sorting moves numbers, and compares first bytes as numbers, then all. A node's parent is the node before it, or the nearest
 * of that one's ancestors that is no longer than what the two neighbours have in common. */
#include "text/many/patterns.h"

#include <string.h>

#include "device/gpu/memory.h"
#include "device/paper.h"
#include "function/check.h"
#include "function/function.h"
#include "text/find.h"

typedef unsigned long long ull;

enum {
    COUNT_MOST = 1 << 20,
    BYTES_MOST = 1 << 28,
    SLOTS = 2, /* for each long pattern */
    SLOT_LEAST_LOG = 4,
    SLOT_MOST_LOG = 21,
    LEAST_LOG = 10,    /* bits of a filter */
    CPU_BITS = 128,    /* for each pattern, */
    CPU_MOST_LOG = 21, /* up to 256 KiB: the second-level cache's half */
    GPU_BITS = 256,    /* in a block's shared memory: */
    SHARED_BESIDE = 24 << 10,
    GPU_LEAST_LOG = 12,
    GPU_LOG_STEP = 3,
    GPU_MOST_LOG = 19, /* 64 KiB, or half of it for each of two */
    SKIM_BITS = 64,    /* for each of a pattern's WW__SKIM_STEP pieces */
    SKIM_LEAST = 5     /* bytes, below which too many places of real texts pass */
};

typedef struct making {
    ww_device *device;
    ww_patterns *p;
    const uint64_t *offsets;
    uint32_t *order, *spare; /* numbers of patterns */
    uint64_t *first;         /* of each: its first bytes as a number */
    unsigned char *image;
    /* The tables, in it. */
    uint64_t *key;
    ww__pattern_node *node;
    uint32_t *number, *pair, *filter, *skim;
    ww__pattern_slot *slot;
    unsigned char *teddy, *bytes;
    size_t filter_words;
} making;

static size_t begin_of(const making *m, uint64_t k) { return (size_t)(m->offsets[k] - m->offsets[0]); }
static size_t length_of(const making *m, uint64_t k) { return (size_t)(m->offsets[k + 1] - m->offsets[k]); }

/* ---- order ---- */

static uint64_t first_bytes(const unsigned char *bytes, size_t length) {
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++) key = key << 8 | (i < length ? bytes[i] : 0);
    return key;
}

/* Whether pattern b goes before pattern a; equal ones stay as they are. */
static bool before(const making *m, uint32_t b, uint32_t a) {
    if (m->first[a] != m->first[b]) return m->first[b] < m->first[a];
    const size_t length_a = length_of(m, a), length_b = length_of(m, b),
                 both = length_a < length_b ? length_a : length_b;
    const int order = memcmp(m->bytes + begin_of(m, b), m->bytes + begin_of(m, a), both);
    return order ? order < 0 : length_b < length_a;
}

static void merge(const making *m, const uint32_t *from, uint32_t *to, uint64_t first, uint64_t middle, uint64_t end) {
    uint64_t a = first, b = middle;
    for (uint64_t k = first; k < end; k++)
        to[k] = b == end || (a < middle && !before(m, from[b], from[a])) ? from[a++] : from[b++];
}

static void sort_patterns(making *m) {
    const uint64_t n = m->p->count;
    for (uint64_t k = 0; k < n; k++) {
        m->order[k] = (uint32_t)k;
        m->first[k] = first_bytes(m->bytes + begin_of(m, k), length_of(m, k));
    }
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * run)
            merge(m, m->order, m->spare, i, ww__min_u64(i + run, n), ww__min_u64(i + 2 * run, n));
        uint32_t *const sorted = m->spare;
        m->spare = m->order;
        m->order = sorted;
    }
}

/* ---- nodes ---- */

static size_t common(const making *m, const ww__pattern_node *a, const ww__pattern_node *b) {
    const size_t most = a->length < b->length ? a->length : b->length;
    size_t i = 0;
    while (i < most && m->bytes[a->begin + i] == m->bytes[b->begin + i]) i++;
    return i;
}

static uint32_t depth_of(const making *m, uint32_t v) { return v == WW__NO_NODE ? 0 : m->node[v].depth; }
static uint32_t jump_of(const making *m, uint32_t v) { return v == WW__NO_NODE ? WW__NO_NODE : m->node[v].jump; }

/* Jumps as long as those before them twice over (Myers 1983): an ancestor is reached in logarithmically many. */
static void put_under(making *m, uint32_t v, uint32_t parent) {
    const uint32_t jump = jump_of(m, parent), further = jump_of(m, jump);
    ww__pattern_node *const node = &m->node[v];
    node->parent = parent;
    node->depth = depth_of(m, parent) + 1;
    node->jump = depth_of(m, parent) - depth_of(m, jump) == depth_of(m, jump) - depth_of(m, further) ? further : parent;
    node->total = node->equal + (parent == WW__NO_NODE ? 0 : m->node[parent].total);
    if (node->total > m->p->most) m->p->most = node->total;
}

static uint32_t word_at(const unsigned char *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A slot, if one is left, for the nodes from v on that begin with its 8 bytes; returns the first that does not. */
static uint32_t fill_slot(making *m, uint32_t v) {
    const ww_patterns *const p = m->p;
    const unsigned char *const bytes = m->bytes + m->node[v].begin;
    const uint32_t home = ww__hash_eight(word_at(bytes), word_at(bytes + 4)) >> (32 - p->slot_log);
    uint32_t end = v + 1, probe = 0;
    while (end < p->nodes && m->key[end] == m->key[v]) end++;
    ww__pattern_slot *slot;
    do slot = &m->slot[(home + probe) & ((1U << p->slot_log) - 1)];
    while (slot->high && ++probe < WW__PROBES);
    if (probe < WW__PROBES) *slot = (ww__pattern_slot){m->key[v], v, end};
    return end;
}

static void make_slots(making *m) {
    memset(m->slot, 0, sizeof *m->slot << m->p->slot_log);
    for (uint32_t v = 0; v < m->p->nodes;) v = m->node[v].length >= WW__LONG ? fill_slot(m, v) : v + 1;
}

static void make_nodes(making *m) {
    ww_patterns *const p = m->p;
    for (uint64_t k = 0, end; k < p->count; k = end) {
        const uint32_t v = p->nodes++, one = m->order[k];
        uint32_t parent = WW__NO_NODE;
        for (end = k + 1; end < p->count && !before(m, one, m->order[end]) && !before(m, m->order[end], one);) end++;
        m->node[v] = (ww__pattern_node){.begin = (uint32_t)begin_of(m, one),
                                        .length = (uint32_t)length_of(m, one),
                                        .number = (uint32_t)k,
                                        .equal = (uint32_t)(end - k)};
        m->key[v] = m->first[one];
        if (v) {
            const size_t same = common(m, &m->node[v - 1], &m->node[v]);
            for (parent = v - 1; parent != WW__NO_NODE && m->node[parent].length > same;)
                parent = m->node[parent].parent;
        }
        put_under(m, v, parent);
    }
    memcpy(m->number, m->order, (size_t)p->count * sizeof *m->number);
    uint32_t v = 0;
    for (uint64_t pair = 0; pair <= WW__PAIRS; pair++) {
        while (v < p->nodes && m->key[v] >> 48 < pair) v++;
        m->pair[pair] = v;
    }
}

/* ---- filters ---- */

static void set_bit(uint32_t *bits, uint32_t hash, uint32_t log) {
    bits[hash >> (32 - log) >> 5] |= UINT32_C(1) << (hash >> (32 - log) & 31);
}

static void filter_node(making *m, const ww__pattern_node *node) {
    const ww_patterns *const p = m->p;
    const unsigned char *const bytes = m->bytes + node->begin;
    uint32_t *const four = m->filter + (p->tiny ? WW__PAIRS / 32 : 0);
    uint32_t *const eight = four + (p->four ? 1U << p->four_log >> 5 : 0);
    if (node->length >= WW__LONG)
        set_bit(eight, ww__hash_eight(word_at(bytes), word_at(bytes + 4)), p->eight_log);
    else if (node->length >= WW__SHORT)
        set_bit(four, ww__hash_four(word_at(bytes)), p->four_log);
    else
        for (uint32_t second = 0; second < 256; second++)
            if (node->length == 1 || second == bytes[1])
                m->filter[((uint32_t)bytes[0] << 8 | second) >> 5] |= UINT32_C(1) << (second & 31);
}

/* Pieces of skim_bytes at each of WW__SKIM_STEP places: one of them lies at a multiple of that in the text. */
static void skim_node(making *m, const ww__pattern_node *node) {
    const ww_patterns *const p = m->p;
    for (uint32_t j = 0; j < WW__SKIM_STEP; j++) {
        const unsigned char *const piece = m->bytes + node->begin + j;
        uint32_t high = 0;
        for (uint32_t i = 4; i < p->skim_bytes; i++) high |= (uint32_t)piece[i] << 8 * (i - 4);
        set_bit(m->skim, ww__hash_eight(word_at(piece), high), p->skim_log);
    }
}

/* Bucket b has bit b; capital letters are let through where case is ignored. */
static void teddy_node(making *m, const ww__pattern_node *node, uint32_t bucket) {
    for (uint32_t i = 0; i < m->p->teddy_bytes; i++) {
        const unsigned char c = m->bytes[node->begin + i], capital = m->p->fold && c >= 'a' && c <= 'z' ? c ^ 32 : c;
        unsigned char *const low = m->teddy + 32 * i, *const high = low + 16, bit = (unsigned char)(1 << bucket);
        low[c & 15] |= bit;
        high[c >> 4] |= bit;
        high[capital >> 4] |= bit;
    }
}

static void make_filters(making *m) {
    const ww_patterns *const p = m->p;
    memset(m->filter, 0, m->filter_words * sizeof *m->filter);
    if (m->skim) memset(m->skim, 0, ((size_t)1 << p->skim_log) / 8);
    if (m->teddy) memset(m->teddy, 0, (size_t)p->teddy_bytes * 32);
    for (uint32_t v = 0; v < p->nodes; v++) {
        filter_node(m, &m->node[v]);
        if (m->skim) skim_node(m, &m->node[v]);
        if (m->teddy) teddy_node(m, &m->node[v], v * 8 / p->nodes);
    }
}

/* ---- the image ---- */

/* On a GPU few different ones, each of which is a program. */
static uint32_t log_of(uint64_t bits, uint32_t least, uint32_t step, uint32_t most) {
    uint32_t log = least;
    while (log < most && (uint64_t)1 << log < bits) log += step;
    return log < most ? log : most;
}

/* Older GPUs' blocks have 48 or 64 KiB of shared memory, of which other things take 24 at most. */
static uint32_t gpu_most_log(const ww_device *device) {
    const size_t room = device->gpu->driver->shared_most - SHARED_BESIDE;
    uint32_t log = GPU_MOST_LOG;
    while (log > GPU_LEAST_LOG + 1 && ((size_t)1 << log) / 8 > room) log--;
    return log;
}

/* Which filters there are, and how large. */
static void plan_filters(making *m) {
    ww_patterns *const p = m->p;
    const bool gpu = m->device->backend == WW__BACKEND_GPU;
    uint64_t fours = 0, eights = 0;
    for (uint64_t k = 0; k < p->count; k++) {
        const size_t length = length_of(m, k);
        eights += length >= WW__LONG;
        fours += length < WW__LONG && length >= WW__SHORT;
    }
    p->tiny = fours + eights < p->count;
    p->four = fours;
    p->eight = eights;
    p->slot_log = eights ? log_of(SLOTS * eights, SLOT_LEAST_LOG, 1, SLOT_MOST_LOG) : 0;
    const uint64_t bits = gpu ? GPU_BITS : CPU_BITS;
    const uint32_t most = gpu ? gpu_most_log(m->device) - (fours && eights) : CPU_MOST_LOG;
    const uint32_t least = gpu ? GPU_LEAST_LOG : LEAST_LOG, step = gpu ? GPU_LOG_STEP : 1;
    p->four_log = log_of(fours * bits, least, step, most);
    p->eight_log = log_of(eights * bits, least, step, most);
    m->filter_words = (size_t)(p->tiny ? WW__PAIRS / 32 : 0) + (fours ? 1U << p->four_log >> 5 : 0) +
                      (eights ? 1U << p->eight_log >> 5 : 0);
    if (gpu) return;
    if (p->shortest >= SKIM_LEAST + WW__SKIM_STEP - 1) {
        p->skim_bytes = (uint32_t)ww__min_u64(8, p->shortest - (WW__SKIM_STEP - 1));
        p->skim_log = log_of(p->count * WW__SKIM_STEP * SKIM_BITS, LEAST_LOG, 1, CPU_MOST_LOG);
    }
    if (p->count <= WW__TEDDY_PATTERNS) p->teddy_bytes = (uint32_t)ww__min_u64(WW__TEDDY_MOST, p->shortest);
}

/* The next place in the image, of which `used` bytes are taken; `image` NULL only counts. */
static void *place(unsigned char *image, size_t *used, uint64_t count, size_t size) {
    void *const at = image && count ? image + *used : NULL;
    *used = ww__round_up(*used + (size_t)count * size, 64);
    return at;
}

static void lay_tables(making *m, size_t bytes) {
    ww_patterns *const p = m->p;
    p->image_bytes = 0;
    m->key = place(m->image, &p->image_bytes, p->count, sizeof *m->key);
    m->node = place(m->image, &p->image_bytes, p->count, sizeof *m->node);
    m->number = place(m->image, &p->image_bytes, p->count, sizeof *m->number);
    m->pair = place(m->image, &p->image_bytes, WW__PAIRS + 1, sizeof *m->pair);
    m->slot = place(m->image, &p->image_bytes, p->slot_log ? 1U << p->slot_log : 0, sizeof *m->slot);
    m->filter = place(m->image, &p->image_bytes, m->filter_words, sizeof *m->filter);
    m->skim = place(m->image, &p->image_bytes, p->skim_bytes ? 1U << p->skim_log >> 5 : 0, sizeof *m->skim);
    m->teddy = place(m->image, &p->image_bytes, p->teddy_bytes, 32);
    m->bytes = place(m->image, &p->image_bytes, bytes, 1);
}

/* Tells the patterns where their tables lie: at m->image's, but in memory that begins at `base`. */
static void name_tables(const making *m, unsigned char *base) {
    ww_patterns *const p = m->p;
#define AT(table) ((const void *)(base + ((const unsigned char *)(table)-m->image)))
    p->image = base;
    p->tables = (ww__pattern_tables){.key = AT(m->key),
                                     .node = AT(m->node),
                                     .number = AT(m->number),
                                     .pair = AT(m->pair),
                                     .filter = AT(m->filter),
                                     .slot = m->slot ? AT(m->slot) : NULL,
                                     .bytes = AT(m->bytes)};
    p->skim = m->skim ? AT(m->skim) : NULL;
    p->teddy = m->teddy ? AT(m->teddy) : NULL;
#undef AT
}

static ww_status fill_image(making *m, const unsigned char *given, size_t bytes) {
    const uint64_t n = m->p->count;
    WW_TRY(ww__host_scratch(m->device, (size_t)n * sizeof *m->order, &m->order));
    WW_TRY(ww__host_scratch(m->device, (size_t)n * sizeof *m->spare, &m->spare));
    WW_TRY(ww__host_scratch(m->device, (size_t)n * sizeof *m->first, &m->first));
    for (size_t i = 0; i < bytes; i++) m->bytes[i] = m->p->fold ? ww__folded(given[i]) : given[i];
    sort_patterns(m);
    make_nodes(m);
    if (m->slot) make_slots(m);
    make_filters(m);
    return WW_OK;
}

static ww_status fill_gpu_image(making *m, const unsigned char *given, size_t bytes) {
    void *memory;
    WW_TRY(fill_image(m, given, bytes));
    WW_TRY(ww__gpu_allocate(m->device, m->p->image_bytes, &memory));
    name_tables(m, memory);
    return ww__gpu_copy(m->device, memory, m->image, m->p->image_bytes);
}

static void release(ww_device *device, ww_patterns *p) {
    if (device->gpu && p->image)
        ww__gpu_release(device, p->image);
    else
        ww__release(device, p->image, p->image_bytes);
    ww__release(device, p, sizeof *p);
}

/* ---- calls ---- */

static ww_status make(making *m, const unsigned char *given) {
    ww_patterns *const p = m->p;
    const size_t bytes = begin_of(m, p->count);
    plan_filters(m);
    lay_tables(m, bytes);
    m->image = ww__allocate(m->device, p->image_bytes, 64);
    if (!m->image) return ww__no_memory(m->device, p->image_bytes);
    lay_tables(m, bytes);
    if (m->device->gpu) {
        const ww_status status = fill_gpu_image(m, given, bytes);
        ww__release(m->device, m->image, p->image_bytes);
        return status;
    }
    name_tables(m, m->image);
    return fill_image(m, given, bytes);
}

static ww_status check_patterns(ww_device *device, const void *bytes, const uint64_t *offsets, uint64_t count,
                                ww_patterns *p) {
    WW_CHECK(device, count, WW_INVALID, "there is no pattern");
    WW_CHECK(device, count <= COUNT_MOST, WW_LIMIT, "there are %llu patterns, and can be %d", (ull)count, COUNT_MOST);
    WW_CHECK(device, bytes && offsets, WW_INVALID, "%s is NULL", bytes ? "offsets" : "bytes");
    p->count = count;
    p->shortest = UINT64_MAX;
    for (uint64_t k = 0; k < count; k++) {
        WW_CHECK(device, offsets[k] <= offsets[k + 1], WW_RANGE, "offsets[%llu] is %llu, below the one before, %llu",
                 (ull)(k + 1), (ull)offsets[k + 1], (ull)offsets[k]);
        const uint64_t length = offsets[k + 1] - offsets[k];
        WW_CHECK(device, length, WW_INVALID, "pattern %llu is empty", (ull)k);
        WW_CHECK(device, length <= WW_PATTERN_MOST, WW_LIMIT, "pattern %llu has %llu bytes, and can have %llu", (ull)k,
                 (ull)length, (ull)WW_PATTERN_MOST);
        if (length > p->longest) p->longest = length;
        if (length < p->shortest) p->shortest = length;
    }
    const uint64_t all = offsets[count] - offsets[0];
    WW_CHECK(device, all <= BYTES_MOST, WW_LIMIT, "the patterns have %llu bytes, and can have %d", (ull)all,
             BYTES_MOST);
    return WW_OK;
}

static ww_status open_patterns(ww_device *device, const void *bytes, const uint64_t *offsets, uint64_t count,
                               const ww_find_options *options, ww_patterns **patterns) {
    ww__finding f = {.text = ww_no_input};
    ww_patterns p = {.device = device};
    WW_CHECK(device, patterns, WW_INVALID, "patterns is NULL");
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__find_check_options(device, options, &f));
    WW_CHECK(device, f.method == WW_FIND_AUTO && !f.packed && f.bits == 8, WW_INVALID,
             "of the options many patterns have fold alone");
    WW_TRY(check_patterns(device, bytes, offsets, count, &p));
    p.fold = f.fold;
    ww_patterns *const made = ww__allocate(device, sizeof *made, 64);
    if (!made) return ww__no_memory(device, sizeof *made);
    *made = p;
    making m = {.device = device, .p = made, .offsets = offsets};
    const ww_status status = make(&m, (const unsigned char *)bytes + offsets[0]);
    if (status)
        release(device, made);
    else
        *patterns = made;
    return status;
}

ww_status ww_patterns_open(ww_device *device, const void *bytes, const uint64_t *offsets, uint64_t count,
                           ww_patterns **patterns, const ww_find_options *options) {
    if (patterns) *patterns = NULL;
    const ww_status status = ww__enter(device, "ww_patterns_open");
    return status ? status : ww__leave(device, open_patterns(device, bytes, offsets, count, options, patterns));
}

void ww_patterns_close(ww_patterns *patterns) {
    if (!patterns) return;
    ww_device *const device = patterns->device;
    ww__gpu_enter(device);
    release(device, patterns);
    ww__gpu_leave(device);
}

/* Radix trees against brute force over strings of bits: trees held against their definition, each query, keys of each type
 * and shape, r from 1 to 8; what is wrong with keys; memory that runs out. */
#include <stdlib.h>

#include "reference/radix_tree.h"
#include "support/cases.h"
#include "warpwise.h"

/* ---- sorted keys, and what they are as strings of bits ---- */

enum { MOST = 1500, LONGEST = 40, QUERIES = 400 };

typedef enum kind { NUMBERS, PREFIXES, STRINGS, BIT_STRINGS, KINDS } kind;
static const char *const kind_names[] = {"numbers", "prefixes", "strings", "bit strings"};

typedef struct item {
    uint8_t bytes[LONGEST];
    size_t bits;
} item;

static item items[MOST], queries[QUERIES];
static reference_bits keys[MOST];

static int by_order(const void *a, const void *b) {
    const item *x = a, *y = b;
    return reference_bits_order((reference_bits){x->bytes, x->bits}, (reference_bits){y->bytes, y->bits});
}

/* Bits behind the last are 0. */
static void cut(item *x, size_t bits) {
    x->bits = bits;
    for (size_t i = bits; i < 8 * LONGEST; i++) x->bytes[i / 8] &= (uint8_t) ~(128 >> i % 8);
}

/* Shapes: 0 uniform, 1 few different bytes (long paths, many equal), 2 neighbours, 3 nested prefixes. */
static void make_item(item *x, kind k, size_t size, unsigned shape, uint64_t *seed) {
    size_t bits = 8 * size;
    for (size_t i = 0; i < LONGEST; i++) {
        const uint64_t r = random_next(seed) >> 8;
        x->bytes[i] = shape == 0 ? (uint8_t)r : shape == 3 ? 0x5A : r % 3 ? 0 : (uint8_t)(1 << r % 8);
    }
    if (shape == 2 && size > 1) {
        memset(x->bytes, 7, size - 1);
        x->bytes[size - 1] = (uint8_t)random_next(seed);
    }
    const uint64_t r = random_next(seed) >> 8;
    if (k == PREFIXES) bits = r % (8 * size + 1);
    if (k == STRINGS) bits = 8 * (r % (shape == 3 ? LONGEST : 6));
    if (k == BIT_STRINGS) bits = r % (8 * LONGEST - 7);
    if (k != NUMBERS && shape == 3 && r % 4 == 0) x->bytes[bits / 8 ? bits / 8 - 1 : 0] ^= (uint8_t)(1 << r % 8);
    cut(x, bits);
}

static void make(kind k, size_t n, size_t size, unsigned shape, uint64_t seed) {
    for (size_t i = 0; i < n; i++) make_item(&items[i], k, size, shape, &seed);
    qsort(items, n, sizeof *items, by_order);
    for (size_t i = 0; i < n; i++) keys[i] = (reference_bits){items[i].bytes, items[i].bits};
    for (size_t i = 0; i < QUERIES; i++) {
        const kind whole = k == PREFIXES ? NUMBERS : k == BIT_STRINGS ? STRINGS : k;
        make_item(&queries[i], whole, size, shape, &seed);
        if (n && i % 2) {
            const item *near = &items[random_next(&seed) % n];
            memcpy(queries[i].bytes, near->bytes, LONGEST);
            if (whole == STRINGS) queries[i].bits = (near->bits + 7) / 8 * 8 + i % 3 / 2 * 8;
            if (i % 4 == 1)
                queries[i].bytes[random_next(&seed) % (size < LONGEST ? size : 1)] ^= (uint8_t)(1 << i / 4 % 8);
            cut(&queries[i], queries[i].bits < 8 * LONGEST ? queries[i].bits : 8 * LONGEST);
        }
    }
}

/* The items in a call's form, in memory that the device reaches. */
typedef struct given {
    void *number;
    uint8_t *bytes;
    uint64_t *offset;
    uint32_t *length;
    size_t n, size;
    const ww_type *type;
} given;

static given give(const item *from, size_t n, kind k, size_t size) {
    static const ww_type *const of[] = {&ww_type_uint8_t, &ww_type_uint16_t, 0, &ww_type_uint32_t, 0, 0, 0,
                                        &ww_type_uint64_t};
    given g = {need(n * 8 + 1), need(n * LONGEST + 1), need((n + 1) * 8), need(n * 4 + 1), n, size, of[(size - 1) % 8]};
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = 0;
        for (size_t b = 0; k < STRINGS && b < size; b++) x = x << 8 | from[i].bytes[b];
        memcpy((char *)g.number + i * size % (n * 8 + 1), &x, k < STRINGS ? size : 0);
        g.length[i] = (uint32_t)from[i].bits;
        g.offset[i] = at;
        memcpy(g.bytes + at, from[i].bytes, (from[i].bits + 7) / 8);
        at += (from[i].bits + 7) / 8;
    }
    g.offset[n] = at;
    return g;
}

static void give_free(given *g) {
    free(g->number);
    free(g->bytes);
    free(g->offset);
    free(g->length);
}

static ww_input numbers_of(const given *g) { return ww_memory_of(g->number, g->n, g->type); }
static ww_input bytes_of(const given *g) { return ww_memory(g->bytes, g->offset[g->n]); }
static ww_input offsets_of(const given *g) { return ww_memory(g->offset, g->n + 1); }
static ww_input lengths_of(const given *g, kind k) {
    return k == PREFIXES || k == BIT_STRINGS ? ww_memory(g->length, g->n) : ww_no_input;
}

static ww_status build(ww_radix_tree *tree, const given *g, kind k) {
    return k < STRINGS ? ww_radix_tree_build(tree, numbers_of(g), lengths_of(g, k))
                       : ww_radix_tree_build_strings(tree, bytes_of(g), offsets_of(g), lengths_of(g, k));
}

/* ---- the tree against its definition ---- */

typedef struct tree_copy {
    ww_radix_view v;
    ww_radix_tree_counts counts;
    uint32_t *node, *slot, *ending, *end, *position;
    size_t nodes, places;
} tree_copy;

static uint32_t *copied(ww_device *device, const uint32_t *from, size_t n) {
    uint32_t *to = need(4 * n + 4);
    if (from && n) expect_status(device, ww_copy(device, ww_memory(from, n), ww_array(to, n)), WW_OK);
    return to;
}

static reference_bits key_at(const tree_copy *t, size_t place) {
    return keys[t->v.position ? t->position[place] : place];
}

static uint32_t digit_of(reference_bits key, size_t depth, uint32_t r) {
    uint32_t digit = 0;
    for (size_t i = depth; i < depth + r; i++)
        digit = 2 * digit + (i < key.bits ? key.bytes[i / 8] >> (7 - i % 8) & 1u : 0);
    return digit;
}

static bool bit_of(const uint32_t *bits, size_t i) { return bits[i / 32] >> i % 32 & 1; }

/* All keys of a slot from `begin` on stand beside each other below it; where the next ones begin. */
static size_t expect_slot(tree_copy *t, uint32_t slot, size_t begin) {
    const uint32_t r = t->v.digit_bits;
    if (slot & WW_RADIX_LEAF) {
        expect((slot & ~WW_RADIX_LEAF) == begin && begin < t->places);
        return begin;
    }
    const uint32_t *node = t->node + (size_t)slot * t->v.stride,
                   *ending = t->ending + (size_t)slot * t->v.ending_stride;
    const size_t depth = node[1], last = node[3];
    uint32_t slots = node[0], ended = t->v.ending ? ending[0] : 0, found = 0;
    expect(slot < t->counts.nodes && node[2] == begin && last > begin + t->v.leaf && last <= t->places &&
           depth % r == 0);
    const size_t common = reference_bits_common(key_at(t, begin), key_at(t, last - 1));
    const bool whole = !t->v.length && t->v.number;
    expect(depth <= common && common < depth + r);
    t->nodes++;
    for (size_t at = begin; at < last; found++) {
        const reference_bits key = key_at(t, at);
        const uint32_t digit = digit_of(key, depth, r);
        if (!whole && key.bits < depth + r) {
            uint32_t before = 0; /* of the prefixes of digits, in preorder: those whose key is smaller */
            for (uint32_t v = 0, k = (uint32_t)(key.bits - depth); k; k--) {
                const uint32_t half = 1u << (r - (key.bits - depth - k) - 1);
                const bool right = (digit - v) & half;
                before += right ? half : 1;
                v += right ? half : 0;
            }
            expect(bit_of(ending + 1, before) && t->end[ended] == at);
            ended++, at++;
            continue;
        }
        expect(bit_of(node + 4, digit));
        size_t next = at;
        while (next < last && digit_of(key_at(t, next), depth, r) == digit &&
               (whole || key_at(t, next).bits >= depth + r))
            next++;
        const uint32_t child = t->slot[slots++];
        expect(!(child & WW_RADIX_LEAF) == (next - at > t->v.leaf));
        expect_slot(t, child, at);
        if (!(child & WW_RADIX_LEAF)) expect(t->node[(size_t)child * t->v.stride + 3] == next);
        at = next;
    }
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 1u << r; i++)
        bits += (bit_of(node + 4, i) ? 1u : 0) + (t->v.ending && bit_of(ending + 1, i) ? 1u : 0);
    expect(bits == found);
    return last;
}

static void expect_tree(ww_device *device, ww_radix_tree *tree, size_t n) {
    tree_copy t = {.counts = ww_radix_tree_count(tree), .nodes = 0, .places = 0};
    expect_status(device, ww_radix_tree_view(tree, &t.v), WW_OK);
    for (size_t i = 0; i < n; i++) t.places += !i || reference_bits_order(keys[i - 1], keys[i]) != 0;
    expect(t.counts.keys == n && t.counts.places == t.places && t.v.places == t.places && t.v.keys == n);
    t.node = copied(device, t.v.node, t.counts.nodes * t.v.stride);
    t.slot = copied(device, t.v.slot, t.counts.slots);
    t.ending = copied(device, t.v.ending, t.counts.nodes * t.v.ending_stride);
    t.end = copied(device, t.v.end, t.v.end ? t.counts.ended : 0);
    t.position = copied(device, t.v.position, t.v.position ? t.places : 0);
    expect_status(device, ww_sync(device), WW_OK);
    if (t.v.position)
        for (size_t place = 0, i = 0; i < n; i++)
            if (!i || reference_bits_order(keys[i - 1], keys[i]) != 0) expect(t.position[place++] == i);
    if (t.places) expect_slot(&t, t.v.root, 0);
    expect(t.nodes == t.counts.nodes && t.nodes <= t.places);
    free(t.node);
    free(t.slot);
    free(t.ending);
    free(t.end);
    free(t.position);
}

/* ---- queries ---- */

typedef ww_status number_query(ww_radix_tree *tree, ww_input numbers, ww_array out);
static number_query *const number_queries[] = {ww_radix_tree_find, ww_radix_tree_match, ww_radix_tree_lower_bound,
                                               ww_radix_tree_upper_bound};

static uint64_t wanted(unsigned query, size_t n, reference_bits q) {
    return query == WW_RADIX_FIND    ? reference_bits_find(keys, n, q)
           : query == WW_RADIX_MATCH ? reference_bits_match(keys, n, q)
                                     : reference_bits_bound(keys, n, q, query == WW_RADIX_UPPER_BOUND);
}

static void expect_queries(ww_device *device, ww_radix_tree *tree, kind k, size_t n, size_t size) {
    given q = give(queries, QUERIES, k < STRINGS ? NUMBERS : STRINGS, size);
    uint64_t *want = need(8 * QUERIES);
    for (unsigned query = WW_RADIX_FIND; query <= WW_RADIX_UPPER_BOUND; query++) {
        guarded got = guarded_new(8 * QUERIES);
        const ww_array out = ww_array((uint64_t *)got.data, QUERIES);
        expect_status(device,
                      k < STRINGS
                          ? number_queries[query](tree, numbers_of(&q), out)
                          : ww_radix_tree_strings(tree, (ww_radix_query)query, bytes_of(&q), offsets_of(&q), out),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t i = 0; i < QUERIES; i++)
            want[i] = wanted(query, n, (reference_bits){queries[i].bytes, queries[i].bits});
        expect_elements(got.data, want, QUERIES, 8);
        guarded_check(&got);
        guarded_free(&got);
    }
    free(want);
    give_free(&q);
}

/* ---- cases ---- */

static void one_tree(ww_device *device, kind k, size_t n, size_t size, unsigned shape, uint32_t r, uint32_t leaf) {
    ww_radix_tree *tree;
    ww_radix_tree_options o = WW_RADIX_TREE_OPTIONS;
    o.bits = r;
    o.leaf = leaf;
    make(k, n, size, shape, seed_of_run() + n);
    given g = give(items, n, k, size);
    expect_status(device, ww_radix_tree_create(device, &o, &tree), WW_OK);
    /* Anew, over what another tree has left. */
    if (n % 2)
        expect_status(device, ww_radix_tree_build(tree, ww_counting(&ww_type_uint16_t, 5, 700), ww_no_input), WW_OK);
    expect_status(device, build(tree, &g, k), WW_OK);
    give_free(&g); /* the tree has its own */
    expect_tree(device, tree, n);
    expect_queries(device, tree, k, n, size);
    ww_radix_tree_destroy(tree);
}

static void trees(void **state) {
    static const size_t sizes[] = {0, 1, 2, 5, 64, 257, MOST}, widths[] = {8, 4, 2, 1};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        unsigned number = 0;
        for (kind k = NUMBERS; k < KINDS; k++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                for (unsigned shape = 0; shape < 4; shape++, number++) {
                    const uint32_t r = 1 + (uint32_t)((number * 5 + s) % 8), leaf = shape % 2 ? 0 : 1;
                    const size_t size = k < STRINGS ? widths[(number + i + s) % 4] : LONGEST;
                    CASE("radix_tree", "%s %s n=%zu size=%zu shape=%u r=%u leaf=%u", setting_name(s), kind_names[k],
                         sizes[i], size, shape, r, leaf);
                    if ((number + s) % (on_emulator() ? 5 : s ? 6 : 1) == 0 && case_wanted())
                        one_tree(device, k, sizes[i], size, shape, r, leaf);
                }
        ww_close(device);
    }
}

/* Every r, for numbers whose digits end with the number and some that do not, and for strings. */
static void every_r(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (uint32_t r = 1; r <= 8; r++)
        for (kind k = NUMBERS; k < KINDS; k++) {
            CASE("radix_tree", "%s %s r=%u", setting_name(0), kind_names[k], r);
            if (!on_emulator() && case_wanted()) one_tree(device, k, 900, k < STRINGS ? 4 : LONGEST, k % 3, r, 2);
        }
    ww_close(device);
}

/* ---- a view in a function of the caller's ---- */

WW_STRUCT_USES((ww_radix_view), hops, {
    ww_radix_view tree;
    const uint32_t *hop;
});
WW_MAP_USES((ww_radix_match, ww_radix_key), hop_of, uint32_t, uint32_t, address, hops, h, {
    ww_radix_key key = {0};
    key.number = (uint64_t)address << 32;
    key.bits = 32;
    const uint64_t route = ww_radix_match(&h->tree, &key);
    return route == WW_RADIX_NONE ? 0 : h->hop[route];
});

static void views(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_radix_tree *tree;
    void *hop;
    CASE("radix_tree", "a view");
    const uint32_t prefixes[] = {0x0A000000, 0x0A000000, 0x0A800000, 0xC0A80000}, hop_values[] = {1, 2, 3, 4};
    const uint32_t addresses[] = {0x0A123456, 0x0A001234, 0x0AFFFFFF, 0xC0A8FFFF, 0xC0A90000},
                   wanted_hops[] = {1, 2, 3, 4, 0};
    uint32_t *numbers = need(4 * 5), *found = need(4 * 5);
    uint8_t *lengths = need(4);
    memcpy(numbers, prefixes, sizeof prefixes);
    lengths[0] = 8, lengths[1] = lengths[3] = 16, lengths[2] = 9;
    expect_status(device, ww_alloc(device, sizeof hop_values, &hop), WW_OK);
    expect_status(device, ww_copy(device, ww_memory(hop_values, 4), ww_array((uint32_t *)hop, 4)), WW_OK);
    expect_status(device, ww_radix_tree_create(device, NULL, &tree), WW_OK);
    expect_status(device, ww_radix_tree_build(tree, ww_memory(numbers, 4), ww_memory(lengths, 4)), WW_OK);
    hops h = {.hop = hop};
    expect_status(device, ww_radix_tree_view(tree, &h.tree), WW_OK);
    memcpy(numbers, addresses, sizeof addresses);
    expect_status(device, ww_map(device, ww_with(hop_of, &h), ww_memory(numbers, 5), ww_array(found, 5)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_bytes(found, wanted_hops, sizeof wanted_hops);
    ww_radix_tree_destroy(tree);
    expect_status(device, ww_free(device, hop), WW_OK);
    free(numbers);
    free(found);
    free(lengths);
    ww_close(device);
}

/* ---- what is refused, and leaves an empty tree ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_radix_tree *tree;
    ww_radix_tree_options o = WW_RADIX_TREE_OPTIONS;
    uint64_t *x = need(8 * 4), *out = need(8 * 4);
    uint8_t *lengths = need(4), *bytes = need(8);
    CASE("radix_tree", "refused");
    for (size_t i = 0; i < 4; i++) x[i] = i << 60, lengths[i] = 4;
    memset(bytes, 'a', 8);
    o.bits = 9;
    expect_status(device, ww_radix_tree_create(device, &o, &tree), WW_INVALID);
    expect_sentence(device, "ww_radix_tree_create", "options.bits is 9");
    o.bits = 0;
    o.leaf = 65;
    expect_status(device, ww_radix_tree_create(device, &o, &tree), WW_INVALID);
    expect_status(device, ww_radix_tree_create(device, NULL, NULL), WW_INVALID);
    expect_status(device, ww_radix_tree_create(device, NULL, &tree), WW_OK);
    const ww_input in = ww_memory(x, 4), bits = ww_memory(lengths, 4), none = ww_no_input, text = ww_memory(bytes, 8);
    const ww_array to = ww_array(out, 4);
#define REFUSED(status, call, ...) \
    do { \
        ww_radix_view view; \
        expect_status(device, ww_radix_tree_build(tree, in, none), WW_OK); \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        expect(ww_radix_tree_view(tree, &view) == WW_OK && view.places == 0 && ww_radix_tree_count(tree).keys == 0); \
    } while (0)
    const uint64_t sorted[4] = {0, (uint64_t)1 << 60, (uint64_t)2 << 60, (uint64_t)3 << 60};
    const uint64_t falling[4] = {0, 5, 4, 6}, bad[4] = {0, 3, 2, 8}, beyond[4] = {0, 3, 5, 9}, good[4] = {0, 3, 5, 8};
    uint64_t *other = need(8 * 4);
    memcpy(other, falling, sizeof falling);
    REFUSED(WW_RANGE, ww_radix_tree_build(tree, ww_memory(other, 4), none), "ww_radix_tree_build", "key 2 is below");
    memcpy(other, sorted, sizeof sorted);
    lengths[2] = 65;
    REFUSED(WW_RANGE, ww_radix_tree_build(tree, ww_memory(other, 4), bits), "key 2 has a length");
    lengths[2] = 2;
    REFUSED(WW_RANGE, ww_radix_tree_build(tree, ww_memory(other, 4), bits), "key 2 ", "bits after it");
    REFUSED(WW_INVALID, ww_radix_tree_build(tree, in, ww_memory(lengths, 3)), "4 keys", "3 elements");
    REFUSED(WW_TYPE, ww_radix_tree_build(tree, in, ww_constant(ww_value(float, 1), 4)), "lengths are f32");
    REFUSED(WW_TYPE, ww_radix_tree_build(tree, ww_constant(ww_value(int32_t, 1), 4), none), "numbers are i32");
    REFUSED(WW_INVALID, ww_radix_tree_build(tree, none, none), "numbers is missing");
    REFUSED(WW_LIMIT, ww_radix_tree_build(tree, ww_counting(&ww_type_uint64_t, 0, (uint64_t)1 << 31), none),
            "2^31 - 1");
    memcpy(other, bad, sizeof bad);
    REFUSED(WW_RANGE, ww_radix_tree_build_strings(tree, text, ww_memory(other, 4), none), "offsets[2]");
    memcpy(other, beyond, sizeof beyond);
    REFUSED(WW_RANGE, ww_radix_tree_build_strings(tree, text, ww_memory(other, 4), none), "offsets[3]", "8 bytes");
    memcpy(other, good, sizeof good);
    REFUSED(WW_RANGE, ww_radix_tree_build_strings(tree, text, ww_memory(other, 4), none), "key 1 is below");
    REFUSED(WW_RANGE, ww_radix_tree_build_strings(tree, text, ww_memory(other, 4), ww_memory(lengths, 3)), "key 0",
            "bytes");
    other[1] = 1; /* four bits of an 'a', and the others are not 0 */
    REFUSED(WW_RANGE, ww_radix_tree_build_strings(tree, text, ww_memory(other, 2), ww_memory(lengths, 1)), "key 0",
            "bits after it");
    memcpy(other, good, sizeof good);
    REFUSED(WW_INVALID, ww_radix_tree_build_strings(tree, text, ww_memory(other, 0), none), "offsets is empty");
    REFUSED(WW_INVALID, ww_radix_tree_build_strings(tree, none, ww_memory(other, 4), none), "bytes is missing");
    REFUSED(WW_TYPE, ww_radix_tree_build_strings(tree, text, bits, none), "offsets are u8");
    REFUSED(WW_TYPE, ww_radix_tree_build_strings(tree, in, ww_memory(other, 4), none), "bytes are u64");
    expect_status(device, ww_radix_tree_build(tree, in, none), WW_OK);
    expect_status(device, ww_radix_tree_find(tree, ww_counting(&ww_type_uint32_t, 0, 4), to), WW_TYPE);
    expect_sentence(device, "ww_radix_tree_find", "u32", "u64");
    expect_status(device, ww_radix_tree_find(tree, none, to), WW_INVALID);
    expect_status(device, ww_radix_tree_strings(tree, WW_RADIX_FIND, text, ww_memory(other, 4), to), WW_INVALID);
    expect_sentence(device, "ww_radix_tree_strings", "numbers");
    expect_status(device, ww_radix_tree_find(tree, in, ww_array(out, 3)), WW_INVALID);
    expect_status(device, ww_radix_tree_build_strings(tree, text, ww_memory(other, 2), none), WW_OK);
    expect_status(device, ww_radix_tree_lower_bound(tree, in, to), WW_INVALID);
    expect_sentence(device, "strings");
    expect_status(device, ww_radix_tree_strings(tree, (ww_radix_query)7, text, ww_memory(other, 4), to), WW_INVALID);
    expect(ww_radix_tree_find(NULL, in, to) == WW_INVALID && ww_radix_tree_build(NULL, in, none) == WW_INVALID);
    expect(ww_radix_tree_view(NULL, NULL) == WW_INVALID && ww_radix_tree_count(NULL).keys == 0);
    ww_radix_tree_destroy(tree);
    ww_radix_tree_destroy(NULL);
    free(x);
    free(out);
    free(lengths);
    free(bytes);
    free(other);
    ww_close(device);
}

/* Each allocation fails in turn: a status, an empty tree, and all memory given back. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it counts the host's allocations")) return;
    bool done = false;
    CASE("radix_tree", "out of memory");
    make(STRINGS, 400, LONGEST, 3, 5);
    given g = give(items, 400, STRINGS, LONGEST);
    for (size_t k = 0; !done; k++) {
        counting_allocator counter = {.fail_at = k};
        ww_open_options options = WW_OPEN_OPTIONS;
        ww_device *device;
        ww_radix_tree *tree = NULL;
        uint64_t out[400];
        options.allocator = counting_allocator_use(&counter);
        ww_status status = ww_open_with("cpu:threads=1", &device, &options);
        if (!status) status = ww_radix_tree_create(device, NULL, &tree);
        if (!status) status = build(tree, &g, STRINGS);
        if (status && tree) expect(ww_radix_tree_count(tree).keys == 0);
        if (!status)
            status = ww_radix_tree_strings(tree, WW_RADIX_FIND, bytes_of(&g), offsets_of(&g), ww_array(out, 400));
        done = !status;
        if (!done) expect_status(device, status, WW_MEMORY);
        ww_radix_tree_destroy(tree);
        ww_close(device);
        expect(counter.live_blocks == 0 && counter.live_bytes == 0 && k < 400);
    }
    give_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),   cmocka_unit_test(every_r),       cmocka_unit_test(views),
        cmocka_unit_test(refused), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

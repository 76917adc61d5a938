/* A router's table: for each address the route whose prefix is the longest that it begins with. The prefixes, 0 to 32 bits
 * of IPv4 addresses, are sorted and made a radix tree of 4 bits a level; many addresses are looked up at once. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { ROUTES = 5000, ADDRESSES = 100000, CHECKED = 500 };

typedef struct route {
    uint32_t prefix;
    uint8_t length;
} route;

static uint32_t random_word(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 15;
}

static uint32_t mask_of(unsigned length) { return length ? 0xFFFFFFFFu << (32 - length) : 0; }

static int by_prefix(const void *a, const void *b) {
    const route *x = (const route *)a, *y = (const route *)b;
    return x->prefix != y->prefix ? (x->prefix < y->prefix ? -1 : 1) : (int)x->length - (int)y->length;
}

/* The longest route by looking at all of them. */
static uint64_t slowly(const route *routes, uint32_t address) {
    uint64_t best = (uint64_t)-1;
    for (size_t i = 0; i < ROUTES; i++)
        if ((address & mask_of(routes[i].length)) == routes[i].prefix &&
            (best == (uint64_t)-1 || routes[i].length > routes[best].length))
            best = i;
    return best;
}

int main(void) {
    static route routes[ROUTES];
    static uint32_t prefix[ROUTES], address[ADDRESSES];
    static uint8_t length[ROUTES];
    static uint64_t found[ADDRESSES];
    uint32_t state = 1;
    size_t unrouted = 0, wrong = 0;
    for (size_t i = 0; i < ROUTES; i++) {
        routes[i].length = (uint8_t)(i < 20 ? 8 : 12 + random_word(&state) % 17);
        routes[i].prefix = random_word(&state) & mask_of(routes[i].length);
    }
    qsort(routes, ROUTES, sizeof *routes, by_prefix);
    for (size_t i = 0; i < ROUTES; i++) {
        prefix[i] = routes[i].prefix;
        length[i] = routes[i].length;
    }
    for (size_t i = 0; i < ADDRESSES; i++)
        address[i] = i % 2 ? random_word(&state) : prefix[random_word(&state) % ROUTES] | (random_word(&state) & 255);

    ww_device *device;
    ww_radix_tree *tree = NULL;
    ww_radix_tree_options options = WW_RADIX_TREE_OPTIONS;
    options.bits = 4;
    ww_status s = ww_open(NULL, &device);
    if (!s) s = ww_radix_tree_create(device, &options, &tree);
    if (!s) s = ww_radix_tree_build(tree, ww_memory(prefix, ROUTES), ww_memory(length, ROUTES));
    if (!s) s = ww_radix_tree_match(tree, ww_memory(address, ADDRESSES), ww_array(found, ADDRESSES));
    if (s) fprintf(stderr, "routes: %s\n", ww_error(device));
    const ww_radix_tree_counts counts = ww_radix_tree_count(tree);
    ww_radix_tree_destroy(tree);
    ww_close(device);
    if (s) return 1;

    for (size_t i = 0; i < ADDRESSES; i++) unrouted += found[i] == (uint64_t)-1;
    for (size_t i = 0; i < CHECKED; i++) {
        const uint64_t best = slowly(routes, address[i]);
        wrong += best != found[i];
    }
    printf("%d routes in %llu nodes on %llu levels; %zu of %d addresses have none; %s\n", ROUTES,
           (unsigned long long)counts.nodes, (unsigned long long)counts.levels, unrouted, ADDRESSES,
           wrong ? "WRONG" : "right");
    return wrong != 0;
}

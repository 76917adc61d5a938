/* A dictionary with several pairs a key, serially: all pairs in the order in which they came. */
#ifndef REFERENCE_SLAB_H
#define REFERENCE_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reference_pair {
    uint64_t key, value;
} reference_pair;

typedef struct reference_slab {
    reference_pair *pairs;
    size_t count, room;
} reference_slab;

void reference_slab_insert(reference_slab *s, uint64_t key, uint64_t value);
bool reference_slab_replace(reference_slab *s, uint64_t key, uint64_t value); /* whether there was one */
bool reference_slab_delete(reference_slab *s, uint64_t key);
bool reference_slab_delete_all(reference_slab *s, uint64_t key);
/* The oldest pair, or NULL. */
reference_pair *reference_slab_search(const reference_slab *s, uint64_t key);
size_t reference_slab_count(const reference_slab *s, uint64_t key);
void reference_slab_free(reference_slab *s);

#endif

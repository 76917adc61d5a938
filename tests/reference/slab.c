#include "reference/slab.h"

#include <stdlib.h>
#include <string.h>

void reference_slab_insert(reference_slab *s, uint64_t key, uint64_t value) {
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->pairs = realloc(s->pairs, s->room * sizeof *s->pairs);
        if (!s->pairs) abort();
    }
    s->pairs[s->count++] = (reference_pair){key, value};
}

reference_pair *reference_slab_search(const reference_slab *s, uint64_t key) {
    for (size_t i = 0; i < s->count; i++)
        if (s->pairs[i].key == key) return &s->pairs[i];
    return NULL;
}

bool reference_slab_replace(reference_slab *s, uint64_t key, uint64_t value) {
    reference_pair *const pair = reference_slab_search(s, key);
    if (pair)
        pair->value = value;
    else
        reference_slab_insert(s, key, value);
    return pair != NULL;
}

bool reference_slab_delete(reference_slab *s, uint64_t key) {
    reference_pair *const pair = reference_slab_search(s, key);
    if (!pair) return false;
    memmove(pair, pair + 1, (size_t)(s->pairs + s->count - (pair + 1)) * sizeof *pair);
    s->count--;
    return true;
}

bool reference_slab_delete_all(reference_slab *s, uint64_t key) {
    bool any = false;
    while (reference_slab_delete(s, key)) any = true;
    return any;
}

size_t reference_slab_count(const reference_slab *s, uint64_t key) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) count += s->pairs[i].key == key;
    return count;
}

void reference_slab_free(reference_slab *s) {
    free(s->pairs);
    *s = (reference_slab){NULL, 0, 0};
}

#include "reference/dictionary.h"

#include <stdlib.h>
#include <string.h>

size_t reference_dictionary_at(const reference_dictionary *d, uint64_t key) {
    size_t low = 0, high = d->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (d->entry[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void reference_dictionary_insert(reference_dictionary *d, uint64_t key, const void *value, size_t bytes) {
    const size_t at = reference_dictionary_at(d, key);
    if (at == d->count || d->entry[at].key != key) {
        if (d->count == d->room) {
            d->room = d->room ? 2 * d->room : 64;
            d->entry = realloc(d->entry, d->room * sizeof *d->entry);
            if (!d->entry) abort();
        }
        memmove(d->entry + at + 1, d->entry + at, (d->count - at) * sizeof *d->entry);
        d->count++;
    }
    d->entry[at].key = key;
    memcpy(d->entry[at].value, value, bytes);
}

void reference_dictionary_delete(reference_dictionary *d, uint64_t key) {
    const size_t at = reference_dictionary_at(d, key);
    if (at == d->count || d->entry[at].key != key) return;
    d->count--;
    memmove(d->entry + at, d->entry + at + 1, (d->count - at) * sizeof *d->entry);
}

void reference_dictionary_clear(reference_dictionary *d) {
    free(d->entry);
    *d = (reference_dictionary){NULL, 0, 0};
}

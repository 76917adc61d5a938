/* An ordered dictionary as a sorted list, changed one key at a time: the oracle of ww_lsm. */
#ifndef REFERENCE_DICTIONARY_H
#define REFERENCE_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_VALUE = 64 };

typedef struct reference_entry {
    uint64_t key;
    unsigned char value[REFERENCE_VALUE];
} reference_entry;

typedef struct reference_dictionary {
    reference_entry *entry; /* in the order of their keys */
    size_t count, room;
} reference_dictionary;

void reference_dictionary_insert(reference_dictionary *d, uint64_t key, const void *value, size_t bytes);
void reference_dictionary_delete(reference_dictionary *d, uint64_t key);
void reference_dictionary_clear(reference_dictionary *d); /* and gives its memory back */

/* The first entry whose key is not below `key`, or d->count. */
size_t reference_dictionary_at(const reference_dictionary *d, uint64_t key);

#endif

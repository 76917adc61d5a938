/* Any sequence of operations on an ordered dictionary, two bytes and what they ask for each, beside a sorted list: after every
 * one the structure is whole, and what is there is what should be. */
#include <stdlib.h>
#include <string.h>

#include "reference/dictionary.h"
#include "warpwise.h"

enum { BATCH = 64, ROOM = 512 };

static void check(int right) {
    if (!right) abort();
}

typedef struct subject {
    ww_lsm *lsm;
    reference_dictionary wanted;
    uint32_t keys[BATCH], values[BATCH];
    uint8_t flags[BATCH];
    size_t count;
} subject;

/* The next batch: small numbers, and from 250 on the ends of their type. */
static const uint8_t *take_batch(subject *s, const uint8_t *at, const uint8_t *end) {
    s->count = 0;
    while (s->count < BATCH && end - at >= 2 && *at != 255) {
        const uint32_t key = *at++;
        s->keys[s->count] = key < 250 ? key : UINT32_MAX - (key - 250);
        s->flags[s->count] = *at & 1;
        s->values[s->count++] = *at++ * UINT32_C(77);
    }
    return at < end ? at + 1 : at;
}

/* What is both inserted and deleted in one batch is deleted. */
static void note(subject *s, int inserts, int deletes) {
    for (size_t i = 0; inserts && i < s->count; i++)
        if (!deletes || !s->flags[i])
            reference_dictionary_insert(&s->wanted, s->keys[i], &s->values[i], sizeof s->values[i]);
    for (size_t i = 0; deletes && i < s->count; i++)
        if (!inserts || s->flags[i]) reference_dictionary_delete(&s->wanted, s->keys[i]);
}

static void change(subject *s, unsigned what) {
    const ww_input keys = ww_memory((const uint32_t *)s->keys, s->count);
    const ww_input values = ww_memory((const uint32_t *)s->values, s->count);
    switch (what % 5) {
    case 0:
        check(ww_lsm_delete(s->lsm, keys) == WW_OK);
        note(s, 0, 1);
        return;
    case 1:
        check(ww_lsm_update(s->lsm, keys, values, ww_memory((const uint8_t *)s->flags, s->count)) == WW_OK);
        note(s, 1, 1);
        return;
    case 2:
        check(ww_lsm_cleanup(s->lsm) == WW_OK);
        return;
    default:
        check(ww_lsm_insert(s->lsm, keys, values) == WW_OK);
        note(s, 1, 0);
    }
}

static void ask(subject *s) {
    static uint32_t keys[ROOM], values[ROOM], next[BATCH];
    uint64_t count, counts[BATCH];
    uint8_t found[BATCH];
    check(ww_lsm_check(s->lsm) == WW_OK);
    check(ww_lsm_entries(s->lsm, ww_array(keys, ROOM), ww_array(values, ROOM), ww_array(&count, 1)) == WW_OK);
    check(count == s->wanted.count);
    for (size_t i = 0; i < count; i++)
        check(keys[i] == s->wanted.entry[i].key && !memcmp(&values[i], s->wanted.entry[i].value, sizeof values[i]));
    if (!s->count) return;
    const ww_input lows = ww_memory((const uint32_t *)s->keys, s->count);
    check(ww_lsm_count(s->lsm, lows, ww_constant(ww_value(uint32_t, 200), s->count), ww_array(counts, s->count)) ==
          WW_OK);
    check(ww_lsm_successor(s->lsm, lows, false, ww_array(next, s->count), ww_none, ww_array(found, s->count)) == WW_OK);
    for (size_t i = 0; i < s->count; i++) {
        const size_t from = reference_dictionary_at(&s->wanted, s->keys[i]);
        const size_t to = reference_dictionary_at(&s->wanted, 201);
        const size_t after = reference_dictionary_at(&s->wanted, (uint64_t)s->keys[i] + 1);
        check(counts[i] == (from < to ? to - from : 0));
        check(found[i] == (after < s->wanted.count));
        if (found[i]) check(next[i] == s->wanted.entry[after].key);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static ww_device *device;
    static subject s;
    const uint8_t *at = bytes;
    const uint8_t *const end = bytes + length;
    ww_lsm_options options = WW_LSM_OPTIONS;
    if (!device) check(ww_open("cpu:threads=1", &device) == WW_OK);
    if (length < 2) return -1;
    options.batch = 1 + *at++ % 16;
    check(ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &s.lsm, &options) == WW_OK);
    while (at < end) {
        const unsigned what = *at++;
        at = take_batch(&s, at, end);
        change(&s, what);
        ask(&s);
    }
    ww_lsm_close(s.lsm);
    reference_dictionary_clear(&s.wanted);
    return 0;
}

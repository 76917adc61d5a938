/* Any bytes as a sequence of calls on a slab hash, on one thread, where operations of a batch come one after another; beside the serial
 * dictionary, and with a walk over all of it after each call. Few keys, few buckets, and sometimes little memory. */
#include <stdlib.h>

#include "reference/slab.h"
#include "warpwise.h"

enum { MOST = 64, FULL_MEMORY = 5000 };

/* Bytes, of which there are no more at the end: then all are 0. */
typedef struct reader {
    const uint8_t *bytes;
    size_t left;
} reader;

static uint8_t next_byte(reader *r) {
    if (!r->left) return 0;
    r->left--;
    return *r->bytes++;
}

static void must(bool is) {
    if (!is) abort();
}

typedef struct tried {
    ww_device *device;
    ww_slab *slab;
    reference_slab model;
    uint64_t keys[MOST], values[MOST], found[MOST];
    uint8_t operations[MOST], statuses[MOST];
    size_t n;
    bool limited;
} tried;

/* Keys of one byte: the low bits of some, the high ones of others. */
static uint64_t key_of(uint8_t byte) { return byte & 1 ? (uint64_t)byte << 56 : byte; }

static void read_batch(tried *t, reader *r) {
    t->n = next_byte(r) % MOST;
    for (size_t i = 0; i < t->n; i++) {
        t->keys[i] = key_of(next_byte(r));
        t->values[i] = i + 1;
        t->found[i] = 0;
    }
}

/* What operation i has said; inserts that had no memory have changed nothing. */
static void expect_one(tried *t, uint8_t operation, size_t i) {
    const uint64_t key = t->keys[i];
    const reference_pair *const pair = reference_slab_search(&t->model, key);
    const uint8_t said = t->statuses[i];
    switch (operation) {
    case WW_SLAB_SEARCH:
        must(said == (pair ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
        must(t->found[i] == (pair ? pair->value : 0));
        break;
    case WW_SLAB_INSERT:
        must(said == WW_SLAB_INSERTED || (t->limited && said == WW_SLAB_FULL));
        if (said == WW_SLAB_INSERTED) reference_slab_insert(&t->model, key, t->values[i]);
        break;
    case WW_SLAB_REPLACE:
        must(pair ? said == WW_SLAB_REPLACED : said == WW_SLAB_INSERTED || (t->limited && said == WW_SLAB_FULL));
        if (said != WW_SLAB_FULL) reference_slab_replace(&t->model, key, t->values[i]);
        break;
    case WW_SLAB_DELETE:
        must(said == (reference_slab_delete(&t->model, key) ? WW_SLAB_DELETED : WW_SLAB_ABSENT));
        break;
    case WW_SLAB_DELETE_ALL:
        must(said == (reference_slab_delete_all(&t->model, key) ? WW_SLAB_DELETED : WW_SLAB_ABSENT));
        break;
    default:
        must(said == WW_SLAB_ABSENT);
    }
}

static void expect_batch(tried *t, ww_status status, const uint8_t *operations, uint8_t operation) {
    size_t full = 0;
    for (size_t i = 0; i < t->n; i++) {
        expect_one(t, operations ? operations[i] : operation, i);
        full += t->statuses[i] == WW_SLAB_FULL;
    }
    must(status == (full ? WW_MEMORY : WW_OK));
}

static void one_call(tried *t, reader *r) {
    const uint8_t call = next_byte(r) % 9;
    ww_status status = WW_OK;
    read_batch(t, r);
    const ww_input k = ww_memory(t->keys, t->n), v = ww_memory(t->values, t->n);
    const ww_array found = ww_array(t->found, t->n), statuses = ww_array(t->statuses, t->n);
    switch (call) {
    case 0:
        for (size_t i = 0; i < t->n; i++) t->operations[i] = next_byte(r) % 6;
        status = ww_slab_mixed(t->slab, ww_memory(t->operations, t->n), k, v, found, statuses);
        expect_batch(t, status, t->operations, 0);
        return;
    case WW_SLAB_SEARCH:
        status = ww_slab_search(t->slab, k, found, statuses);
        break;
    case WW_SLAB_INSERT:
        status = ww_slab_insert(t->slab, k, v, statuses);
        break;
    case WW_SLAB_REPLACE:
        status = ww_slab_replace(t->slab, k, v, statuses);
        break;
    case WW_SLAB_DELETE:
        status = ww_slab_delete(t->slab, k, statuses);
        break;
    case WW_SLAB_DELETE_ALL:
        status = ww_slab_delete_all(t->slab, k, statuses);
        break;
    case 6:
        must(!ww_slab_count(t->slab, k, found));
        for (size_t i = 0; i < t->n; i++) must(t->found[i] == reference_slab_count(&t->model, t->keys[i]));
        return;
    case 7:
        must(!ww_slab_flush(t->slab));
        return;
    default:
        if (t->n > 3) return; /* seldom */
        must(!ww_slab_clear(t->slab));
        t->model.count = 0;
        return;
    }
    expect_batch(t, status, NULL, call);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static tried t;
    reader r = {bytes, length};
    const uint8_t start = next_byte(&r);
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab_info info = WW_SLAB_INFO;
    if (!t.device) must(!ww_open("cpu:threads=1", &t.device));
    o.buckets = 1 + (start & 3);
    o.fixed = start >> 2 & 1;
    o.memory_limit = start >> 3 & 1 ? FULL_MEMORY : 0;
    t.limited = o.memory_limit != 0;
    must(!ww_slab_open(t.device, &ww_type_uint64_t, &ww_type_uint64_t, 0, &t.slab, &o));
    while (r.left) {
        one_call(&t, &r);
        must(!ww_slab_check(t.slab));
        must(!ww_slab_info_get(t.slab, &info) && info.pairs == t.model.count);
    }
    ww_slab_close(t.slab);
    reference_slab_free(&t.model);
    t.model = (reference_slab){0};
    return 0;
}

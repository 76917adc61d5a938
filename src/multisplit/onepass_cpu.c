/* onepass: when all buckets' totals are known, tiles are taken in order and each hands on where the next one's elements of
 * every bucket go (primitive/scan/chain.h). A tile is moved as in block. */
#include <string.h>

#include "multisplit/pass.h"
#include "primitive/scan/chain.h"

typedef struct onepass {
    const ww__pass *p;
    const uint64_t *bounds;
} onepass;

static size_t tile_count(const ww__pass *p, uint64_t tile) {
    return (size_t)ww__min_u64(p->tile, p->n - tile * p->tile);
}

static void sum_tile(void *job, size_t worker, uint64_t tile, bool own, void *sum) {
    const ww__pass *p = ((const onepass *)job)->p;
    const ww__desk desk = ww__pass_desk(p, worker);
    const size_t n = tile_count(p, tile);
    uint64_t *counts = sum;
    (void)own;
    memset(counts, 0, sizeof *counts << p->bits);
    ww__pass_digits(p, &desk, tile * p->tile, n);
    for (size_t j = 0; j < n; j++) counts[desk.digits[j]]++;
}

static void join(void *job, size_t worker, void *carry, const void *sum) {
    const ww__pass *p = ((const onepass *)job)->p;
    const uint64_t *counts = sum;
    uint64_t *places = carry;
    (void)worker;
    for (size_t b = 0; b < (size_t)1 << p->bits; b++) places[b] += counts[b];
}

static void write_tile(void *job, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum) {
    const onepass *o = job;
    const ww__pass *p = o->p;
    ww__desk desk = ww__pass_desk(p, worker);
    desk.position = carry;
    const ww__split_tile t = ww__pass_read(p, &desk, tile * p->tile, tile_count(p, tile));
    p->mover->move(p, &desk, &t, o->bounds, o->bounds + 1);
    if (ahead != WW__NO_TILE) sum_tile(job, worker, (uint64_t)ahead, true, ahead_sum);
}

ww_status ww__pass_onepass(ww__pass *p, uint64_t *bounds) {
    onepass o = {p, bounds};
    ww__chain chain = {.job = &o,
                       .sum = sum_tile,
                       .join = join,
                       .write = write_tile,
                       .tiles = (p->n + p->tile - 1) / p->tile,
                       .tile_bytes = p->tile * (p->key_size + p->value_size),
                       .sum_bytes = sizeof *bounds << p->bits,
                       .streaming = p->streaming};
    p->fault = NULL; /* all keys have been seen */
    WW_TRY(ww__chain_prepare(p->device, &chain, p->n * (p->key_size + p->value_size)));
    if (p->device->on_paper) return WW_OK;
    memcpy(chain.carry, bounds, chain.sum_bytes);
    ww__chain_run(p->device, &chain);
    return WW_OK;
}

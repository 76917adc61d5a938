/* The host side of random numbers on a GPU: what a block's words become is a map of the block's number, of the same functions
 * that the CPU's loops call. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "random/fill_arguments.cuh"
#include "random/sides.h"

/* As many thread blocks a processor as run there at once, and some more, which even out the end. */
enum { THREADS = 256, BLOCKS_A_PROCESSOR = 32 };
/* Blocks of Philox of a thread. */
static const uint32_t rows_of[WW__TILINGS] = {[WW__TILES_GPU] = 4, [WW__TILES_SMALL] = 2};

/* ---- a block's numbers ---- */

WW_STRUCT(batch_u32, { uint32_t x[4]; });
WW_STRUCT(batch_u64, { uint64_t x[2]; });
WW_STRUCT(batch_f32, { float x[4]; });
WW_STRUCT(batch_f64, { double x[2]; });

/* The words of the key in each round, which every block needs: made once, they stand among a kernel's arguments, from where a round's
 * last instruction takes them. */
WW_STRUCT_USES((random_source), keyed_source, {
    random_source of;
    uint32_t key[20];
});
WW_FUNCTION(
    keyed_round, ww_random_block, (ww_random_block x, uint32_t low, uint32_t high),
    {
        const uint64_t p = (uint64_t)x.word[0] * 0xD2511F53u;
        const uint64_t q = (uint64_t)x.word[2] * 0xCD9E8D57u;
        x.word[0] = (uint32_t)(q >> 32) ^ x.word[1] ^ low;
        x.word[1] = (uint32_t)q;
        x.word[2] = (uint32_t)(p >> 32) ^ x.word[3] ^ high;
        x.word[3] = (uint32_t)p;
        return x;
    },
    ww_random_block);
WW_FUNCTION(
    keyed_block, ww_random_block, (uint64_t block, const keyed_source *s),
    {
        ww_random_block x;
        x.word[0] = (uint32_t)block;
        x.word[1] = (uint32_t)(block >> 32);
        x.word[2] = (uint32_t)s->of.stream;
        x.word[3] = (uint32_t)(s->of.stream >> 32);
        x = keyed_round(x, s->key[0], s->key[1]);
        x = keyed_round(x, s->key[2], s->key[3]);
        x = keyed_round(x, s->key[4], s->key[5]);
        x = keyed_round(x, s->key[6], s->key[7]);
        x = keyed_round(x, s->key[8], s->key[9]);
        x = keyed_round(x, s->key[10], s->key[11]);
        x = keyed_round(x, s->key[12], s->key[13]);
        x = keyed_round(x, s->key[14], s->key[15]);
        x = keyed_round(x, s->key[16], s->key[17]);
        return keyed_round(x, s->key[18], s->key[19]);
    },
    keyed_source, ww_random_block, keyed_round);

static keyed_source keyed(const random_source *of) {
    keyed_source s = {.of = *of};
    for (uint32_t round = 0; round < 10; round++) {
        s.key[2 * round] = (uint32_t)of->seed + round * WW_PHILOX_KEY_0;
        s.key[2 * round + 1] = (uint32_t)(of->seed >> 32) + round * WW_PHILOX_KEY_1;
    }
    return s;
}

WW_FUNCTION(
    long_words, batch_u64, (uint64_t block, const keyed_source *s),
    {
        const ww_random_block w = keyed_block(block, s);
        batch_u64 b;
        b.x[0] = join_words(w.word[0], w.word[1]);
        b.x[1] = join_words(w.word[2], w.word[3]);
        return b;
    },
    keyed_source, batch_u64, keyed_block, join_words);

WW_MAP_USES((ww_random_block, keyed_block), bits_at, ww_random_block, uint64_t, block, keyed_source, s,
            { return keyed_block(block, s); });
WW_MAP_USES((keyed_block, unit_f32), units_f32_at, batch_f32, uint64_t, block, keyed_source, s, {
    const ww_random_block w = keyed_block(block, s);
    batch_f32 b;
    for (int k = 0; k < 4; k++) b.x[k] = unit_f32(w.word[k]);
    return b;
});
WW_MAP_USES((long_words, unit_f64), units_f64_at, batch_f64, uint64_t, block, keyed_source, s, {
    const batch_u64 w = long_words(block, s);
    batch_f64 b;
    for (int k = 0; k < 2; k++) b.x[k] = unit_f64(w.x[k]);
    return b;
});
/* The bound is below 2^32; whether one of the four numbers is rejected is asked once. */
WW_MAP_USES((keyed_block, again_32), below_32_at, batch_u32, uint64_t, block, keyed_source, s, {
    const ww_random_block w = keyed_block(block, s);
    batch_u32 b;
    uint32_t low[4];
    bool rejected = false;
    for (int k = 0; k < 4; k++) {
        const uint64_t product = (uint64_t)w.word[k] * (uint32_t)s->of.bound;
        low[k] = (uint32_t)product;
        b.x[k] = (uint32_t)(product >> 32);
        rejected = rejected || low[k] < (uint32_t)s->of.reject;
    }
    if (rejected)
        for (int k = 0; k < 4; k++)
            if (low[k] < (uint32_t)s->of.reject) b.x[k] = again_32(4 * block + (uint64_t)k, &s->of);
    return b;
});
WW_MAP_USES((ww_philox, join_words, below_64), below_64_at, batch_u64, uint64_t, block, keyed_source, s, {
    const ww_random_block w = ww_philox(s->of.seed, s->of.stream, block);
    batch_u64 b;
    for (int k = 0; k < 2; k++)
        b.x[k] = below_64(join_words(w.word[2 * k], w.word[2 * k + 1]), 2 * block + (uint64_t)k, &s->of);
    return b;
});
WW_MAP_USES((keyed_block, normal_pair_f32), normal_f32_at, batch_f32, uint64_t, block, keyed_source, s, {
    const ww_random_block w = keyed_block(block, s);
    batch_f32 b;
    for (int k = 0; k < 4; k += 2) {
        const pair_f32 z = normal_pair_f32(w.word[k], w.word[k + 1]);
        b.x[k] = (float)s->of.mean + (float)s->of.deviation * z.x;
        b.x[k + 1] = (float)s->of.mean + (float)s->of.deviation * z.y;
    }
    return b;
});
/* Of mean 0 and deviation 1; the sum makes a -0 a 0. */
WW_MAP_USES((keyed_block, normal_polar_f32), standard_f32_at, batch_f32, uint64_t, block, keyed_source, s, {
    const ww_random_block w = keyed_block(block, s);
    batch_f32 b;
    for (int k = 0; k < 4; k += 2) {
        const polar_f32 z = normal_polar_f32(w.word[k], w.word[k + 1]);
        b.x[k] = fmaf(z.r, z.x, 0.0f);
        b.x[k + 1] = fmaf(z.r, z.y, 0.0f);
    }
    return b;
});
WW_MAP_USES((long_words, normal_pair_f64), normal_f64_at, batch_f64, uint64_t, block, keyed_source, s, {
    const batch_u64 w = long_words(block, s);
    const pair_f64 z = normal_pair_f64(w.x[0], w.x[1]);
    batch_f64 b;
    b.x[0] = s->of.mean + s->of.deviation * z.x;
    b.x[1] = s->of.mean + s->of.deviation * z.y;
    return b;
});

static const ww_function *const map_of[] = {
    [WW__RANDOM_BITS] = &bits_at_ww,
    [WW__RANDOM_UNIT_F32] = &units_f32_at_ww,
    [WW__RANDOM_UNIT_F64] = &units_f64_at_ww,
    [WW__RANDOM_BELOW_32] = &below_32_at_ww,
    [WW__RANDOM_BELOW_64] = &below_64_at_ww,
    [WW__RANDOM_NORMAL_F32] = &normal_f32_at_ww,
    [WW__RANDOM_NORMAL_F64] = &normal_f64_at_ww,
};

/* ---- the launch ---- */

/* Bits are the same whatever integers they are: larger ones are words. */
static ww_array as_words(const ww__random_request *r, uint64_t *number) {
    static const ww_type *const unsigned_of[] = {
        [1] = &ww_type_uint8_t, [2] = &ww_type_uint16_t, [4] = &ww_type_uint32_t};
    ww_array out = *r->out;
    if (r->kind == WW__RANDOM_BITS) {
        const uint64_t words = out.size > 4 ? out.size / 4 : 1;
        out.size /= words;
        out.type = unsigned_of[out.size];
        out.count *= words;
        *number *= words;
    }
    return out;
}

ww_status ww__random_gpu(ww_device *device, const ww__random_request *asked) {
    ww__random_request bits = *asked;
    if (bits.kind == WW__RANDOM_BELOW_32 && bits.source.bound >> 32)
        bits.kind = WW__RANDOM_BITS; /* all words are below 2^32 */
    const ww__random_request *const r = &bits;
    const uint32_t rows = rows_of[device->gpu->driver->tiles];
    uint64_t number = r->offset;
    const ww_array out = as_words(r, &number);
    const uint64_t batch = r->kind == WW__RANDOM_BELOW_32 ? 4 : 16 / out.size, skipped = number % batch;
    const uint64_t blocks = (skipped + out.count + batch - 1) / batch;
    const bool few = blocks <=
                     (uint64_t)THREADS * device->gpu->driver->processors; /* then a block has a processor to itself */
    const uint64_t tiles = ww__blocks(blocks, (uint64_t)THREADS * (few ? 1 : rows));
    const uint64_t most = (uint64_t)BLOCKS_A_PROCESSOR * device->gpu->driver->processors;
    void *to;
    /* One result may lie in the host's memory: all that is written are its bytes. */
    WW_TRY(ww__gpu_room(device, r->out->data, r->out->count == 1 ? r->out->size : (size_t)r->out->count * r->out->size,
                        &to));
    const keyed_source source = keyed(&r->source);
    const bool standard = r->kind == WW__RANDOM_NORMAL_F32 && (float)r->source.mean == 0 && !signbit(r->source.mean) &&
                          (float)r->source.deviation == 1;
    const ww_function map = ww_bound(standard ? &standard_f32_at_ww : map_of[r->kind], &source, 1, &keyed_source_ww);
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "random/fill.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    ww__recipe_number(&recipe, "WW_ROWS", rows);
    ww__recipe_number(&recipe, "WW_BATCH", batch);
    ww__recipe_number(&recipe, "WW_BITS", r->kind == WW__RANDOM_BITS);
    ww__recipe_number(&recipe, "WW_VECTORS", ((uintptr_t)to - skipped * out.size) % 16 == 0);
    ww__recipe_type(&recipe, "ww_item", out.type, out.size, to);
    ww__recipe_environment(&recipe, "ww_environment", &map);
    ww__recipe_function(&recipe, "ww_body", &map);
    ww__arguments a;
    const fill_fixed fixed = {.out = to,
                              .count = out.count,
                              .block = r->first_block + number / batch,
                              .skipped = skipped,
                              .blocks = blocks,
                              .rows = few ? 1 : rows};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_environment(device, &a, &map));
    WW_TRY(ww__gpu_launch(device, &recipe, "fill", ww__min_u64(tiles, most), THREADS, 0, &a));
    return ww__gpu_result(device, r->out->data, to, r->out->size);
}

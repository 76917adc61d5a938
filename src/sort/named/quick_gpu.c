/* The host side of quicksort on a GPU (quick.cu): as many rounds are queued as random keys take, and a few more; what they leave
 * unsorted, which pivots chosen badly on purpose bring about, or an order that is none, a bitonic network over all sorts. Where
 * rounds suffice its launches leave at once. */
#include "sort/named/quick_gpu.h"

#include "device/gpu/batch.h"
#include "primitive/scan/scan.h"
#include "sort/named/network.h"
#include "sort/named/quick_arguments.cuh"

enum { THREADS = 256, MOST = 1024, ROUNDS_A_DOUBLING = 2, ROUNDS_MORE = 6 };

typedef struct sorting {
    ww_device *device;
    const ww__sorting *s;
    quick_data data[2];
    uint64_t *counts;
    uint32_t *live;
    uint64_t n;
    uint32_t most, rounds;
} sorting;

static ww_status launch(const sorting *q, const char *kernel, uint32_t round, uint64_t blocks) {
    uint32_t levels = 1;
    while (1u << levels < 2 * q->most) levels++;
    ww__recipe r;
    ww__recipe_begin(&r, "sort/named/quick.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_MOST", q->most);
    ww__recipe_number(&r, "WW_LEVELS", levels);
    ww__recipe_ordering(q->device, &r, q->s);
    ww__arguments a;
    const quick_fixed fixed = {.data = {q->data[0], q->data[1]},
                               .counts = q->counts,
                               .live = q->live,
                               .count = q->n,
                               .round = round,
                               .rounds = q->rounds,
                               .keys_out = q->data[0].key,
                               .positions_out = q->data[0].position,
                               .ordering = ww__ordering_of(q->s)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(q->device, &r, kernel, blocks, THREADS, 0, &a);
}

static ww_status take_memory(sorting *q) {
    ww_device *device = q->device;
    WW_TRY(ww__scratch_array(device, q->rounds + 1, sizeof *q->live, &q->live));
    for (int k = 0; k < (q->rounds ? 2 : 1); k++) {
        WW_TRY(ww__scratch_array(device, q->n, sizeof(uint32_t), &q->data[k].begin));
        WW_TRY(ww__scratch_array(device, q->n, sizeof(uint32_t), &q->data[k].length));
    }
    if (!q->rounds) return WW_OK;
    WW_TRY(ww__scratch_array(device, q->n, q->s->keys.size, &q->data[1].key));
    WW_TRY(ww__scratch_array(device, q->n, sizeof(uint32_t), &q->data[1].position));
    return ww__scratch_array(device, q->n + 1, sizeof *q->counts, &q->counts);
}

static ww_status add_up(const sorting *q) {
    const ww_input in = ww_memory(q->counts, q->n + 1);
    const ww_array out = ww_array(q->counts, q->n + 1);
    const ww__scratch_mark mark = ww__scratch_here(q->device);
    const ww__scanning scan = {
        .op = ww__operator(&ww_add, in.type, in.size), .in = &in, .out = &out, .exclusive = true};
    WW_TRY(ww__scan(q->device, &scan));
    ww__scratch_back(q->device, &mark);
    return WW_OK;
}

static ww_status split(const sorting *q, uint32_t round) {
    const uint64_t blocks = ww__blocks(q->n + 1, THREADS);
    WW_TRY(launch(q, "quick_pivots", round, blocks));
    WW_TRY(launch(q, "quick_compare", round, blocks));
    WW_TRY(add_up(q));
    return launch(q, "quick_split", round, blocks);
}

/* Two for each halving that it takes, and some more. */
static uint32_t rounds_of(uint64_t n, uint32_t most) {
    uint32_t rounds = n > most ? ROUNDS_MORE : 0;
    for (uint64_t length = most; length < n; length *= 2) rounds += ROUNDS_A_DOUBLING;
    return rounds;
}

ww_status ww__quick_gpu(ww_device *device, const ww__sorting *s, uint64_t n, const ww__placed_keys *data) {
    sorting q = {.device = device,
                 .s = s,
                 .data = {{.key = data->keys, .position = data->positions}},
                 .n = n,
                 .most = ww__ordered_window(device, s, 2 * MOST, 2 * sizeof(uint32_t)) / 2};
    q.rounds = rounds_of(n, q.most);
    WW_TRY(take_memory(&q));
    WW_TRY(launch(&q, "quick_begin", 0, ww__blocks(n < q.rounds + 1 ? q.rounds + 1 : n, THREADS)));
    for (uint32_t round = 0; round < q.rounds; round++) WW_TRY(split(&q, round));
    if (q.rounds) {
        const quick_data *left = &q.data[q.rounds % 2];
        const ww__placed_keys all = {left->key, left->position};
        WW_TRY(ww__network_gpu(device, s, NETWORK_BITONIC, n, &all, &all, q.live + q.rounds));
    }
    return launch(&q, "quick_finish", 0, ww__blocks(n, q.most));
}

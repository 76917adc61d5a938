/* The host side of sorting networks on a GPU: a launch for each pass. The first one reads the input; windows without a halo and
 * single phases stay in one place; windows with a halo go back and forth between the output and scratch memory, and begin
 * where it takes them to end in the output. */
#include "sort/named/network_gpu.h"

#include "device/gpu/batch.h"
#include "sort/named/network.h"
#include "sort/named/network_arguments.cuh"

enum { THREADS = 512, THREADS_WIDE = 256, WINDOW_MOST = 2048 };

typedef struct running {
    ww_device *device;
    const ww__sorting *s;
    ww__network network;
    const uint32_t *wanted;
} running;

static ww_status launch(const running *r, const ww__network_pass *pass, const ww__placed_keys *in,
                        const ww__placed_keys *out) {
    const ww__network *m = &r->network;
    const uint32_t half = m->window / 2, threads = !pass->windows ? THREADS_WIDE : half < THREADS ? half : THREADS;
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "sort/named/network.cu");
    ww__recipe_number(&recipe, "WW_THREADS", threads);
    ww__recipe_number(&recipe, "WW_WINDOW", m->window);
    ww__recipe_ordering(r->device, &recipe, r->s);
    ww__arguments a;
    const network_fixed fixed = {.keys = in->keys,
                                 .positions = in->positions,
                                 .keys_out = out->keys,
                                 .positions_out = out->positions,
                                 .wanted = r->wanted,
                                 .count = m->n,
                                 .ordering = ww__ordering_of(r->s),
                                 .network = m->kind,
                                 .wide = pass->wide,
                                 .narrow = pass->narrow,
                                 .phases = pass->phases,
                                 .halo = pass->halo};
    WW__ARGUMENTS(&a, fixed);
    if (pass->windows)
        return ww__gpu_launch(r->device, &recipe, "network_windows", ww__blocks(m->n, m->window - 2 * pass->halo),
                              threads, 0, &a);
    const uint64_t step = (uint64_t)1 << pass->narrow;
    return ww__gpu_launch(r->device, &recipe, "network_phase_of_all",
                          ww__blocks(ww__blocks(m->n, 2 * step) * step, threads), threads, 0, &a);
}

static ww_status copy_of(ww_device *device, const ww__sorting *s, uint64_t n, ww__placed_keys *copy) {
    WW_TRY(ww__scratch_array(device, n, s->keys.size, &copy->keys));
    return ww__scratch_array(device, n, sizeof *copy->positions, &copy->positions);
}

ww_status ww__network_gpu(ww_device *device, const ww__sorting *s, uint32_t kind, uint64_t n, const ww__placed_keys *in,
                          const ww__placed_keys *out, const uint32_t *wanted) {
    const running r = {device, s, {kind, ww__ordered_window(device, s, WINDOW_MOST, sizeof(uint32_t)), n}, wanted};
    const uint32_t moves = ww__network_moves(&r.network);
    ww__network_pass pass = ww__network_first(&r.network);
    ww__placed_keys place[2] = {*out, *out}, from = *in;
    if (moves || pass.halo) WW_TRY(copy_of(device, s, n, &place[1]));
    uint32_t now = moves % 2;
    if (pass.halo && from.keys == place[now].keys) {
        WW_TRY(ww__gpu_copy(device, place[!now].keys, from.keys, n * s->keys.size));
        from.keys = place[!now].keys;
    }
    WW_TRY(launch(&r, &pass, &from, &place[now]));
    while (ww__network_next(&r.network, &pass)) {
        const uint32_t next = pass.halo ? !now : now;
        WW_TRY(launch(&r, &pass, &place[now], &place[next]));
        now = next;
    }
    return WW_OK;
}

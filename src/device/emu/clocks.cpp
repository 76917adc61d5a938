#include "device/emu/clocks.h"

#include <algorithm>
#include <cstring>

namespace emu {
namespace {

enum { WARP = 32, FANOUT = 16, FANOUT_BITS = 4, CHUNK = 1 << 16, CHUNKS_KEPT = 256 };

/* Of a warp in the epoch of its block's component: what its lanes did at these times and before. */
struct warp_times {
    uint32_t warp;
    const warp_times *next; /* with a higher number */
    uint32_t time[WARP];
};

/* A component: everything before the epoch, and in it what is said of warps. */
struct of_block {
    uint32_t epoch;
    const warp_times *warps;
};

struct node {
    vector_clock child[FANOUT];
};

/* Whether one list says all that another one does. */
bool says_all(const warp_times *w, const warp_times *other) {
    for (; other; other = other->next) {
        while (w && w->warp < other->warp) w = w->next;
        if (!w || w->warp != other->warp) return false;
        for (uint32_t i = 0; i < WARP; i++)
            if (w->time[i] < other->time[i]) return false;
    }
    return true;
}

uint32_t place_at(uint32_t block, uint32_t level) { return block >> (level - 1) * FANOUT_BITS & (FANOUT - 1); }

} // namespace

void clocks::begin(uint32_t blocks) {
    height = 1;
    while (height * FANOUT_BITS < 32 && (blocks - 1) >> height * FANOUT_BITS) height++;
    if (chunks.size() > CHUNKS_KEPT) chunks.resize(CHUNKS_KEPT);
    chunk = used = 0;
}

void *clocks::take(size_t bytes) {
    bytes = (bytes + 7) & ~static_cast<size_t>(7);
    if (chunk < chunks.size() && used + bytes > CHUNK) {
        chunk++;
        used = 0;
    }
    if (chunk == chunks.size()) chunks.emplace_back(new char[CHUNK]);
    void *at = &chunks[chunk][used];
    used += bytes;
    return at;
}

vector_clock clocks::of_lane(const moment &now, const uint32_t *times) {
    warp_times *w = static_cast<warp_times *>(take(sizeof(warp_times)));
    w->warp = now.warp;
    w->next = nullptr;
    memcpy(w->time, times, sizeof w->time);
    of_block *b = static_cast<of_block *>(take(sizeof(of_block)));
    *b = {now.epoch, w};
    vector_clock made = b;
    for (uint32_t level = 1; level <= height; level++) {
        node *n = static_cast<node *>(take(sizeof(node)));
        *n = node();
        n->child[place_at(now.block, level)] = made;
        made = n;
    }
    return made;
}

vector_clock clocks::join_at(uint32_t level, vector_clock a, vector_clock b) {
    if (a == b || !b) return a;
    if (!a) return b;
    if (level > 0) {
        const node &x = *static_cast<const node *>(a), &y = *static_cast<const node *>(b);
        node both;
        bool as_x = true, as_y = true;
        for (uint32_t i = 0; i < FANOUT; i++) {
            both.child[i] = join_at(level - 1, x.child[i], y.child[i]);
            as_x = as_x && both.child[i] == x.child[i];
            as_y = as_y && both.child[i] == y.child[i];
        }
        if (as_x || as_y) return as_x ? a : b;
        node *made = static_cast<node *>(take(sizeof(node)));
        *made = both;
        return made;
    }
    const of_block &x = *static_cast<const of_block *>(a), &y = *static_cast<const of_block *>(b);
    if (x.epoch != y.epoch) return x.epoch > y.epoch ? a : b;
    if (says_all(x.warps, y.warps)) return a;
    if (says_all(y.warps, x.warps)) return b;
    /* Two lists in the order of warps become one. */
    const warp_times *first = nullptr, **end = &first;
    for (const warp_times *p = x.warps, *q = y.warps; p || q;) {
        warp_times *w = static_cast<warp_times *>(take(sizeof(warp_times)));
        const bool both = p && q && p->warp == q->warp, of_p = p && (!q || p->warp <= q->warp);
        *w = of_p ? *p : *q;
        for (uint32_t i = 0; both && i < WARP; i++) w->time[i] = std::max(p->time[i], q->time[i]);
        if (of_p) p = p->next;
        if (both || !of_p) q = q->next;
        w->next = nullptr;
        *end = w;
        end = &w->next;
    }
    of_block *made = static_cast<of_block *>(take(sizeof(of_block)));
    *made = {x.epoch, first};
    return made;
}

bool clocks::covers(vector_clock c, const moment &m, uint32_t lane) const {
    for (uint32_t level = height; c && level > 0; level--)
        c = static_cast<const node *>(c)->child[place_at(m.block, level)];
    if (!c) return false;
    const of_block &b = *static_cast<const of_block *>(c);
    if (m.epoch != b.epoch) return m.epoch < b.epoch;
    for (const warp_times *w = b.warps; w; w = w->next)
        if (w->warp == m.warp) return m.time <= w->time[lane];
    return false;
}

} // namespace emu

/* Barriers and warp operations. A lane that comes to one says so and gives way; the last one that was missing works out
 * what all get and wakes them. What cannot end well is reported as soon as it is certain. */
#include <cstring>

#include "device/emu/run.h"

namespace emu {
namespace {

const char *barrier_name(int kind) {
    static const char *const names[] = {"__syncthreads", "__syncthreads_or", "__syncthreads_and",
                                        "__syncthreads_count"};
    return names[kind];
}

const char *warp_name(int kind) {
    static const char *const names[] = {"__syncwarp",        "a shuffle",         "a vote",
                                        "__match_any_sync",  "__reduce_add_sync", "__reduce_min_sync",
                                        "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
                                        "__reduce_or_sync",  "__reduce_and_sync", "__reduce_xor_sync"};
    return names[kind];
}

/* ---- barriers ---- */

void end_barrier(block &b) {
    int result = b.barrier_kind == WW_EMU_BARRIER_COUNT ? static_cast<int>(b.yes)
                 : b.barrier_kind == WW_EMU_BARRIER_OR  ? b.yes > 0
                                                        : b.yes == b.threads;
    b.at_barrier = 0;
    b.shared.next_epoch();
    b.epoch++;
    if (b.hears) b.home->run->races->join(b.lanes.data(), b.threads, ~0u);
    b.hears = false;
    for (size_t i = 0; i < b.warps.size(); i++) gather_warp(b, i);
    for (uint32_t i = 0; i < b.threads; i++) { /* a larger launch may have left more lanes than this block has */
        b.lanes[i].moment = 0;
        b.lanes[i].result = static_cast<unsigned long long>(result);
        wake(b.lanes[i]);
    }
}

/* ---- warps ---- */

lane *first_lane(lane &l) { return &l.home->lanes[l.index & ~(WARP - 1u)]; }

/* What lanes of the mask did before is now ordered before what any of them does. */
void order_warp(warp &w, lane *lanes, uint32_t mask) {
    uint32_t joined[WARP] = {0};
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(mask >> i & 1)) continue;
        w.known[i][i] = lanes[i].time++;
        lanes[i].moment = 0;
        for (uint32_t j = 0; j < WARP; j++)
            if (w.known[i][j] > joined[j]) joined[j] = w.known[i][j];
    }
    for (uint32_t i = 0; i < WARP; i++)
        if (mask >> i & 1) memcpy(w.known[i], joined, sizeof joined);
}

unsigned long long reduced(int kind, const lane *lanes, uint32_t mask) {
    uint32_t all = 0;
    bool first = true;
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(mask >> i & 1)) continue;
        uint32_t v = static_cast<uint32_t>(lanes[i].value);
        bool less = kind == WW_EMU_REDUCE_MIN || kind == WW_EMU_REDUCE_MAX
                        ? v < all
                        : static_cast<int32_t>(v) < static_cast<int32_t>(all);
        if (first)
            all = v;
        else if (kind == WW_EMU_REDUCE_ADD)
            all += v;
        else if (kind == WW_EMU_REDUCE_OR)
            all |= v;
        else if (kind == WW_EMU_REDUCE_AND)
            all &= v;
        else if (kind == WW_EMU_REDUCE_XOR)
            all ^= v;
        else if (less == (kind == WW_EMU_REDUCE_MIN || kind == WW_EMU_REDUCE_MIN_SIGNED))
            all = v;
        first = false;
    }
    return all;
}

/* Each lane gets the mask of those with its value. */
void match(lane *lanes, uint32_t mask) {
    while (mask) {
        uint32_t same = 0;
        const unsigned long long value = lanes[__builtin_ctz(mask)].value;
        for (uint32_t left = mask; left; left &= left - 1)
            if (lanes[__builtin_ctz(left)].value == value) same |= left & -left;
        for (uint32_t left = same; left; left &= left - 1) lanes[__builtin_ctz(left)].result = same;
        mask &= ~same;
    }
}

/* What every lane of the mask gets. */
void work_out(int kind, lane *lanes, uint32_t mask) {
    unsigned long long all = 0;
    if (kind >= WW_EMU_REDUCE_ADD) all = reduced(kind, lanes, mask);
    for (uint32_t i = 0; kind == WW_EMU_BALLOT && i < WARP; i++)
        if (mask >> i & 1 && lanes[i].value) all |= 1ull << i;
    if (kind == WW_EMU_MATCH) {
        match(lanes, mask);
        return;
    }
    for (uint32_t i = 0; i < WARP; i++)
        if (mask >> i & 1) lanes[i].result = kind == WW_EMU_SHUFFLE ? lanes[lanes[i].source].value : all;
}

/* The lanes that have come to the same operation as this one, which is not among them yet. */
uint32_t come_before(const warp &w, const lane *lanes, const lane &l) {
    const meeting &m = w.meetings[__builtin_ctz(l.mask)];
    if (m.come && m.kind == l.kind && m.mask == l.mask) return m.come;
    uint32_t come = 0;
    for (uint32_t left = w.at & l.mask; left; left &= left - 1) {
        const lane &other = lanes[__builtin_ctz(left)];
        if (other.kind == l.kind && other.mask == l.mask) come |= left & -left;
    }
    return come;
}

/* Notes who has come, for the next one; what shares a lowest lane with another meeting is found by looking at all lanes. */
void note_come(warp &w, const lane &l, uint32_t come) {
    meeting &m = w.meetings[__builtin_ctz(l.mask)];
    if (!m.come || (m.kind == l.kind && m.mask == l.mask)) m = {l.kind, l.mask, come};
}

void check_mask(lane &l, const warp &w) {
    const char *name = warp_name(l.kind);
    if (!(l.mask >> l.index % WARP & 1))
        fail(l, l.site, "reaches %s with the mask %#x, in which it is not", name, l.mask);
    if (l.mask & w.ended)
        fail(l, l.site, "reaches %s with the mask %#x, but lane %d has ended", name, l.mask,
             __builtin_ctz(l.mask & w.ended));
    if (l.kind == WW_EMU_SHUFFLE && !(l.mask >> l.source & 1))
        fail(l, l.site, "reads by %s from lane %u, which is not in the mask %#x", name, l.source, l.mask);
}

/* Whether this lane's operation can still be, when lanes of its mask wait in another one; reports why not. */
void check_others(lane &l, const warp &w) {
    const lane *lanes = first_lane(l);
    uint32_t here = l.index % WARP;
    const char *name = warp_name(l.kind);
    for (uint32_t i = 0; i < WARP; i++) {
        const lane &other = lanes[i];
        if (!(l.mask & w.at & 1u << i) || !(other.mask >> here & 1)) continue;
        if (other.kind != l.kind || other.mask != l.mask)
            fail(l, l.site, "reaches %s with the mask %#x, but lane %u has reached %s with the mask %#x", name, l.mask,
                 i, warp_name(other.kind), other.mask);
    }
}

} // namespace

int call_barrier(int kind, int predicate, const void *site) {
    lane &l = *lane_now();
    block &b = *l.home;
    if (b.alive < b.threads)
        fail(l, site, "reaches %s, which a thread that has ended did not reach", barrier_name(kind));
    if (b.at_barrier == 0) {
        b.barrier_kind = kind;
        b.yes = 0;
    } else if (b.barrier_kind != kind) {
        fail(l, site, "reaches %s while others wait at %s", barrier_name(kind), barrier_name(b.barrier_kind));
    }
    l.state = state::AT_BARRIER;
    l.kind = kind;
    l.site = site;
    b.yes += predicate != 0;
    order_release(&b.order_token[1]);
    if (++b.at_barrier == b.threads) {
        end_barrier(b);
        if (b.home->run->random && b.home->run->watched) put_aside(b, WEIGHT_BARRIER);
    }
    give_way(l);
    order_acquire(&b.order_token[1]);
    return static_cast<int>(l.result);
}

unsigned long long call_warp(int kind, unsigned mask, unsigned long long value, unsigned source, const void *site) {
    lane &l = *lane_now();
    block &b = *l.home;
    warp &w = b.warps[l.index / WARP];
    l.kind = kind;
    l.mask = mask;
    l.value = value;
    l.source = source;
    l.site = site;
    check_mask(l, w);
    lane *lanes = first_lane(l);
    uint32_t come = come_before(w, lanes, l);
    if ((w.at & mask) != come) check_others(l, w);
    l.state = state::AT_WARP;
    w.at |= 1u << l.index % WARP;
    come |= 1u << l.index % WARP;
    note_come(w, l, come == mask ? 0 : come);
    if (kind == WW_EMU_SYNC) order_release(&w);
    if (come == mask) {
        work_out(kind, lanes, mask);
        if (kind == WW_EMU_SYNC && b.home->run->watched) {
            order_warp(w, lanes, mask);
            if (b.hears) b.home->run->races->join(lanes, WARP, mask & ~w.ended);
        }
        b.home->counters.total.warp_operations++;
        if ((mask | w.ended) == ~0u) gather_warp(b, l.index / WARP);
        w.at &= ~mask;
        for (uint32_t i = 0; i < WARP; i++)
            if (mask >> i & 1) wake(lanes[i]);
    }
    give_way(l);
    if (kind == WW_EMU_SYNC) order_acquire(&w);
    return l.result;
}

void lane_ended(lane &l) {
    block &b = *l.home;
    warp &w = b.warps[l.index / WARP];
    l.state = state::ENDED;
    b.alive--;
    if (b.at_barrier) fail(l, nullptr, "ends while others wait at %s", barrier_name(b.barrier_kind));
    w.ended |= 1u << l.index % WARP;
    for (uint32_t i = 0; i < WARP; i++) {
        const lane &other = first_lane(l)[i];
        if (w.at >> i & 1 && other.mask >> l.index % WARP & 1)
            fail(l, other.site, "ends while lane %u waits for it at %s with the mask %#x", i, warp_name(other.kind),
                 other.mask);
    }
}

void tell_deadlock(block &b) {
    lane *first = nullptr, *second = nullptr;
    for (uint32_t i = 0; i < b.threads; i++) {
        lane &l = b.lanes[i];
        if (l.state == state::ENDED) continue;
        if (!first)
            first = &l;
        else if (!second && (l.state != first->state || l.kind != first->kind || l.mask != first->mask))
            second = &l;
    }
    auto where = [](const lane &l) { return l.state == state::AT_BARRIER ? barrier_name(l.kind) : warp_name(l.kind); };
    if (second)
        fail_from_outside(*first, first->site, "waits at %s for ever: thread %u waits at %s", where(*first),
                          second->index, where(*second));
    else
        fail_from_outside(*first, first->site, "waits at %s for ever", where(*first));
}

} // namespace emu

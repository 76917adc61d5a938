#include "device/emu/races.h"

#include <algorithm>
#include <cstring>

#include "device/emu/run.h"

namespace emu {
namespace {

enum { LANE_BITS = 5, MOMENTS_MOST = 1 << 24, PAGES_KEPT = 4096 };

uint32_t moment_in(touch t) { return t.who >> (LANE_BITS + 1); }
uint32_t lane_in(touch t) { return t.who >> 1 & (WARP - 1); }
bool is_atomic(touch t) { return t.who & 1; }

} // namespace

void races::begin(run &run) {
    r = &run;
    clocks.begin(run.blocks);
    moments.assign(1, moment());
    words.clear();
    pages.clear();
    if (made.size() > PAGES_KEPT) made.resize(PAGES_KEPT);
    used = 0;
    std::fill(known, known + BUCKETS, nullptr);
}

/* Numbers are used up: all that was done so far counts as ordered. */
void races::forget() {
    moments.assign(1, moment());
    pages.clear();
    used = 0;
    std::fill(known, known + BUCKETS, nullptr);
    for (worker &w : *r->workers)
        for (block &b : w.blocks) {
            for (lane &l : b.lanes) l.moment = 0;
            for (warp &in : b.warps) in.moment = 0;
        }
}

races::page &races::page_of(uintptr_t address) {
    const uintptr_t number = address / PAGE;
    page *&fast = known[number % BUCKETS];
    if (fast && fast->number == number) return *fast;
    const auto found = pages.emplace(number, static_cast<uint32_t>(used));
    if (found.second) {
        if (used == made.size()) {
            const page *before = made.data();
            made.emplace_back();
            made.back().of_words.reset(new global_cell[PAGE / WORD]);
            if (made.data() != before) std::fill(known, known + BUCKETS, nullptr);
        }
        page &p = made[used++];
        p.number = number;
        p.bytes = false;
        memset(p.of_words.get(), 0, PAGE / WORD * sizeof(global_cell));
    }
    return *(known[number % BUCKETS] = &made[found.first->second]);
}

/* Something smaller than a word, or across two, is touched in it. */
void races::split(page &p) {
    if (!p.of_bytes) p.of_bytes.reset(new global_cell[PAGE]);
    for (size_t i = 0; i < PAGE; i++) p.of_bytes[i] = p.of_words[i / WORD];
    p.bytes = true;
}

/* The number of what the lane does from its last step of order to its next; the lanes of a warp share it when they can. */
uint32_t races::moment_of(lane &l) {
    if (l.moment) return l.moment;
    block &b = *l.home;
    warp &w = b.warps[l.index / WARP];
    const moment now = {b.turn, b.epoch, l.index / WARP, l.time};
    if (w.moment && moments[w.moment].epoch == now.epoch && moments[w.moment].time == now.time)
        return l.moment = w.moment;
    if (moments.size() == MOMENTS_MOST) forget();
    moments.push_back(now);
    return l.moment = w.moment = static_cast<uint32_t>(moments.size() - 1);
}

bool races::ordered(touch t, uint32_t now, const lane &l) const {
    if (!t.who || (t.who | 1) == (now | 1)) return true; /* the lane itself, in this very moment */
    const moment &m = moments[moment_in(t)];
    const block &b = *l.home;
    if (m.block == b.turn) {
        if (m.epoch < b.epoch) return true;
        const uint32_t here = l.index % WARP, other = lane_in(t);
        if (m.warp == l.index / WARP && (other == here || b.warps[m.warp].known[here][other] >= m.time)) return true;
    }
    return l.heard && clocks.covers(l.heard, m, lane_in(t));
}

/* What this access is in no order with, though it must be. */
const touch *races::conflict(const global_cell &c, uint32_t now, const lane &l, int what) const {
    const bool atomic = what & (WW_EMU_ATOMIC | WW_EMU_ANY), write = what & WW_EMU_WRITE;
    if (!ordered(c.wrote, now, l)) return &c.wrote;
    if (!atomic && !ordered(c.changed, now, l)) return &c.changed;
    for (const touch &reader : c.read)
        if (write && !(atomic && is_atomic(reader)) && !ordered(reader, now, l)) return &reader;
    return nullptr;
}

void races::note_read(global_cell &c, touch t, const lane &l) const {
    const uint32_t now = t.who;
    for (touch &reader : c.read)
        if (ordered(reader, now, l)) {
            reader = t;
            return;
        }
    if (is_atomic(t)) return;
    for (touch &reader : c.read)
        if (is_atomic(reader)) {
            reader = t;
            return;
        }
    const uint32_t first = moments[moment_in(c.read[0])].block, second = moments[moment_in(c.read[1])].block;
    if (first == second && first != l.home->turn) c.read[1] = t;
}

void races::note(global_cell &c, touch t, const lane &l, int what) const {
    if (!(what & WW_EMU_WRITE)) {
        note_read(c, t, l);
    } else if (what & (WW_EMU_ATOMIC | WW_EMU_ANY)) {
        c.changed = t;
        for (touch &reader : c.read)
            if (reader.who && ordered(reader, t.who, l)) reader = touch();
    } else {
        c = global_cell();
        c.wrote = t;
    }
}

void races::fail_race(lane &l, const allocation &a, uintptr_t at, const global_cell &c, const touch &with, int what,
                      const void *site) {
    const bool atomic = what & (WW_EMU_ATOMIC | WW_EMU_ANY), write = what & WW_EMU_WRITE;
    const char *does = !write   ? atomic ? "reads (relaxed)" : "reads"
                       : atomic ? "changes by an atomic operation"
                                : "writes";
    const char *did = &with == &c.wrote     ? "wrote"
                      : &with == &c.changed ? "changed by an atomic operation"
                      : is_atomic(with)     ? "read (relaxed)"
                                            : "read";
    const moment &m = moments[moment_in(with)];
    r->other_site = reinterpret_cast<const void *>(r->image_start + with.site);
    fail(l, site,
         "%s byte %zu of a block of %zu of global memory, which thread %u of block %u %s, with no order between them",
         does, static_cast<size_t>(at - a.start), static_cast<size_t>(a.end - a.start), m.warp * WARP + lane_in(with),
         block_of_turn(*r, m.block), did);
}

/* Most are the first of their kind at a place. */
static bool nobody_before(global_cell &c, touch t, int what) {
    const uint32_t changed = c.wrote.who | c.changed.who;
    if (changed || what & (WW_EMU_ATOMIC | WW_EMU_ANY)) return false;
    if (!(what & WW_EMU_WRITE)) {
        if (c.read[0].who && c.read[0].who != t.who) return false;
        c.read[0] = t;
        return true;
    }
    if (c.read[0].who | c.read[1].who) return false;
    c.wrote = t;
    return true;
}

void races::look(lane &l, const allocation &a, uintptr_t at, size_t bytes, int what, const void *site) {
    const uint32_t now = moment_of(l) << (LANE_BITS + 1) | (l.index % WARP) << 1 |
                         (what & (WW_EMU_ATOMIC | WW_EMU_ANY) ? 1 : 0);
    const touch t = {now, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(site) - r->image_start)};
    for (uintptr_t i = at, end = at + bytes; i < end;) {
        page &p = page_of(i);
        const uintptr_t in_page = std::min((i / PAGE + 1) * PAGE, end);
        if (!p.bytes && (i | in_page) % WORD) split(p);
        const uintptr_t by = p.bytes ? 1 : WORD;
        for (global_cell *c = p.at(i); i < in_page; i += by, c++) {
            if (nobody_before(*c, t, what)) continue;
            if (const touch *with = conflict(*c, now, l, what)) fail_race(l, a, i, *c, *with, what, site);
            note(*c, t, l, what);
        }
    }
    if (what & WW_EMU_ATOMIC) hand_on(l, at, what);
}

/* ---- what is handed on ---- */

/* Of its own accesses so far. What it does next is told apart from them. */
static moment step(lane &l, uint32_t *times) {
    block &b = *l.home;
    memcpy(times, b.warps[l.index / WARP].known[l.index % WARP], WARP * sizeof *times);
    times[l.index % WARP] = l.time;
    const moment now = {b.turn, b.epoch, l.index / WARP, l.time};
    l.time++;
    l.moment = 0;
    return now;
}

vector_clock races::clock_of(lane &l) {
    uint32_t times[WARP];
    const moment now = step(l, times);
    return clocks.join(l.heard, clocks.of_lane(now, times));
}

/* A clock is made of a fence when something is handed on behind it. */
vector_clock races::fenced_clock(lane &l) {
    if (l.fenced && !l.fence_clock)
        l.fence_clock = clocks.join(l.fence_heard, clocks.of_lane(l.fence_moment, l.fence_times));
    return l.fenced ? l.fence_clock : nullptr;
}

static void hear(lane &l, vector_clock all) {
    if (l.heard != all) l.home->hears = true;
    l.heard = all;
}

void races::hand_on(lane &l, uintptr_t at, int what) {
    const auto found = words.find(at);
    const vector_clock before = found == words.end() ? nullptr : found->second;
    if (what & WW_EMU_READ && before) {
        if (what & WW_EMU_ACQUIRE)
            hear(l, clocks.join(l.heard, before));
        else
            l.overheard = clocks.join(l.overheard, before);
    }
    if (!(what & WW_EMU_WRITE)) return;
    vector_clock now = what & WW_EMU_RELEASE ? clock_of(l) : fenced_clock(l);
    if (what & WW_EMU_READ) now = clocks.join(before, now);
    if (now != before) words[at] = now;
}

void races::fence(lane &l) {
    hear(l, clocks.join(l.heard, l.overheard));
    l.fence_moment = step(l, l.fence_times);
    l.fence_heard = l.heard;
    l.fence_clock = nullptr;
    l.fenced = true;
}

void races::join(lane *lanes, uint32_t count, uint32_t mask) {
    vector_clock all = nullptr;
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i % WARP & 1) all = clocks.join(all, lanes[i].heard);
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i % WARP & 1) lanes[i].heard = all;
}

} // namespace emu

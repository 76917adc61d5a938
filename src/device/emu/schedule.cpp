/* Which lane runs when. A worker goes round its resident blocks; in each it runs every lane that is ready, and those that
 * these make ready, until all others wait. A lane that waits for another block has one try a round. When nothing has
 * changed anywhere for many rounds, the resident blocks wait for blocks that are not: that is a fault, because on a GPU too
 * a block starts only when there is room for it. */
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <thread>

#include <sched.h>

#include "device/emu/run.h"

namespace emu {
namespace {

enum { BARREN_MOST = 2000, BARREN_MOST_UNWATCHED = 1000000 };

thread_local lane *current __attribute__((tls_model("initial-exec")));

/* splitmix64, as in the tests. */
uint64_t random_next(uint64_t &seed) {
    uint64_t x = seed += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

void note_fault(lane &l, const void *site, const char *format, va_list more) {
    run &r = *l.home->home->run;
    char text[512], all[700];
    vsnprintf(text, sizeof text, format, more);
    snprintf(all, sizeof all, "kernel %s, block %u, thread %u %s", r.name.c_str(), l.place.block, l.index, text);
    std::lock_guard<std::mutex> hold(r.fault_lock);
    if (r.fault.empty()) {
        r.fault = all;
        r.fault_site = site;
    }
    r.stop.store(true, std::memory_order_relaxed);
}

uint64_t progress_of_all(const run &r) {
    uint64_t sum = 1; /* 0 has another meaning */
    for (const worker &w : *r.workers) sum += w.progress.load(std::memory_order_relaxed);
    return sum;
}

void lane_body(void *argument) {
    lane &l = *static_cast<lane *>(argument);
    block &b = *l.home;
    order_acquire(const_cast<char *>(b.home->run->arguments)); /* what the host wrote before the launch */
    order_acquire(&b.order_token[0]);                          /* and who had this shared memory before */
    b.home->run->kernel->entry(b.home->run->arguments);
    order_release(&b.order_token[0]);
    order_release(const_cast<char *>(b.home->run->arguments));
    lane_ended(l);
    progressed(*b.home);
    fiber_switch(l.context, b.home->context, nullptr, true);
}

void note_oldest(worker &w) {
    uint32_t oldest = UINT32_MAX;
    for (const block &b : w.blocks)
        if (b.live) oldest = std::min(oldest, b.turn);
    w.oldest.store(oldest, std::memory_order_relaxed);
}

/* Whether a turn comes so long after the first block that has not ended that there might be no room for it. */
bool too_early(const run &r, uint32_t turn) {
    uint32_t oldest = turn;
    for (const worker &w : *r.workers) oldest = std::min(oldest, w.oldest.load(std::memory_order_relaxed));
    return turn - oldest >= r.workers->size() * (*r.workers)[0].blocks.size();
}

bool start_block(worker &w, block &b) {
    run &r = *w.run;
    uint32_t turn = r.next.load(std::memory_order_relaxed);
    do {
        if (turn >= r.blocks || too_early(r, turn)) return false;
    } while (!r.next.compare_exchange_weak(turn, turn + 1, std::memory_order_relaxed));
    b.turn = turn;
    b.live = true;
    note_oldest(w);
    b.number = r.random ? r.order[turn] : turn;
    b.alive = r.threads;
    b.at_barrier = 0;
    b.first_ready = 0;
    b.ready_count = r.threads;
    b.waiting.clear();
    order_acquire(&b.order_token[0]);
    b.shared.begin();
    order_release(&b.order_token[0]);
    for (uint32_t i = 0; i < r.threads; i++) {
        lane &l = b.lanes[i];
        l.home = &b;
        l.index = i;
        l.place = {i, b.number, r.threads, r.blocks};
        l.state = state::READY;
        l.time = 1;
        l.looks = 0;
        l.log.clear();
        b.fibers.prepare(l.context, i, lane_body);
        b.ready[i] = static_cast<uint16_t>(i);
    }
    for (size_t i = 0; i < b.warps.size(); i++) {
        b.warps[i] = warp();
        size_t lanes = r.threads - i * WARP;
        if (lanes < WARP) b.warps[i].ended = ~0u << lanes;
    }
    progressed(w);
    return true;
}

/* The next ready lane: the oldest, or any. */
lane *take_ready(worker &w, block &b) {
    if (b.ready_count == 0) return nullptr;
    if (w.run->random) {
        size_t other = (b.first_ready + random_next(w.random) % b.ready_count) % b.ready.size();
        std::swap(b.ready[b.first_ready], b.ready[other]);
    }
    lane *l = &b.lanes[b.ready[b.first_ready]];
    b.first_ready = (b.first_ready + 1) % b.ready.size();
    b.ready_count--;
    return l;
}

/* Runs a block until all its lanes wait or have ended. */
void run_block(worker &w, block &b) {
    for (uint16_t i : b.waiting) wake(b.lanes[i]);
    b.waiting.clear();
    while (lane *l = take_ready(w, b)) {
        current = l;
        fiber_switch(w.context, l->context, l);
        if (w.run->stop.load(std::memory_order_relaxed)) return;
    }
    if (b.alive == 0) {
        for (size_t i = 0; i < b.warps.size(); i++) gather_warp(b, i);
        b.live = false;
        note_oldest(w);
    } else if (b.waiting.empty()) {
        tell_deadlock(b);
    }
}

/* Whether all others have looked twice since all were idle. A word counts as written before it is: a worker that was put aside
 * between the two keeps the others from seeing it, but not once it looks around itself. */
bool all_looked_again(worker &w, uint64_t now) {
    const std::vector<worker> &all = *w.run->workers;
    const bool known = w.suspected == now;
    bool again = known;
    w.suspected = now;
    w.seen.resize(all.size());
    for (size_t i = 0; i < all.size(); i++) {
        const uint64_t rounds = all[i].rounds.load(std::memory_order_acquire);
        const bool ended = all[i].idle_at.load(std::memory_order_relaxed) == UINT64_MAX;
        if (!known) w.seen[i] = rounds;
        if (&all[i] != &w && !ended && rounds < w.seen[i] + 2) again = false;
    }
    return again;
}

/* After a round in which nothing changed: whether that is so everywhere, for good. */
void look_for_standstill(worker &w, uint64_t &barren, uint64_t &before) {
    uint64_t now = progress_of_all(*w.run);
    w.rounds.fetch_add(1, std::memory_order_release);
    if (now != before) {
        barren = 0;
        before = now;
        w.idle_at.store(0, std::memory_order_relaxed);
        return;
    }
    if (++barren % 16 == 0) sched_yield();
    if (barren < (w.run->watched ? BARREN_MOST : BARREN_MOST_UNWATCHED)) return;
    w.idle_at.store(now, std::memory_order_relaxed);
    for (const worker &other : *w.run->workers)
        if (other.idle_at.load(std::memory_order_relaxed) < now) return;
    if (!all_looked_again(w, now)) return;
    for (block &b : w.blocks)
        if (b.live) {
            lane &l = b.lanes[b.waiting[0]];
            fail_from_outside(l, l.site, "waits for a block that cannot start: blocks wait for later blocks");
            return;
        }
}

void join(std::vector<std::thread> &threads) {
    for (std::thread &t : threads) t.join();
}

} // namespace

__attribute__((noinline)) lane *lane_now() { return current; }

void progressed(worker &w) {
    w.progress.store(w.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void fail(lane &l, const void *site, const char *format, ...) {
    va_list more;
    va_start(more, format);
    note_fault(l, site, format, more);
    va_end(more);
    for (;;) fiber_switch(l.context, l.home->home->context, nullptr);
}

void fail_from_outside(lane &l, const void *site, const char *format, ...) {
    va_list more;
    va_start(more, format);
    note_fault(l, site, format, more);
    va_end(more);
}

void gather_warp(block &b, size_t warp) {
    if (b.home->run->watched)
        b.home->counters.gather(&b.lanes[warp * WARP], std::min<size_t>(WARP, b.threads - warp * WARP));
}

void give_way(lane &l) {
    if (l.state == state::WAITING) l.home->waiting.push_back(static_cast<uint16_t>(l.index));
    fiber_switch(l.context, l.home->home->context, nullptr);
}

void wake(lane &l) {
    l.state = state::READY;
    block &b = *l.home;
    b.ready[(b.first_ready + b.ready_count++) % b.ready.size()] = static_cast<uint16_t>(l.index);
}

static void run_worker(worker &w) {
    fiber_of_thread(w.context);
    /* All start together, so that no one has run all blocks before the next comes. */
    w.run->started.fetch_add(1, std::memory_order_relaxed);
    while (w.run->started.load(std::memory_order_relaxed) < w.run->workers->size()) sched_yield();
    uint64_t barren = 0, before = 0;
    for (bool left = true; left && !w.run->stop.load(std::memory_order_relaxed);) {
        left = w.run->next.load(std::memory_order_relaxed) < w.run->blocks;
        for (block &b : w.blocks)
            if (b.live || start_block(w, b)) left = true;
        for (block &b : w.blocks) {
            if (b.live) run_block(w, b);
            if (w.run->stop.load(std::memory_order_relaxed)) return;
        }
        if (left) look_for_standstill(w, barren, before);
    }
    w.idle_at.store(UINT64_MAX, std::memory_order_relaxed);
}

bool run_all(run &r, std::vector<worker> &workers) {
    r.workers = &workers;
    for (size_t i = 0; i < workers.size(); i++) {
        workers[i].run = &r;
        workers[i].random = r.seed + i;
        workers[i].counters.total = {};
        workers[i].oldest = UINT32_MAX;
        workers[i].progress = 0;
        workers[i].suspected = UINT64_MAX;
        workers[i].idle_at = 0;
        for (allocation &a : workers[i].known) a = {};
        for (block &b : workers[i].blocks) b.live = false;
    }
    if (r.random) {
        uint64_t seed = r.seed;
        r.order.resize(r.blocks);
        for (uint32_t i = 0; i < r.blocks; i++) {
            uint32_t at = static_cast<uint32_t>(random_next(seed) % (i + 1));
            r.order[i] = r.order[at];
            r.order[at] = i;
        }
    }
    order_release(const_cast<char *>(r.arguments));
    std::vector<std::thread> threads;
    for (size_t i = 1; i < workers.size(); i++) threads.emplace_back(run_worker, std::ref(workers[i]));
    run_worker(workers[0]);
    join(threads);
    order_acquire(const_cast<char *>(r.arguments));
    return r.fault.empty();
}

} // namespace emu

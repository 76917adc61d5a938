/* Which lane runs when. A worker goes round its resident blocks; in each it runs every lane that is ready, and those that
 * these make ready, until all others wait. A lane that waits for another block has one try a round. When nothing has
 * changed anywhere for many rounds, the resident blocks wait for blocks that are not: that is a fault, because on a GPU too
 * a block starts only when there is room for it.
 *
 * In a random order any resident block runs next, in it any warp and of that any lane, and blocks are put aside: when they
 * start, at barriers, at atomic operations and stores of global memory, mostly for a moment, sometimes for so long that all others
 * that there is room for overtake them. So what waits must really wait, and look-back looks far back.
 *
 * The lanes of a warp that are ready mostly go on together, for their stacks stay in the machine's caches then: any lane of the
 * block in turn would take half as long again. */
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <thread>

#include <sched.h>

#include "device/emu/run.h"

namespace emu {
namespace {

enum {
    BARREN_MOST = 500,
    BARREN_MOST_UNWATCHED = 1000000,
    BETWEEN_ASIDE = 512, /* weights from one block that is put aside to the next, on average */
    MOMENT = 8,
    LONG_TIME = 256, /* blocks that run meanwhile */
    TOGETHER = 64,   /* lanes from one warp that is left although more of it are ready to the next, on average */
};

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

/* The first bit of a mask from bit `from` on, and round. */
uint32_t bit_from(uint32_t mask, uint64_t from) {
    const uint32_t start = from % WARP, after = mask >> start << start;
    return static_cast<uint32_t>(__builtin_ctz(after ? after : mask));
}

/* Takes up the lanes that are ready in the next warp, or in any. */
void choose_warp(block &b, uint64_t x) {
    b.warp_now = bit_from(b.warps_ready, b.home->run->random ? x : b.warp_now + 1);
    b.going = b.warps[b.warp_now].ready;
    b.warps[b.warp_now].ready = 0;
    b.warps_ready &= ~(1u << b.warp_now);
}

void leave_warp(block &b) {
    b.warps[b.warp_now].ready |= b.going;
    b.warps_ready |= 1u << b.warp_now;
}

/* The next ready lane; NULL: none, or the block's turn is over. */
lane *take_ready(block &b) {
    worker &w = *b.home;
    if (b.aside || w.run->stop.load(std::memory_order_relaxed)) return nullptr;
    if (!b.going && !b.warps_ready) return nullptr;
    const uint64_t x = w.run->random ? random_next(w.random) : 0;
    const bool leave = b.going && w.run->random && (x >> 32) % TOGETHER == 0;
    if (leave) leave_warp(b);
    if (leave || !b.going) choose_warp(b, x);
    const uint32_t taken = bit_from(b.going, x >> 8);
    b.going &= ~(1u << taken);
    return &b.lanes[b.warp_now * WARP + taken];
}

/* Goes on in the next ready lane, or in the worker when there is none. */
void go_on(fiber &from, block &b, bool last) {
    lane *next = take_ready(b);
    fiber &to = next ? next->context : b.home->context;
    if (&to == &from) return;
    current = next;
    fiber_switch(from, to, next, last);
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
    go_on(l.context, b, true);
}

void note_oldest(worker &w) {
    uint32_t oldest = UINT32_MAX;
    for (size_t i = 0; i < w.resident; i++)
        if (w.blocks[i].live) oldest = std::min(oldest, w.blocks[i].turn);
    w.oldest.store(oldest, std::memory_order_relaxed);
}

/* Whether a turn comes so long after the first block that has not ended that there might be no room for it. */
bool too_early(const run &r, uint32_t turn) {
    uint32_t oldest = turn;
    for (const worker &w : *r.workers) oldest = std::min(oldest, w.oldest.load(std::memory_order_relaxed));
    return turn - oldest >= r.workers->size() * (*r.workers)[0].resident;
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
    b.number = block_of_turn(r, turn);
    b.epoch = 0;
    b.hears = b.aside = false;
    b.aside_until = 0;
    b.alive = r.threads;
    b.at_barrier = 0;
    b.warps_ready = b.going = 0;
    b.warp_now = WARP - 1;
    b.waiting.clear();
    order_acquire(&b.order_token[0]);
    b.shared.begin();
    order_release(&b.order_token[0]);
    for (uint32_t i = 0; i < r.threads; i++) {
        lane &l = b.lanes[i];
        l.home = &b;
        l.index = i;
        l.place = {i, b.number, r.threads, r.blocks, r.in_order};
        l.time = 1;
        l.looks = 0;
        l.log.clear();
        l.moment = 0;
        l.heard = l.overheard = nullptr;
        l.fenced = false;
        b.fibers.prepare(l.context, i, lane_body);
    }
    for (size_t i = 0; i < b.warps.size(); i++) {
        b.warps[i] = warp();
        size_t lanes = r.threads - i * WARP;
        if (lanes < WARP) b.warps[i].ended = ~0u << lanes;
    }
    for (uint32_t i = 0; i < r.threads; i++) wake(b.lanes[i]);
    progressed(w);
    if (r.random && r.watched) put_aside(b, BETWEEN_ASIDE / 2);
    return true;
}

/* Runs a block until all its lanes wait or have ended, or it is put aside. Those that waited try again when all others wait. */
void run_block(worker &w, block &b) {
    if (!b.warps_ready && !b.going) {
        for (uint16_t i : b.waiting) wake(b.lanes[i]);
        b.waiting.clear();
    }
    b.aside = false;
    go_on(w.context, b, false);
    if (b.aside || w.run->stop.load(std::memory_order_relaxed)) return;
    if (b.alive == 0) {
        for (size_t i = 0; i < b.warps.size(); i++) gather_warp(b, i);
        b.live = false;
        note_oldest(w);
    } else if (b.waiting.empty()) {
        tell_deadlock(b);
    }
}

void tell_standstill(block &b) {
    lane &l = b.lanes[b.waiting[0]];
    fail_from_outside(l, l.site, "waits for a block that cannot start: blocks wait for later blocks");
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
            tell_standstill(b);
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
    if (b.home->run->counted)
        b.home->counters.gather(&b.lanes[warp * WARP], std::min<size_t>(WARP, b.threads - warp * WARP));
}

void give_way(lane &l) {
    if (l.state == state::WAITING) l.home->waiting.push_back(static_cast<uint16_t>(l.index));
    go_on(l.context, *l.home, false);
}

void wake(lane &l) {
    l.state = state::READY;
    block &b = *l.home;
    b.warps[l.index / WARP].ready |= 1u << l.index % WARP;
    b.warps_ready |= 1u << l.index / WARP;
}

bool put_aside(block &b, int weight) {
    worker &w = *b.home;
    run &r = *w.run;
    if ((r.until_aside -= weight) > 0) return false;
    uint64_t x = random_next(r.aside_random);
    r.until_aside = 1 + static_cast<int64_t>(x % (2 * BETWEEN_ASIDE));
    x >>= 32;
    b.aside_until = r.clock + 1 + (x % 4 ? x / 4 % MOMENT : x / 4 % LONG_TIME);
    b.aside = true;
    return true;
}

static void run_worker(worker &w) {
    fiber_of_thread(w.context);
    /* All start together, so that no one has run all blocks before the next comes. */
    w.run->started.fetch_add(1, std::memory_order_relaxed);
    while (w.run->started.load(std::memory_order_relaxed) < w.run->workers->size()) sched_yield();
    uint64_t barren = 0, before = 0;
    for (bool left = true; left && !w.run->stop.load(std::memory_order_relaxed);) {
        left = w.run->next.load(std::memory_order_relaxed) < w.run->blocks;
        for (size_t i = 0; i < w.resident; i++)
            if (w.blocks[i].live || start_block(w, w.blocks[i])) left = true;
        for (size_t i = 0; i < w.resident; i++) {
            if (w.blocks[i].live) run_block(w, w.blocks[i]);
            if (w.run->stop.load(std::memory_order_relaxed)) return;
        }
        if (left) look_for_standstill(w, barren, before);
    }
    w.idle_at.store(UINT64_MAX, std::memory_order_relaxed);
}

/* The next block in turn, or any that is not put aside; NULL: none is left. */
static block *next_block(run &r, const std::vector<block *> &all, size_t &at) {
    if (!r.random) {
        for (size_t i = 0; i < all.size(); i++) {
            at = (at + 1) % all.size();
            if (all[at]->live) return all[at];
        }
        return nullptr;
    }
    block *found = nullptr, *first = nullptr;
    uint64_t many = 0;
    for (block *b : all) {
        if (!b->live) continue;
        if (!first || b->aside_until < first->aside_until) first = b;
        if (b->aside_until <= r.clock && random_next(r.aside_random) % ++many == 0) found = b;
    }
    if (!found && first) r.clock = first->aside_until;
    return found ? found : first;
}

/* All workers on this thread. */
static void run_watched(run &r) {
    std::vector<block *> all;
    for (worker &w : *r.workers) {
        fiber_of_thread(w.context);
        for (size_t i = 0; i < w.resident; i++) all.push_back(&w.blocks[i]);
    }
    /* Between two things that it changes a block is put aside the more often the more lanes come to its barriers. */
    const uint64_t barren_most = BARREN_MOST * all.size() * ((r.threads + WARP - 1) / WARP);
    uint64_t before = 0, barren = 0;
    size_t at = all.size() - 1;
    while (!r.stop.load(std::memory_order_relaxed)) {
        if (r.next.load(std::memory_order_relaxed) < r.blocks)
            for (block *b : all)
                if (!b->live) start_block(*b->home, *b);
        block *b = next_block(r, all, at);
        if (!b) return;
        run_block(*b->home, *b);
        r.clock++;
        const uint64_t now = progress_of_all(r);
        barren = now == before ? barren + 1 : 0;
        before = now;
        if (barren >= barren_most && b->live && !b->waiting.empty()) return tell_standstill(*b);
    }
}

bool run_all(run &r, std::vector<worker> &workers) {
    r.workers = &workers;
    for (size_t i = 0; i < workers.size(); i++) {
        workers[i].run = &r;
        workers[i].random = r.seed + i;
        workers[i].counters.total = {};
        workers[i].oldest = UINT32_MAX;
        workers[i].rounds = 0;
        workers[i].progress = 0;
        workers[i].suspected = UINT64_MAX;
        workers[i].idle_at = 0;
        for (allocation &a : workers[i].known) a = {};
        for (block &b : workers[i].blocks) b.live = false;
    }
    r.aside_random = r.seed + workers.size();
    if (r.random) {
        uint64_t seed = r.seed;
        r.order.resize(r.blocks);
        for (uint32_t i = 0; i < r.blocks; i++) {
            uint32_t at = static_cast<uint32_t>(random_next(seed) % (i + 1));
            r.order[i] = r.order[at];
            r.order[at] = i;
        }
    }
    if (r.watched) {
        r.races->begin(r);
        run_watched(r);
        return r.fault.empty();
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

/* The state of one launch. A worker has some blocks resident; a block has a fiber, the lane, for every GPU thread, in warps of
 * 32. A block's lanes run on its worker only, one at a time, each until it comes to a barrier, a warp operation, a wait or its
 * end, or, when the order is random, until its block is put aside. When the run is watched all workers take turns on one thread
 * of the system's, so that one seed gives one run; otherwise, under the thread sanitizer, each has a thread of its own. */
#ifndef WW_EMU_RUN_H
#define WW_EMU_RUN_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "device/emu/calls.h"
#include "device/emu/counters.h"
#include "device/emu/fibers.h"
#include "device/emu/memory.h"
#include "device/emu/races.h"
#include "device/emu/shadow.h"

namespace emu {

enum {
    WARP = 32,
    THREADS_MOST = 1024,
    RESIDENT = 4,        /* blocks of a worker: so many a host that shares work out counts on */
    RESIDENT_RANDOM = 8, /* and so many there are, when the order is random and they are small */
    RESIDENT_LANES = RESIDENT * THREADS_MOST,
    SHARED_DECLARED_MOST = 48 << 10,
    SHARED_MOST = 232448,
    LOOKS_MOST = 32,
    KNOWN = 4,
    LOG_MOST = 1024
};

struct block;
struct worker;
struct run;

enum class state : uint8_t { READY, AT_BARRIER, AT_WARP, WAITING, ENDED };

struct lane {
    fiber context;
    block *home;
    ww_emu_place place;
    uint32_t index; /* in the block */
    emu::state state;
    /* What it came to. */
    int kind;
    uint32_t mask, source;
    unsigned long long value, result;
    const void *site;
    uint32_t time;  /* __syncwarps that it took part in; stamps of shared memory have it */
    uint32_t looks; /* atomic accesses since it last waited */
    std::vector<seen> log;
    /* For races in global memory. */
    uint32_t moment;          /* the number of what it does now; 0: it has none yet */
    vector_clock heard;       /* what of other blocks comes before what it does now */
    vector_clock overheard;   /* what will, after its next fence */
    bool fenced;              /* it has come to a fence: */
    emu::moment fence_moment; /* what came before that */
    uint32_t fence_times[WARP];
    vector_clock fence_heard, fence_clock;
};

/* A warp operation that some lanes of its mask have come to. */
struct meeting {
    int kind;
    uint32_t mask, come; /* come: 0 when there is none */
};

struct warp {
    meeting meetings[WARP];     /* by the lowest lane of the mask: the first of them to begin */
    uint32_t at, ended;         /* masks of lanes: in a warp operation, gone (or never there) */
    uint32_t known[WARP][WARP]; /* known[i][j]: the latest time of lane j that is ordered before what lane i does now */
    uint32_t moment;            /* the latest that lanes share */
    uint32_t ready;             /* lanes that can go on, a mask */
};

struct block {
    worker *home;
    bool live;
    uint32_t number, threads;
    std::vector<lane> lanes;
    std::vector<warp> warps;
    uint32_t warps_ready;     /* those with a lane that can go on, a mask */
    uint32_t warp_now, going; /* lanes of this one were taken up and go on before others, a mask */
    /* Has room for all lanes: what runs on fibers allocates nothing, for a sanitizer would see it. */
    std::vector<uint16_t> waiting;
    uint32_t turn;  /* in the order of blocks */
    uint32_t epoch; /* barriers so far */
    bool hears;     /* lanes may have heard of other blocks since the last barrier */
    bool aside;     /* it has just been put aside */
    uint64_t aside_until;
    uint32_t alive, at_barrier, yes;
    int barrier_kind;
    stacks fibers;
    shared_memory shared;
    char order_token[2]; /* for the thread sanitizer */
};

struct worker {
    emu::run *run;
    fiber context;
    std::vector<block> blocks;
    size_t resident; /* blocks of these that this launch uses */
    emu::counters counters;
    uint64_t random;
    /* Where it last found memory, so that kernels with a few arrays look no further; behind it, what was in none. */
    allocation known[KNOWN + 1] = {};
    size_t next_known = 0;
    /* What changed: blocks begun, lanes ended, words written. Read by the other workers. */
    alignas(64) std::atomic<uint64_t> progress{0};
    std::atomic<uint32_t> oldest{UINT32_MAX}; /* the first turn of its blocks */
    std::atomic<uint64_t> idle_at{0}; /* the sum of all progress since which this one has only waited; 0: not so */
    std::atomic<uint64_t> rounds{0};  /* in which all of its blocks have looked again */
    uint64_t suspected = UINT64_MAX;  /* the sum at which all were idle */
    std::vector<uint64_t> seen;       /* the others' rounds then */
};

struct run {
    std::string name;
    const ww_emu_kernel *kernel;
    const char *arguments;
    uint32_t blocks, threads;
    size_t shared_large;
    bool random, watched, counted; /* watched: the checks are on; counted: the counters */
    bool in_order;                 /* kernels are told that blocks start in the order of their numbers, and they do */
    bool reaches_all;              /* the driver's */
    uint64_t seed;
    /* Of a watched run: how often a block has run until it gave way, and how far it is to where the next is put aside. */
    uint64_t clock = 0;
    int64_t until_aside = 0;
    uint64_t aside_random;
    emu::races *races;
    const emu::memory *memory;
    uintptr_t image_start, image_end; /* the program's own */
    std::vector<uint32_t> order;      /* of blocks, when random */
    std::vector<worker> *workers;
    std::atomic<uint32_t> next{0};
    std::atomic<size_t> started{0}; /* workers */
    std::atomic<bool> stop{false};
    std::mutex fault_lock;
    std::string fault;
    const void *fault_site, *other_site; /* other: of the access that one is in no order with */
};

/* The number of the block that had a turn. */
inline uint32_t block_of_turn(const run &r, uint32_t turn) { return r.random && !r.in_order ? r.order[turn] : turn; }

/* The lane that runs on this thread. A function, for the address must be found again after a switch. */
lane *lane_now();

/* From a lane: says what is wrong with it, ends the launch, does not return. */
[[noreturn]] void fail(lane &l, const void *site, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* From a worker, about a lane. */
void fail_from_outside(lane &l, const void *site, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* From a lane: gives way in its present state. The next lane of its block goes on, without a detour by the worker. */
void give_way(lane &l);
/* In a random order, at a point where lanes of other blocks may come between: whether the block is put aside now, so that they
 * do. Then the lane gives way. `weight`: how often that is. */
enum { WEIGHT_STORE = 1, WEIGHT_ATOMIC = 32, WEIGHT_BARRIER = 64 };
bool put_aside(block &b, int weight);
/* Makes a lane ready to go on. */
void wake(lane &l);

/* Something changed, for which others may have waited. */
void progressed(worker &w);

/* Counts what a warp's lanes have noted. They have all come to the same point. */
void gather_warp(block &b, size_t warp);

/* Runs all blocks; false: a fault, which run->fault tells. */
bool run_all(emu::run &r, std::vector<worker> &workers);

/* Ending of a lane: whoever waits for it waits in vain. */
void lane_ended(lane &l);
/* Nobody in the block can go on. */
void tell_deadlock(block &b);

/* Of the table of calls, what synchronise.cpp has. */
int call_barrier(int kind, int predicate, const void *site);
unsigned long long call_warp(int kind, unsigned mask, unsigned long long value, unsigned source, const void *site);
extern const ww_emu_calls calls;

} // namespace emu
#endif

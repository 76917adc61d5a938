/* The state of one launch. A worker is a thread of the system's that has some blocks resident; a block has a fiber, the
 * lane, for every GPU thread, in warps of 32. A block's lanes run on its worker only, one at a time, each until it comes to
 * a barrier, a warp operation, a wait or its end. */
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
#include "device/emu/shadow.h"

namespace emu {

enum {
    WARP = 32,
    THREADS_MOST = 1024,
    RESIDENT = 4,
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
};

struct warp {
    uint32_t at, ended;         /* masks of lanes: in a warp operation, gone (or never there) */
    uint32_t known[WARP][WARP]; /* known[i][j]: the latest time of lane j that is ordered before what lane i does now */
};

struct block {
    worker *home;
    bool live;
    uint32_t number, threads;
    std::vector<lane> lanes;
    std::vector<warp> warps;
    /* Rings and lists have room for all lanes: what runs on fibers allocates nothing, for a sanitizer would see it. */
    std::vector<uint16_t> ready, waiting;
    size_t first_ready, ready_count;
    uint32_t turn; /* in the order of blocks */
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
    emu::counters counters;
    uint64_t random;
    allocation known[KNOWN] = {}; /* where it last found memory, so that kernels with a few arrays look no further */
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
    bool random, watched; /* watched: the checks and counters are on */
    uint64_t seed;
    const emu::memory *memory;
    uintptr_t image_start, image_end; /* the program's own */
    std::vector<uint32_t> order;      /* of blocks, when random */
    std::vector<worker> *workers;
    std::atomic<uint32_t> next{0};
    std::atomic<size_t> started{0}; /* workers */
    std::atomic<bool> stop{false};
    std::mutex fault_lock;
    std::string fault;
    const void *fault_site;
};

/* The lane that runs on this thread. A function, for the address must be found anew after a switch. */
lane *lane_now();

/* From a lane: says what is wrong with it, ends the launch, does not return. */
[[noreturn]] void fail(lane &l, const void *site, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* From a worker, about a lane. */
void fail_from_outside(lane &l, const void *site, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* From a lane: gives way in its present state. */
void give_way(lane &l);
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

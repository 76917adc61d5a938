/* A module is opened with dlopen, so that the program itself needs neither C++ nor the peers' libraries. */
#include "peers/peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "measuring/timing.h"
#include "peers/numpy.h"

static const struct {
    const char *name, *module, *package;
} modules[PEERS] = {
    {"TBB", "tbb", "a C++ compiler and libtbb-dev"},
    {"TBB-2", "tbb_second", "a C++ compiler and libtbb-dev"},
    {"Highway", "highway", "a C++ compiler and libhwy-dev"},
    {"NumPy", NULL, "python3-numpy"},
    {"StringZilla", "stringzilla", "a C++ compiler and StringZilla's headers: tools/setup bench"},
    {"Hyperscan", "hyperscan", "a C++ compiler and libhyperscan-dev"},
    {"libc", "libc", "a C++ compiler"},
    {"Abseil", "abseil", "a C++ compiler and libabsl-dev"},
    {"robin_map", "robin_map", "a C++ compiler and robin-map-dev"},
    {"libcuckoo", "libcuckoo", "a C++ compiler and libcuckoo-dev"},
    {"phmap", "phmap", "a C++ compiler and phmap's headers: tools/setup bench"},
    {"phmap-parallel", "phmap_parallel", "a C++ compiler and phmap's headers: tools/setup bench"},
    {"unordered_dense", "unordered_dense", "a C++ compiler and unordered_dense's header: tools/setup bench"},
    {"Boost", "boost_unordered", "a C++ compiler and libboost-dev from 1.81 on"},
    {"parlayhash", "parlayhash", "a C++ compiler and parlayhash's headers: tools/setup bench"},
    {"GAP", "gap", "a C++ compiler and the GAP Benchmark Suite: -DWARPWISE_GAPBS=FOLDER"},
    {"Parallel-SSSP", "parallel_sssp", "a C++ compiler and Parallel-SSSP: -DWARPWISE_PARALLEL_SSSP=FOLDER"},
};

static void open_module(bench_peer *p, const char *directory, const char *module, const char *package,
                        unsigned threads) {
    char path[4096];
    snprintf(path, sizeof path, "%s/bench-peer-%s.so", directory, module);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(p->about, sizeof p->about, "not built (it needs %s)", package);
        return;
    }
    p->module = dlsym(library, BENCH_PEER_SYMBOL);
    if (!p->module) {
        snprintf(p->about, sizeof p->about, "bench-peer-%s.so is not a peer", module);
        return;
    }
    p->module->threads(threads);
    p->module->describe(p->about, sizeof p->about);
    p->here = true;
}

void peers_open(bench_peer peers[PEERS], const char *directory, unsigned threads, const char *why_not) {
    for (size_t i = 0; i < PEERS; i++) {
        peers[i] = (bench_peer){.name = modules[i].name};
        if (why_not)
            snprintf(peers[i].about, sizeof peers[i].about, "%s", why_not);
        else if (modules[i].module)
            open_module(&peers[i], directory, modules[i].module, modules[i].package, threads);
        else
            peers[i].here = numpy_open(peers[i].about, sizeof peers[i].about);
    }
}

void peers_close(void) { numpy_close(); }

static const peer_operation *find(const bench_peer *p, const char *operation) {
    for (size_t k = 0; p->module && k < p->module->count; k++)
        if (!strcmp(p->module->operations[k].row, operation)) return &p->module->operations[k];
    return NULL;
}

const char *peer_call(const bench_peer *p, const char *operation) {
    if (!p->here || !operation) return NULL;
    if (!p->module) return numpy_call(operation);
    const peer_operation *o = find(p, operation);
    return o ? o->call : NULL;
}

bool on_one_thread(const char *call) { return strstr(call, "1 thread") != NULL; }

double peer_run(const bench_peer *p, const char *operation, bench_work *work, unsigned calls, unsigned threads) {
    if (!p->module) return numpy_run(operation, work, calls);
    const peer_operation *o = find(p, operation);
    if (o->prepare) o->prepare(work);
    const double start = sample_now();
    for (unsigned c = 0; c < calls; c++) {
        if (c && o->prepare) o->prepare(work); /* many small calls: the copy that they sort is made anew for each */
        o->run(work);
    }
    return sample_seconds(start, threads);
}

bool peer_finish(const bench_peer *p, const char *operation, bench_work *work) {
    if (!p->module) return numpy_finish(work);
    const peer_operation *o = find(p, operation);
    if (o->finish) o->finish(work);
    return true;
}

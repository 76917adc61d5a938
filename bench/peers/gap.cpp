// The GAP Benchmark Suite (Beamer, Asanovic and Patterson, 2015): its sources are included from where WARPWISE_GAPBS says, each in
// a namespace. Graphs are those of the rows with all their arcs, double ones too, made before the clock runs; targets are
// sorted in their rows, as ours are. Results are brought to our form after it has stopped: levels from parents, and ranks to a sum of 1,
// for what vertices without arcs have is lost there in each round.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <queue>
#include <thread>
#include <unordered_map>
#include <vector>

#include "benchmark.h"
#include "bitmap.h"
#include "builder.h"
#include "command_line.h"
#include "graph.h"
#include "platform_atomics.h"
#include "pvector.h"
#include "sliding_queue.h"
#include "timer.h"

#define main bfs_main
namespace gap_bfs {
#include "bfs.cc"
}
#undef main
#define main sssp_main
namespace gap_sssp {
#include "sssp.cc"
}
#undef main
#define main cc_main
namespace gap_components {
#include "cc.cc"
}
#undef main
#define main pr_main
namespace gap_ranks {
#include "pr_spmv.cc"
}
#undef main

#include "peer.h"

namespace {

unsigned threads_used = 1;

struct kept {
    unsigned serial = 0;
    uint32_t n = 0, source = 0;
    std::unique_ptr<WGraph> weighted;
    std::unique_ptr<Graph> plain;
    pvector<int32_t> words; // a result: distances, parents, labels
    pvector<float> ranks;
};
kept now;

// A graph frees what it is made of with delete[].
template <class Node, class CSR, class Make>
std::unique_ptr<CSR> rows_of(uint32_t n, const std::vector<uint64_t> &offsets, const std::vector<WNode> &arcs,
                             Make make) {
    Node *nodes = new Node[arcs.size()];
    Node **index = new Node *[n + 1];
    for (size_t i = 0; i < arcs.size(); i++) nodes[i] = make(arcs[i]);
    for (uint32_t v = 0; v <= n; v++) index[v] = nodes + offsets[v];
    return std::unique_ptr<CSR>(new CSR(n, index, nodes));
}

void prepare(bench_work *w) {
    const uint32_t *from = static_cast<const uint32_t *>(w->in), *to = static_cast<const uint32_t *>(w->second);
    const uint32_t *weight = to + w->n;
    if (now.serial == w->serial && now.plain) return;
    now.serial = w->serial;
    now.source = from[0];
    now.n = 1 + std::max(*std::max_element(from, from + w->n), *std::max_element(to, to + w->n));
    std::vector<uint64_t> offsets(now.n + 1, 0);
    for (size_t i = 0; i < w->n; i++) offsets[from[i]]++, offsets[to[i]]++;
    uint64_t sum = 0;
    for (uint64_t &o : offsets) sum += o, o = sum;
    std::vector<WNode> arcs(sum);
    for (size_t i = 0; i < w->n; i++) {
        arcs[--offsets[from[i]]] = WNode(static_cast<NodeID>(to[i]), static_cast<WeightT>(weight[i]));
        arcs[--offsets[to[i]]] = WNode(static_cast<NodeID>(from[i]), static_cast<WeightT>(weight[i]));
    }
    for (uint32_t v = 0; v < now.n; v++) std::sort(arcs.begin() + offsets[v], arcs.begin() + offsets[v + 1]);
    now.weighted = rows_of<WNode, WGraph>(now.n, offsets, arcs, [](const WNode &a) { return a; });
    now.plain = rows_of<NodeID, Graph>(now.n, offsets, arcs, [](const WNode &a) { return a.v; });
}

// The width of buckets is what was best on these graphs of 8, 16, 40, 200, 400 and 800 (bench/results/2026-11-23-graph-cpu).
void run_paths(bench_work *w) {
    now.words = gap_sssp::DeltaStep(*now.weighted, static_cast<NodeID>(now.source), w->parameter == 2 ? 400 : 16);
}
void run_search(bench_work *) { now.words = gap_bfs::DOBFS(*now.plain, static_cast<NodeID>(now.source)); }
void run_components(bench_work *) { now.words = gap_components::Afforest(*now.plain); }
void run_ranks(bench_work *) { now.ranks = gap_ranks::PageRankPull(*now.plain, 20); }

// OpenMP's idle threads go on looking for work for some milliseconds: they are left to fall asleep, so that they are not in the way of whose
// turn is next.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

void give_paths(bench_work *w) {
    rest();
    uint32_t *out = static_cast<uint32_t *>(w->out);
    for (size_t v = 0; v < w->n; v++)
        out[v] = v < now.n && now.words[v] != gap_sssp::kDistInf ? static_cast<uint32_t>(now.words[v]) : UINT32_MAX;
}

// Vertices that no arc has, at the end, are their own components.
void give_labels(bench_work *w) {
    rest();
    uint32_t *out = static_cast<uint32_t *>(w->out);
    for (size_t v = 0; v < w->n; v++) out[v] = static_cast<uint32_t>(v < now.n ? static_cast<size_t>(now.words[v]) : v);
}

void give_levels(bench_work *w) {
    rest();
    uint32_t *level = static_cast<uint32_t *>(w->out);
    std::vector<uint32_t> way;
    std::fill(level, level + w->n, UINT32_MAX);
    level[now.source] = 0;
    for (uint32_t v = 0; v < now.n; v++) {
        uint32_t at = v;
        if (now.words[v] < 0) continue; // not reached
        for (; level[at] == UINT32_MAX; at = static_cast<uint32_t>(now.words[at])) way.push_back(at);
        for (uint32_t depth = level[at]; !way.empty(); way.pop_back()) level[way.back()] = ++depth;
    }
}

void give_ranks(bench_work *w) {
    rest();
    float *out = static_cast<float *>(w->out);
    double sum = 0;
    for (float r : now.ranks) sum += r;
    std::fill(out, out + w->n, 1e-30F);
    for (size_t v = 0; v < now.ranks.size(); v++) out[v] = static_cast<float>(now.ranks[v] / sum);
}

void describe(char *text, size_t room) {
    snprintf(text, room, "GAP Benchmark Suite, g++ %s, OpenMP, %u threads", __VERSION__, threads_used);
}
void threads(unsigned many) {
    threads_used = many;
    omp_set_num_threads(static_cast<int>(many));
}

#define ROWS(shape) \
    {"sssp, " shape, "DeltaStep", prepare, run_paths, give_paths}, \
        {"bfs, " shape, "DOBFS", prepare, run_search, give_levels}, \
        {"components, " shape, "Afforest", prepare, run_components, give_labels}, { \
        "pagerank, " shape, "PageRankPull, 20 rounds", prepare, run_ranks, give_ranks \
    }
const peer_operation operations[] = {ROWS("kron"), ROWS("uniform"), ROWS("grid")};

} // namespace

extern "C" const peer bench_peer = {"GAP", describe, threads, operations, sizeof operations / sizeof *operations};

/* What a step of a loop in a CUDA graph consists of: a conditional node (while) around so many kernels of one block and 900 elements, and the
 * one that says whether there is another step; with plain edges between kernels or programmatic ones, which wait for the kernel before
 * and then let the next one be launched, or the other way round. The same in a graph without a loop, and several steps in conditional
 * nodes (if) within each other.
 *
 *     nvcc -O2 -std=c++17 -rdc=true -arch=sm_90 -o loop_parts loop_parts.cu -lcudadevrt */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) \
    do { \
        cudaError_t e_ = (x); \
        if (e_) { \
            printf("  %s: %s\n", #x, cudaGetErrorString(e_)); \
            cudaGetLastError(); \
            return -1; \
        } \
    } while (0)
enum { PLAIN, WAIT_FIRST, LAUNCH_FIRST };
struct Args {
    const uint32_t *in;
    uint32_t *out;
    const uint64_t *count;
};
template <int HOW> __global__ void small(Args a) {
    if (HOW == WAIT_FIRST) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    }
    if (HOW == LAUNCH_FIRST) {
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
    uint64_t n = *a.count;
    for (int i = threadIdx.x; i < n; i += 256) a.out[i] = a.in[i] * 5 + 1;
}
template <bool WAITS>
__global__ void again(cudaGraphConditionalHandle h, uint64_t *left, uint64_t *rounds, uint64_t most) {
    if (WAITS) asm volatile("griddepcontrol.wait;" ::: "memory");
    uint64_t l = *left - 1, m = *rounds + 1;
    *left = l;
    *rounds = m;
    cudaGraphSetConditional(h, l && m < most);
}
static cudaStream_t st;
template <class... K, class... A> static cudaError_t go(void (*k)(K...), int t, bool early, A... a) {
    cudaLaunchConfig_t c = {};
    c.gridDim = 1;
    c.blockDim = t;
    c.stream = st;
    cudaLaunchAttribute at;
    at.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at.val.programmaticStreamSerializationAllowed = 1;
    c.attrs = &at;
    c.numAttrs = early;
    return cudaLaunchKernelEx(&c, k, a...);
}
static uint32_t *x, *y;
static uint64_t *num, *left, *rounds;
static cudaError_t one(int how, bool early, int i) {
    Args a{i % 2 ? y : x, i % 2 ? x : y, num};
    return how == PLAIN        ? go(small<PLAIN>, 256, false, a)
           : how == WAIT_FIRST ? go(small<WAIT_FIRST>, 256, early, a)
                               : go(small<LAUNCH_FIRST>, 256, early, a);
}
static int fill(cudaGraph_t body, cudaGraphConditionalHandle h, int n, int how, bool again_early,
                bool noagain = false) {
    CK(cudaStreamBeginCaptureToGraph(st, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < n; i++) CK(one(how, how != PLAIN && i > 0, i));
    if (!noagain) {
        if (again_early)
            CK(go(again<true>, 1, n > 0, h, left, rounds, (uint64_t)1 << 60));
        else
            CK(go(again<false>, 1, false, h, left, rounds, (uint64_t)1 << 60));
    }
    cudaGraph_t b;
    CK(cudaStreamEndCapture(st, &b));
    return 0;
}
static int timeit(cudaGraph_t g, const char *name, uint64_t steps) {
    cudaGraphExec_t ex;
    CK(cudaGraphInstantiate(&ex, g, 0ull));
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e9;
    for (int r = 0; r < 4; r++) {
        uint64_t s = steps;
        cudaMemcpyAsync(left, &s, 8, cudaMemcpyHostToDevice, st);
        cudaMemsetAsync(rounds, 0, 8, st);
        cudaEventRecord(a, st);
        CK(cudaGraphLaunch(ex, st));
        cudaEventRecord(b, st);
        CK(cudaStreamSynchronize(st));
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        if (ms < best) best = ms;
    }
    uint64_t l, m;
    cudaMemcpy(&l, left, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&m, rounds, 8, cudaMemcpyDeviceToHost);
    printf("%-64s %8.3f us a step (left %llu rounds %llu)\n", name, best * 1e3 / steps, (unsigned long long)l,
           (unsigned long long)m);
    fflush(stdout);
    cudaGraphExecDestroy(ex);
    return 0;
}
static int loop(int n, int how, bool again_early, const char *text, uint64_t steps = 2000) {
    cudaGraph_t g;
    CK(cudaGraphCreate(&g, 0));
    cudaGraphConditionalHandle h;
    CK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    cudaGraphNode_t node;
    CK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p));
    if (fill(p.conditional.phGraph_out[0], h, n, how, again_early)) return -1;
    char name[100];
    snprintf(name, sizeof name, "while, %d kernels, %s", n, text);
    timeit(g, name, steps);
    cudaGraphDestroy(g);
    return 0;
}
/* Steps in a body: a step, the kernel behind it, and a node (if) that has the next one; each sets the loop's condition and the next node's. */
__global__ void again_if(cudaGraphConditionalHandle h, cudaGraphConditionalHandle inner, uint64_t *left,
                         uint64_t *rounds) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    uint64_t l = *left - 1;
    *left = l;
    *rounds += 1;
    cudaGraphSetConditional(h, l != 0);
    if (inner) cudaGraphSetConditional(inner, l != 0);
}
static int nested(int n, int how, int unroll, uint64_t steps = 2000) {
    cudaGraph_t g;
    CK(cudaGraphCreate(&g, 0));
    cudaGraphConditionalHandle h;
    CK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    cudaGraphNode_t node;
    CK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    for (int u = 0; u < unroll; u++) {
        cudaGraphConditionalHandle inner = 0;
        if (u + 1 < unroll) CK(cudaGraphConditionalHandleCreate(&inner, g, 0, cudaGraphCondAssignDefault));
        CK(cudaStreamBeginCaptureToGraph(st, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < n; i++) CK(one(how, how != PLAIN && i > 0, i));
        CK(go(again_if, 1, how != PLAIN, h, inner, left, rounds));
        cudaStreamCaptureStatus cs;
        const cudaGraphNode_t *deps;
        size_t many;
        const cudaGraphEdgeData *ed;
        CK(cudaStreamGetCaptureInfo(st, &cs, nullptr, nullptr, &deps, &ed, &many));
        cudaGraphNode_t last = deps[0];
        cudaGraph_t b;
        CK(cudaStreamEndCapture(st, &b));
        if (inner) {
            cudaGraphNodeParams q = {};
            q.type = cudaGraphNodeTypeConditional;
            q.conditional.handle = inner;
            q.conditional.type = cudaGraphCondTypeIf;
            q.conditional.size = 1;
            cudaGraphNode_t no;
            CK(cudaGraphAddNode(&no, body, &last, nullptr, 1, &q));
            body = q.conditional.phGraph_out[0];
        }
    }
    char name[100];
    snprintf(name, sizeof name, "while of %d steps in nested ifs, %d kernels, how %d", unroll, n, how);
    timeit(g, name, steps);
    cudaGraphDestroy(g);
    return 0;
}
static int straight(int n, int how, const char *text) { /* two hundred steps, no loop */
    cudaGraph_t g;
    CK(cudaStreamBeginCapture(st, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < n * 200; i++) CK(one(how, how != PLAIN && i > 0, i));
    CK(cudaStreamEndCapture(st, &g));
    char name[100];
    snprintf(name, sizeof name, "straight graph, %d kernels a step, %s", n, text);
    timeit(g, name, 200);
    cudaGraphDestroy(g);
    return 0;
}
int main() {
    cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMalloc(&num, 24);
    left = num + 1;
    rounds = num + 2;
    uint64_t n = 900;
    cudaMemcpy(num, &n, 8, cudaMemcpyHostToDevice);
    cudaMemset(x, 0, 4096);
    cudaMemset(y, 0, 4096);
    straight(10, PLAIN, "plain");
    straight(10, WAIT_FIRST, "programmatic, wait then launch");
    straight(10, LAUNCH_FIRST, "programmatic, launch then wait");
    for (int k : {0, 1, 2, 5, 10, 20}) {
        loop(k, PLAIN, false, "plain");
        loop(k, WAIT_FIRST, false, "wait then launch");
        loop(k, WAIT_FIRST, true, "wait then launch, again early");
        loop(k, LAUNCH_FIRST, false, "launch then wait");
        loop(k, LAUNCH_FIRST, true, "launch then wait, again early");
    }
    for (int u : {1, 2, 4, 8}) {
        nested(0, PLAIN, u);
        nested(10, PLAIN, u);
        nested(10, LAUNCH_FIRST, u);
    }
}

/* What several steps in one body of a loop cost a GPU (see README.md): ten kernels a step that read a count and 900 elements. A kernel looks
 * whether the loop has ended (CHECK), beside its count; the last one of a step (LAST), or one between steps, says so.
 *
 *     nvcc -O2 -std=c++17 -rdc=true -arch=sm_90 -o loop_steps loop_steps.cu -lcudadevrt */
#include <chrono>
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
struct Words {
    uint64_t ended, pad[31], rounds, most;
    uint32_t arrived;
};
struct Args {
    const uint32_t *in;
    uint32_t *out;
    const uint64_t *count;
    uint64_t *left;
    bool dec;
};
__device__ __forceinline__ void body(const Args &a, uint64_t n) {
    for (int i = threadIdx.x; i < n; i += 256) a.out[i] = a.in[i] * 5 + 1;
    if (a.dec && threadIdx.x == 0) --*a.left;
}

__device__ __forceinline__ uint64_t ldv(const uint64_t *p) {
    uint64_t v;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
/* CHECK 0: none; 1: look at ended beside the count, and exit. SPEC: data are
 * read before the count is known. KIND 0 work, 1 nothing, 2 only the count */

/* SPEC 0: count, then four loads at once; 1: data before the count; 2: nothing;
 * 4: touch: data are asked for before the count is known, read after; PRE:
 * parameters are read before the wait */
template <int CHECK, bool LAST, int SPEC, bool PRE>
__global__ void small(const __grid_constant__ Args a, Words *w, const uint64_t *go_on) {
    if (PRE) asm volatile("" ::"l"(a.in), "l"(a.out), "l"(a.count), "l"(a.left), "r"((int)a.dec), "l"(w), "l"(go_on));
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (SPEC != 2) {
        uint64_t e = 0;
        uint64_t n = ldv(a.count);
        if (CHECK) e = ldv(&w->ended);
        uint32_t x[4];
        if (SPEC == 4)
            for (int k = 0; k < 4; k++)
                if (threadIdx.x + 256 * k < 1000) {
                    uint32_t t;
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(t) : "l"(a.in + threadIdx.x + 256 * k) : "memory");
                }
        if (SPEC == 1)
            for (int k = 0; k < 4; k++)
                if (threadIdx.x + 256 * k < 1000)
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x[k]) : "l"(a.in + threadIdx.x + 256 * k) : "memory");
        if (CHECK && e) return;
        if (SPEC != 1)
            for (int k = 0; k < 4; k++)
                if (threadIdx.x + 256 * k < n)
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x[k]) : "l"(a.in + threadIdx.x + 256 * k) : "memory");
        for (int k = 0; k < 4; k++)
            if (threadIdx.x + 256 * k < n) a.out[threadIdx.x + 256 * k] = x[k] * 5 + 1;
    }
    if (a.dec && threadIdx.x == 0) --*a.left;
    if (LAST) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const uint64_t r = w->rounds + 1, g = *(volatile const uint64_t *)go_on;
            w->rounds = r;
            if (!g || r >= w->most) w->ended = 1;
        }
    }
}
__global__ void again(cudaGraphConditionalHandle h, Words *w, const uint64_t *go_on, int decide) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (decide) {
        uint64_t r = w->rounds + 1;
        w->rounds = r;
        cudaGraphSetConditional(h, *go_on && r < w->most);
    } else
        cudaGraphSetConditional(h, !w->ended);
}
/* the deciding kernel by itself, between steps */
__global__ void decide_alone(Words *w, const uint64_t *go_on) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (w->ended) return;
    const uint64_t r = w->rounds + 1;
    w->rounds = r;
    if (!*go_on || r >= w->most) w->ended = 1;
}
static cudaStream_t st;
static uint32_t *x, *y;
static uint64_t *num, *left;
static Words *words;
template <class... K, class... A> static cudaError_t go(void (*k)(K...), int b, int t, bool early, A... a) {
    cudaLaunchConfig_t c = {};
    c.gridDim = b;
    c.blockDim = t;
    c.stream = st;
    cudaLaunchAttribute at;
    at.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at.val.programmaticStreamSerializationAllowed = 1;
    c.attrs = &at;
    c.numAttrs = early;
    return cudaLaunchKernelEx(&c, k, a...);
}

template <int CHECK, int SPEC, bool PRE>
static int run(int n, int unroll, int decide, uint64_t steps, const char *text) {
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
    CK(cudaStreamBeginCaptureToGraph(st, p.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                     cudaStreamCaptureModeThreadLocal));
    for (int u = 0; u < unroll; u++) {
        for (int i = 0; i < n; i++) {
            Args a{i % 2 ? y : x, i % 2 ? x : y, num, left, i == n - 1};
            const uint64_t *go_on = left;
            const bool early = u || i;
            if (i == n - 1 && decide == 1)
                CK(go(small<CHECK, true, SPEC, PRE>, 1, 256, early, a, words, go_on));
            else
                CK(go(small<CHECK, false, SPEC, PRE>, 1, 256, early, a, words, go_on));
        }
        if (decide == 2) CK(go(decide_alone, 1, 1, true, words, (const uint64_t *)left));
    }
    CK(go(again, 1, 1, true, h, words, (const uint64_t *)left, decide == 0));
    cudaGraph_t b;
    CK(cudaStreamEndCapture(st, &b));
    cudaGraphExec_t ex;
    CK(cudaGraphInstantiate(&ex, g, 0ull));
    cudaEvent_t a, e;
    cudaEventCreate(&a);
    cudaEventCreate(&e);
    float best = 1e9;
    Words w;
    for (int r = 0; r < 4; r++) {
        uint64_t s = steps;
        w = {};
        w.most = 1ull << 60;
        cudaMemcpyAsync(left, &s, 8, cudaMemcpyHostToDevice, st);
        cudaMemcpyAsync(words, &w, sizeof w, cudaMemcpyHostToDevice, st);
        cudaEventRecord(a, st);
        CK(cudaGraphLaunch(ex, st));
        cudaEventRecord(e, st);
        CK(cudaStreamSynchronize(st));
        float ms;
        cudaEventElapsedTime(&ms, a, e);
        if (ms < best) best = ms;
    }
    uint64_t l;
    cudaMemcpy(&l, left, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&w, words, sizeof w, cudaMemcpyDeviceToHost);
    printf("%-50s %2d kernels, %2d steps, decide %d: %.3f us a step (left %lld "
           "rounds %llu)\n",
           text, n, unroll, decide, best * 1e3 / steps, (long long)l, (unsigned long long)w.rounds);
    fflush(stdout);
    cudaGraphExecDestroy(ex);
    cudaGraphDestroy(g);
    return 0;
}
int main() {
    cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMalloc(&num, 4096);
    cudaMalloc(&words, 1024);
    left = num + 64;
    uint64_t n = 900;
    cudaMemcpy(num, &n, 8, cudaMemcpyHostToDevice);
    cudaMemset(x, 0, 4096);
    cudaMemset(y, 0, 4096);

    for (int u : {1, 8}) {
        const int d = u > 1;
        run<0, 2, false>(10, u, d, 2000, "nothing");
        run<0, 2, true>(10, u, d, 2000, "nothing, parameters before");
        run<0, 0, false>(10, u, d, 2000, "count, data");
        run<0, 0, true>(10, u, d, 2000, "count, data, parameters before");
        run<0, 1, false>(10, u, d, 2000, "data before the count");
        run<0, 1, true>(10, u, d, 2000, "data before the count, parameters before");
        run<0, 4, false>(10, u, d, 2000, "touched before the count");
        run<0, 4, true>(10, u, d, 2000, "touched before the count, parameters before");
        run<1, 0, true>(10, u, 1, 2000, "count, data, parameters before, look");
        run<1, 4, true>(10, u, 1, 2000, "touched, parameters before, look");
    }
}

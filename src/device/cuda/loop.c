#include "device/cuda/loop.h"

/* Behind each round: counts it, and has another one follow while the number is not 0 and there are to be more. It is written as
 * PTX because cudaGraphSetConditional is a function of the driver's, which links it when the text is loaded; for a finished
 * program a library of the toolkit would be needed. */
#define AGAIN(version, target, waits) \
    ".version " version "\n.target " target "\n.address_size 64\n" \
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n" \
    ".visible .entry again(.param .u64 handle, .param .u64 go_on, .param .u64 rounds,\n" \
    "                      .param .u64 most)\n" \
    "{\n" \
    "    .reg .pred %wanted, %another;\n" \
    "    .reg .b32 %value;\n" \
    "    .reg .b64 %handle, %at, %number, %count, %made, %limit;\n" \
    "    .param .b64 to_handle;\n" \
    "    .param .b32 to_value;\n" \
    "    ld.param.u64 %handle, [handle];\n" \
    "    ld.param.u64 %at, [go_on];\n" \
    "    ld.param.u64 %count, [rounds];\n" \
    "    ld.param.u64 %limit, [most];\n" waits "    ld.u64 %number, [%at];\n" \
    "    ld.u64 %made, [%count];\n" \
    "    add.u64 %made, %made, 1;\n" \
    "    st.u64 [%count], %made;\n" \
    "    setp.ne.u64 %wanted, %number, 0;\n" \
    "    setp.lt.and.u64 %another, %made, %limit, %wanted;\n" \
    "    selp.u32 %value, 1, 0, %another;\n" \
    "    st.param.b64 [to_handle], %handle;\n" \
    "    st.param.b32 [to_value], %value;\n" \
    "    call.uni cudaGraphSetConditional, (to_handle, to_value);\n" \
    "    ret;\n" \
    "}\n"

/* The first of these that the driver loads: one waits by itself for the round's last kernel, so that it may be launched early. */
static const char waiting_text[] = AGAIN("7.8", "sm_90", "    griddepcontrol.wait;\n");
static const char again_text[] = AGAIN("6.3", "sm_70", "");

static bool is_there(ww__cuda_loop *loop, const ww__cuda_api *api, void *library) {
    enum { SINCE = 12040 };
    int version = 0;
    if (loop->looked) return loop->there;
    loop->looked = true;
    if (api->cuDriverGetVersion(&version) || version < SINCE || !ww__cuda_loop_api_open(&loop->api, library))
        return false;
    loop->waits = !api->cuModuleLoadData(&loop->module, waiting_text);
    if ((!loop->waits && api->cuModuleLoadData(&loop->module, again_text)) ||
        api->cuModuleGetFunction(&loop->again, loop->module, "again"))
        return false;
    loop->there = !api->cuMemAlloc_v2(&loop->rounds, sizeof(uint64_t));
    return loop->there;
}

static void forget(ww__cuda_loop *loop) {
    if (loop->graph) loop->api.cuGraphDestroy(loop->graph);
    loop->graph = NULL;
}

/* The body of a node that comes to be run once when the graph is launched, and then as `again` says. */
static CUresult make_node(ww__cuda_loop *loop, CUcontext context) {
    CUgraphNode node;
    CUgraphNodeParams what = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
    CUresult result = loop->api.cuGraphCreate(&loop->graph, 0);
    if (result) return result;
    result = loop->api.cuGraphConditionalHandleCreate(&loop->handle, loop->graph, context, 1,
                                                      CU_GRAPH_COND_ASSIGN_DEFAULT);
    if (result) return result;
    what.of.conditional.handle = loop->handle;
    what.of.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    what.of.conditional.size = 1;
    what.of.conditional.context = context;
    result = loop->api.cuGraphAddNode(&node, loop->graph, NULL, 0, &what);
    if (!result) loop->body = what.of.conditional.graphs[0];
    return result;
}

CUresult ww__cuda_loop_begin(ww__cuda_loop *loop, const ww__cuda_api *api, void *library, CUcontext context,
                             CUstream stream) {
    if (!is_there(loop, api, library)) return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = make_node(loop, context);
    if (!result)
        result = loop->api.cuStreamBeginCaptureToGraph(stream, loop->body, NULL, NULL, 0,
                                                       CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    if (result) forget(loop);
    return result;
}

static CUresult run(const ww__cuda_loop *loop, const ww__cuda_api *api, CUgraphExec runs, CUstream stream,
                    uint64_t *rounds) {
    CUresult result = api->cuMemsetD8Async(loop->rounds, 0, sizeof *rounds, stream);
    if (!result) result = loop->api.cuGraphLaunch(runs, stream);
    if (!result) result = api->cuMemcpyAsync((CUdeviceptr)(uintptr_t)rounds, loop->rounds, sizeof *rounds, stream);
    const CUresult ended = api->cuStreamSynchronize(stream);
    return result ? result : ended;
}

CUresult ww__cuda_loop_end(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, const uint64_t *go_on,
                           uint64_t most, bool early, uint64_t *rounds, bool *recorded) {
    CUgraph body = NULL;
    CUgraphExec runs = NULL;
    CUdeviceptr at = (CUdeviceptr)(uintptr_t)go_on;
    void *parameters[] = {&loop->handle, &at, &loop->rounds, &most};
    CUlaunchAttribute how = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, .value = {.words = {0}}};
    how.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig one = {1, 1, 1, 1, 1, 1, 0, stream, &how, early};
    CUresult result = api->cuLaunchKernelEx(&one, loop->again, parameters, NULL);
    const CUresult ended = loop->api.cuStreamEndCapture(stream, &body);
    if (!result) result = ended;
    if (!result) result = loop->api.cuGraphInstantiateWithFlags(&runs, loop->graph, 0);
    *recorded = !result;
    if (!result) result = run(loop, api, runs, stream, rounds);
    if (runs) loop->api.cuGraphExecDestroy(runs);
    forget(loop);
    return result;
}

void ww__cuda_loop_drop(ww__cuda_loop *loop, CUstream stream) {
    CUgraph body = NULL;
    loop->api.cuStreamEndCapture(stream, &body);
    forget(loop);
}

void ww__cuda_loop_close(ww__cuda_loop *loop, const ww__cuda_api *api) {
    if (loop->rounds) api->cuMemFree_v2(loop->rounds);
    if (loop->module) api->cuModuleUnload(loop->module);
}

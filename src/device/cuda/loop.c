#include "device/cuda/loop.h"

/* Between rounds: counts the one before, and says whether it was the last: because the number is 0 or there are to be no more. `again`
 * stands behind a body's last round, and has the body run once more where it was not; `decide` behind the others, and writes it to
 * `ended`, at which the launches behind it look. Where a round before was the last one already, both change nothing. They are written
 * as PTX because cudaGraphSetConditional is a function of the driver's, which links it when the text is loaded; for a finished
 * program a library of the toolkit would be needed. */
#define LOOK(waits) \
    "    .reg .pred %wanted, %another, %over;\n" \
    "    .reg .b32 %value;\n" \
    "    .reg .b64 %handle, %at, %number, %count, %made, %limit, %end;\n" \
    "    ld.param.u64 %at, [go_on];\n" \
    "    ld.param.u64 %count, [words];\n" \
    "    ld.param.u64 %limit, [most];\n" waits "    ld.u64 %number, [%at];\n" \
    "    ld.u64 %made, [%count];\n" \
    "    ld.u64 %end, [%count+128];\n" \
    "    add.u64 %made, %made, 1;\n" \
    "    setp.ne.u64 %over, %end, 0;\n" \
    "    @!%over st.u64 [%count], %made;\n" \
    "    setp.ne.u64 %wanted, %number, 0;\n" \
    "    setp.lt.and.u64 %another, %made, %limit, %wanted;\n" \
    "    setp.eq.and.u64 %another, %end, 0, %another;\n"
#define TEXT(version, target, waits) \
    ".version " version "\n.target " target "\n.address_size 64\n" \
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n" \
    ".visible .entry again(.param .u64 handle, .param .u64 go_on, .param .u64 words, .param .u64 most)\n" \
    "{\n" \
    "    .param .b64 to_handle;\n" \
    "    .param .b32 to_value;\n" LOOK( \
        waits) "    ld.param.u64 %handle, [handle];\n" \
               "    selp.u32 %value, 1, 0, %another;\n" \
               "    st.param.b64 [to_handle], %handle;\n" \
               "    st.param.b32 [to_value], %value;\n" \
               "    call.uni cudaGraphSetConditional, (to_handle, to_value);\n" \
               "    ret;\n" \
               "}\n" \
               ".visible .entry decide(.param .u64 handle, .param .u64 go_on, .param .u64 words, .param .u64 most)\n" \
               "{\n" LOOK(waits) "    selp.u64 %end, 0, 1, %another;\n" \
                                 "    st.u64 [%count+128], %end;\n" \
                                 "    ret;\n" \
                                 "}\n"
enum { WORDS_BYTES = 256, AT_ENDED = 128 /* a line of its own */ };

/* The first of these that the driver loads: its kernels wait by themselves for the round's last one, so that they may be launched early. */
static const char waiting_text[] = TEXT("7.8", "sm_90",
                                        "    griddepcontrol.launch_dependents;\n    griddepcontrol.wait;\n");
static const char plain_text[] = TEXT("6.3", "sm_70", "");

static bool is_there(ww__cuda_loop *loop, const ww__cuda_api *api, void *library) {
    enum { SINCE = 12040 };
    int version = 0;
    if (loop->looked) return loop->there;
    loop->looked = true;
    if (api->cuDriverGetVersion(&version) || version < SINCE || !ww__cuda_loop_api_open(&loop->api, library))
        return false;
    loop->waits = !api->cuModuleLoadData(&loop->module, waiting_text);
    if ((!loop->waits && api->cuModuleLoadData(&loop->module, plain_text)) ||
        api->cuModuleGetFunction(&loop->again, loop->module, "again") ||
        api->cuModuleGetFunction(&loop->decide, loop->module, "decide"))
        return false;
    loop->there = !api->cuMemAlloc_v2(&loop->words, WORDS_BYTES);
    loop->ended = loop->words + AT_ENDED;
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
    CUresult result = api->cuMemsetD8Async(loop->words, 0, WORDS_BYTES, stream);
    if (!result) result = loop->api.cuGraphLaunch(runs, stream);
    if (!result) result = api->cuMemcpyAsync((CUdeviceptr)(uintptr_t)rounds, loop->words, sizeof *rounds, stream);
    const CUresult ended = api->cuStreamSynchronize(stream);
    return result ? result : ended;
}

static CUresult look(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, CUfunction kernel,
                     const uint64_t *go_on, uint64_t most, bool early) {
    CUdeviceptr at = (CUdeviceptr)(uintptr_t)go_on;
    void *parameters[] = {&loop->handle, &at, &loop->words, &most};
    CUlaunchAttribute how = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, .value = {.words = {0}}};
    how.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig one = {1, 1, 1, 1, 1, 1, 0, stream, &how, early};
    return api->cuLaunchKernelEx(&one, kernel, parameters, NULL);
}

CUresult ww__cuda_loop_next(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, const uint64_t *go_on,
                            uint64_t most, bool early) {
    return look(loop, api, stream, loop->decide, go_on, most, early);
}

CUresult ww__cuda_loop_end(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, const uint64_t *go_on,
                           uint64_t most, bool early, uint64_t *rounds, bool *recorded) {
    CUgraph body = NULL;
    CUgraphExec runs = NULL;
    CUresult result = look(loop, api, stream, loop->again, go_on, most, early);
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
    if (loop->words) api->cuMemFree_v2(loop->words);
    if (loop->module) api->cuModuleUnload(loop->module);
}

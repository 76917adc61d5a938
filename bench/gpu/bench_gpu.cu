/* Measures the library on an NVIDIA GPU beside CUB, the CUDA toolkit's library of the same primitives: same data, same run,
 * on one stream, timed with events. Prints a table and writes JSON:
 *
 *     bench-gpu [--json=FILE] [--resume] [--date=TEXT] [--warm=K/N] [--sizes] [--text=FILE] [WORD…]
 *
 * Words choose the rows whose names contain one. --resume goes on where a run with that file was stopped. --warm calls part K
 * of N of the rows once, so that their kernels are compiled and on disk: N processes do that at once. --sizes measures other
 * rows: one of each family at 10^3, 10^4 … 10^8 elements. --text adds sorts of that file's suffixes.
 *
 * Before every sample 256 MiB are read, so that inputs come from memory and not from the second-level cache, and the host has
 * queued the call before the GPU reaches it. Medians of 11 samples after 2 warm-up calls. What a row is held against is the
 * fastest of its ways; results are compared (floats within rounding). Text stands beside a simple kernel of ours, and is held
 * against the host's search. */
#include <cub/version.cuh>
#include <cuda.h>

#include "harness.cuh"
#include "rows.h"

static double measured_copy_rate() {
    const size_t bytes = 1 << 30;
    char *x = random_array<char>(bytes, 6), *y = gpu_array<char>(bytes);
    const double seconds = median_seconds([=] { CHECK(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream)); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    return 2.0 * bytes / seconds;
}

static report_options options_of(int argc, char **argv) {
    report_options o;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--json=", 7)) o.file = argv[i] + 7;
        else if (!strncmp(argv[i], "--date=", 7)) o.date = argv[i] + 7;
        else if (!strcmp(argv[i], "--resume")) o.resume = true;
        else if (!strncmp(argv[i], "--text=", 7)) text_file = argv[i] + 7;
        else if (!strcmp(argv[i], "--sizes")) o.sizes = true;
        else if (sscanf(argv[i], "--warm=%u/%u", &o.share, &o.shares) != 2) o.words.push_back(argv[i]);
    }
    return o;
}

static void all_rows() {
    const size_t k = 1;
    map_rows(k << 27);
    reduce_rows(k << 27, 735);
    reduce_rows(k << 25, 650);
    scan_rows(k << 27, 305);
    scan_rows(k << 20, 90);
    float_scan_rows(k << 27);
    wide_scan_rows(k << 26);
    segmented_rows(k << 27);
    matrix_rows(k << 25);
    pack_rows(k << 27);
    permute_rows();
    histogram_rows(k << 27);
    merge_rows(k << 24);
    search_rows(k << 24);
    run_rows(k << 27);
    sort_rows(k << 27);
    tile_rows(k << 25);
    multisplit_rows();
    random_rows(k << 28);
    half_rows(k << 27);
    query_rows();
    arrange_rows();
    input_rows();
    group_rows();
    sparse_rows();
    text_rows(100 * 1000 * 1000);
}

static void rows_at_sizes() {
    for (size_t n = 1000; n <= 100 * 1000 * 1000; n *= 10) {
        map_rows(n);
        reduce_rows(n, 0);
        scan_rows(n, 0);
        float_scan_rows(n);
        wide_scan_rows(n);
        segmented_rows(n);
        pack_rows(n);
        histogram_sizes_rows(n);
        merge_rows(n / 2);
        search_rows(n);
        run_rows(n);
        sort_sizes_rows(n);
        multisplit_sizes_rows(n);
        half_rows(n);
    }
}

int main(int argc, char **argv) {
    const report_options given = options_of(argc, argv);
    report_options_are(given);
    cudaDeviceProp properties;
    int driver = 0;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ww_open_options options = WW_OPEN_OPTIONS;
    CUcontext context;
    if (cuCtxGetCurrent(&context)) return 1;
    options.cuda_context = context;
    options.cuda_stream = stream;
    must(ww_open_with("cuda", &device, &options));
    flush_memory = random_array<uint32_t>(flush_bytes / 4, 7);
    report_open({properties.name, ww_version(), driver, CUB_VERSION, measured_copy_rate()});
    if (given.sizes) rows_at_sizes();
    else all_rows();
    const int wrong = report_close();
    ww_close(device);
    return wrong != 0;
}

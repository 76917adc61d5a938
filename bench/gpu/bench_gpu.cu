/* Measures the library on an NVIDIA GPU beside CUB, the CUDA toolkit's library of the same primitives: same data, same run,
 * on one stream, timed with events. Prints a table and writes JSON: bench-gpu [--json=FILE] [--date=TEXT] [WORD…], where words
 * choose the rows whose names contain one.
 *
 * Before every sample 256 MiB are read, so that inputs come from memory and not from the second-level cache, and the host has
 * queued the call before the GPU reaches it. Medians of 11 samples after 2 warm-up calls; results are compared with CUB's
 * (floats within rounding). Text stands beside a simple kernel of ours, and is held against the host's search. */
#include "harness.cuh"
#include "histogram_rows.cuh"
#include "move_rows.cuh"
#include "multisplit_rows.cuh"
#include "order_rows.cuh"
#include "pack_rows.cuh"
#include "run_rows.cuh"
#include "scan_rows.cuh"
#include "sort_rows.cuh"
#include "text_rows.cuh"

int main(int argc, char **argv) {
    const char *file = nullptr, *date = "today";
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--json=", 7)) file = argv[i] + 7;
        else if (!strncmp(argv[i], "--date=", 7)) date = argv[i] + 7;
        else words.push_back(argv[i]);
    }
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
    must(ww_open_with("cuda", &options, &device));
    flush_memory = random_array<uint32_t>(flush_bytes / 4, 7);
    measure_copy();
    printf("%s, CUDA %d.%d, CUB %d.%d.%d, copy %.0f GB/s (read and written)\n", properties.name, driver / 1000,
           driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, copy_rate * 1e-9);
    printf("%-52s %9s %8s %9s %7s %9s\n", "", "Gitems/s", "of copy", "CUB", "ratio", "required");
    if (file && (json = fopen(file, "w")))
        fprintf(json, "{\"device\": \"%s\", \"cuda\": %d, \"cub\": %d, \"date\": \"%s\", \"library\": \"%s\", "
                      "\"copy_gb_per_second\": %.1f, \"rows\": [", properties.name, driver, CUB_VERSION, date, ww_version(),
                copy_rate * 1e-9);
    const size_t k = 1;
    map_rows(k << 27);
    reduce_rows(k << 27, 735);
    reduce_rows(k << 25, 650);
    scan_rows(k << 27, 305);
    scan_rows(k << 20, 90);
    wide_scan_rows(k << 26);
    segmented_rows(k << 27);
    matrix_rows(k << 25);
    pack_rows(k << 27);
    permute_rows<uint32_t>(27, "gather of 4 bytes", "scatter of 4 bytes, any wins", "scatter unique of 4 bytes", 28, 13);
    permute_rows<record>(25, "gather of 128 bytes", "scatter of 128 bytes, any wins", "scatter unique of 128 bytes", 10.5, 10.2);
    histogram_rows(k << 27);
    merge_rows(k << 24);
    search_rows(k << 24);
    run_rows(k << 27);
    sort_rows(k << 27);
    multisplit_rows();
    text_rows(100 * 1000 * 1000);
    if (json) fprintf(json, "\n]}\n"), fclose(json);
    ww_close(device);
    return wrong_rows != 0;
}

/* Rows of copies, gathers and scatters. */
#include "records.cuh"
#include "rows.h"

void map_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 5), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    row("store u32 (copy)", n, 8, 0,
        [=] { must(ww_store(device, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t))); },
        {{"cudaMemcpyAsync", [=] { CHECK(cudaMemcpyAsync(s, x, n * sizeof *x, cudaMemcpyDeviceToDevice, stream)); }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(x, r, n) && equal(r, s, n); }});
    for (uint32_t *p : {x, r, s}) CHECK(cudaFree(p));
}

/* The figure asked of a scatter is what a kernel reaches that checks bounds and no more: the row of indexes that are known to
 * differ. Where several records may go to one place, choosing one of them costs a bit a place besides. */
template <class T>
static void permute_rows_of(uint32_t bits, const std::string &what, double required, double required_scatter) {
    const size_t n = (size_t)1 << bits;
    const std::string gather = "gather of " + what, scatter = "scatter of " + what + ", any wins", unique = "scatter unique of " + what;
    if (!row_wanted(gather.c_str(), n) && !row_wanted(scatter.c_str(), n) && !row_wanted(unique.c_str(), n)) return;
    T *x = random_array<T>(n, 9), *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    uint32_t *index = gpu_array<uint32_t>(n);
    permute<<<1024, 256, 0, stream>>>(index, bits);
    const ww_input at = ww_memory_of(index, n, &ww_type_uint32_t);
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    const std::string how = record_part<T>::PARTS > 1 ? "a kernel, a thread for 16 bytes" : "a kernel, a thread an element";
    const auto scatter_row = [&](const std::string &name, ww_conflict conflict, double asked) {
        row(name.c_str(), n, 4 + 2 * sizeof(T), asked,
            [=] { must(ww_scatter(device, ww_record_memory(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)), ww_scatter_by(conflict))); },
            {{how, [=] { scatter_plainly(x, index, s, n); }}}, same);
    };
    row(gather.c_str(), n, 4 + 2 * sizeof(T), required,
        [=] { must(ww_gather(device, ww_record_memory(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)))); },
        {{how, [=] { gather_plainly(x, index, s, n); }}}, same);
    scatter_row(scatter, WW_CONFLICT_ANY, 0);
    scatter_row(unique, WW_CONFLICT_UNIQUE, required_scatter);
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)index}) CHECK(cudaFree(p));
}

void permute_rows() {
    permute_rows_of<uint32_t>(27, "4 bytes", 28, 13);
    permute_rows_of<words16<128>>(25, "128 bytes", 10.5, 10.2);
}

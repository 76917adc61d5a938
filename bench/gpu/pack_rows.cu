/* Rows of pack and split. */
#include <cub/device/device_select.cuh>

#include "partition.cuh"
#include "rows.h"

WW_MAP(odd, uint32_t, uint32_t, x, void, none, { return x & 1; });
struct is_set {
    __host__ __device__ bool operator()(uint8_t flag) const { return flag != 0; }
};

void pack_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 8), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n),
             *kept = gpu_array<uint32_t>(1), *wanted = gpu_array<uint32_t>(1);
    uint8_t *flags = gpu_array<uint8_t>(n);
    make_flags<<<1024, 256, 0, stream>>>(flags, x, n, 2);
    const ww_array out = ww_array_of(r, n, &ww_type_uint32_t), count = ww_array_of(kept, 1, &ww_type_uint32_t);
    const ww_input in = ww_memory_of(x, n, &ww_type_uint32_t);
    const results packed = {{whole(r, n), whole(kept, 1)}, {whole(s, n), whole(wanted, 1)},
                            [=] { return equal_counted(kept, wanted, r, s, n); }};
    row("pack u32 by u8 flags, half kept", n, 7, 320,
        [=] { must(ww_pack(device, in, ww_memory_of(flags, n, &ww_type_uint8_t), out, count, nullptr)); },
        {{"DeviceSelect::Flagged", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSelect::Flagged(t, b, x, flags, s, wanted, n, stream);
          })},
         {"DeviceSelect::FlaggedIf", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSelect::FlaggedIf(t, b, x, flags, s, wanted, n, is_set(), stream);
          })}},
        packed);
    static ww_split_options reversed = WW_SPLIT_OPTIONS;
    reversed.method = WW_SPLIT_REVERSED;
    row("split u32 by predicate, second side reversed", n, 8, 280,
        [=] { must(ww_split_if(device, &odd_ww, in, out, count, &reversed)); },
        {{"DevicePartition::If", cub_partition(x, s, wanted, n, 0)}},
        {{whole(r, n), whole(kept, 1)}, {whole(s, n), whole(wanted, 1)},
         [=] { return equal(kept, wanted, 1) && equal(r, s, n); }});
    /* The sort by a bit does not say how many there are. */
    row("split u32 by predicate, stable", n, 12, 200,
        [=] { must(ww_split_if(device, &odd_ww, in, out, count, nullptr)); }, cub_stable_partition(x, s, wanted, n, 0),
        {{whole(r, n), whole(kept, 1)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)kept, (void *)wanted, (void *)flags}) CHECK(cudaFree(p));
}

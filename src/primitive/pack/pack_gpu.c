/* The host side of pack on a GPU: one launch, after the words of the chain are cleared. */
#include "primitive/pack/choose_gpu.h"
#include "primitive/pack/sides.h"

ww_status ww__pack_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                       const ww_array *out, const ww_array *count, ww_pack_method method, uint64_t *kept) {
    const ww__choosing c = {
        .device = device, .in = in, .flags = flags, .predicate = keep, .out = out, .total = count, .counted = true};
    static const char file[] = "primitive/pack/pack.cu";
    ww__choose_plan plan;
    if (method == WW_PACK_ENUMERATE) return ww__pack_enumerate_gpu(device, in, flags, keep, out, count, kept);
    WW_TRY(ww__choose_plan_make(&c, file, &plan));
    return ww__choose_gpu(&c, &plan, file, "pack", NULL, kept);
}

/* The backends of pack.h. */
#ifndef WW__PACK_SIDES_H
#define WW__PACK_SIDES_H

#include "function/function.h"
#include "primitive/pack/pack.h"

/* Checked arguments: elements are kept by flags, or (flags is NULL) by the predicate. */
ww_status ww__pack_cpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                       const ww_array *out, ww_pack_method method, uint64_t *kept);

/* The same; writes the count too. *kept is 0 where the count stays on the GPU. */
ww_status ww__pack_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                       const ww_array *out, const ww_array *count, ww_pack_method method,
                       uint64_t *kept);
/* By enumerate and scatter. */
ww_status ww__pack_enumerate_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                                 const ww_array *out, const ww_array *count, uint64_t *kept);

#endif

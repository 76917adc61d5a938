/* Which groups are too wide to meet all bodies together, for the devices whose warps are groups: these have a warp for each body. */
#include "space/bodies/walk.h"

WW_STRUCT_USES((walking), judging, {
    walking walk;
    uint8_t *wide;
});

WW_KERNEL_USES((too_wide), judge, judging, a, rank, {
    const uint32_t begin = (uint32_t)rank * a->walk.group;
    const uint32_t end = a->walk.n - begin < a->walk.group ? (uint32_t)a->walk.n : begin + a->walk.group;
    a->wide[rank] = too_wide(&a->walk, begin, end) ? 1u : 0u;
});

/* Flags and numbers of groups stand in one block: a number for each group, and then the flags, at a multiple of 16 bytes. */
ww_status ww__bodies_wide_groups(ww_nbody *nbody, walking *a) {
    enum { ALIGNED = 16 / sizeof(uint32_t) };
    const uint64_t groups = (a->n + a->group - 1) / a->group, numbers = (groups + ALIGNED - 1) / ALIGNED * ALIGNED;
    WW_TRY(ww__bodies_room(nbody, &nbody->counts, numbers, sizeof(uint32_t) + sizeof(uint8_t), 0));
    uint32_t *alone = nbody->counts.data;
    uint8_t *wide = (uint8_t *)(alone + numbers);
    const judging of = {*a, wide};
    WW_TRY(ww_launch(nbody->device, ww_with(judge, &of), groups));
    WW_TRY(ww_pack(nbody->device, ww_counting(&ww_type_uint32_t, 0, groups), ww_memory(wide, groups),
                   ww_array(alone, groups), ww_array(&a->alone_groups, 1), NULL));
    a->wide = wide;
    a->alone = alone;
    return WW_OK;
}

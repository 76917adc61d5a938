/* Every public header, and every macro of them, under all warnings that C++ programs turn on (as errors: CMakeLists.txt). */
#include <warpwise.h>
#include <warpwise.hpp>

WW_STRUCT(point, { float x; float y; });
WW_TYPEDEF(pixel, uint32_t);
WW_CONSTANT(FACTOR, uint32_t, 3u);
WW_FUNCTION(twice, uint32_t, (uint32_t x), { return x + x; });
WW_MAP(square, uint32_t, uint32_t, x, void, none, { return x * x; });
WW_MAP_USES((FACTOR, twice), scaled, uint32_t, pixel, x, point, p, { return p->x > 0 ? FACTOR * x : twice(x); });
WW_MAP2(sum_of, double, float, a, double, b, void, none, { return static_cast<double>(a) + b; });
WW_COMBINE(plus, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });
WW_COMBINE(compose, point, a, b, WW_ORDERED, WW_IDENTITY({1, 0}), { point c = {a.x * b.x, a.y * b.x + b.y}; return c; });
WW_COMBINE_WITH(add_modulo, uint64_t, a, b, uint64_t, m, WW_COMMUTES, WW_IDENTITY(0), { return (a + b) % *m; });
WW_LESS(left_of, point, a, b, { return a.x < b.x; });
WW_LESS_WITH(by_table, uint32_t, a, b, float, table, { return table[a] < table[b]; });
WW_KERNEL(shift, point, p, rank, { (void)p; (void)rank; });
WW_STRUCT_USES((ww_slab_u32_u32), edges, { ww_slab_u32_u32 degrees; const uint32_t *from; });
WW_KERNEL_USES((ww_slab_u32_u32_place), count_edges, edges, a, i, {
    uint32_t *degree = ww_slab_u32_u32_place(&a->degrees, a->from[i], 0);
    if (degree) ww_atomic_add(degree, 1u);
});

void use(ww_device *device) {
    uint32_t x[4] = {1, 2, 3, 4};
    uint64_t sum = 0;
    const point p = {1, 2};
    ww_scan_options scan = WW_SCAN_OPTIONS;
    ww_sort_options sort = WW_SORT_OPTIONS;
    scan.initial = ww_value(uint32_t, 3);
    sort.descending = true;
    (void)ww_map(device, ww_with(scaled, &p), ww_memory(x, 4), ww_array(x, 4));
    (void)ww_scan(device, &ww_add, ww_mapped(&square_ww, ww_memory(x, 4)), ww_array(x, 4), &scan);
    (void)ww_sort(device, ww_counting(&ww_type_uint32_t, 0, 4), ww_no_input, ww_array(x, 4), ww_none, &sort);
    (void)ww_scatter(device, ww_memory(x, 4), ww_memory(x, 4), ww_array(x, 4), ww_scatter_by(WW_CONFLICT_ADD));
    (void)ww_reduce(device, &plus_ww, ww_constant(ww_value(uint64_t, 1), 4), ww_array(&sum, 1));
}

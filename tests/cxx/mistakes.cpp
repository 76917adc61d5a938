/* What does not compile, each with the sentence that mistakes.cmake looks for. */
#include <warpwise.hpp>

#include <vector>

WW_MAP(square, uint64_t, uint32_t, x, void, none, { return static_cast<uint64_t>(x) * x; });
WW_MAP(scaled, uint32_t, uint32_t, x, uint32_t, by, { return x * *by; });

WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return x & 1; });
WW_WINDOW(step, uint32_t, uint32_t, x, 1, 0, void, none, { return x[0] - x[-1]; });

WW_STRUCT(point, { uint32_t x, y; });

struct pixel {
    float red;
};

void mistakes(warpwise::device &device) {
    std::vector<uint32_t> x(3), y(3);
    std::vector<uint64_t> wide(3);
    const std::vector<uint32_t> constant(3);
    std::vector<pixel> pixels(3);
    int32_t negative = 0;
    device.map(ww_typed(square), x, y);          /* the function's types are not those of the arrays */
    device.sort(x, wide);                        /* elements of these two arrays are of different types */
    device.store(x, constant);                   /* this is written, and cannot be const */
    device.sort(pixels, pixels);                 /* elements are numbers or WW_STRUCTs */
    device.map(ww_typed(scaled), x, y);          /* a function is ww_typed(NAME), with its environment by .with */
    device.pack(x, x, y, negative);              /* positions and counts are uint32_t or uint64_t */
    device.map(ww_typed(scaled).with(3u), x, y); /* an environment must live: with(const Environment &&) is deleted */
    device.histogram_even(x, 0, 10u, wide);      /* bounds of two types */
    device.any(ww_typed(is_odd), x, negative);   /* yes or no is a uint8_t or a bool */
    device.quantiles(x, x, wide);                /* quantiles are doubles */
    device.bincount(std::vector<float>(3), wide); /* numbers that are counted are integers */
    warpwise::sort_column(std::vector<point>(3));                                  /* columns are numbers of up to 64 bits */
    warpwise::window(ww_typed(step), x, WW_BORDER_VALUE, 1.0f);                    /* the value is not of the array's type */
    warpwise::slab<int32_t, float> of_signed(device);                              /* keys are uint32_t or uint64_t */
    warpwise::lsm<uint32_t> alone(device);
    alone.insert(x, y);                                                            /* a dictionary of keys alone takes no values */
    alone.insert(warpwise::none, warpwise::none);                                  /* keys are wanted */
    device.store(x, warpwise::mapped_into(ww_typed(square), y));                   /* the function's types are not those of the arrays */
}

void nobody_looks(warpwise::device_of_results &device) {
    std::vector<uint32_t> x(3);
    device.sort(x, x); /* nodiscard */
}

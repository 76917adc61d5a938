/* What does not compile, each with the sentence that mistakes.cmake looks for. */
#include <warpwise.hpp>

#include <vector>

WW_MAP(square, uint64_t, uint32_t, x, void, none, { return static_cast<uint64_t>(x) * x; });
WW_MAP(scaled, uint32_t, uint32_t, x, uint32_t, by, { return x * *by; });

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
}

void nobody_looks(warpwise::device_of_results &device) {
    std::vector<uint32_t> x(3);
    device.sort(x, x); /* nodiscard */
}

/* The text of a kernel that looks back, and does nothing else: test_look_back.c runs it, and test_kernel_text.c compiles it for
 * GPUs. WW_PACKED is defined before it. */
#ifndef TESTS_LOOK_BACK_TEXT_H
#define TESTS_LOOK_BACK_TEXT_H

static const char look_back_text[] =
    "#include \"device/kernel/words.cuh\"\n"
    "#include \"device/kernel/types.cuh\"\n"
    "struct ww_carrier { uint32_t a, b; };\n"
    "WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {\n"
    "    ww_carrier z;\n"
    "    z.a = y.a * x.a & 0x7FFFFFu;\n"
    "    z.b = (y.a * x.b + y.b) & 0x7FFFFFu;\n"
    "    return z;\n"
    "}\n"
    "WW_DEVICE uint64_t ww_pack(const ww_carrier &c) { return (uint64_t(c.a) << 23 | c.b) << 2; }\n"
    "WW_DEVICE ww_carrier ww_unpack(uint64_t word) {\n"
    "    ww_carrier c;\n"
    "    c.a = uint32_t(word >> 25) & 0x7FFFFFu;\n"
    "    c.b = uint32_t(word >> 2) & 0x7FFFFFu;\n"
    "    return c;\n"
    "}\n"
    "#include \"device/kernel/lookback.cuh\"\n"
    "struct args { ww_chain chain; ww_carrier *before; uint64_t whole; };\n"
    "WW_GPU_KERNEL(look_back, args, 32) {\n"
    "    const ww_carrier before = ww_look_back(a.chain, a.whole + 1 + blockIdx.x);\n"
    "    if (threadIdx.x == 31) a.before[blockIdx.x] = before;\n"
    "}\n";

#endif

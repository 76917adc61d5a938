/* Kernels whose operator or order has an environment: the programs of such a function include this behind the struct
 * ww_kept_environment (device/gpu/environment.h) and before the kernels.
 *
 * A kernel calls ww_op(x, y) and ww_less(x, y) from deep inside, where its arguments are not at hand. So each block keeps the
 * environment in a place of its own in shared memory, filled from the arguments before the kernel's first line, and the function
 * takes it from there. It comes with the launch, like all arguments: a graph that was captured replays what it was captured with,
 * launches of several streams or graphs do not meet, and a program that was compiled before is right for every environment. An
 * object of the module's (__constant__) would be one for all its launches, and want a copy before each. */
#ifndef WW_ENVIRONMENT_CUH
#define WW_ENVIRONMENT_CUH

WW_DEVICE ww_kept_environment &ww_environment_of_block() {
    WW_SHARED(ww_kept_environment, place);
    return place;
}

WW_DEVICE void ww_keep_environment(const ww_kept_environment &given) {
    if (threadIdx.x == 0) ww_environment_of_block() = given;
    __syncthreads();
}

/* What a launch gives: the kernel's own struct, and the environment. */
template <class A> struct ww_with_environment {
    A own;
    ww_kept_environment environment;
};

/* The kernel becomes a function that an entry of its name calls. */
#define WW_INSIDE_ENTRY(name, arguments, ...) \
    WW_DEVICE void name##_inside(const arguments &a); \
    __VA_ARGS__ { \
        ww_keep_environment(a.environment); \
        name##_inside(a.own); \
    } \
    WW_DEVICE void name##_inside(const arguments &a)

#undef WW_GPU_KERNEL
#undef WW_GPU_KERNEL_HELD
#ifdef WW_EMULATED
#define WW_GPU_KERNEL(name, arguments, threads) \
    WW_INSIDE_ENTRY(name, arguments, WW_EMU_KERNEL(name, ww_with_environment<arguments>, threads))
#define WW_GPU_KERNEL_HELD(name, arguments, threads, blocks) WW_GPU_KERNEL(name, arguments, threads)
#else
#define WW_ENTRY(name, arguments, ...) \
    WW_INSIDE_ENTRY(name, arguments, \
                    extern "C" __global__ void __launch_bounds__(__VA_ARGS__) \
                        name(const __grid_constant__ ww_with_environment<arguments> a))
#define WW_GPU_KERNEL(name, arguments, threads) WW_ENTRY(name, arguments, threads)
#define WW_GPU_KERNEL_HELD(name, arguments, threads, blocks) WW_ENTRY(name, arguments, threads, blocks)
#endif

#endif

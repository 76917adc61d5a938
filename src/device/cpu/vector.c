/* The machine's widest vectors, found at run time; the environment can ask for less, so that each width is tested. */
#include "device/cpu/vector.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A build may leave out the widest (CMakeLists.txt). */
#ifndef WARPWISE_WIDTHS
#define WARPWISE_WIDTHS WW_VECTORS
#endif

static const char *const names[WW_VECTORS] = {"plain", "avx2", "avx512"};

const char *ww__vector_name(int vector) { return names[vector]; }

static int widest(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
                      __builtin_cpu_supports("fma");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx2 && avx512 ? WW_VECTOR_AVX512 : avx2 ? WW_VECTOR_AVX2 : WW_VECTOR_PLAIN;
#else
    return WW_VECTOR_PLAIN;
#endif
}

/* Outputs from the size of the last-level cache's share on bypass the caches: they would not stay in them anyway. */
static size_t stream_from(void) {
    enum { LEAST = 4 << 20, MOST = 32 << 20 };
    long cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const size_t half = cache > 0 ? (size_t)cache / 2 : LEAST;
    return half < LEAST ? LEAST : half > MOST ? MOST : half;
}

ww_status ww__choose_vector(ww_device *device) {
    const char *forced = secure_getenv("WARPWISE_VECTOR");
    const int most = widest() < WARPWISE_WIDTHS ? widest() : WARPWISE_WIDTHS - 1;
    device->vector = most;
    device->stream_bytes = stream_from();
    if (!forced || !*forced) return WW_OK;
    for (int v = 0; v < WW_VECTORS; v++)
        if (!strcmp(forced, names[v])) {
            WW_CHECK(device, v <= most, WW_UNSUPPORTED, "WARPWISE_VECTOR=%s: the widest vectors here are %s", forced,
                     names[most]);
            device->vector = v;
            return WW_OK;
        }
    return ww__fail(device, WW_INVALID, "WARPWISE_VECTOR=%s is not one of plain, avx2, avx512", forced);
}

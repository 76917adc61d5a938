/* Copies that bypass the caches: a line written by non-temporal stores is not read first and pushes nothing out, which
 * saves a third of the traffic of writing a large array. */
#include "device/cpu/stream.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

WW__TARGET_avx2 static void stream_lines_avx2(unsigned char *to, const unsigned char *from, size_t lines, bool fetch) {
    for (size_t i = 0; i < lines; i++, to += 64, from += 64) {
        if (fetch) _mm_prefetch((const char *)from + WW__AHEAD, _MM_HINT_T0);
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + 32));
        _mm256_stream_si256((__m256i *)(void *)to, a);
        _mm256_stream_si256((__m256i *)(void *)(to + 32), b);
    }
}

/* Every x86-64 has these. */
static void stream_lines_plain(unsigned char *to, const unsigned char *from, size_t lines, bool fetch) {
    for (size_t i = 0; i < lines; i++, to += 64, from += 64) {
        if (fetch) _mm_prefetch((const char *)from + WW__AHEAD, _MM_HINT_T0);
        for (size_t k = 0; k < 64; k += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k), _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
    }
}

static void stream(const ww_device *device, unsigned char *to, const unsigned char *from, size_t bytes, bool streaming,
                   bool fetch) {
    const size_t head = (64 - (uintptr_t)to % 64) % 64;
    if (!streaming || bytes < head + 64) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    const size_t lines = (bytes - head) / 64;
    if (device->vector == WW_VECTOR_PLAIN)
        stream_lines_plain(to + head, from + head, lines, fetch);
    else
        stream_lines_avx2(to + head, from + head, lines, fetch);
    const size_t done = head + 64 * lines;
    memcpy(to + done, from + done, bytes - done);
}

/* Non-temporal stores are not ordered with a later release store: this fence is what makes them so. */
void ww__stream_done(void) { _mm_sfence(); }

#else

static void stream(const ww_device *device, unsigned char *to, const unsigned char *from, size_t bytes, bool streaming,
                   bool fetch) {
    (void)device;
    (void)streaming;
    (void)fetch;
    memcpy(to, from, bytes);
}

void ww__stream_done(void) {}

#endif

void ww__stream(const ww_device *device, void *to, const void *from, size_t bytes, bool streaming) {
    stream(device, to, from, bytes, streaming, false);
}

void ww__stream_memory(const ww_device *device, void *to, const void *from, size_t bytes, bool streaming) {
    stream(device, to, from, bytes, streaming, true);
}

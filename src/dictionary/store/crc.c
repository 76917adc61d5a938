/* Castagnoli's polynomial, bits reversed (Castagnoli, Bräuer and Herrmann, Optimization of cyclic redundancy-check codes with
 * 24 and 32 parity bits, 1993), as iSCSI has it (RFC 3720, 12.1 and B.4): the register begins and ends inverted. By the
 * instruction of SSE4.2 or of Arm's extension, 8 bytes at once; on other processors half a byte at a time by a table of 16
 * words (Sarwate, Computation of cyclic redundancy checks via table look-up, 1988). */
#include "dictionary/store/crc.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && !defined(__clang__) /* whose header has it for builds with the extension only */
#define ARM
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

#define POLYNOMIAL UINT32_C(0x82f63b78)

/* What each value of four bits at the register's low end does to the rest: Sarwate's table, for half a byte. */
#define BIT(x) (((x) >> 1) ^ (((x)&1) ? POLYNOMIAL : 0))
#define NIBBLE(x) BIT(BIT(BIT(BIT((uint32_t)(x)))))
static const uint32_t nibble[16] = {NIBBLE(0),  NIBBLE(1),  NIBBLE(2),  NIBBLE(3), NIBBLE(4),  NIBBLE(5),
                                    NIBBLE(6),  NIBBLE(7),  NIBBLE(8),  NIBBLE(9), NIBBLE(10), NIBBLE(11),
                                    NIBBLE(12), NIBBLE(13), NIBBLE(14), NIBBLE(15)};

uint32_t ww__crc_plain(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    while (length--) {
        crc ^= *at++;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc_sse42(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t crc = UINT32_MAX, word;
    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        crc = _mm_crc32_u64(crc, word);
    }
    uint32_t rest = (uint32_t)crc;
    while (length--) rest = _mm_crc32_u8(rest, *at++);
    return ~rest;
}
#elif defined(ARM)
__attribute__((target("+crc"))) static uint32_t crc_arm(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    uint64_t word;
    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        crc = __crc32cd(crc, word);
    }
    while (length--) crc = __crc32cb(crc, *at++);
    return ~crc;
}
#endif

uint32_t ww__crc(const void *bytes, size_t length) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) return crc_sse42(bytes, length);
#elif defined(ARM)
    if (getauxval(AT_HWCAP) & HWCAP_CRC32) return crc_arm(bytes, length);
#endif
    return ww__crc_plain(bytes, length);
}

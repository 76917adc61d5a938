/* The loops for every layout, plain and with AVX2 (which AVX-512's machines run too: a slab's keys fill two of its vectors). */
#include "dictionary/slab/loops_cpu.h"

#include <string.h>

#include "device/cpu/spin.h"

#ifndef WW__SLAB_MEANWHILE /* loops.h */
#define WW__SLAB_MEANWHILE() ((void)0)
#endif
#ifndef WW__SLAB_LONG
#define WW__SLAB_LONG 8 /* slabs of a list that is long enough for hints */
#endif

/* ---- slabs from the bitmaps ---- */

/* A worker takes a word of the bitmaps, with the 32 slabs of it that are free,
 * and gives back what it has not used at the end of its part. */
uint32_t ww__slab_take(ww__slab_worker *w, uint32_t bytes) {
    while (!w->free) {
        const uint64_t word = __atomic_fetch_add(w->next_word, 1, __ATOMIC_RELAXED);
        if (word >= ww__slab_supers_slabs(w->table) / WW__SLAB_WORD) return 0;
        w->word = word;
        w->free = ~__atomic_fetch_or(ww__slab_word(w->table, bytes, word), UINT32_MAX, __ATOMIC_ACQ_REL);
    }
    const uint32_t bit = (uint32_t)__builtin_ctz(w->free);
    w->free &= w->free - 1;
    return (uint32_t)(w->word * WW__SLAB_WORD + bit + 1);
}

/* The slab that this worker has taken last: another thread's became the next one. */
static void put_back(ww__slab_worker *w, uint32_t number) { w->free |= 1u << (number - 1) % WW__SLAB_WORD; }

static void give_slab(const ww__slab_table *t, uint32_t bytes, uint32_t number) {
    const uint64_t unit = number - 1;
    __atomic_fetch_and(ww__slab_word(t, bytes, unit / WW__SLAB_WORD), ~(1u << unit % WW__SLAB_WORD), __ATOMIC_ACQ_REL);
}

/* ---- hints ---- */

static size_t hint_set(const ww__slab_hints *h, uint64_t of) {
    return (size_t)(of * UINT64_C(0x9E3779B97F4A7C15) >> (64 - h->log));
}

/* A batch of n Zipf-distributed keys has n / 1000 lists that are long. */
ww_status ww__slab_hints_open(ww_device *device, uint64_t operations, size_t workers, ww__slab_hints *first) {
    uint32_t log = WW__SLAB_HINTS_LOG;
    while (log < WW__SLAB_HINTS_LOG_MOST && operations >> log > 1024) log++;
    *first = (ww__slab_hints){.log = log};
    WW_TRY(ww__scratch_array(device, (uint64_t)workers << log, sizeof *first->end, &first->end));
    return ww__scratch_array(device, (uint64_t)workers << log, sizeof *first->oldest, &first->oldest);
}

ww__slab_hints ww__slab_hints_of(const ww__slab_hints *first, size_t worker) {
    return (ww__slab_hints){.log = first->log,
                            .end = first->end + (worker << first->log),
                            .oldest = first->oldest + (worker << first->log)};
}

/* The slab at which a walk that has come to `slab`, behind the first one, goes on; *slabs are those up to there. */
static unsigned char *hinted(const ww__slab_hint *set, uint64_t of, unsigned char *slab, uint64_t *slabs) {
    for (size_t k = 0; k < WW__SLAB_WAYS; k++)
        if (set[k].slab && set[k].of == of && set[k].slabs > *slabs) {
            *slabs = set[k].slabs;
            return set[k].slab;
        }
    return slab;
}
static unsigned char *known_end(const ww__slab_hints *h, const unsigned char *base, unsigned char *slab,
                                uint64_t *slabs) {
    return h->any ? hinted(h->end[hint_set(h, (uintptr_t)base)], (uintptr_t)base, slab, slabs) : slab;
}
static unsigned char *known_oldest(const ww__slab_hints *h, uint64_t key, unsigned char *slab, uint64_t *slabs) {
    return h->any ? hinted(h->oldest[hint_set(h, key)], key, slab, slabs) : slab;
}

/* Instead of what was known of it, or else of the shortest list of the set. */
static void learn(ww__slab_hint *set, uint64_t of, unsigned char *slab, uint64_t slabs) {
    size_t to = 0;
    for (size_t k = 0; k < WW__SLAB_WAYS; k++) {
        if (set[k].slab && set[k].of == of) {
            set[k] = (ww__slab_hint){of, slab, slabs};
            return;
        }
        if (set[k].slabs < set[to].slabs) to = k;
    }
    if (slabs >= set[to].slabs) set[to] = (ww__slab_hint){of, slab, slabs};
}
static void begin_hints(ww__slab_hints *h) {
    if (h->any) return;
    memset(h->end, 0, sizeof *h->end << h->log);
    memset(h->oldest, 0, sizeof *h->oldest << h->log);
    h->any = true;
}
static void learn_end(ww__slab_hints *h, const unsigned char *base, unsigned char *slab, uint64_t slabs) {
    begin_hints(h);
    learn(h->end[hint_set(h, (uintptr_t)base)], (uintptr_t)base, slab, slabs);
}
static void learn_oldest(ww__slab_hints *h, uint64_t key, unsigned char *slab, uint64_t slabs) {
    begin_hints(h);
    learn(h->oldest[hint_set(h, key)], key, slab, slabs);
}

/* ---- claims that are not decided ---- */

enum { DECIDED_SOON = 200 }; /* looks */

/* Returns when the claimed slot of the bit `taken` is full or dead: it makes it dead itself where that takes long. */
static void decide(uint32_t *states, uint32_t taken) {
    for (unsigned looks = 0; looks < DECIDED_SOON; looks++) {
        if (__atomic_load_n(states, __ATOMIC_ACQUIRE) & taken << 16) return;
        ww__relax();
    }
    uint32_t seen = __atomic_load_n(states, __ATOMIC_ACQUIRE);
    while (!(seen & taken << 16))
        if (__atomic_compare_exchange_n(states, &seen, (seen & ~taken) | taken << 16, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return;
}

/* ---- comparing a slab's keys: a bit for each slot; bits behind the last slot are of no meaning ---- */

#define MATCHES_PLAIN(name, KEY, SLOTS) \
    static inline uint32_t name(const unsigned char *slab, KEY key) { \
        const KEY *const keys = (const KEY *)(const void *)slab; \
        uint32_t same = 0; \
        for (uint32_t i = 0; i < SLOTS; i++) \
            same |= (uint32_t)(__atomic_load_n(&keys[i], __ATOMIC_RELAXED) == key) << i; \
        return same; \
    }
MATCHES_PLAIN(matches_32_7, uint32_t, 7)
MATCHES_PLAIN(matches_32_10, uint32_t, 10)
MATCHES_PLAIN(matches_32_14, uint32_t, 14)
MATCHES_PLAIN(matches_64_7, uint64_t, 7)
MATCHES_PLAIN(matches_64_10, uint64_t, 10)

#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

#define KEY uint32_t
#define VALUE uint32_t
#define HAS_VALUE 0
#define SLOTS 14
#define BYTES 64
#define MATCHES matches_32_14
#define TARGET
#define LOOPS plain_32_0
#include "dictionary/slab/loops.h"

#define KEY uint32_t
#define VALUE uint32_t
#define HAS_VALUE 1
#define SLOTS 7
#define BYTES 64
#define MATCHES matches_32_7
#define TARGET
#define LOOPS plain_32_32
#include "dictionary/slab/loops.h"

#define KEY uint32_t
#define VALUE uint64_t
#define HAS_VALUE 1
#define SLOTS 10
#define BYTES 128
#define MATCHES matches_32_10
#define TARGET
#define LOOPS plain_32_64
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint32_t
#define HAS_VALUE 0
#define SLOTS 7
#define BYTES 64
#define MATCHES matches_64_7
#define TARGET
#define LOOPS plain_64_0
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint32_t
#define HAS_VALUE 1
#define SLOTS 10
#define BYTES 128
#define MATCHES matches_64_10
#define TARGET
#define LOOPS plain_64_32
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint64_t
#define HAS_VALUE 1
#define SLOTS 7
#define BYTES 128
#define MATCHES matches_64_7
#define TARGET
#define LOOPS plain_64_64
#include "dictionary/slab/loops.h"

/* The thread sanitizer would take a vector's load for a plain read of slots that others write. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define HAS_AVX2 1
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2,bmi")))

AVX2 static inline uint32_t same_8(const unsigned char *at, uint32_t key) {
    const __m256i keys = _mm256_load_si256((const __m256i *)(const void *)at);
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(keys, _mm256_set1_epi32((int)key))));
}
AVX2 static inline uint32_t same_4(const unsigned char *at, uint64_t key) {
    const __m256i keys = _mm256_load_si256((const __m256i *)(const void *)at);
    return (uint32_t)_mm256_movemask_pd(
        _mm256_castsi256_pd(_mm256_cmpeq_epi64(keys, _mm256_set1_epi64x((long long)key))));
}
AVX2 static inline uint32_t avx2_matches_32_7(const unsigned char *slab, uint32_t key) { return same_8(slab, key); }
AVX2 static inline uint32_t avx2_matches_32_14(const unsigned char *slab, uint32_t key) {
    return same_8(slab, key) | same_8(slab + 32, key) << 8;
}
AVX2 static inline uint32_t avx2_matches_64_7(const unsigned char *slab, uint64_t key) {
    return same_4(slab, key) | same_4(slab + 32, key) << 4;
}
AVX2 static inline uint32_t avx2_matches_64_10(const unsigned char *slab, uint64_t key) {
    return avx2_matches_64_7(slab, key) | same_4(slab + 64, key) << 8;
}

#define KEY uint32_t
#define VALUE uint32_t
#define HAS_VALUE 0
#define SLOTS 14
#define BYTES 64
#define MATCHES avx2_matches_32_14
#define TARGET AVX2
#define LOOPS avx2_32_0
#include "dictionary/slab/loops.h"

#define KEY uint32_t
#define VALUE uint32_t
#define HAS_VALUE 1
#define SLOTS 7
#define BYTES 64
#define MATCHES avx2_matches_32_7
#define TARGET AVX2
#define LOOPS avx2_32_32
#include "dictionary/slab/loops.h"

#define KEY uint32_t
#define VALUE uint64_t
#define HAS_VALUE 1
#define SLOTS 10
#define BYTES 128
#define MATCHES avx2_matches_32_14
#define TARGET AVX2
#define LOOPS avx2_32_64
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint32_t
#define HAS_VALUE 0
#define SLOTS 7
#define BYTES 64
#define MATCHES avx2_matches_64_7
#define TARGET AVX2
#define LOOPS avx2_64_0
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint32_t
#define HAS_VALUE 1
#define SLOTS 10
#define BYTES 128
#define MATCHES avx2_matches_64_10
#define TARGET AVX2
#define LOOPS avx2_64_32
#include "dictionary/slab/loops.h"

#define KEY uint64_t
#define VALUE uint64_t
#define HAS_VALUE 1
#define SLOTS 7
#define BYTES 128
#define MATCHES avx2_matches_64_7
#define TARGET AVX2
#define LOOPS avx2_64_64
#include "dictionary/slab/loops.h"
#endif

/* By the sizes of keys, 4 and 8 bytes, and values, none, 4 and 8. */
const ww__slab_loops *ww__slab_loops_of(const ww_device *device, const ww__slab_layout *layout) {
    static const ww__slab_loops *const plain[2][3] = {{&plain_32_0, &plain_32_32, &plain_32_64},
                                                      {&plain_64_0, &plain_64_32, &plain_64_64}};
    const uint32_t key = layout->key_size / 8, value = layout->value_size / 4;
#ifdef HAS_AVX2
    static const ww__slab_loops *const avx2[2][3] = {{&avx2_32_0, &avx2_32_32, &avx2_32_64},
                                                     {&avx2_64_0, &avx2_64_32, &avx2_64_64}};
    if (device->vector != WW_VECTOR_PLAIN) return avx2[key][value];
#endif
    (void)device;
    return plain[key][value];
}

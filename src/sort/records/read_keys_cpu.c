/* Reading keys on the CPU: workers claim pieces of the numbers. Records that are read in an order are asked for some way
 * ahead. */
#include "device/cpu/parallel.h"
#include "function/types.h"
#include "sort/records/read_keys.h"

enum { PIECE = 1 << 13, AHEAD = 16 };

typedef struct reading {
    const ww__key_reading *r;
    uint64_t next;
} reading;

static const unsigned char *key_at(const ww__key_reading *r, uint64_t i) {
    const void *order = r->order.data;
    const uint64_t at = !order ? i : r->order.size == 4 ? ((const uint32_t *)order)[i] : ((const uint64_t *)order)[i];
    return r->records + at * r->size + r->first;
}

/* Whole keys apart, so that the compiler makes one load and one swap of them. */
#define READ(T, label) \
    static void read_##label(const ww__key_reading *r, uint64_t first, uint64_t end) { \
        T *const out = r->out; \
        for (uint64_t i = first; i < end; i++) { \
            const unsigned char *from = key_at(r, i); \
            T number = 0; \
            if (r->order.data) __builtin_prefetch(key_at(r, ww__min_u64(i + AHEAD, end - 1))); \
            if (r->bytes == sizeof(T)) \
                for (size_t b = 0; b < sizeof(T); b++) number = (T)(number << 4 << 4 | from[b]); \
            else \
                for (size_t b = 0; b < r->bytes; b++) number = (T)(number << 4 << 4 | from[b]); \
            out[i] = number; \
        } \
    }
WW__EACH_UNSIGNED(READ)
WW__EACH_U128(READ)

static void read_piece(const ww__key_reading *r, uint64_t first, uint64_t end) {
    switch (r->number_size) {
#define READS(T, label) \
    case sizeof(T): \
        read_##label(r, first, end); \
        break;
        WW__EACH_UNSIGNED(READS)
        WW__EACH_U128(READS)
    }
}

static void read_pieces(void *argument, size_t worker) {
    reading *job = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&job->next) * PIECE) < job->r->count;)
        read_piece(job->r, first, ww__min_u64(first + PIECE, job->r->count));
}

ww_status ww__read_keys_cpu(ww_device *device, const ww__key_reading *r) {
    reading job = {r, 0};
    const uint64_t bytes = r->count * (r->bytes + r->number_size);
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "read-keys", NULL, r->count, bytes, workers);
    ww__parallel(device, workers, read_pieces, &job);
    return WW_OK;
}

/* The buckets' numbers of all keys in memory, as narrow as they fit: keys are read once, numbers written once. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/check.h"
#include "multisplit/numbering.h"

enum { TILE = 2048, TILES_A_PIECE = 16 };

typedef struct labelling {
    const ww__splitting *s;
    ww__numbering numbering;
    ww__fault fault;
    unsigned char *labels, *desks;
    size_t size, tile, desk;
    bool streaming;
    uint64_t next;
} labelling;

/* Numbers that are below 2^8, 2^16. */
#define NARROW(width, unused) \
    WW__LOOP(width) void narrow_8_##width(void *to, const uint32_t *numbers, size_t n) { \
        uint8_t *labels = to; \
        for (size_t i = 0; i < n; i++) labels[i] = (uint8_t)numbers[i]; \
    } \
    WW__LOOP(width) void narrow_16_##width(void *to, const uint32_t *numbers, size_t n) { \
        uint16_t *labels = to; \
        for (size_t i = 0; i < n; i++) labels[i] = (uint16_t)numbers[i]; \
    } \
    static const narrow_loops ww__loops_narrow_##width = {narrow_8_##width, narrow_16_##width};
typedef struct narrow_loops {
    void (*to_8)(void *to, const uint32_t *numbers, size_t n);
    void (*to_16)(void *to, const uint32_t *numbers, size_t n);
} narrow_loops;
WW__EACH_WIDTH(NARROW, 0)
static const narrow_loops *const loops_by_width[WW_VECTORS] = WW__TABLES(narrow);

static const void *narrow(const labelling *l, void *room, const uint32_t *numbers, size_t n) {
    const narrow_loops *loops = loops_by_width[l->s->device->vector];
    if (l->size == sizeof *numbers) return numbers;
    (l->size == 1 ? loops->to_8 : loops->to_16)(room, numbers, n);
    return room;
}

/* Numbers and labels of a tile; what is computed of the keys comes behind them. */
static size_t label_room(const labelling *l) { return ww__round_up(2 * l->tile * sizeof(uint32_t), 64); }

static bool label_tile(labelling *l, unsigned char *desk, uint64_t first, size_t n) {
    const ww_device *device = l->s->device;
    uint32_t *numbers = (uint32_t *)(void *)desk;
    unsigned char *room = desk + l->tile * sizeof *numbers;
    const void *keys = ww__input_read(device, &l->s->keys, first, n, desk + label_room(l));
    uint32_t most = 0;
    ww__numbers(&l->numbering, numbers, keys, n);
    for (size_t i = 0; i < n; i++) most = numbers[i] > most ? numbers[i] : most;
    if (most > l->numbering.last) {
        size_t i = 0;
        while (numbers[i] <= l->numbering.last) i++;
        ww__fault_at(&l->fault, first + i);
        return false;
    }
    ww__stream(device, l->labels + first * l->size, narrow(l, room, numbers, n), n * l->size, l->streaming);
    return true;
}

static void label_piece(labelling *l, unsigned char *desk, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i += l->tile)
        if (!label_tile(l, desk, i, (size_t)ww__min_u64(l->tile, end - i))) return;
}

static void label_pieces(void *argument, size_t worker) {
    labelling *l = argument;
    const uint64_t piece = l->tile * TILES_A_PIECE, count = l->s->keys.count;
    for (uint64_t first; (first = ww__claim(&l->next) * piece) < count;)
        label_piece(l, l->desks + worker * l->desk, first, ww__min_u64(first + piece, count));
    ww__stream_done();
}

ww_status ww__bucket_labels_cpu(const ww__splitting *s, const ww_type **type, void *pointer_to_labels) {
    void **const pointer = pointer_to_labels;
    const uint64_t n = s->keys.count;
    const size_t workers = ww__workers(s->device, n * s->keys.size), fit = ww__tile(s->keys.size);
    labelling l = {.s = s, .tile = fit < TILE ? fit : TILE};
    *type = ww__label_type(s->by.buckets);
    l.size = (*type)->size;
    l.streaming = ww__streams(s->device, n * l.size);
    ww__fault_clear(&l.fault);
    WW_TRY(ww__numbering_begin(s, &l.numbering));
    WW_TRY(ww__scratch_array(s->device, n, l.size, &l.labels));
    l.desk = ww__round_up(label_room(&l) + ww__input_room(&s->keys, l.tile), 64);
    WW_TRY(ww__scratch_array(s->device, workers, l.desk, &l.desks));
    ww__trace(s->device, "labels", s->by.asked, n, ww__input_bytes(&s->keys) + n * l.size, workers);
    ww__parallel(s->device, workers, label_pieces, &l);
    if (l.fault.position != UINT64_MAX)
        return ww__no_bucket(s->device, l.fault.position, l.numbering.name, s->by.buckets);
    *pointer = l.labels;
    return WW_OK;
}

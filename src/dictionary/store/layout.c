#include "dictionary/store/layout.h"

#include <stdio.h>
#include <string.h>

#include "dictionary/store/crc.h"

typedef unsigned long long ull;

/* Line ends that a transfer as text would change, as in PNG. */
static const char header_magic[8] = {'W', 'W', 'D', 'I', 'C', 'T', '\r', '\n'}, state_magic[8] = "WWSTATE";

static uint64_t round_up(uint64_t x, uint64_t to) { return (x + to - 1) / to * to; }

bool ww__store_parts_of(const ww__store_header *header, uint64_t count, bool marks, ww__store_parts *p) {
    if (count > (uint64_t)INT64_MAX / 2 / (header->key_size + header->value_size + 1)) return false;
    p->values = round_up(count * header->key_size, WW__STORE_ALIGN);
    p->marks = p->values + round_up(count * header->value_size, WW__STORE_ALIGN);
    p->sums = round_up(p->marks + (marks ? count : 0), WW__STORE_PAGE);
    p->pages = p->sums / WW__STORE_PAGE;
    p->bytes = p->sums + round_up(p->pages * sizeof(uint32_t), WW__STORE_PAGE);
    return true;
}

void ww__store_header_of(const ww_lsm *lsm, ww__store_header *h) {
    memset(h, 0, sizeof *h);
    memcpy(h->magic, header_magic, sizeof h->magic);
    h->order = WW__STORE_ORDER;
    h->version = WW__STORE_VERSION;
    h->key_size = (uint32_t)lsm->key_size;
    h->value_size = (uint32_t)lsm->value_size;
    h->batch = lsm->batch;
    if (lsm->value) snprintf(h->value, sizeof h->value, "%s", lsm->value->label);
    h->crc = ww__crc(h, offsetof(ww__store_header, crc));
}

void ww__store_state_seal(ww__store_state *s) {
    memcpy(s->magic, state_magic, sizeof s->magic);
    s->crc = ww__crc(s, offsetof(ww__store_state, crc));
}

bool ww__store_is_state(const ww__store_state *s) {
    return memcmp(s->magic, state_magic, sizeof s->magic) == 0 && s->crc == ww__crc(s, offsetof(ww__store_state, crc));
}

ww_status ww__store_header_check(ww_device *device, const char *name, const ww__store_header *h, uint64_t bytes) {
    const bool begins = bytes >= sizeof h->magic && memcmp(h->magic, header_magic, sizeof h->magic) == 0;
    WW_CHECK(device, begins, WW_FORMAT, "%.200s: is not a dictionary", name);
    WW_CHECK(device, bytes >= WW__STORE_BEGIN, WW_FORMAT,
             "%.200s: is truncated: a dictionary has %d bytes and more, and it has %llu", name, WW__STORE_BEGIN,
             (ull)bytes);
    WW_CHECK(device, h->order != __builtin_bswap32(WW__STORE_ORDER), WW_FORMAT,
             "%.200s: was made on a machine of another byte order", name);
    WW_CHECK(device, h->order != WW__STORE_ORDER || h->version == WW__STORE_VERSION, WW_FORMAT,
             "%.200s: has version %u of the format, and this library knows version %d", name, h->version,
             WW__STORE_VERSION);
    WW_CHECK(device, h->order == WW__STORE_ORDER && h->crc == ww__crc(h, offsetof(ww__store_header, crc)), WW_FORMAT,
             "%.200s: is damaged: the checksum of its header is wrong", name);
    WW_CHECK(device, h->key_size == 4 || h->key_size == 8, WW_FORMAT, "%.200s: has keys of %u bytes", name,
             h->key_size);
    WW_CHECK(device, h->batch && h->batch <= UINT64_C(1) << 32, WW_FORMAT, "%.200s: has batches of %llu elements", name,
             (ull)h->batch);
    WW_CHECK(device, h->value_size <= WW_LSM_VALUE_MOST && memchr(h->value, '\0', sizeof h->value), WW_FORMAT,
             "%.200s: has values of %u bytes, and %d are the most", name, h->value_size, WW_LSM_VALUE_MOST);
    return WW_OK;
}

static ww_status check_level(ww_device *device, const char *name, const ww__store_header *h, const ww__store_state *s,
                             uint64_t j) {
    const ww__store_level *const l = &s->level[j];
    ww__store_parts parts;
    const bool fits = l->count && l->marks <= 1 && l->at >= WW__STORE_BEGIN && l->at % WW__STORE_PAGE == 0 &&
                      l->at <= s->end && ww__store_parts_of(h, l->count, l->marks, &parts) &&
                      parts.bytes <= s->end - l->at;
    WW_CHECK(device, fits, WW_FORMAT, "%.200s: is damaged: level %llu, of %llu elements from byte %llu on, cannot be",
             name, (ull)j, (ull)l->count, (ull)l->at);
    WW_CHECK(device, !j || s->level[j - 1].count <= l->count / 2, WW_FORMAT,
             "%.200s: is damaged: level %llu has %llu elements, and the newer one %llu", name, (ull)j, (ull)l->count,
             (ull)s->level[j - 1].count);
    WW_CHECK(device, !l->marks || j + 1 < s->levels, WW_FORMAT, "%.200s: is damaged: its oldest level has deletions",
             name);
    return WW_OK;
}

ww_status ww__store_state_check(ww_device *device, const char *name, const ww__store_header *h,
                                const ww__store_state *s, uint64_t file_bytes) {
    WW_CHECK(device, s->levels < WW__LSM_LEVELS, WW_FORMAT, "%.200s: is damaged: it has %llu levels", name,
             (ull)s->levels);
    WW_CHECK(device, s->end % WW__STORE_PAGE == 0 && s->end >= WW__STORE_BEGIN && s->end <= INT64_MAX / 2, WW_FORMAT,
             "%.200s: is damaged: it says that it ends at byte %llu", name, (ull)s->end);
    WW_CHECK(device, s->end <= file_bytes, WW_FORMAT, "%.200s: is truncated: it has %llu bytes of %llu", name,
             (ull)file_bytes, (ull)s->end);
    for (uint64_t j = 0; j < s->levels; j++) WW_TRY(check_level(device, name, h, s, j));
    return WW_OK;
}

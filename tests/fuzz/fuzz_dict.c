/* Any bytes at all as a dictionary's file, with checksums that are right where the input wants them so: opening and every query
 * say what is wrong or answer, and nothing is read or written that is not the file's.
 *
 * An input is flags, the beginnings of the header and of both states, and the pages behind these. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dictionary/store/crc.h"
#include "dictionary/store/store.h"

enum { SEALED = 1, BEHIND = 2, HEADER = 80, STATE = 32 + 4 * 24, LEAST = 1 + HEADER + 2 * STATE, ROOM = 512 };

static void check(int right) {
    if (!right) abort();
}

/* ---- the file ---- */

static void seal_level(const ww__store_header *h, const ww__store_level *l, unsigned char *file, size_t length,
                       uint32_t *crc) {
    ww__store_parts parts;
    if (l->marks > 1 || (h->key_size != 4 && h->key_size != 8) || h->value_size > WW_LSM_VALUE_MOST) return;
    if (!ww__store_parts_of(h, l->count, l->marks, &parts)) return;
    if (l->at % WW__STORE_PAGE || l->at > length || parts.bytes > length - l->at) return;
    uint32_t *const sums = (uint32_t *)(void *)(file + l->at + parts.sums);
    for (uint64_t p = 0; p < parts.pages; p++) sums[p] = ww__crc(file + l->at + p * WW__STORE_PAGE, WW__STORE_PAGE);
    *crc = ww__crc(sums, (size_t)parts.pages * sizeof *sums);
}

static void seal(unsigned char *file, size_t length) {
    ww__store_header *const h = (ww__store_header *)(void *)file;
    h->crc = ww__crc(h, offsetof(ww__store_header, crc));
    for (int page = 2; page >= 1; page--) {
        ww__store_state *const s = (ww__store_state *)(void *)(file + page * WW__STORE_PAGE);
        for (uint64_t j = 0; j < s->levels && j < 4; j++) seal_level(h, &s->level[j], file, length, &s->level[j].crc);
        ww__store_state_seal(s);
    }
}

static int file_of(const uint8_t *bytes, size_t length) {
    const size_t rest = length - LEAST, pages = (rest + WW__STORE_PAGE - 1) / WW__STORE_PAGE;
    const size_t all = WW__STORE_BEGIN + pages * WW__STORE_PAGE;
    unsigned char *const file = aligned_alloc(WW__STORE_PAGE, all);
    const int fd = memfd_create("fuzz", 0);
    check(file && fd >= 0);
    memset(file, 0, all);
    memcpy(file, bytes + 1, HEADER);
    memcpy(file + WW__STORE_PAGE, bytes + 1 + HEADER, STATE);
    memcpy(file + 2 * WW__STORE_PAGE, bytes + 1 + HEADER + STATE, STATE);
    memcpy(file + WW__STORE_BEGIN, bytes + LEAST, rest);
    if (bytes[0] & SEALED) seal(file, all);
    if (bytes[0] & BEHIND) file[WW__STORE_PAGE + 8] ^= 1; /* one of the states is damaged */
    check(pwrite(fd, file, all, 0) == (ssize_t)all);
    free(file);
    return fd;
}

/* ---- queries ---- */

static void expect(ww_device *device, ww_status status) {
    check(status == WW_OK || status == WW_FORMAT || status == WW_MEMORY || status == WW_LIMIT || status == WW_FILE);
    check(!status || *ww_error(device));
}

static void ask(ww_device *device, ww_dict *dict) {
    static uint64_t keys[ROOM], values[ROOM * 8], offsets[ROOM + 1];
    static uint8_t found[8];
    ww_dict_info info = WW_DICT_INFO;
    uint64_t listed, first = 0;
    check(ww_dict_info_get(dict, &info) == WW_OK);
    const ww_array keys_out = ww_array_of(keys, ROOM, info.key);
    const ww_array values_out = {values, info.value ? ROOM : 0, info.value, (size_t)info.value_size, NULL, 0};
    const ww_array some = {values, info.value ? 8 : 0, info.value, (size_t)info.value_size, NULL, 0};
    const ww_input low = ww_counting(info.key, 0, 8), high = ww_counting(info.key, 3, 8);
    for (int i = 0; i < 4; i++) {
        expect(device, ww_dict_list(dict, first, keys_out, info.value ? values_out : ww_none, &listed));
        check(listed <= ROOM);
        first += 1 + (uint64_t)i * 0x33333333;
    }
    expect(device, ww_dict_lookup(dict, low, info.value ? some : ww_none, ww_array(found, 8)));
    expect(device, ww_dict_count(dict, low, high, ww_array(offsets, 8)));
    expect(device, ww_dict_range(dict, low, high, ww_array(offsets, 9), keys_out, info.value ? values_out : ww_none));
    expect(device, ww_dict_check(dict));
    (void)info;
}

static void change(ww_device *device, ww_dict *dict) {
    static uint64_t values[64];
    ww_dict_info info = WW_DICT_INFO;
    check(ww_dict_info_get(dict, &info) == WW_OK);
    ww_input given = info.value ? ww_constant(ww_value(uint32_t, 0), 8) : ww_no_input;
    const ww_array memory = {values, 8, info.value, (size_t)info.value_size, NULL, 0};
    if (info.value) given = ww_from(memory);
    expect(device, ww_dict_insert(dict, ww_counting(info.key, 1, 8), given));
    expect(device, ww_dict_delete(dict, ww_counting(info.key, 5, 8)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static ww_device *device;
    char path[64];
    if (!device) check(ww_open("cpu:threads=1", &device) == WW_OK);
    if (length < LEAST || length > 1 << 16) return -1;
    const int fd = file_of(bytes, length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int writes = 0; writes <= 1; writes++) {
        ww_dict *dict;
        const ww_status status = ww_dict_open(device, path, NULL, writes, &dict);
        expect(device, status);
        check(status ? !dict : dict != NULL);
        if (!status && writes) change(device, dict);
        if (!status) ask(device, dict);
        ww_dict_close(dict);
    }
    close(fd);
    return 0;
}

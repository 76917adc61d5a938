/* Any bytes as a request to find something: the first say what is asked for and of which width of vectors, then comes the
 * pattern, then the text (or the pattern is a part of it). What ww_find and its relatives say is what comparing every start says. */
#include <stdlib.h>
#include <string.h>

#include "reference/find.h"
#include "warpwise.h"

enum { WIDTHS = 3, ROOM = 300, WORK_MOST = 1 << 22 /* characters that the oracles compare, each time */ };

static void check(int right) {
    if (!right) abort();
}

typedef struct request {
    ww_device *device;
    const unsigned char *text, *pattern;
    uint64_t n, m, most, room;
    ww_find_options options;
} request;

/* Opened once: a device for each width that this machine has. */
static ww_device *device_of(unsigned width) {
    static const char *const names[WIDTHS] = {"plain", "avx2", "avx512"};
    static ww_device *devices[WIDTHS];
    width %= WIDTHS;
    if (devices[width]) return devices[width];
    setenv("WARPWISE_VECTOR", names[width], 1);
    if (ww_open("cpu:threads=2", &devices[width])) {
        ww_close(devices[width]);
        devices[width] = width ? device_of(0) : NULL;
    }
    check(devices[width] != NULL);
    return devices[width];
}

static void check_positions(const uint64_t *got, const uint64_t *wanted, uint64_t matches, uint64_t room) {
    for (uint64_t i = 0; i < room; i++) check(got[i] == (i < matches ? wanted[i] : 7));
}

static void check_all(const request *r, ww_input text) {
    uint64_t wanted[ROOM], got[ROOM], count, position;
    const uint64_t matches = ref_find(r->text, r->n, r->pattern, r->m, r->options.fold, wanted, ROOM);
    for (uint64_t i = 0; i < ROOM; i++) got[i] = 7;
    check(!ww_find(r->device, text, r->pattern, r->m, ww_array(got, r->room), ww_array(&count, 1), &r->options));
    check(count == matches);
    check_positions(got, wanted, matches, r->room);
    check(!ww_find(r->device, text, r->pattern, r->m, ww_none, ww_array(&count, 1), &r->options) && count == matches);
    check(!ww_find_first(r->device, text, r->pattern, r->m, ww_array(&position, 1), &r->options));
    check(position == ref_find_first(r->text, r->n, r->pattern, r->m, r->options.fold));
    check(!ww_find_last(r->device, text, r->pattern, r->m, ww_array(&position, 1), &r->options));
    check(position == ref_find_last(r->text, r->n, r->pattern, r->m, r->options.fold));
}

static void check_near(const request *r, ww_input text) {
    uint64_t wanted[ROOM], differ[ROOM], got[ROOM], count;
    uint32_t how[ROOM];
    if (r->m > WW_NEAR_MOST) return;
    const uint64_t matches = ref_find_near(r->text, r->n, r->pattern, r->m, r->most % r->m, r->options.fold, wanted,
                                           differ, ROOM);
    for (uint64_t i = 0; i < ROOM; i++) got[i] = how[i] = 7;
    check(!ww_find_near(r->device, text, r->pattern, r->m, r->most % r->m, ww_array(got, r->room),
                        ww_array(how, r->room), ww_array(&count, 1), &r->options));
    check(count == matches);
    check_positions(got, wanted, matches, r->room);
    for (uint64_t i = 0; i < r->room; i++) check(how[i] == (i < matches ? differ[i] : 7));
}

/* Texts as long as the bytes of the text say, until they reach its end. */
static void check_texts(const request *r, ww_input text) {
    uint64_t offsets[20], wanted[ROOM], got[ROOM], each[19], counts[19], count, at = r->most % (r->n + 1);
    for (size_t i = 0; i < 20; i++) {
        offsets[i] = at;
        at += r->n ? r->text[i % r->n] % (r->n / 8 + 2) : 0;
        if (at > r->n) at = r->n;
    }
    const uint64_t matches = ref_find_texts(offsets, 19, r->text, r->pattern, r->m, r->options.fold, wanted, ROOM,
                                            each);
    for (uint64_t i = 0; i < ROOM; i++) got[i] = 7;
    check(!ww_find_texts(r->device, text, ww_memory(offsets, 20), r->pattern, r->m, ww_array(got, r->room),
                         ww_array(counts, 19), ww_array(&count, 1), &r->options));
    check(count == matches);
    check_positions(got, wanted, matches, r->room);
    check(!memcmp(counts, each, sizeof each));
}

/* The pattern, its first half and all of it but the first character, at once: of the same start in the order of their numbers. */
static void check_many(const request *r, ww_input text) {
    const uint64_t half = r->m / 2 + 1, tail = r->m > 1;
    const unsigned char *const each[3] = {r->pattern, r->pattern, r->pattern + tail};
    const uint64_t lengths[3] = {r->m, half, r->m - tail}, offsets[4] = {0, r->m, r->m + half, 2 * r->m + half - tail};
    static uint64_t wanted[3][ROOM];
    uint64_t got[ROOM], numbers[ROOM], next[3] = {0}, found[3], count;
    unsigned char *all = malloc((size_t)offsets[3]);
    ww_patterns *patterns;
    check(all != NULL);
    for (int k = 0; k < 3; k++) {
        memcpy(all + offsets[k], each[k], (size_t)lengths[k]);
        found[k] = ref_find(r->text, r->n, each[k], lengths[k], r->options.fold, wanted[k], ROOM);
    }
    check(!ww_patterns_open(r->device, all, offsets, 3, &patterns, &r->options));
    free(all);
    check(!ww_find_many(patterns, text, ww_array(got, r->room), ww_array(numbers, r->room), ww_array(&count, 1)));
    check(count == found[0] + found[1] + found[2]);
    for (uint64_t i = 0; i < r->room && i < count; i++) {
        int first = -1;
        for (int k = 0; k < 3; k++)
            if (next[k] < found[k] && (first < 0 || wanted[k][next[k]] < wanted[first][next[first]])) first = k;
        check(got[i] == wanted[first][next[first]++] && numbers[i] == (uint64_t)first);
    }
    ww_patterns_close(patterns);
}

static void check_request(const request *r) {
    const ww_input text = ww_memory(r->text, r->n);
    check_all(r, text);
    check_near(r, text);
    check_texts(r, text);
    check_many(r, text);
}

/* How long texts become. Threads start at 256 KiB, pieces have 32: that takes the oracles long. So few inputs are of such a
 * length, and by all of their bytes: what the fuzzer makes of them mostly is not. */
static size_t text_most(const uint8_t *bytes, size_t length) {
    uint32_t sum = 0;
    for (size_t i = 0; i < length; i++) sum = sum * 31 + bytes[i];
    return sum % 1024 == 0 ? (size_t)1 << 18 : sum % 64 == 1 ? 40000 : 4096;
}

/* The text again and again, so that a short input makes one of several pieces; its last byte once in a while is another. */
static unsigned char *repeated(const unsigned char *text, size_t n, size_t length) {
    unsigned char *all = malloc(length ? length : 1);
    check(all != NULL);
    for (size_t i = 0; i < length; i++) all[i] = (unsigned char)(text[i % n] ^ (i % 9973 == 9972));
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    enum { HEAD = 6 };
    if (length < HEAD + 1) return 0;
    request r = {.device = device_of(bytes[0]), .most = bytes[1], .room = bytes[2], .options = WW_FIND_OPTIONS};
    const unsigned char *const rest = bytes + HEAD;
    const size_t left = length - HEAD, m = 1 + (bytes[3] | (size_t)bytes[4] << 8) % left;
    const bool part = bytes[5] & 1, again = bytes[5] & 2 && left > (part ? 0 : m);
    r.options.fold = bytes[5] & 4;
    r.n = part ? left : left - m;
    /* The pattern and the text have memory of their own, as long as they are, for the address sanitizer. */
    unsigned char *pattern = malloc(m);
    check(pattern != NULL);
    memcpy(pattern, rest, m);
    const unsigned char *const of = part ? rest : rest + m;
    const uint64_t one = r.n;
    if (again) r.n = one * (1 + (uint64_t)(bytes[5] >> 4) * 100);
    if (r.n > text_most(bytes, length)) r.n = text_most(bytes, length);
    if (r.n > WORK_MOST / m) r.n = WORK_MOST / m;
    unsigned char *text = repeated(of, one ? (size_t)one : 1, one ? (size_t)r.n : 0);
    r.pattern = pattern, r.m = m;
    r.text = text;
    check_request(&r);
    free(pattern);
    free(text);
    return 0;
}

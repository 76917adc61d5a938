/* Texts in pieces: cut anywhere, they have the matches that the whole has, each in the piece in which it ends. */
#include "reference/find_many.h"
#include "support/literals.h"

enum { MATCHES = 1 << 20 };

/* The matches that end in text[from] … text[to - 1], in order; returns how many. */
static size_t ending_in(const reference_match *all, size_t found, uint64_t from, uint64_t to, reference_match *these) {
    size_t many = 0;
    for (size_t i = 0; i < found; i++)
        if (all[i].end > from && all[i].end <= to) these[many++] = all[i];
    return many;
}

/* How long the next piece is: 0, 1, a few, or many bytes. */
static size_t piece_length(size_t left, uint64_t *state) {
    const uint64_t r = random_next(state);
    const size_t most = r % 5 == 0 ? 2 : r % 5 == 1 ? 20 : r % 5 == 2 ? 300 : on_emulator() ? 4000 : 1500;
    const size_t length = random_next(state) % most;
    return length < left ? length : left;
}

static void check_piece(ww_device *device, ww_find_stream *stream, const unsigned char *piece, size_t length,
                        const reference_match *wanted, size_t found, size_t room) {
    guarded p = guarded_new(room * sizeof(uint64_t)), k = guarded_new(room * sizeof(uint32_t));
    uint64_t count = 77;
    unsigned char *copy = need(length + 1), *last = copy + 1; /* ends where its memory does */
    memcpy(last, piece, length);
    expect_status(device,
                  ww_find_stream_next(stream, ww_memory(last, length), ww_array((uint64_t *)p.data, room),
                                      ww_array((uint32_t *)k.data, room), ww_array(&count, 1)),
                  WW_OK);
    expect(count == found);
    for (size_t i = 0; i < found && i < room; i++) {
        expect(((uint64_t *)p.data)[i] == wanted[i].position);
        expect(((uint32_t *)k.data)[i] == wanted[i].number);
    }
    guarded_check(&p);
    guarded_check(&k);
    guarded_free(&p);
    guarded_free(&k);
    free(copy);
}

static void check_stream(size_t s, ww_device *device, const literals_case *c, size_t turn, reference_match *all,
                         reference_match *these) {
    CASE("find_stream", "%s %s", setting_name(s), c->name);
    if (!case_wanted()) return;
    uint64_t random = seed_of_run() + 31 * turn + s;
    literals l = literals_new(c, turn % 16, seed_of_run() + turn);
    const size_t found = reference_find_many(l.text, l.n, l.bytes, l.offsets, l.count, c->fold, all, MATCHES);
    ww_find_options options = WW_FIND_OPTIONS;
    ww_patterns *patterns;
    ww_find_stream *stream;
    options.fold = c->fold;
    expect_status(device, ww_patterns_open(device, l.bytes, l.offsets, l.count, &patterns, &options), WW_OK);
    expect_status(device, ww_find_stream_open(patterns, &stream), WW_OK);
    size_t at = 0, length;
    for (size_t piece = 0; at < l.n || piece < 3; at += length, piece++) {
        length = piece_length(l.n - at, &random);
        const size_t many = ending_in(all, found, at, at + length, these);
        check_piece(device, stream, l.text + at, length, these, many, piece % 4 ? many : many / 2);
    }
    ww_find_stream_close(stream);
    ww_patterns_close(patterns);
    literals_free(&l);
}

static void streams(void **state) {
    reference_match *all = malloc(MATCHES * sizeof *all), *these = malloc(MATCHES * sizeof *these);
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < literals_count; k++) check_stream(s, device, &literals_cases[k], k, all, these);
        ww_close(device);
    }
    free(all);
    free(these);
}

/* Two streams of one set go on side by side, and a call that fails leaves its stream as it was. */
static void two_streams(void **state) {
    (void)state;
    CASE("find_stream two", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const uint64_t offsets[] = {0, 4};
    ww_patterns *patterns;
    ww_find_stream *a, *b;
    uint64_t position = 77, count = 77;
    uint32_t narrow = 77;
    unsigned char *text = need(8);
    memcpy(text, "abcdabcd", 8);
    expect_status(device, ww_patterns_open(device, "abcd", offsets, 1, &patterns, NULL), WW_OK);
    expect_status(device, ww_find_stream_open(patterns, &a), WW_OK);
    expect_status(device, ww_find_stream_open(patterns, &b), WW_OK);
    const ww_array p = ww_array(&position, 1), c = ww_array(&count, 1);
    expect_status(device, ww_find_stream_next(a, ww_memory(text, 2), p, ww_none, c), WW_OK);
    expect(count == 0);
    expect_status(device, ww_find_stream_next(b, ww_memory(text, 3), p, ww_none, c), WW_OK);
    expect(count == 0);
    expect_status(device, ww_find_stream_next(a, ww_memory(text + 2, 2), ww_array(&narrow, 1), ww_none, c), WW_INVALID);
    expect_sentence(device, "u64");
    expect_status(device, ww_find_stream_next(a, ww_memory(text + 2, 2), p, ww_none, c), WW_OK);
    expect(count == 1 && position == 0);
    expect_status(device, ww_find_stream_next(b, ww_memory(text + 3, 5), p, ww_none, c), WW_OK);
    expect(count == 2 && position == 0);
    expect_status(device, ww_find_stream_next(NULL, ww_memory(text, 2), p, ww_none, c), WW_INVALID);
    ww_find_stream *const first = a;
    expect_status(device, ww_find_stream_open(NULL, &a), WW_INVALID);
    expect(a == NULL);
    ww_find_stream_close(first);
    ww_find_stream_close(b);
    ww_find_stream_close(NULL);
    ww_patterns_close(patterns);
    free(text);
    ww_close(device);
}

/* A count of 32 bits has to hold what begins in the tail, too: many patterns of one byte, and a long one for the tail. */
static void narrow_count(void **state) {
    (void)state;
    enum { COUNT = 1 << 20, LONG = 1000, PIECE = 3500 };
    CASE("find_stream narrow", "%s", setting_name(0));
    if (!case_wanted() || left_out_on_gpu("the check is of no device")) return;
    ww_device *device = setting_open(0);
    unsigned char *bytes = need(COUNT + LONG), *text = need(PIECE);
    uint64_t *offsets = need((COUNT + 1) * sizeof *offsets);
    uint32_t count = 77;
    ww_patterns *patterns;
    ww_find_stream *stream;
    memset(bytes, 'a', COUNT + LONG);
    memset(text, 'b', PIECE);
    for (size_t k = 0; k < COUNT; k++) offsets[k] = k;
    offsets[COUNT] = COUNT - 1 + LONG;
    expect_status(device, ww_patterns_open(device, bytes, offsets, COUNT, &patterns, NULL), WW_OK);
    expect_status(device, ww_find_stream_open(patterns, &stream), WW_OK);
    const ww_input piece = ww_memory(text, PIECE);
    const ww_array counted = ww_array(&count, 1);
    expect_status(device, ww_find_stream_next(stream, piece, ww_none, ww_none, counted), WW_OK);
    expect(count == 0);
    expect_status(device, ww_find_stream_next(stream, piece, ww_none, ww_none, counted), WW_TYPE);
    ww_find_stream_close(stream);
    ww_patterns_close(patterns);
    free(bytes);
    free(text);
    free(offsets);
    ww_close(device);
}

/* An allocator whose memory has the same byte everywhere, also before what it gives. */
enum { BEFORE = 4096, BYTE = 'z' };

static void *filled_allocate(void *context, size_t bytes, size_t alignment) {
    void *block;
    (void)context;
    if (alignment > BEFORE || posix_memalign(&block, BEFORE, bytes + BEFORE)) return NULL;
    memset(block, BYTE, bytes + BEFORE);
    return (unsigned char *)block + BEFORE;
}

static void filled_release(void *context, void *block, size_t bytes) {
    (void)context, (void)bytes;
    if (block) free((unsigned char *)block - BEFORE);
}

/* Nothing precedes a text: what lies in memory before its first pieces, which are short, is no part of it. */
static void short_pieces_at_first(void **state) {
    (void)state;
    CASE("find_stream", "short pieces at first");
    if (!case_wanted() || left_out_on_gpu("memory of the CPU's allocator")) return;
    static const char pattern[] = "zzzabc";
    const uint64_t offsets[] = {0, 6};
    ww_open_options options = WW_OPEN_OPTIONS;
    ww_device *device;
    options.allocator = (ww_allocator){filled_allocate, filled_release, NULL};
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    for (size_t length = 1; length < 6; length++) {
        const char *text = pattern + 6 - length; /* all of the pattern but its begin */
        ww_patterns *patterns;
        ww_find_stream *stream;
        uint64_t position = 77, count = 77;
        expect_status(device, ww_patterns_open(device, pattern, offsets, 1, &patterns, NULL), WW_OK);
        expect_status(device, ww_find_stream_open(patterns, &stream), WW_OK);
        for (size_t i = 0; i < length; i++) {
            expect_status(device,
                          ww_find_stream_next(stream, ww_memory((const uint8_t *)text + i, 1), ww_array(&position, 1),
                                              ww_none, ww_array(&count, 1)),
                          WW_OK);
            expect(count == 0 && position == 77);
        }
        ww_find_stream_close(stream);
        ww_patterns_close(patterns);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams), cmocka_unit_test(two_streams),
                                       cmocka_unit_test(narrow_count), cmocka_unit_test(short_pieces_at_first)};
    return cmocka_run_group_tests_name("find_stream", tests, NULL, NULL);
}

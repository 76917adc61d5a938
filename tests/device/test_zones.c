/* The zones that tests on the CPU lay behind pieces of scratch memory (src/device/zones.h): every byte that is written behind a piece is
 * found, and nothing else is. */
#include "device/zones.h"
#include "support/cases.h"

enum { ZONE = 256, PIECES = 3, ROOM = PIECES * (ZONE + 512), END = 16 /* what a zone's end says of its piece */ };

static size_t overruns, last_bytes;

static void overrun(const ww_device *device, size_t bytes) {
    (void)device;
    overruns++;
    last_bytes = bytes;
}

/* Pieces of these sizes, one behind the other; returns where the last one's zone ends. */
static unsigned char *lay_out(unsigned char *room, const size_t *sizes, unsigned char **pieces) {
    for (size_t p = 0; p < PIECES; p++) {
        pieces[p] = room;
        room += sizes[p] + ZONE;
        ww__zone_begin(pieces[p], sizes[p], room);
        memset(pieces[p], (int)p, sizes[p]);
    }
    return room;
}

static void written_bytes_are_found(void **state) {
    (void)state;
    static const size_t sizes[PIECES] = {64, 1, 200};
    unsigned char room[ROOM], *pieces[PIECES];
    ww_device *device = NULL;
    CASE("zones", "of %d pieces", PIECES);
    if (!case_wanted()) return;
    expect_status(device, ww_open("cpu:threads=1", &device), WW_OK);
    ww__zones_watch(device, overrun);
    unsigned char *const end = lay_out(room, sizes, pieces);
    overruns = 0;
    ww__zones_check(device, room, end);
    expect(!overruns);
    for (size_t p = 0; p < PIECES; p++)
        for (size_t behind = 0; behind < ZONE - END; behind++) {
            lay_out(room, sizes, pieces);
            pieces[p][sizes[p] + behind] ^= 1;
            overruns = 0;
            ww__zones_check(device, room, end);
            expect(overruns == 1 && last_bytes == sizes[p]);
        }
    /* From end to end: which piece it was is not known then. */
    for (int with = 0; with < 256; with += 255) {
        lay_out(room, sizes, pieces);
        memset(pieces[1] + sizes[1], with, ZONE);
        overruns = 0;
        ww__zones_check(device, room, end);
        expect(overruns == 1 && last_bytes == 0);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_bytes_are_found)};
    return cmocka_run_group_tests_name("zones", tests, NULL, NULL);
}

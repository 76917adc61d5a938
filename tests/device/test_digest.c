/* The digest is BLAKE2b: the values of its authors' test vectors (blake2b-kat.txt: bytes 0, 1, 2, … with the key 0, 1, … 63) and
 * of RFC 7693, appendix A, and for 256 bits those of Python's hashlib. In pieces of any length it is the same. */
#include <stdio.h>

#include "device/digest.h"
#include "support/cases.h"

static void read_digits(const char *text, unsigned char *bytes, size_t many) {
    for (size_t i = 0; i < many; i++) {
        unsigned byte;
        expect(sscanf(text + 2 * i, "%2x", &byte) == 1);
        bytes[i] = (unsigned char)byte;
    }
}

static void authors_values(void **state) {
    (void)state;
    static const struct {
        size_t length;
        const char *digest;
    } known[] = {
        {0, "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
            "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"},
        {1, "961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4"
            "187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd"},
        {64, "65676d800617972fbd87e4b9514e1c67402b7a331096d3bfac22f1abb95374ab"
             "c942f16e9ab0ead33b87c91968a6e509e119ff07787b3ef483e1dcdccf6e3022"},
        {127, "76d2d819c92bce55fa8e092ab1bf9b9eab237a25267986cacf2b8ee14d214d73"
              "0dc9a5aa2d7b596e86a1fd8fa0804c77402d2fcd45083688b218b1cdfa0dcbcb"},
        {128, "72065ee4dd91c2d8509fa1fc28a37c7fc9fa7d5b3f8ad3d0d7a25626b57b1b44"
              "788d4caf806290425f9890a3a2a35a905ab4b37acfd0da6e4517b2525c9651e4"},
        {129, "64475dfe7600d7171bea0b394e27c9b00d8e74dd1e416a79473682ad3dfdbb70"
              "6631558055cfc8a40e07bd015a4540dcdea15883cbbf31412df1de1cd4152b91"},
        {255, "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248"
              "4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461"},
    };
    unsigned char counted[256], wanted[64], got[64];
    for (size_t i = 0; i < sizeof counted; i++) counted[i] = (unsigned char)i;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        CASE("digest", "keyed n=%zu", known[k].length);
        read_digits(known[k].digest, wanted, sizeof wanted);
        expect(!blake2b(got, sizeof got, counted, known[k].length, counted, 64));
        expect_bytes(got, wanted, sizeof got);
    }
    CASE("digest", "RFC 7693");
    read_digits("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
                wanted, sizeof wanted);
    expect(!blake2b(got, sizeof got, "abc", 3, NULL, 0));
    expect_bytes(got, wanted, sizeof got);
}

static void ours(void **state) {
    (void)state;
    static const struct {
        size_t length;
        const char *digest;
    } known[] = {
        {0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
        {3, "b316f3683ac87007461037a8ff6547de35618800044bb3a4e98b3560c92c3794"},
        {128, "14696d2a98d9f8a280da8b132b1045b345e1033759c6b02fcc4ee885c8ae7c37"},
        {1000, "6ac4bea923678eb024090384d6e767b5870f849057dc19b172d8d9f2df30bf8e"},
    };
    unsigned char bytes[1000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (size_t piece = 1; piece <= 1000; piece += piece) {
            char text[WW__DIGEST_TEXT];
            ww__digest d;
            CASE("digest", "n=%zu in pieces of %zu", known[k].length, piece);
            ww__digest_begin(&d);
            for (size_t at = 0; at < known[k].length; at += piece)
                ww__digest_add(&d, bytes + at, piece < known[k].length - at ? piece : known[k].length - at);
            ww__digest_end_text(&d, text);
            expect(!strcmp(text, known[k].digest));
        }
    CASE("digest", "texts end");
    char one[WW__DIGEST_TEXT], other[WW__DIGEST_TEXT];
    ww__digest d, e;
    ww__digest_begin(&d);
    ww__digest_add_text(&d, "ab");
    ww__digest_add_text(&d, "c");
    ww__digest_end_text(&d, one);
    ww__digest_begin(&e);
    ww__digest_add_text(&e, "a");
    ww__digest_add_text(&e, "bc");
    ww__digest_end_text(&e, other);
    expect(strcmp(one, other) != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(authors_values), cmocka_unit_test(ours)};
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}

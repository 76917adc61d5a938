/* Finding patterns: one, of several lengths in English, DNA and random bytes; many at once; nearly. A row has five patterns,
 * which are parts of the text, and is measured with each of them in turn. The base is the rate at which the library reads: its
 * own sum of the same bytes, as u64 (the first row has it as u32 and u8, too). */
#include "measuring/bench.h"
#include "studies/text_study.h"

enum { CHARACTERS = 100000000 };

/* clang-format off */
#define FIND(title, kind, m, ratio) \
    {.name = "find in " title ", " #m " bytes", .call = "ww_find", .make = text_find_make, .run = text_find_run, \
     .right = text_find_right, .bytes = 1, .element = 1, .usual = CHARACTERS, .turns = TEXT_TURNS, .peer = "find", \
     .parameter = TEXT_ROW(kind, m, 0), .base_call = "ww_reduce(ww_add) of the same bytes as u64", .base = text_read_run, \
     .target = {AGAINST_BASE, ratio, 0}}
#define MANY(count) \
    {.name = "find " #count " literals of 8 to 32 bytes", .call = "ww_find_many", .make = text_many_make, .run = text_many_run, \
     .right = text_many_right, .end = text_many_end, .bytes = 1, .element = 1, .usual = CHARACTERS, .peer = "find many", \
     .parameter = TEXT_ROW(TEXT_ENGLISH, count, 0), .base_call = "ww_reduce(ww_add) of the same bytes as u64", \
     .base = text_read_run}
#define NEAR(title, kind, m, most) \
    {.name = "find in " title ", " #m " bytes but " #most, .call = "ww_find_near", .make = text_near_make, \
     .run = text_near_run, .right = text_near_right, .bytes = 1, .element = 1, .usual = CHARACTERS, .turns = 2, \
     .parameter = TEXT_ROW(kind, m, most), .base_call = "ww_reduce(ww_add) of the same bytes as u64", .base = text_read_run}

static const bench_row rows[] = {
    {.name = "read of a text", .call = "ww_reduce(ww_add) as u64", .make = text_find_make, .run = text_read_run,
     .right = text_find_right, .bytes = 1, .element = 1, .usual = CHARACTERS, .parameter = TEXT_ROW(TEXT_RANDOM, 4, 1),
     .rivals = text_read_rivals, .rival_count = BENCH_COUNT(text_read_rivals)},
    FIND("English", TEXT_ENGLISH, 4, 0.45),
    FIND("English", TEXT_ENGLISH, 8, 0.5),
    FIND("English", TEXT_ENGLISH, 16, 0.5),
    FIND("English", TEXT_ENGLISH, 64, 0.55),
    FIND("English", TEXT_ENGLISH, 256, 1.2),
    FIND("English", TEXT_ENGLISH, 1024, 1.9),
    FIND("DNA", TEXT_DNA, 4, 0.38),
    FIND("DNA", TEXT_DNA, 8, 0.28),
    FIND("DNA", TEXT_DNA, 16, 0.28),
    FIND("DNA", TEXT_DNA, 64, 0.55),
    FIND("DNA", TEXT_DNA, 256, 1.2),
    FIND("DNA", TEXT_DNA, 1024, 1.9),
    FIND("random", TEXT_RANDOM, 4, 0.6),
    FIND("random", TEXT_RANDOM, 8, 0.6),
    FIND("random", TEXT_RANDOM, 16, 0.6),
    FIND("random", TEXT_RANDOM, 64, 0.55),
    FIND("random", TEXT_RANDOM, 256, 1.2),
    FIND("random", TEXT_RANDOM, 1024, 1.9),
    MANY(10),
    MANY(100),
    MANY(1000),
    MANY(10000),
    NEAR("English", TEXT_ENGLISH, 16, 1),
    NEAR("English", TEXT_ENGLISH, 16, 2),
    NEAR("English", TEXT_ENGLISH, 16, 4),
    NEAR("English", TEXT_ENGLISH, 32, 1),
    NEAR("English", TEXT_ENGLISH, 32, 2),
    NEAR("English", TEXT_ENGLISH, 32, 4),
    NEAR("DNA", TEXT_DNA, 16, 1),
    NEAR("DNA", TEXT_DNA, 16, 2),
    NEAR("DNA", TEXT_DNA, 16, 4),
    NEAR("DNA", TEXT_DNA, 32, 1),
    NEAR("DNA", TEXT_DNA, 32, 2),
    NEAR("DNA", TEXT_DNA, 32, 4),
};
/* clang-format on */

const bench_family family_text = {.name = "text",
                                  .title = "Text",
                                  .rows = rows,
                                  .count = BENCH_COUNT(rows),
                                  .studies = text_studies,
                                  .tables = text_tables};

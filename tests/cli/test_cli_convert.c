/* warpwise convert, run as people run it: text and CSV to arrays and back, sentences, and files that stay as they were. */
#include <stdio.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"bad.csv",    "empty",      "flat.csv",   "old.npy",
                                    "people.csv", "square.npy", "swapped.npy"};
enum { FILES = sizeof files / sizeof files[0] };

static void put_npy(const char *name, const char *type, const char *shape, const void *elements, size_t bytes) {
    char all[256];
    memset(all, ' ', sizeof all);
    memcpy(all, "\x93NUMPY\1\0\x76\0", 10);
    const int n = snprintf(all + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    all[10 + n] = ' ';
    all[127] = '\n';
    memcpy(all + 128, elements, bytes);
    file_put(name, all, 128 + bytes);
}

static int set_up(void **state) {
    (void)state;
    static const char people[] =
        "\xef\xbb\xbfname,age,\"we\"\"ight\"\r\n\"Ng, A\",41,70.5\r\n\"B\nC\",0,-2e-3\r\nd,255,\"1\"\r\n\r\n";
    static const char bad[] = "a,b,c\n1,,3\n4,x,300\n-5,1.5\n";
    static const unsigned char numbers[] = {1, 2, 3, 4, 5, 6};
    if (!commands_begin("cli-convert", located(WARPWISE_COMMAND), on_gpu() ? setting_name(0) : NULL)) return -1;
    file_put("people.csv", people, sizeof people - 1);
    file_put("bad.csv", bad, sizeof bad - 1);
    file_put("flat.csv", "1,2\n3,4\n", 8);
    file_put("empty", "", 0);
    put_npy("old.npy", "|u1", "(6,)", numbers, 6);
    put_npy("square.npy", "|u1", "(2, 3)", numbers, 6);
    put_npy("swapped.npy", ">u2", "(3,)", numbers, 6);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

static const command_line results[] = {
    {"\"$W\" convert --column=age --type=u8 people.csv - | od -An -tu1", 0, "  41   0 255\n", ""},
    {"\"$W\" convert --column=2 --type=u8 people.csv - | od -An -tu1", 0, "  41   0 255\n", ""},
    {"\"$W\" convert '--column=we\"ight' people.csv x.npy && \"$W\" convert x.npy x.txt && cat x.txt; rm x.npy x.txt",
     0, "70.5\n-0.002\n1\n", ""},
    {"\"$W\" convert --header=no --column=2 --type=i16 flat.csv - | od -An -td2", 0, "      2      4\n", ""},
    {"\"$W\" convert --header=yes --column=2 --type=i16 flat.csv - | od -An -td2", 0, "      4\n", ""},
    {"tr , '\\t' < flat.csv > x.tsv; \"$W\" convert --header=no --column=1 --to=text x.tsv -; rm x.tsv", 0, "1\n3\n",
     ""},
    {"tr , ';' < flat.csv | \"$W\" convert --from=csv --delimiter=';' --header=no --column=1 --to=text - -", 0,
     "1\n3\n", ""},
    {"\"$W\" convert --column=b --missing=-1 --to=text bad.csv - 2>/dev/null; \"$W\" convert --column=a --missing=nan --to=text "
     "flat.csv -",
     1, NULL, "row 1: none of its 2 columns is called 'a'"},
    {"printf 'v\\n1\\n\"\"\\n3' | \"$W\" convert --column=v --missing=nan --to=text - -", 0, "1\nnan\n3\n", ""},
    {"printf '1\\r\\n 2\\n3' | \"$W\" convert --type=u32 --from=text --to=text - -", 0, "1\n2\n3\n", ""},
    {"printf '1\\n\\n2\\n\\n' | \"$W\" convert --missing=7 --from=text --to=text - -", 0, "1\n7\n2\n", ""},
    {"printf '340282366920938463463374607431768211455\\n' | \"$W\" convert --type=u128 - - | od -An -tx1", 0,
     " ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff\n", ""},
    {"printf '0.1\\n1e23\\n3.4028234663852886e38\\n' | \"$W\" convert --type=f32 --from=text --to=text - -", 0,
     "0.1\n1e+23\n3.4028235e+38\n", ""},
    {"printf '0.1\\n-0\\n1e300\\n123456789.125\\nNaN\\n-inf' | \"$W\" convert --from=text --to=text - -", 0,
     "0.1\n-0\n1e+300\n123456789.125\nnan\n-inf\n", ""},
    {"\"$W\" convert old.npy -", 0, "1\n2\n3\n4\n5\n6\n", ""},
    {"cat old.npy | \"$W\" convert --from=npy - - ", 0, "1\n2\n3\n4\n5\n6\n", ""},
    {"\"$W\" convert --from=npy - - < old.npy", 0, "1\n2\n3\n4\n5\n6\n", ""},
    {"\"$W\" convert swapped.npy -", 0, "258\n772\n1286\n", ""},
    {"\"$W\" convert square.npy x.csv && cat x.csv; rm x.csv", 0, "1,2,3\n4,5,6\n", ""},
    {"\"$W\" convert square.npy x.tsv && cat x.tsv; rm x.tsv", 0, "1\t2\t3\n4\t5\t6\n", ""},
    {"\"$W\" convert square.npy x.npy && grep -ac '(2, 3)' x.npy; rm x.npy", 0, "1\n", ""},
    {"\"$W\" convert '--column=a,\"b' old.npy x.csv && head -n 2 x.csv; rm x.csv", 0, "\"a,\"\"b\"\n1\n", ""},
    {"\"$W\" convert old.npy x.bin && \"$W\" convert --type=u8 x.bin x.npy && cmp old.npy x.npy; rm x.bin x.npy", 0, "",
     ""},
    {"seq 5 | \"$W\" convert --type=u8 --to=npy - - | \"$W\" reduce --op=add -", 0, "15\n", ""},
    {"seq 5 > x.txt; \"$W\" convert --type=u8 x.txt x.txt && od -An -tu1 x.txt; rm x.txt", 0, NULL, ""},
    {": | \"$W\" convert --type=u8 - x.npy && \"$W\" convert x.npy -; rm x.npy", 0, "", ""},
    {"seq 100000 > a.txt; \"$W\" convert --type=i32 a.txt a.npy && \"$W\" convert a.npy b.txt && cmp a.txt b.txt; rm a.txt a.npy b.txt",
     0, "", ""},
    /* More than stays in memory. */
    {"seq 3000000 > a.txt; \"$W\" convert a.txt a.npy && \"$W\" convert a.npy b.txt && cmp a.txt b.txt; rm a.txt a.npy b.txt",
     0, "", ""},
    /* A million columns. */
    {"(seq -s, 1000000; seq -s, 2 1000001) | \"$W\" convert --column=1000000 --header=no --type=u32 --to=text - -", 0,
     "1000000\n1000001\n", ""},
    {"(seq -s, 1000000; seq -s, 2 1000001) | sed 's/^1,/x1,/;s/,1000000$/,last/' | \"$W\" convert --column=last --type=u32 --to=text - - "
     "",
     0, "1000001\n", ""},
    {"\"$W\" convert --time old.npy - | wc -l", 0, "6\n", "convert: 6 elements of u8 in "},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli convert", results);
    expect(files_in_folder() == FILES);
}

static const command_line refusals[] = {
    {"\"$W\" convert --column=b --type=u8 bad.csv x.npy", 1, "", "bad.csv: row 2, column 2 (b): is empty"},
    {"\"$W\" convert --column=b --missing=0 bad.csv x.npy", 1, "", "bad.csv: row 3, column 2 (b): 'x' is not a number"},
    {"\"$W\" convert --column=c --type=u8 bad.csv x.npy", 1, "",
     "bad.csv: row 3, column 3 (c): '300' is outside the range of u8"},
    {"\"$W\" convert --column=c bad.csv x.npy", 1, "", "bad.csv: row 4: has 2 fields, and row 1 has 3"},
    {"\"$W\" convert --column=a --type=u64 bad.csv x.npy", 1, "",
     "bad.csv: row 4, column 1 (a): '-5' is outside the range of u64"},
    {"\"$W\" convert --column=d bad.csv x.npy", 1, "", "bad.csv: row 1: none of its 3 columns is called 'd'"},
    {"\"$W\" convert --column=4 bad.csv x.npy", 1, "", "bad.csv: row 1: has 3 columns, and no column 4"},
    {"\"$W\" convert --column=2 flat.csv x.npy", 1, "", "flat.csv: row 1, column 2: '2' is a number: say --header=no"},
    {"printf 'a,a\\n1,2\\n' | \"$W\" convert --column=a - x.npy", 1, "", "columns 1 and 2 are both called 'a'"},
    {"printf 'a\\n\"1\\n' | \"$W\" convert --column=a - x.npy", 1, "",
     "row 2, column 1 (a): the file ends inside its quotes"},
    {"printf 'a\\n\"1\"2\\n' | \"$W\" convert --column=a - x.npy", 1, "", "row 2, column 1 (a): '2' follows the quote"},
    {"printf '1\\n2.5\\n' | \"$W\" convert --type=u8 - x.npy", 1, "",
     "line 2: '2.5' is not a whole number, and the type is u8"},
    {"printf '1\\n\\n2\\n' | \"$W\" convert - x.npy", 1, "", "standard input: line 2: is empty"},
    {"printf '9007199254740993\\n' | \"$W\" convert - x.npy", 1, "", "'9007199254740993' is not an f64, the default"},
    {"printf '1e999\\n' | \"$W\" convert - x.npy", 1, "", "line 1: '1e999' is outside the range of f64"},
    {"head -c 5000 /dev/zero | \"$W\" convert - x.npy", 1, "", "line 1: has more than 4096 bytes"},
    {"\"$W\" convert --column=a empty x.npy", 1, "", "empty: is empty, and has no header"},
    {"\"$W\" convert square.npy x.txt", 1, "", "square.npy: has 2 dimensions, and lines of text have one"},
    {"\"$W\" convert --column=a square.npy x.csv", 1, "",
     "square.npy: has rows, and --column=NAME is one column's name"},
    {"head -c 130 old.npy | \"$W\" convert --from=npy - x.txt", 1, "", "standard input: has 2 bytes of elements"},
    {"(cat old.npy; echo) | \"$W\" convert --from=npy - x.txt", 1, "", "standard input: has 7 bytes of elements"},
    {"printf 123 | \"$W\" convert --type=u16 - x.txt", 1, "",
     "has 3 bytes, which are 1 elements of 2 bytes and 1 bytes more"},
    {"\"$W\" convert missing.txt x.npy", 1, "", "missing.txt: cannot be opened: No such file"},
    {"\"$W\" convert . x.npy", 1, "", ".: cannot be read at byte 0: Is a directory"},
    {"\"$W\" convert missing.npz x.txt", 1, "", "missing.npz: "},
    {"cp old.npy x.npz; \"$W\" convert x.npz x.txt; s=$?; rm x.npz; exit $s", 1, "",
     "x.npz: is an archive of .npy files"},
    {"\"$W\" convert old.npy nowhere/x.txt", 1, "", "nowhere/x.txt: "},
    {"\"$W\" convert old.npy - > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" convert --type=rec:3 old.npy x.txt", 1, "", "old.npy: holds u8"},
    {"\"$W\" convert bad.csv x.npy", 2, "", "bad.csv is CSV: --column=NAME|N is missing"},
    {"\"$W\" convert --column=a old.npy x.txt", 2, "", "neither IN nor OUT is CSV"},
    {"\"$W\" convert --column=0 bad.csv x.npy", 2, "", "--column=0: columns count from 1"},
    {"\"$W\" convert --column=a --header=no bad.csv x.npy", 2, "", "--header=no says that there are none"},
    {"\"$W\" convert --column=a --delimiter=:: bad.csv x.npy", 2, "", "--delimiter=::: is not a single character"},
    {"\"$W\" convert --column=a --missing=x bad.csv x.npy", 2, "", "--missing=x: is not a number of type f64"},
    {"\"$W\" convert x.bin x.txt", 2, "", "x.bin is raw: --type=T is missing"},
    {"\"$W\" convert --to=raw x.txt x.npy", 2, "", "names that end in .npy are for --to=npy"},
    {"\"$W\" convert --to=npy x.txt x.bin", 2, "", ".npy is written only to names that end in .npy"},
    {"\"$W\" convert --from=xls a b", 2, "", "--from=xls: is not one of csv, text, npy, raw"},
    {"\"$W\" convert a", 2, "", "the file OUT is missing"},
};

static void refused(void **state) {
    (void)state;
    CHECK_COMMANDS("cli convert", refusals);
    expect(files_in_folder() == FILES);
}

/* What stood there stays until the new file is whole, and keeps its permissions then. */
static void outputs(void **state) {
    static const command_line lines[] = {
        {"cp old.npy x.npy; \"$W\" convert --column=c bad.csv x.npy 2>/dev/null; cmp x.npy old.npy; rm x.npy", 0, "",
         ""},
        {"cp old.npy x.npy; chmod 640 x.npy; \"$W\" convert --column=age people.csv x.npy && stat -c %a x.npy; rm x.npy",
         0, "640\n", ""},
        {"seq 3000000 > t.txt; (ulimit -f 4000; GCOV_PREFIX=/nonexistent \"$W\" convert t.txt x.npy 2>e; echo $?; grep -c 'File too large' e); rm -f e t.txt; ls | grep -c x.npy",
         1, "1\n1\n0\n", ""},
        {"(echo 1; sleep 5) | timeout -s TERM 0.5 \"$W\" convert - x.npy; ls -A | grep -c 'warp\\|x.npy'", 1, "0\n",
         ""},
    };
    (void)state;
    CHECK_COMMANDS("cli convert", lines);
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_results), cmocka_unit_test(refused),
                                       cmocka_unit_test(outputs)};
    return cmocka_run_group_tests_name("cli convert", tests, set_up, tear_down);
}
#endif

/* warpwise unique, top, merge, gather, join and sort --index-out, beside plain loops on the same arrays; what they refuse. */
#include <stdio.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"bytes", "floats", "keys.npy", "none", "records", "rising", "words"};
enum { FILES = sizeof files / sizeof files[0] };

static int set_up(void **state) {
    (void)state;
    const char *device_name = on_gpu() ? setting_name(0) : NULL;
    if (!commands_begin("cli-arrays", located(WARPWISE_COMMAND), device_name)) return -1;
    static const uint32_t words[] = {5, 1, 4, 1, 3};
    static const float floats[] = {-1.0f, -0.0f, 0.0f, 2.5f};
    ww_device *device;
    if (ww_open("cpu:threads=1", &device)) return -1;
    file_put("bytes", "\5\0\377\3", 4);
    file_put("floats", floats, sizeof floats);
    file_put("none", "", 0);
    file_put("records", "aabbaa", 6);
    file_put("rising", "\1\1\2\3\5\5\5", 7);
    file_put("words", words, sizeof words);
    const bool bad = ww_file_write(device, "keys.npy", ww_memory((uint32_t *)words, 5)) != WW_OK;
    ww_close(device);
    return bad;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

#define NUMBERS " | od -An -v -tu1 -w20"
static const command_line results[] = {
    {"\"$W\" unique --type=u8 rising -" NUMBERS, 0, "   1   2   3   5\n", ""},
    {"\"$W\" unique --type=u8 --counts=c rising - >o && od -An -tu8 -w32 c | tr -s ' '; rm c o", 0, " 2 1 1 3\n", ""},
    {"\"$W\" unique --type=f32 floats - | wc -c", 0, "16\n", ""},
    {"\"$W\" unique --type=rec:2 records -", 0, "aabbaa", ""},
    {"\"$W\" unique --type=rec:1 --counts=c records - && od -An -tu8 -w24 c | tr -s ' '; rm c", 0, "aba 2 2 2\n", ""},
    {"\"$W\" unique --type=u64 --counts=c none - && wc -c <c; rm c", 0, "0\n", ""},

    {"\"$W\" top -k 2 --type=u8 bytes -" NUMBERS, 0, "   0   3\n", ""},
    {"\"$W\" top -k 2 --largest --type=i8 bytes - | od -An -td1 -w20", 0, "    5    3\n", ""},
    {"\"$W\" top -k 3 --index-out=i --type=u32 words - | od -An -tu4 -w20 | tr -s ' ' && od -An -tu8 -w24 i | tr -s ' '; rm i",
     0, " 1 1 3\n 1 3 4\n", ""},
    {"\"$W\" top -k 99 keys.npy - | od -An -tu4 -w20 | tr -s ' '", 0, " 1 1 3 4 5\n", ""},
    {"\"$W\" top -k 0 --type=u8 bytes - | wc -c", 0, "0\n", ""},
    {"\"$W\" top -k 1 --type=f32 floats - | od -An -tf4 | tr -d ' '", 0, "-1\n", ""},

    {"\"$W\" merge --type=u8 rising rising -" NUMBERS, 0, "   1   1   1   1   2   2   3   3   5   5   5   5   5   5\n",
     ""},
    {"\"$W\" merge --type=u8 none rising -" NUMBERS, 0, "   1   1   2   3   5   5   5\n", ""},
    {"\"$W\" merge --type=u8 none none - | wc -c", 0, "0\n", ""},
    {"\"$W\" merge --type=f32 floats floats - | wc -c", 0, "32\n", ""},
    {"cp rising same && \"$W\" merge --type=u8 same rising same && wc -c <same; rm same", 0, "14\n", ""},

    {"printf '\\3\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather --type=u8 bytes - -" NUMBERS, 0, "   3\n", ""},
    {"printf '\\2\\0\\0\\0\\2\\0\\0\\0' | \"$W\" gather --index-type=u32 --type=rec:2 records - -", 0, "aaaa", ""},
    {"printf '\\2\\0\\0\\0\\2\\0\\0\\0' | \"$W\" gather --index-type=i32 --type=rec:2 records - -", 0, "aaaa", ""},
    {"printf '\\2\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather --index-type=i64 --type=rec:2 records - -", 0, "aa", ""},
    {"printf '\\1\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather keys.npy - o.npy && \"$W\" reduce --op=add o.npy; rm o.npy", 0,
     "1\n", ""},
    {"\"$W\" gather --type=u8 bytes none - | wc -c", 0, "0\n", ""},
    {"\"$W\" gather --type=u8 none none - | wc -c", 0, "0\n", ""},

    {"\"$W\" join --type=u8 bytes rising a b && od -An -tu8 -w40 a b | tr -s ' '; rm a b", 0, " 0 0 0 3 4\n 5 6 3\n",
     ""},
    {"\"$W\" join --type=u8 rising none a b && cat a b | wc -c; rm a b", 0, "0\n", ""},
    {"\"$W\" join --type=u8 none rising a b && cat a b | wc -c; rm a b", 0, "0\n", ""},
    {"\"$W\" join --type=f32 floats floats a b && cmp a b && wc -c <a; rm a b", 0, "32\n", ""},

    {"\"$W\" sort --type=u32 --index-out=i words - | od -An -tu4 -w20 | tr -s ' ' && od -An -tu8 -w40 i | tr -s ' '; rm i",
     0, " 1 1 3 4 5\n 1 3 4 2 0\n", ""},
    {"\"$W\" sort --type=rec:2 --key=0:1 --descending --index-out=i records - && od -An -tu8 -w24 i | tr -s ' '; rm i",
     0, "bbaaaa 1 0 2\n", ""},
};

static const command_line refusals[] = {
    {"\"$W\" unique --type=u8 bytes x", 1, "", "bytes: is not sorted: element 1 (0) is below the one before it (5)"},
    {"\"$W\" unique keys.npy x", 1, "", "keys.npy: is not sorted: element 1 (1)"},
    {"\"$W\" unique --type=u8 --counts=./x bytes x", 2, "", "OUT and --counts are the same file"},
    {"\"$W\" unique bytes x", 2, "", "--type"},
    {"\"$W\" unique --type=u8 bytes", 2, "", "the file OUT is missing"},
    {"\"$W\" top --type=u8 bytes x", 2, "", "-k N is missing"},
    {"\"$W\" top -k -1 --type=u8 bytes x", 2, "", "is not a number of elements"},
    {"\"$W\" top -k 1.5 --type=u8 bytes x", 2, "", "is not a number of elements"},
    {"\"$W\" top -k 1 --type=rec:2 records x", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" top -k 1 --index-out=x --type=u8 bytes x", 2, "", "OUT and --index-out are the same file"},
    {"\"$W\" merge --type=u8 rising bytes x", 1, "", "bytes: is not sorted: element 1"},
    {"printf '\\0\\0\\0\\0\\0\\0\\0\\200' > f; \"$W\" merge --type=f32 f f x; S=$?; rm f; exit $S", 1, "",
     "f: is not sorted: element 1 (-0) is below the one before it (0)"},
    {"\"$W\" merge --type=rec:2 records records x", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" merge --type=u16 keys.npy rising x", 1, "", "keys.npy: holds u32 of 4 bytes"},
    {"\"$W\" merge --type=u8 rising rising x y", 2, "", "'y' is one file too many: merge takes A, B and OUT"},
    {"\"$W\" merge --type=u8 - - x", 2, "", "only one of A and B can be standard input"},
    {"printf '\\4\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather --type=u8 bytes - x", 1, "",
     "-: index[0] is 4, and there are 4 elements"},
    {"\"$W\" gather --index-type=i16 --type=u8 bytes words x", 2, "",
     "--index-type=i16: is not one of u64, u32, i64, i32"},
    {"printf '\\1\\0\\0\\0\\377\\377\\377\\377' | \"$W\" gather --index-type=i32 --type=rec:2 records - x", 1, "",
     "-1"},
    {"\"$W\" gather --type=u8 bytes words x", 1, "", "words"},
    {"\"$W\" gather --type=u8 - - x", 2, "", "only one of IN and INDEX can be standard input"},
    {"\"$W\" join --type=u8 bytes rising x ./x", 2, "", "both positions would go to one file"},
    {"\"$W\" join --type=rec:2 records records x y", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" join --type=u8 bytes rising x", 2, "", "the file B-INDEX-OUT is missing"},
    {"\"$W\" sort --type=u8 --index-out=x bytes x", 2, "", "--index-out and another output are the same file"},
    {"\"$W\" sort --type=u8 --values=bytes --values-out=v --index-out=./v bytes x", 2, "",
     "--index-out and another output"},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli arrays", results);
    expect(files_in_folder() == FILES);
}

static void refused(void **state) {
    (void)state;
    if (on_gpu()) {
        left_out("on a GPU: files and arguments are looked at before");
        return;
    }
    CHECK_COMMANDS("cli arrays", refusals);
    expect(files_in_folder() == FILES);
}

/* ---- larger arrays ---- */

enum { A = 1000, B = 700 };

static int rising(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void put_numbers(const char *name, const uint64_t *x, size_t n) { file_put(name, x, 8 * n); }

/* Writes as files what the commands are to give. */
static void put_wanted(const uint64_t *a, const uint64_t *b, uint64_t *rooms) {
    uint64_t *merged = rooms, *distinct = rooms + (A + B), *counts = distinct + (A + B), *from_a = counts + (A + B);
    uint64_t *from_b = from_a + A * B;
    size_t kinds = 0, pairs = 0;
    memcpy(merged, a, 8 * A);
    memcpy(merged + A, b, 8 * B);
    qsort(merged, A + B, 8, rising);
    for (size_t i = 0; i < A + B; i++) {
        if (!i || merged[i] != merged[i - 1]) distinct[kinds] = merged[i], counts[kinds++] = 0;
        counts[kinds - 1]++;
    }
    for (size_t i = 0; i < A; i++)
        for (size_t k = 0; k < B; k++)
            if (a[i] == b[k]) from_a[pairs] = i, from_b[pairs++] = k;
    put_numbers("wm", merged, A + B);
    put_numbers("wu", distinct, kinds);
    put_numbers("wc", counts, kinds);
    put_numbers("wa", from_a, pairs);
    put_numbers("wb", from_b, pairs);
}

/* Each kind of data is drawn from so many numbers. */
static void beside_loops(void **state) {
    (void)state;
    static const uint64_t kinds[] = {1, 3, 100, 5000, UINT64_MAX};
    static const char *const outputs[] = {"a",  "b", "wm", "wu", "wc", "wa", "wb", "sa",
                                          "sb", "m", "u",  "c",  "ia", "ib", "ka", "kb"};
    uint64_t *a = malloc(8 * A), *b = malloc(8 * B), *rooms = malloc(8 * (3 * (A + B) + 2 * A * B)),
             random = seed_of_run();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k += on_emulator() ? 2 : 1) {
        const command_line l = {
            "\"$W\" sort --type=u64 a sa && \"$W\" sort --type=u64 b sb && \"$W\" merge --type=u64 sa sb m && "
            "\"$W\" unique --type=u64 --counts=c m u && \"$W\" join --type=u64 a b ia ib && "
            "cmp m wm && cmp u wu && cmp c wc && cmp ia wa && cmp ib wb && "
            "\"$W\" sort --type=u64 --index-out=ia a ka && \"$W\" gather --type=u64 a ia kb && cmp ka sa && "
            "cmp kb sa && \"$W\" top -k 300 --type=u64 --index-out=ib a ka && head -c 2400 sa | cmp ka - && "
            "head -c 2400 ia | cmp ib -",
            0, "", ""};
        for (size_t i = 0; i < A; i++) a[i] = random_next(&random) % kinds[k];
        for (size_t i = 0; i < B; i++) b[i] = random_next(&random) % kinds[k];
        put_numbers("a", a, A);
        put_numbers("b", b, B);
        put_wanted(a, b, rooms);
        CHECK_COMMAND("cli arrays", &l);
        for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) unlink(outputs[i]);
    }
    expect(files_in_folder() == FILES);
    free(a), free(b), free(rooms);
}

/* ---- shapes, pipes, reductions ---- */

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

#define ONE_ROW "has the shape (3, 2), and "
static const command_line shape_lines[] = {
    {"\"$W\" gather m.npy i.npy o.npy && grep -ac '(2, 2)' o.npy && \"$W\" convert o.npy - --to=csv; rm o.npy", 0,
     "1\n5,6\n1,2\n", ""},
    {"\"$W\" gather m.npy ii.npy o.npy && grep -ac '(1, 2, 2)' o.npy && tail -c 4 o.npy" NUMBERS "; rm o.npy", 0,
     "1\n   3   4   3   4\n", ""},
    {"\"$W\" gather bytes ii.npy --type=u8 o.npy && grep -ac '(1, 2)' o.npy; rm o.npy", 0, "1\n", ""},
    {"\"$W\" gather m.npy i.npy - | od -An -tu1", 0, "   5   6   1   2\n", ""},
    {"\"$W\" reduce --op=add m.npy; \"$W\" histogram --bins=1 --range=0:9 m.npy", 0, "21\n0 9 6\n", ""},
    {"\"$W\" sort m.npy o.npy", 1, "", "m.npy: " ONE_ROW "sort takes one dimension"},
    {"\"$W\" sort --memory=64M m.npy o.npy", 1, "", "m.npy: " ONE_ROW "sort takes one dimension"},
    {"\"$W\" sort --memory=64M --out-type=npy - - < m.npy", 1, "", "standard input: " ONE_ROW "sort"},
    {"\"$W\" reduce --op=max - < m.npy; \"$W\" histogram --bins=1 --range=0:9 - < m.npy", 0, "6\n0 9 6\n", ""},
    {"\"$W\" scan --op=add m.npy o.npy", 1, "", "m.npy: " ONE_ROW "scan"},
    {"\"$W\" top -k 1 - o.npy < m.npy", 1, "", "standard input: " ONE_ROW "top"},
    {"\"$W\" unique m.npy o.npy", 1, "", ONE_ROW "unique"},
    {"\"$W\" merge m.npy m.npy o.npy", 1, "", ONE_ROW "merge"},
    {"\"$W\" join m.npy m.npy o.npy p.npy", 1, "", ONE_ROW "join"},
    {"\"$W\" pack --flags=m.npy m.npy o.npy", 1, "", ONE_ROW "pack"},
    {"\"$W\" split --buckets=2 --by=bits:0:1 m.npy o.npy", 1, "", ONE_ROW "split"},
    {"cp m.npy x.npz; \"$W\" sort x.npz o.npy; s=$?; rm x.npz; exit $s", 1, "",
     "x.npz: is an archive of .npy files (.npz): unzip it"},
    {"cp m.npy x.npz; for c in 'reduce --op=add x.npz' 'histogram --bins=1 --range=0:9 x.npz' 'top -k 1 x.npz o.npy' 'sort "
     "--memory=64M x.npz o.npy'; do \"$W\" $c 2>&1; done | grep -c 'x.npz: is an archive'; rm x.npz",
     0, "4\n", ""},
    {"\"$W\" sort --memory=64M --out-type=npy keys.npy - | cmp - sorted.npy && \"$W\" sort --memory=64M --out-type=npy - - < keys.npy | cmp - "
     "sorted.npy && cat keys.npy | \"$W\" sort --memory=64M - - --out-type=npy | cmp - sorted.npy",
     0, "", ""},
    {"tail -c 20 keys.npy | \"$W\" sort --type=u32 --memory=64M --out-type=npy - - | cmp - sorted.npy", 0, "", ""},
    {"\"$W\" sort --out-type=npy keys.npy - | \"$W\" top --out-type=npy -k 3 --largest - - | \"$W\" reduce --op=add -",
     0, "12\n", ""},
    {"\"$W\" sort --out-type=raw keys.npy - | wc -c", 0, "20\n", ""},
    {"\"$W\" sort --out-type=xml keys.npy -", 2, "", "--out-type=xml: is neither npy nor raw"},
    {"printf '1\\n2\\n' | \"$W\" convert --out-type=npy --type=u8 - - | \"$W\" reduce --op=max -", 0, "2\n", ""},
    {"\"$W\" reduce --op=min,max,sum,mean keys.npy", 0, "min 1\nmax 5\nsum 14\nmean 2.8\n", ""},
    {"\"$W\" reduce --op=mean keys.npy; \"$W\" reduce --op=sum keys.npy; \"$W\" reduce --op=add,mul keys.npy", 0,
     "2.8\n14\nadd 14\nmul 60\n", ""},
    {"\"$W\" reduce --op=add --type=u8 bytes; \"$W\" reduce --op=add --as=u64 --type=u8 bytes; \"$W\" reduce --op=add --as=i32 --type=i8 bytes",
     0, "7\n263\n7\n", ""},
    {"\"$W\" reduce --op=mean --type=u8 bytes; \"$W\" reduce --op=mean --type=i8 bytes; \"$W\" reduce --op=mean --as=f32 --type=i8 bytes",
     0, "65.75\n1.75\n1.75\n", ""},
    {"\"$W\" reduce --op=max,mean --as=i8 --type=u8 bytes", 0, "max 5\nmean 1.75\n", ""},
    {"\"$W\" reduce --op=min,sum,mean --type=f32 floats", 0, "min -1\nsum 1.5\nmean 0.375\n", ""},
    {"\"$W\" reduce --op=mean --type=f32 none", 0, "nan\n", "none is empty; the value is not a number"},
    {"\"$W\" reduce --op=min,median keys.npy", 2, "", "--op=median: is not one of add, min, max, mul, mean"},
    {"\"$W\" reduce --op=add --as=rec:4 keys.npy", 2, "", "--as=rec:4: is not one of u8"},
    {"\"$W\" reduce --op=add,min,add keys.npy", 2, "", "--op=add,min,add: has add twice"},
    {"\"$W\" reduce --op=add,sum,min,max,mul,mean,max keys.npy", 2, "", "has max twice"},
    {"\"$W\" reduce keys.npy", 2, "", "--op=add|min|max|mul|mean is missing"},
};

static void shapes(void **state) {
    static const uint64_t order[] = {2, 0}, same[] = {1, 1};
    (void)state;
    put_npy("m.npy", "|u1", "(3, 2)", "\1\2\3\4\5\6", 6);
    put_npy("i.npy", "<u8", "(2,)", order, sizeof order);
    put_npy("ii.npy", "<u8", "(1, 2)", same, sizeof same);
    expect(command_run("\"$W\" sort keys.npy sorted.npy") == 0);
    CHECK_COMMANDS("cli arrays", shape_lines);
    unlink("m.npy"), unlink("i.npy"), unlink("ii.npy"), unlink("sorted.npy");
    expect(files_in_folder() == FILES);
}

/* Several at once are what each is alone, also of arrays that are taken in parts. */
static void together(void **state) {
    enum { N = 4500000 }; /* more than a piece */
    static const char *const types[] = {"u8", "i16", "u32", "i64", "f32", "f64"};
    (void)state;
    if (on_gpu() && left_out_on_gpu("parts are the CPU's")) return;
    uint64_t random = seed_of_run();
    const size_t n = tests_one_in() > 3 ? N / 30 : N;
    double *numbers = need(n * sizeof *numbers);
    for (size_t i = 0; i < n; i++) numbers[i] = (double)(random_next(&random) % 1000) / 8 - 50;
    file_put("large", numbers, n * sizeof *numbers);
    free(numbers);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        char line[600];
        snprintf(
            line, sizeof line,
            "\"$W\" reduce --op=add,min,max,mul,mean --type=%s large > o; for op in add min max mul mean; do echo $op $(\"$W\" "
            "reduce --op=$op --type=%s large); done | cmp o -; rm o",
            types[t], types[t]);
        const command_line l = {line, 0, "", ""};
        CHECK_COMMAND("cli arrays", &l);
    }
    unlink("large");
    expect(files_in_folder() == FILES);
}

/* Floats that come in pieces are added with the brackets of the whole, which have levels: tiles of 4096 f32 or 2048 f64, tiles of
 * as many tiles. */
static void as_a_whole(void **state) {
    enum { TILE = 4096, MOST = TILE * TILE + 1, FEW = 3 * TILE };
    static const uint64_t counts[] = {1,        TILE - 1,     TILE,         TILE + 1, FEW - 5,
                                      MOST / 4, MOST / 4 + 1, MOST / 2 + 7, MOST - 1, MOST};
    static const struct {
        const char *name;
        const ww_type *type, *as;
    } types[] = {{"f32", &ww_type_float, &ww_type_float},
                 {"f32", &ww_type_float, &ww_type_double},
                 {"f64", &ww_type_double, &ww_type_double},
                 {"f64", &ww_type_double, &ww_type_float},
                 {"i16", &ww_type_int16_t, &ww_type_float}};
    (void)state;
    uint64_t random = seed_of_run();
    const uint64_t most = on_gpu() || tests_one_in() > 3 ? FEW : MOST;
    float *numbers = need(most * sizeof *numbers);
    ww_device *device;
    for (size_t i = 0; i < most; i++) numbers[i] = (float)(random_next(&random) % 1000) / 7 - 50;
    file_put("large", numbers, most * sizeof *numbers);
    assert_int_equal(ww_open("cpu:threads=2", &device), WW_OK);
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= most; c++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            char line[200];
            float sum;
            double wide;
            const uint64_t n = counts[c] * sizeof(float) / types[t].type->size;
            const bool is_float = types[t].as == &ww_type_float;
            CASE("cli arrays", "%llu of %s added as %s seed=%llu", (unsigned long long)n, types[t].name,
                 types[t].as->label, (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            const ww_input in = ww_cast(types[t].as, ww_memory_of(numbers, n, types[t].type));
            const ww_array out = is_float ? ww_array(&sum, 1) : ww_array(&wide, 1);
            expect_status(device, ww_reduce(device, &ww_add, in, out), WW_OK);
            snprintf(line, sizeof line, "head -c %llu large | \"$W\" reduce --op=add,max --type=%s --as=%s -",
                     (unsigned long long)(n * types[t].type->size), types[t].name, is_float ? "f32" : "f64");
            expect(command_run(line) == 0 && strncmp(command_out, "add ", 4) == 0);
            expect(is_float ? strtof(command_out + 4, NULL) == sum : strtod(command_out + 4, NULL) == wide);
        }
    }
    ww_close(device);
    free(numbers);
    unlink("large");
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),        cmocka_unit_test(together), cmocka_unit_test(as_a_whole),
        cmocka_unit_test(right_results), cmocka_unit_test(refused),  cmocka_unit_test(beside_loops),
    };
    return cmocka_run_group_tests_name("cli arrays", tests, set_up, tear_down);
}
#endif

/* Kernel packs: what was written is found, and for GPUs that run it only; a file that is cut short, changed or of
 * another maker is not taken; with a pack, calls need no compiler. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu/gpu.h"
#include "device/gpu/pack.h"
#include "device/gpu/pack_format.h"
#include "device/gpu/unpack.h"
#include "kernel-pack/compile_only.h"
#include "kernel-pack/squeeze.h"
#include "kernel-pack/writer.h"
#include "support/cases.h"

static char folder[200], path[240];

static void begin(void) {
    expect(folder_make(folder, sizeof folder, "pack"));
    snprintf(path, sizeof path, "%s/kernels.pack", folder);
}

static void end(void) {
    unlink(path);
    expect(!rmdir(folder));
}

/* ---- the file ---- */

static const char maker[] = "warpwise test";
static const char *const sources[] = {"a program", "another program"};

/* The code that stands for a program: its bytes are its own, and PTX ends with a 0. */
enum { CODE = 300 };
static void make_code(unsigned char *code, size_t source, uint32_t architecture) {
    for (size_t i = 0; i < CODE; i++) code[i] = (unsigned char)(i % 7 ? i * (source + 3) : architecture);
    code[CODE - 1] = 0;
}

static const struct {
    size_t source;
    uint32_t architecture;
    ww__pack_kind kind;
} made[] = {{0, 75, WW__PACK_PTX},
            {0, 80, WW__PACK_MACHINE_CODE},
            {0, 90, WW__PACK_MACHINE_CODE},
            {1, 86, WW__PACK_MACHINE_CODE}};
enum { MADE = sizeof made / sizeof *made };

static uint64_t write_pack(void) {
    uint64_t bytes = 0;
    pack_writer *w = pack_writer_new(maker);
    expect(w != NULL);
    for (size_t i = 0; i < MADE; i++) {
        unsigned char code[CODE];
        make_code(code, made[i].source, made[i].architecture);
        const ww__code c = {code, CODE};
        expect(pack_writer_add(w, sources[made[i].source], made[i].architecture, made[i].kind, &c));
    }
    expect(pack_writer_save(w, path, false, &bytes));
    pack_writer_free(w);
    return bytes;
}

static ww__pack *open_pack(const char *by, ww_status *status) {
    char why[512];
    ww__pack *pack = ww__pack_open(path, by, status, why, sizeof why);
    expect(!pack == (*status != WW_OK) && !pack == (*why != 0));
    return pack;
}

/* Whether there is a program, which then must be the one that was made for architecture `of`. */
static bool found(const ww__pack *pack, size_t source, uint32_t architecture, uint32_t of) {
    unsigned char wanted[CODE];
    ww__code code;
    if (!ww__pack_find(pack, architecture, sources[source], &code)) return false;
    make_code(wanted, source, of);
    expect(code.size == CODE);
    expect_bytes(code.bytes, wanted, CODE);
    free(code.bytes);
    return true;
}

static void written_and_found(void **state) {
    (void)state;
    static const uint32_t fits[][3] = {/* a GPU, which code it gets of each program */
                                       {70, 0, 0},  {75, 75, 0},  {80, 80, 0},  {86, 80, 86}, {89, 80, 86},
                                       {90, 90, 0}, {100, 75, 0}, {103, 75, 0}, {120, 75, 0}};
    ww_status status;
    ww__code code;
    begin();
    struct stat s;
    const uint64_t bytes = write_pack();
    expect(!stat(path, &s) && (uint64_t)s.st_size == bytes);
    ww__pack *pack = open_pack(maker, &status);
    expect(pack != NULL);
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++) {
        CASE("pack", "sm_%u", fits[f][0]);
        uint64_t programs = 0;
        for (size_t source = 0; source < 2; source++) {
            const uint32_t of = fits[f][1 + source];
            expect(found(pack, source, fits[f][0], of) == (of != 0));
            programs += of != 0;
        }
        expect(ww__pack_programs(pack, fits[f][0]) == programs);
    }
    expect(!ww__pack_find(pack, 90, "no program", &code));
    expect(!ww__pack_find(pack, 90, "", &code));
    expect(!ww__pack_find(NULL, 90, sources[0], &code));
    ww__pack_close(pack);
    end();
}

static void entries(void **state) {
    (void)state;
    ww_status status;
    ww__pack_program program;
    ww__code code;
    char *source;
    size_t i = 0;
    begin();
    write_pack();
    ww__pack *pack = open_pack(NULL, &status);
    for (; ww__pack_entry(pack, i, &program, &source, &code); i++) {
        unsigned char wanted[CODE];
        const size_t which = strcmp(source, sources[0]) != 0;
        expect(!strcmp(source, sources[which]) && code.size == CODE);
        make_code(wanted, which, program.architecture);
        expect_bytes(code.bytes, wanted, CODE);
        free(source);
        free(code.bytes);
    }
    expect(i == MADE && ww__pack_entries(pack) == MADE && !code.bytes);
    ww__pack_close(pack);
    end();
}

static void not_taken(void **state) {
    (void)state;
    ww_status status;
    begin();
    expect(!open_pack(maker, &status) && status == WW_FILE);
    write_pack();
    expect(!open_pack("warpwise tes", &status) && status == WW_FORMAT);
    expect(!open_pack("warpwise test2", &status) && status == WW_FORMAT);
    unlink(path);
    expect(!mkdir(path, 0700));
    expect(!open_pack(maker, &status) && status == WW_FILE);
    rmdir(path);
    expect(!mkfifo(path, 0600)); /* does not wait for a writer */
    expect(!open_pack(maker, &status) && status == WW_FILE);
    end();
}

/* Another magic number or version is refused, though the sum is right, and so are programs of more than 64 MiB. */
static void other_formats(void **state) {
    (void)state;
    begin();
    unsigned char bytes[8192];
    for (int what = 0; what < 5; what++) {
        ww__pack_head head;
        ww__pack_program program;
        ww_status status;
        write_pack();
        FILE *f = fopen(path, "r+b");
        expect(f != NULL);
        const size_t whole = fread(bytes, 1, sizeof bytes, f);
        expect(whole > sizeof head && whole < sizeof bytes);
        memcpy(&head, bytes, sizeof head);
        head.magic += what == 1, head.version += what == 2, head.sum = 0;
        memcpy(bytes, &head, sizeof head);
        unsigned char *const first = bytes + sizeof head + head.sources * sizeof(ww__pack_source);
        memcpy(&program, first, sizeof program);
        if (what >= 3) program.bytes = ((uint64_t)64 << 20) + (what == 4);
        memcpy(first, &program, sizeof program);
        const size_t data = sizeof head + head.sources * sizeof(ww__pack_source) +
                            head.programs * sizeof(ww__pack_program) + head.maker_bytes;
        head.sum = ww__pack_hash(WW__PACK_HASH_BEGIN, bytes, data);
        rewind(f);
        memcpy(bytes, &head, sizeof head);
        expect(fwrite(bytes, whole, 1, f) == 1 && !fclose(f));
        ww__pack *pack = open_pack(maker, &status);
        expect(status == (what && what != 3 ? WW_FORMAT : WW_OK));
        ww__pack_close(pack);
    }
    end();
}

/* All programs of the pack that are found as they were made. */
static size_t count_found(void) {
    ww_status status;
    size_t many = 0;
    ww__pack *pack = open_pack(maker, &status);
    for (size_t i = 0; pack && i < MADE; i++)
        many += found(pack, made[i].source, made[i].architecture, made[i].architecture);
    ww__pack_close(pack);
    return many;
}

static void put_byte(long at, int flip) {
    FILE *f = fopen(path, "r+b");
    expect(f != NULL);
    fseek(f, at, SEEK_SET);
    const int old = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(old ^ flip, f);
    fclose(f);
}

static void damage(void **state) {
    (void)state;
    begin();
    const long bytes = (long)write_pack();
    expect(count_found() == MADE);
    for (long at = 0; at < bytes; at++)
        for (int flip = 1; flip < 256; flip = flip * 16 + 15) {
            put_byte(at, flip);
            expect(count_found() < MADE);
            put_byte(at, flip);
        }
    expect(count_found() == MADE);
    FILE *f = fopen(path, "ab");
    expect(f && fputc(0, f) == 0 && !fclose(f));
    expect(count_found() == 0);
    for (long length = bytes - 1; length >= 0; length--) {
        expect(!truncate(path, length));
        expect(count_found() == 0);
    }
    end();
}

/* The file is cut short when it is open already. */
static void cut_while_open(void **state) {
    (void)state;
    ww_status status;
    begin();
    write_pack();
    ww__pack *pack = open_pack(maker, &status);
    expect(found(pack, 0, 90, 90));
    expect(!truncate(path, 10));
    expect(!found(pack, 0, 90, 90));
    ww__pack_close(pack);
    end();
}

static bool unpacked(const unsigned char *packed, size_t packed_bytes, unsigned char *out, size_t before,
                     size_t bytes) {
    ww__chances chances;
    ww__chances_begin(&chances);
    return ww__unpack(&chances, packed, packed_bytes, out, before, bytes);
}

static void fill_kind(unsigned char *data, size_t n, int kind) {
    uint64_t seed = n;
    for (size_t i = 0; i < n; i++)
        data[i] = (unsigned char)(kind == 0   ? 7
                                  : kind == 1 ? i % 16 * (i / 1000)
                                  : kind == 2 ? random_next(&seed)
                                              : random_next(&seed) % 3);
}

static void check_squeezed(size_t n, int kind) {
    size_t packed_bytes;
    ww__chances chances, behind;
    unsigned char *data = need(n + 1), *out = need(n + 1);
    CASE("squeeze", "%zu bytes, kind %d", n, kind);
    fill_kind(data, n, kind);
    ww__chances_begin(&chances);
    unsigned char *packed = squeeze(&chances, data, 0, n, kind == 3, &packed_bytes);
    expect(packed != NULL && unpacked(packed, packed_bytes, out, 0, n));
    expect_bytes(out, data, n);
    expect(packed_bytes <= n + n / 4 + 8 && (kind || n < 100 || packed_bytes < 24));
    if (n) expect(!unpacked(packed, packed_bytes, out, 0, n - 1) && !unpacked(packed, packed_bytes - 1, out, 0, n));
    expect(!unpacked(packed, packed_bytes, out, 0, n + 1));
    free(packed);
    /* Behind bytes of which it repeats most, with what these left. */
    const size_t before = n / 2;
    ww__chances_begin(&chances);
    unsigned char *first = squeeze(&chances, data, 0, before, false, &packed_bytes);
    ww__chances_begin(&behind);
    expect(first != NULL && ww__unpack(&behind, first, packed_bytes, out, 0, before));
    packed = squeeze(&chances, data, before, n - before, false, &packed_bytes);
    memset(out + before, 0xA5, n - before);
    expect(packed != NULL && ww__unpack(&behind, packed, packed_bytes, out, before, n - before));
    expect_bytes(out, data, n);
    expect(kind || packed_bytes < 24);
    if (n >= 1000 && kind == 0) expect(!unpacked(packed, packed_bytes, out + before, 0, n - before));
    free(first), free(packed), free(out), free(data);
}

static void squeezed(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 127, 128, 129, 1000, 20000, 300000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < 4; kind++) check_squeezed(sizes[s], kind);
}

/* ---- calls ---- */

static pack_writer *collected;

/* In the place of a compiler: code that is as good as any where nothing runs. */
static ww_status collect(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    (void)d, (void)headers;
    *code = (ww__code){need(CODE), CODE};
    make_code(code->bytes, 0, 90);
    expect(pack_writer_add(collected, source, 90, WW__PACK_MACHINE_CODE, code));
    return WW_OK;
}

static ww_status no_compiler(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    (void)source, (void)headers, (void)code;
    snprintf(d->why, sizeof d->why, "there is no compiler");
    return WW_UNSUPPORTED;
}

static ww_status never_loads(ww__driver *d, const ww__code *code, void **program) {
    (void)code, (void)program;
    snprintf(d->why, sizeof d->why, "an image of another kind");
    return WW_LOST;
}

static ww_status sum_words(ww_device *device) {
    uint32_t sum;
    static uint32_t numbers[1000];
    return ww_reduce(device, &ww_add, ww_memory(numbers, 1000), ww_array(&sum, 1));
}
static ww_status scan_words(ww_device *device) {
    static uint32_t numbers[1000];
    return ww_scan(device, &ww_add, ww_memory(numbers, 1000), ww_array(numbers, 1000), NULL);
}

static compile_only *new_driver(void) {
    compile_only *c = compile_only_new(90);
    expect(c != NULL);
    c->driver.architecture = 90;
    c->driver.compile = no_compiler;
    return c;
}

/* A pack of what the two calls take; of these it has the first program only where `one`. */
static void write_pack_of_calls(bool one) {
    char version[64];
    uint64_t bytes;
    ww_device *device = NULL;
    compile_only *c = new_driver();
    c->driver.architecture = 0;
    c->driver.compile = collect;
    ww__gpu_version(version, sizeof version);
    collected = pack_writer_new(version);
    expect(collected && !compile_only_device(c, &device));
    expect_status(device, sum_words(device), WW_OK);
    if (!one) expect_status(device, scan_words(device), WW_OK);
    ww_close(device);
    expect(pack_writer_save(collected, path, true, &bytes));
    pack_writer_free(collected);
}

static ww_device *open_with_pack(compile_only *c, ww_status wanted) {
    ww_device *device;
    const ww_status status = compile_only_device(c, &device);
    expect_status(device, status, wanted);
    return device;
}

static void calls_without_a_compiler(void **state) {
    (void)state;
    ww_device_info info = WW_DEVICE_INFO;
    begin();
    setenv("WARPWISE_CACHE", "off", 1);
    setenv("WARPWISE_KERNEL_PACK", path, 1);
    write_pack_of_calls(true);
    ww_device *device = open_with_pack(new_driver(), WW_OK);
    expect_status(device, sum_words(device), WW_OK);
    expect_status(device, sum_words(device), WW_OK);
    expect_status(device, scan_words(device), WW_UNSUPPORTED);
    expect_sentence(device, "ww_scan", "there is no compiler", path);
    expect(!ww_device_info_get(device, &info));
    expect(info.programs_from_pack == 1 && !info.programs_from_disk && !info.programs_compiled);
    expect(!strcmp(info.kernel_pack, path) && info.kernel_pack_programs == 1);
    ww_close(device);

    write_pack_of_calls(false);
    device = open_with_pack(new_driver(), WW_OK);
    expect_status(device, sum_words(device), WW_OK);
    expect_status(device, scan_words(device), WW_OK);
    ww_close(device);

    /* A driver that does not load what is in the pack. */
    compile_only *old = new_driver();
    old->driver.load = never_loads;
    device = open_with_pack(old, WW_OK);
    expect_status(device, sum_words(device), WW_UNSUPPORTED);
    ww_close(device);
    end();
}

/* A pack that is named must be right; without one, or for what runs no packs, nothing is looked for. */
static void named(void **state) {
    (void)state;
    ww_device_info info = WW_DEVICE_INFO;
    begin();
    setenv("WARPWISE_CACHE", "off", 1);
    setenv("WARPWISE_KERNEL_PACK", path, 1);
    ww_device *device = open_with_pack(new_driver(), WW_FILE);
    expect_sentence(device, path);
    expect_status(device, sum_words(device), WW_FILE);
    ww_close(device);
    write_pack(); /* another maker's */
    device = open_with_pack(new_driver(), WW_FORMAT);
    expect_sentence(device, path, maker);
    ww_close(device);
    expect(!truncate(path, 50));
    device = open_with_pack(new_driver(), WW_FORMAT);
    expect_sentence(device, path, "damaged");
    ww_close(device);
    compile_only *emulated = new_driver();
    emulated->driver.architecture = 0;
    device = open_with_pack(emulated, WW_OK);
    ww_close(device);

    setenv("WARPWISE_KERNEL_PACK", "off", 1);
    device = open_with_pack(new_driver(), WW_OK);
    expect_status(device, sum_words(device), WW_UNSUPPORTED);
    expect_sentence(device, "there is no compiler");
    expect(!ww_device_info_get(device, &info) && !info.kernel_pack && !info.kernel_pack_programs);
    ww_close(device);
    unsetenv("WARPWISE_KERNEL_PACK");
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_found), cmocka_unit_test(entries), cmocka_unit_test(not_taken),
        cmocka_unit_test(other_formats),     cmocka_unit_test(damage),  cmocka_unit_test(squeezed),
        cmocka_unit_test(cut_while_open),    cmocka_unit_test(named),   cmocka_unit_test(calls_without_a_compiler)};
    return cmocka_run_group_tests_name("kernel pack", tests, NULL, NULL);
}

/* Pack by flags and by predicate, against a serial oracle: sizes of element × counts × shares kept × methods. */
#include <sys/mman.h>

#include "reference/pack.h"
#include "support/cases.h"
#include "support/traced.h"

WW_STRUCT(pixel, { uint8_t red, green, blue; });
WW_STRUCT(point, { float x, y, z; });
WW_STRUCT(page, { uint8_t byte[1025]; });

#define INTEGERS(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t) X(int16_t) X(ww_u128)
#define ODD(T) WW_MAP(odd_##T, uint32_t, T, x, void, none, { return (uint32_t)(x & 1); });
INTEGERS(ODD)
WW_MAP(reddish, uint8_t, pixel, p, void, none, { return (uint8_t)(p.red > 128 ? 7 : 0); });
WW_MAP(above, float, float, x, float, least, { return x > *least ? 0.25f : 0; });
WW_MAP(near_axis, int32_t, point, p, void, none, { return p.x > p.y ? -1 : 0; });
WW_MAP(begun, uint8_t, page, p, void, none, { return p.byte[0]; });
WW_MAP(triple, uint32_t, uint32_t, x, void, none, { return 3 * x; });
WW_MAP(third, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x % 3 ? 0 : 200); });
WW_MAP(make_point, point, uint32_t, x, void, none, {
    point p = {(float)(x % 7), (float)(x % 5), 1};
    return p;
});

/* What is kept; bursts: few, side by side. */
typedef enum share { NONE, ALL, HALF, FEW_OF_THEM, MOST, STRETCHES, BURSTS, SHARES } share;
static const char *const share_names[] = {"none", "all", "half", "few", "most", "stretches", "bursts"};

static void choose(uint8_t *flags, size_t n, share s, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&state);
        const bool keep = s == ALL || (s == HALF && r & 1) || (s == FEW_OF_THEM && r % 100 == 0) ||
                          (s == MOST && r % 100 != 0) || (s == STRETCHES && i / 1000 % 2) ||
                          (s == BURSTS && i % 2500 < 70);
        flags[i] = (uint8_t)(keep ? 1 + (r >> 32) % 255 : 0);
    }
}

static const struct {
    const ww_type *type;
    size_t size;
} elements[] = {
    {&ww_type_uint8_t, 1},   {&ww_type_uint16_t, 2},  {&ww_type_uint32_t, 4},   {&ww_type_uint64_t, 8},
    {&ww_type_float, 4},     {&ww_type_ww_u128, 16},  {&ww_type_record, 3},     {&ww_type_record, 12},
    {&ww_type_record, 24},   {&ww_type_record, 32},   {&ww_type_record, 40},    {&ww_type_record, 100},
    {&ww_type_record, 1000}, {&ww_type_record, 5000}, {&ww_type_record, 20000},
};
enum { ELEMENTS = sizeof elements / sizeof *elements, EMULATED_MOST = 1 << 20 /* bytes */ };

static ww_input input_of(const void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_record_memory(x, n, size) : ww_memory_of(x, n, type);
}
static ww_array array_of(void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_records(x, n, size) : ww_array_of(x, n, type);
}

/* Packs with room for exactly what is kept, then with less. `keep` or flags. */
static void check(ww_device *device, const ww_type *type, size_t size, const void *x, const uint8_t *flags, size_t n,
                  const ww_function *keep, ww_pack_method method) {
    ww_pack_options options = WW_PACK_OPTIONS;
    options.method = method;
    unsigned char *wanted = need(n * size);
    const size_t kept = reference_pack(wanted, x, flags, n, size);
    for (size_t less = 0; less < 2; less++) {
        const size_t room = less ? kept - kept / 3 : kept;
        guarded out = guarded_new(room * size);
        uint32_t count32 = 77;
        uint64_t count64 = 77;
        const ww_array count = n % 2 ? ww_array(&count32, 1) : ww_array(&count64, 1);
        const ww_input in = input_of(x, n, type, size);
        const ww_array to = array_of(out.data, room, type, size);
        const ww_status status = keep ? ww_pack_if(device, keep, in, to, count, &options)
                                      : ww_pack(device, in, ww_memory(flags, n), to, count, &options);
        expect_status(device, status, room < kept ? WW_LIMIT : WW_OK);
        expect((n % 2 ? count32 : count64) == kept);
        expect_elements(out.data, wanted, room, size);
        guarded_check(&out);
        guarded_free(&out);
    }
    free(wanted);
}

static void check_flags(ww_device *device, const char *setting, size_t e, size_t n, share s, ww_pack_method method) {
    const size_t size = elements[e].size;
    CASE("pack", "%s %s %zu n=%zu %s method %d", setting, elements[e].type->label, size, n, share_names[s],
         (int)method);
    if (!case_wanted()) return;
    if (on_emulator() && n * size > EMULATED_MOST) return;
    uint8_t *x = need(n * size), *flags = need(n);
    fill(x, &ww_type_uint8_t, 1, n * size, UNIFORM, seed_of_run());
    choose(flags, n, s, seed_of_run() + n);
    check(device, elements[e].type, size, x, flags, n, NULL, method);
    free(x);
    free(flags);
}

static void by_flags(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            if (s >= setting_count_short() && e % 3) continue; /* other numbers of threads: every third */
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                check_flags(device, setting_name(s), e, n[i], (share)(i % SHARES), WW_PACK_AUTO);
                check_flags(device, setting_name(s), e, n[i], HALF, i % 2 ? WW_PACK_COMPRESS : WW_PACK_ENUMERATE);
            }
        }
        ww_close(device);
    }
}

/* Large outputs go past the caches. */
static void large_inputs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < 10; e++)
            check_flags(device, setting_name(s), e, size_large() * 4 / (elements[e].size + 3), (share)(HALF + e % 4),
                        e == 2 ? WW_PACK_ENUMERATE : WW_PACK_AUTO);
        ww_close(device);
    }
}

typedef bool plain_predicate(const void *element);
#define PLAIN_ODD(T) \
    static bool plain_odd_##T(const void *element) { return *(const unsigned char *)element & 1; }
INTEGERS(PLAIN_ODD)
static bool plain_reddish(const void *element) { return ((const unsigned char *)element)[0] > 128; }
static bool plain_above(const void *element) { return *(const float *)element > 1.5f; }
static bool plain_near_axis(const void *element) { return ((const float *)element)[0] > ((const float *)element)[1]; }

static const float least = 1.5f;
static const struct {
    const ww_function *keep;
    const ww_type *type;
    plain_predicate *plain;
    const void *environment;
} predicates[] = {
#define ODD_ROW(T) {&odd_##T##_ww, &ww_type_##T, plain_odd_##T, NULL},
    INTEGERS(ODD_ROW){&reddish_ww, &pixel_ww, plain_reddish, NULL},
    {&above_ww, &ww_type_float, plain_above, &least},
    {&near_axis_ww, &point_ww, plain_near_axis, NULL},
};

static void check_predicate(ww_device *device, const char *setting, size_t p, size_t n, shape sh,
                            ww_pack_method method) {
    const ww_type *type = predicates[p].type;
    CASE("pack_if", "%s %s n=%zu %s method %d", setting, predicates[p].keep->name, n, shape_name(sh), (int)method);
    if (!case_wanted()) return;
    unsigned char *x = need(n * type->size);
    uint8_t *flags = need(n);
    if (predicates[p].keep == &near_axis_ww) /* floats in a struct */
        fill(x, &ww_type_float, 4, 3 * n, sh, seed_of_run());
    else
        fill(x, type, type->size, n, sh, seed_of_run());
    for (size_t i = 0; i < n; i++) flags[i] = predicates[p].plain(x + i * type->size);
    const ww_function *const plain = predicates[p].keep;
    const ww_function with = ww_bound(plain, predicates[p].environment, 1, plain->environment);
    check(device, type, type->size, x, flags, n, predicates[p].environment ? &with : plain, method);
    free(x);
    free(flags);
}

static void by_predicate(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t p = 0; p < sizeof predicates / sizeof *predicates; p++) {
            size_t sizes;
            const size_t *n = sizes_of(predicates[p].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_predicate(device, setting_name(s), p, n[i], (shape)(i % SHAPES), (ww_pack_method)(i % 3));
        }
        if (s < setting_count_short()) check_predicate(device, setting_name(s), 2, size_large(), UNIFORM, WW_PACK_AUTO);
        ww_close(device);
    }
}

/* Computed elements, computed flags, structs out of numbers. */
static void inputs_of_every_kind(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("pack inputs", "%s", setting_name(s));
        if (!case_wanted()) continue;
        const size_t n = on_emulator() ? 20003 : 200003;
        uint32_t *out = need(n * 4);
        uint64_t count;
        const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, n), tripled = ww_mapped(&triple_ww, numbers);
        expect_status(
            device,
            ww_pack(device, tripled, ww_mapped(&third_ww, numbers), ww_array(out, n), ww_array(&count, 1), NULL),
            WW_OK);
        expect(count == (n + 2) / 3);
        for (size_t i = 0; i < count; i++) expect(out[i] == 9 * i);
        expect_status(
            device, ww_pack_if(device, &odd_uint32_t_ww, tripled, ww_array(out, n), ww_array(&count, 1), NULL), WW_OK);
        expect(count == n / 2);
        for (size_t i = 0; i < count; i++) expect(out[i] == 3 * (2 * i + 1));
        const uint8_t one = 1;
        expect_status(device,
                      ww_pack(device, numbers, ww_constant(ww_value(uint8_t, one), n), ww_array(out, n),
                              ww_array(&count, 1), NULL),
                      WW_OK);
        expect(count == n && out[n - 1] == n - 1);
        point *points = need(n * sizeof *points);
        expect_status(device,
                      ww_pack_if(device, &near_axis_ww, ww_mapped(&make_point_ww, numbers),
                                 ww_array_of(points, n, &point_ww), ww_array(&count, 1), NULL),
                      WW_OK);
        size_t k = 0;
        for (uint32_t i = 0; i < n; i++)
            if (i % 7 > i % 5) {
                expect(points[k].x == (float)(i % 7) && points[k].y == (float)(i % 5));
                k++;
            }
        expect(k == count);
        free(points);
        free(out);
        ww_close(device);
    }
}

/* A count in memory that a GPU reaches is the only one to say that there was too little room; one element may go to the
 * host's memory, which stays as it is where nothing is kept. */
static void check_results(ww_pack_method method) {
    CASE("pack results", "%s method %d", setting_name(0), (int)method);
    if (!case_wanted()) return;
    ww_pack_options options = WW_PACK_OPTIONS;
    options.method = method;
    ww_device *device = setting_open(0);
    enum { MANY = 1000 };
    const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, MANY);
    guarded out = guarded_new(10 * sizeof(uint32_t)), count = guarded_new(sizeof(uint64_t));
    expect_status(device,
                  ww_pack_if(device, &odd_uint32_t_ww, numbers, ww_array((uint32_t *)out.data, 10),
                             ww_array((uint64_t *)count.data, 1), &options),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*(uint64_t *)count.data == MANY / 2);
    for (uint32_t i = 0; i < 10; i++) expect(((uint32_t *)out.data)[i] == 2 * i + 1);
    guarded_check(&out);
    guarded_check(&count);
    const uint8_t no = 0, yes = 1;
    uint32_t one = 77, kept;
    expect_status(device,
                  ww_pack(device, numbers, ww_constant(ww_value(uint8_t, no), MANY), ww_array(&one, 1),
                          ww_array(&kept, 1), &options),
                  WW_OK);
    expect(kept == 0 && one == 77);
    expect_status(device,
                  ww_pack(device, numbers, ww_constant(ww_value(uint8_t, yes), MANY), ww_array(&one, 1),
                          ww_array(&kept, 1), &options),
                  WW_LIMIT);
    expect_sentence(device, "1000 elements", "capacity of 1");
    expect(kept == MANY && one == 0);
    guarded_free(&out);
    guarded_free(&count);
    ww_close(device);
}

static void results_on_gpus(void **state) {
    (void)state;
    if (!on_gpu()) return;
    check_results(WW_PACK_COMPRESS);
    check_results(WW_PACK_ENUMERATE);
}

/* Positions that are numbered in 32 bits, in an output that has room for more elements: what is left out goes nowhere. Nearly
 * all of the output is pages that nobody touches. */
static void output_beyond_32_bits(void **state) {
    (void)state;
    enum { MANY = 1000 };
    static const uint64_t room = ((uint64_t)1 << 32) + 4096;
    if (on_gpu() && !tiles_are_small()) return;
    CASE("pack", "%s %d elements into room for 2^32 + 4096", setting_name(0), MANY);
    if (!case_wanted()) return;
    ww_device *device;
    if (on_gpu())
        expect_status(NULL, ww_open("emu:threads=2,reach=all", &device), WW_OK);
    else
        device = setting_open(0);
    uint8_t *out = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (out == MAP_FAILED) {
        left_out("%llu bytes cannot be mapped", (unsigned long long)room);
    } else {
        ww_pack_options options = WW_PACK_OPTIONS;
        options.method = WW_PACK_ENUMERATE;
        uint8_t *x = need(MANY), *flags = need(MANY), *wanted = need(MANY);
        uint64_t count = 77;
        fill(x, &ww_type_uint8_t, 1, MANY, UNIFORM, seed_of_run());
        for (size_t i = 0; i < MANY; i++) x[i] |= 1; /* no zero, which is what the output has */
        choose(flags, MANY, HALF, seed_of_run());
        const size_t kept = reference_pack(wanted, x, flags, MANY, 1);
        expect_status(device,
                      ww_pack(device, ww_memory(x, MANY), ww_memory(flags, MANY), ww_array(out, room),
                              ww_array(&count, 1), &options),
                      WW_OK);
        expect(count == kept);
        expect_elements(out, wanted, kept, 1);
        for (uint64_t i = (uint64_t)UINT32_MAX - 2; i < room; i++) expect(!out[i]);
        munmap(out, room);
        free(x), free(flags), free(wanted);
    }
    ww_close(device);
}

/* Which loops or kernels run. */
static void methods_run_their_own_code(void **state) {
    (void)state;
    for (int m = WW_PACK_COMPRESS; m <= WW_PACK_ENUMERATE; m++)
        for (int long_ones = 0; long_ones < 2; long_ones++) {
            CASE("pack trace", "method %d%s", m, long_ones ? " long" : "");
            const size_t n = 500, size = long_ones ? 100 : 4;
            ww_device *device = traced_open();
            uint8_t *x = need(n * size), *flags = need(n), *out = need(n * size);
            memset(x, 1, n * size);
            choose(flags, n, HALF, 1);
            uint32_t count;
            char text[2048];
            ww_pack_options options = WW_PACK_OPTIONS;
            options.method = (ww_pack_method)m;
            traced t = traced_begin();
            const ww_status status = ww_pack(device, ww_record_memory(x, n, size), ww_memory(flags, n),
                                             ww_records(out, n, size), ww_array(&count, 1), &options);
            traced_end(&t, text, sizeof text);
            expect_status(device, status, WW_OK);
            if (!on_gpu())
                expect(strstr(text, m == WW_PACK_COMPRESS ? "method=compress" : "method=enumerate") != NULL);
            else if (m == WW_PACK_COMPRESS)
                expect_launches(text, "pack");
            else
                expect_launches(text, "mark", "scan", "name_places", long_ones ? "move_records" : "scatter");
            free(x);
            free(flags);
            free(out);
            ww_close(device);
        }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 2, 3, 4}, out[4] = {9, 9, 9, 9}, count = 77;
    uint64_t wide[4] = {0};
    uint8_t flags[4] = {1, 0, 1, 0};
    int16_t narrow[1];
    const ww_input in = ww_memory(x, 4), f = ww_memory(flags, 4);
    const ww_array to = ww_array(out, 4), c = ww_array(&count, 1);
    const ww_pack_options no_size = {0, WW_PACK_AUTO, 0}, no_method = {sizeof no_method, (ww_pack_method)9, 0};
    const struct {
        ww_status wanted, got;
    } calls[] = {
        {WW_INVALID, ww_pack(NULL, in, f, to, c, NULL)},
        {WW_INVALID, ww_pack(device, ww_no_input, f, to, c, NULL)},
        {WW_INVALID, ww_pack(device, in, ww_no_input, to, c, NULL)},
        {WW_INVALID, ww_pack(device, in, f, ww_none, c, NULL)},
        {WW_INVALID, ww_pack(device, in, f, to, ww_none, NULL)},
        {WW_INVALID, ww_pack(device, ww_memory((uint32_t *)NULL, 4), f, to, c, NULL)},
        {WW_INVALID, ww_pack(device, in, ww_memory((uint8_t *)NULL, 4), to, c, NULL)},
        {WW_INVALID, ww_pack(device, in, f, ww_array((uint32_t *)NULL, 4), c, NULL)},
        {WW_INVALID, ww_pack(device, in, ww_memory(flags, 3), to, c, NULL)},
        {WW_INVALID, ww_pack(device, in, f, to, ww_array(&count, 2), NULL)},
        {WW_TYPE, ww_pack(device, in, f, to, ww_array(narrow, 1), NULL)},
        {WW_TYPE, ww_pack(device, in, ww_memory((float *)(void *)x, 4), to, c, NULL)},
        {WW_TYPE, ww_pack(device, in, f, ww_array(wide, 4), c, NULL)},
        {WW_OVERLAP, ww_pack(device, in, f, ww_array(x, 3), c, NULL)},
        {WW_OVERLAP, ww_pack(device, in, f, ww_array(x + 3, 1), c, NULL)},
        {WW_OVERLAP, ww_pack(device, in, f, to, ww_array(out + 1, 1), NULL)},
        {WW_OVERLAP, ww_pack(device, in, f, to, ww_array(x + 1, 1), NULL)},
        {WW_OVERLAP, ww_pack(device, ww_memory((uint8_t *)x, 4), f, ww_array(flags, 4), c, NULL)},
        {WW_INVALID, ww_pack(device, in, f, to, c, &no_size)},
        {WW_INVALID, ww_pack(device, in, f, to, c, &no_method)},
        {WW_INVALID, ww_pack_if(device, NULL, in, to, c, NULL)},
        {WW_TYPE, ww_pack_if(device, &odd_uint64_t_ww, in, to, c, NULL)},
        {WW_TYPE, ww_pack_if(device, &ww_add, in, to, c, NULL)},
        {WW_TYPE, ww_pack_if(device, &make_point_ww, in, to, c, NULL)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        CASE("pack refuses", "call %zu", i);
        expect_status(device, calls[i].got, calls[i].wanted);
    }
    expect(count == 77 && out[0] == 9);
    expect_status(device, ww_pack(device, in, f, ww_array(out, 1), c, NULL), WW_LIMIT);
    expect_sentence(device, "2 elements", "capacity of 1");
    expect(count == 2 && out[0] == 1 && out[1] == 9);
    expect_status(device, ww_pack(device, ww_memory(x, 0), ww_memory(flags, 0), ww_array(out, 0), c, NULL), WW_OK);
    expect(count == 0);
    ww_close(device);
}

/* The longest that a GPU's predicate is given has 1024 bytes, by every method. */
static void too_long_for_a_predicate(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU takes any");
        return;
    }
    ww_device *device = setting_open(0);
    enum { N = 3, BYTES = N * sizeof(page) };
    page *x = need(BYTES);
    guarded out = guarded_new(BYTES);
    memset(x, 1, BYTES);
    memset(out.data, 0xA5, BYTES);
    for (int method = WW_PACK_AUTO; method <= WW_PACK_ENUMERATE; method++) {
        ww_pack_options options = WW_PACK_OPTIONS;
        uint64_t count = 77;
        options.method = (ww_pack_method)method;
        CASE("pack_if refuses", "elements that are too long, method %d", method);
        if (!case_wanted()) continue;
        ww_status status = ww_pack_if(device, &begun_ww, ww_memory_of(x, N, &page_ww),
                                      ww_array_of(out.data, N, &page_ww), ww_array(&count, 1), &options);
        expect_status(device, status, WW_LIMIT);
        expect_sentence(device, "elements of 1025 bytes that are given to a function", "up to 1024");
        expect(count == 77);
        for (size_t i = 0; i < BYTES; i++) expect(((const unsigned char *)out.data)[i] == 0xA5);
    }
    guarded_check(&out);
    guarded_free(&out);
    free(x);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = size_large();
        uint8_t *flags = need(n), *x = need(8 * n), *out = need(8 * n);
        choose(flags, n, HALF, seed_of_run());
        fill(x, &ww_type_uint8_t, 1, 8 * n, UNIFORM, seed_of_run());
        for (size_t size = 1; size <= 8; size *= 2) {
            ww_device_info info = WW_DEVICE_INFO;
            uint64_t count;
            expect_status(device, ww_scratch_trim(device), WW_OK);
            expect_status(device,
                          ww_pack(device, ww_record_memory(x, n, size), ww_memory(flags, n), ww_records(out, n, size),
                                  ww_array(&count, 1), NULL),
                          WW_OK);
            expect_status(device, ww_device_info_get(device, &info), WW_OK);
            expect(info.scratch_peak <= n / 256 * size + info.threads * 65536);
        }
        free(flags);
        free(x);
        free(out);
        ww_close(device);
    }
}

/* The k-th request for memory fails, for every k. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens the CPU")) return;
    const size_t n = 300000;
    uint32_t *x = need(4 * n), *out = need(4 * n);
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, 1);
    for (int method = WW_PACK_COMPRESS; method <= WW_PACK_ENUMERATE; method++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            options.allocator = counting_allocator_use(&counter);
            ww_pack_options pack = WW_PACK_OPTIONS;
            pack.method = (ww_pack_method)method;
            ww_device *device;
            uint64_t count;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            if (!status)
                status = ww_pack_if(device, &odd_uint32_t_ww, ww_memory(x, n), ww_array(out, n), ww_array(&count, 1),
                                    &pack);
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(x);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_flags),        cmocka_unit_test(large_inputs),
        cmocka_unit_test(by_predicate),    cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(results_on_gpus), cmocka_unit_test(methods_run_their_own_code),
        cmocka_unit_test(bad_arguments),   cmocka_unit_test(scratch_bound),
        cmocka_unit_test(out_of_memory),   cmocka_unit_test(too_long_for_a_predicate),
        cmocka_unit_test(output_beyond_32_bits),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}

/* Atomic operations in kernels' bodies, on every type that they are for: what many ranks do to few places comes out as if they had
 * done it one by one. */
#include <stdio.h>

#include "support/cases.h"

enum { PLACES = 37 };

/* Ranks add to places, and store to and load from others, all of one type. */
#define ATOMICS(T, name) \
    WW_STRUCT(name##_places, { \
        T *sums; \
        T *last; \
        T *seen; \
        T *ticket; /* the old values of one place: each once */ \
        uint32_t places; \
    }); \
    WW_KERNEL(name##_atomics, name##_places, a, rank, { \
        const uint32_t place = (uint32_t)(rank % a->places); \
        ww_atomic_add(&a->sums[place], (T)(rank % 5)); \
        ww_atomic_store(&a->last[place], (T)(rank % 128)); \
        a->seen[rank] = ww_atomic_load(&a->last[place]); \
        a->ticket[rank] = ww_atomic_add(&a->sums[a->places], (T)1); \
    })
ATOMICS(uint32_t, u32);
ATOMICS(uint64_t, u64);
ATOMICS(int32_t, i32);
ATOMICS(int64_t, i64);
ATOMICS(float, f32);
ATOMICS(double, f64);

/* Sums of small integers are the same in every order. A place begins with `begin`, and every rank of it stores a number that is rank %
 * 128; what is seen is one of these. */
#define CHECK(T, name, begin) \
    static void check_##name(ww_device *device, const char *setting, size_t n) { \
        CASE("kernel atomics", "%s %s n=%zu", setting, #name, n); \
        if (!case_wanted()) return; \
        T *sums = need((PLACES + 1) * sizeof *sums), *ticket = need(n * sizeof *ticket), \
          *last = need(PLACES * sizeof *last), *seen = need(n * sizeof *seen + 1); \
        T wanted[PLACES]; \
        for (size_t p = 0; p < PLACES; p++) { \
            wanted[p] = sums[p] = (T)(begin); \
            last[p] = (T)200; \
        } \
        sums[PLACES] = 0; \
        for (size_t i = 0; i < n; i++) wanted[i % PLACES] += (T)(i % 5); \
        const name##_places places = {sums, last, seen, ticket, PLACES}; \
        expect_status(device, ww_launch(device, ww_with(name##_atomics, &places), n), WW_OK); \
        expect_status(device, ww_sync(device), WW_OK); \
        expect_elements(sums, wanted, PLACES, sizeof *sums); \
        for (size_t p = 0; p < PLACES; p++) expect(p < n ? (uint64_t)last[p] < 128 : (uint64_t)last[p] == 200); \
        uint8_t *taken = need(n); \
        memset(taken, 0, n); \
        for (size_t i = 0; i < n; i++) { \
            const uint64_t at = (uint64_t)ticket[i]; \
            expect((uint64_t)seen[i] < 128 && at < n && !taken[at]); \
            taken[at] = 1; \
        } \
        free(taken); \
        free(ticket); \
        free(sums); \
        free(last); \
        free(seen); \
    }
CHECK(uint32_t, u32, UINT32_MAX - 3)
CHECK(uint64_t, u64, ((uint64_t)1 << 32) - 3)
CHECK(int32_t, i32, -20)
CHECK(int64_t, i64, -((int64_t)1 << 40))
CHECK(float, f32, -0.5f)
CHECK(double, f64, 1048576.25)

static void all_types(void **state) {
    static const size_t sizes[] = {1, 36, 1000, 20000};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_u32(device, setting_name(s), sizes[i]);
            check_u64(device, setting_name(s), sizes[i]);
            check_i32(device, setting_name(s), sizes[i]);
            check_i64(device, setting_name(s), sizes[i]);
            check_f32(device, setting_name(s), sizes[i]);
            check_f64(device, setting_name(s), sizes[i]);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

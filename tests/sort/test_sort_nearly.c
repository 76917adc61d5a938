/* ww_sort_by of elements that are in order but for a few, by an order of the caller's, which a CPU sorts by dropping those: exchanged pairs,
 * strays that are next to each other, blocks that were moved, runs that follow one another, at the borders of what workers share; with
 * ties, with values, in place; more of them than are dropped; and orders that are none. Against a serial merge sort. */
#include "reference/order.h"
#include "sort/arrays.h"

WW_STRUCT(ticket, { uint32_t key, number; });
WW_LESS(ticket_before, ticket, a, b, { return a.key < b.key; });
/* No order: now and then it says less, whatever it said of others. */
WW_LESS(ticket_now_and_then, ticket, a, b, { return (a.key * 2654435761u ^ b.key * 2246822519u) >> 25 == 0; });

typedef enum damage {
    EXCHANGED,   /* one pair in 200 */
    STRAYS,      /* large and small ones, up to 12 side by side */
    MOVED_BLOCK, /* one in 40 of all, from the end to the middle */
    FIRST_LAST,  /* the largest stands first and the smallest last */
    AT_SEAMS,    /* wherever n / k ends a part */
    TWO_RUNS,    /* one behind the other, which are not worth dropping */
    RUNS,        /* of 1000 */
    A_FIFTEENTH, /* too many */
    SCATTERED,   /* no windows of a sample, and all else in disorder */
    DAMAGES
} damage;
static const char *const damage_names[DAMAGES] = {"exchanged", "strays", "moved block", "first and last", "at seams",
                                                  "two runs",  "runs",   "a fifteenth", "scattered"};

static void exchange(ticket *x, size_t i, size_t j) {
    const ticket held = x[i];
    x[i] = x[j], x[j] = held;
}

static void move_block(ticket *x, size_t n) {
    const size_t block = n / 40 + 1, middle = n / 2;
    ticket *held = need(block * sizeof *held);
    memcpy(held, x + n - block, block * sizeof *held);
    memmove(x + middle + block, x + middle, (n - block - middle) * sizeof *x);
    memcpy(x + middle, held, block * sizeof *held);
    free(held);
}

static void stray(ticket *x, size_t n, uint64_t *random) {
    for (size_t k = 0; k < n / 1000; k++) {
        const size_t many = 1 + random_next(random) % 12, at = random_next(random) % (n - many);
        const uint32_t key = random_next(random) % 2 ? 0 : 0x40000000;
        for (size_t j = 0; j < many; j++) x[at + j].key = key + (uint32_t)(random_next(random) % 5);
    }
}

static void damage_them(ticket *x, size_t n, damage what, uint64_t *random) {
    const size_t few = what == EXCHANGED ? n / 200 : what == A_FIFTEENTH ? n / 15 : 0;
    for (size_t k = 0; k < few; k++) exchange(x, random_next(random) % n, random_next(random) % n);
    if (what == STRAYS) stray(x, n, random);
    if (what == MOVED_BLOCK) move_block(x, n);
    if (what == FIRST_LAST || what == AT_SEAMS) exchange(x, 0, n - 1);
    for (size_t parts = 2; what == AT_SEAMS && parts <= 16; parts++)
        for (size_t p = 1; p < parts; p++) {
            const size_t seam = n / parts * p / 64 * 64;
            exchange(x, seam - 1 - p % 2, random_next(random) % n);
            exchange(x, seam + p % 3, random_next(random) % n);
        }
    for (size_t i = 0; i < n; i++) {
        if (what == TWO_RUNS) x[i].key = (uint32_t)(i % (n / 2));
        if (what == RUNS) x[i].key = (uint32_t)(i % 1000 * 1000 + i / 1000);
        if (what == SCATTERED && i % (n / 128) > 7) x[i].key = (uint32_t)random_next(random);
    }
}

/* `ties` is how many elements of the undamaged ones have one key. */
static void make(ticket *x, size_t n, damage what, size_t ties, uint64_t seed) {
    uint64_t random = seed;
    for (size_t i = 0; i < n; i++) x[i].key = (uint32_t)(i / ties) + 100;
    damage_them(x, n, what, &random);
    for (size_t i = 0; i < n; i++) x[i].number = (uint32_t)i;
}

static bool is_before(const void *a, const void *b) { return ((const ticket *)a)->key < ((const ticket *)b)->key; }
static bool is_behind(const void *a, const void *b) { return ((const ticket *)a)->key > ((const ticket *)b)->key; }

typedef struct tickets {
    size_t n, value_size;
    ticket *x, *wanted;
    unsigned char *values, *values_wanted;
    bool descending;
} tickets;

/* A value begins with its element's number, as much of it as it holds. */
static void make_values(unsigned char *values, const ticket *x, size_t n, size_t size) {
    memset(values, 7, n * size);
    const size_t held = size < sizeof x->number ? size : sizeof x->number;
    for (size_t i = 0; i < n; i++) memcpy(values + i * size, &x[i].number, held);
}

static tickets tickets_of(size_t n, size_t value_size, damage what, unsigned turn) {
    tickets t = {n, value_size, need(n * sizeof *t.x), need(n * sizeof *t.x), need(n * value_size + 1),
                 need(n * value_size + 1), turn % 5 == 2};
    make(t.x, n, what, (turn / 2 + turn / (2 * DAMAGES)) % 3 == 1 ? 40 : 1, seed_of_run() + turn);
    for (size_t i = 0; t.descending && i < n / 2; i++) exchange(t.x, i, n - 1 - i);
    for (size_t i = 0; i < n; i++) t.x[i].number = (uint32_t)i;
    memcpy(t.wanted, t.x, n * sizeof *t.x);
    reference_sort(t.wanted, n, sizeof *t.x, t.descending ? is_behind : is_before);
    make_values(t.values, t.x, n, value_size);
    make_values(t.values_wanted, t.wanted, n, value_size);
    return t;
}

static void tickets_free(tickets *t) { free(t->x), free(t->wanted), free(t->values), free(t->values_wanted); }

/* Scratch memory, too, is what ww_sort_by documents. */
static void check(ww_device *device, const tickets *t, const ww_function *less, bool in_place) {
    sort_arrays a = sort_arrays_new(&ticket_ww, t->x, t->values, t->n, t->value_size, in_place);
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = t->descending;
    ww_scratch_trim(device);
    expect_status(device, ww_sort_by(device, less, a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <=
           t->n * (sizeof *t->x + t->value_size + 2) + ((size_t)1 << 20) + ((size_t)info.threads << 20));
    if (less != &ticket_before_ww) { /* no order: what came in, and each value with its element */
        const ticket *out = (const ticket *)a.keys.data;
        expect_permutation(out, t->x, t->n, sizeof *t->x);
        make_values(t->values_wanted, out, t->n, t->value_size);
        memcpy(t->wanted, out, t->n * sizeof *t->x);
    }
    sort_arrays_end(&a, t->wanted, t->values_wanted);
}

static void nearly(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about what a CPU looks for")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const size_t sizes[] = {4096, 5003, 70001, 150016}, value_sizes[] = {0, 4, 0, 16, 1};
    unsigned turn = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int what = 0; what < DAMAGES; what++)
            for (int none = 0; none < 2; none++, turn++) {
                const size_t n = sizes[i], value_size = value_sizes[turn % (sizeof value_sizes / sizeof *value_sizes)];
                tickets t;
                bool made = false;
                for (size_t d = 0; d < settings; d++) {
                    CASE("sort nearly", "%s %s%s +%zu n=%zu %s seed=%llu", setting_name(d), damage_names[what],
                         none ? " by no order" : "", value_size, n, (turn + d) % 2 ? "in-place" : "apart",
                         (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    if (!made) t = tickets_of(n, value_size, (damage)what, turn);
                    made = true;
                    check(devices[d], &t, none ? &ticket_now_and_then_ww : &ticket_before_ww, (turn + d) % 2);
                }
                if (made) tickets_free(&t);
            }
    settings_close(devices, settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

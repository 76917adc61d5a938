/* Groups of two ranks with more than 2^31 elements to one peer and more than 2^32 in all, so that counts, places and positions go beyond what
 * 31 and 32 bits hold.
 *
 * On two GPUs every call once, with 2^31 + 3 elements a rank: by the engine of threads, and over NCCL. Elements are known in closed form,
 * which the devices compare. WARPWISE_HUGE=n asks for another length, anywhere; else CPUs and the emulator take 5003 here, where the checks themselves
 * are tested.
 *
 * On CPUs at full length, too, what needs no memory: inputs that are computed, and arrays of which every 2 MiB are the same memory. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/groups.h"
#include "warpwise/group_nccl.h"

enum { RANKS = 2, BLOCKS = 4 };

typedef struct rank {
    pthread_t thread;
    ww_group *group;
    ww_device *device;
    uint32_t me, other;
    uint64_t n; /* elements of this rank's block */
    void *block[BLOCKS];
    size_t blocks;
    ww_status status; /* MEMORY: the case is left out */
    bool wrong;
    char said[512];
} rank;

static const uint64_t huge = ((uint64_t)1 << 31) + 3;

#define TRY(call) \
    do { \
        const ww_status tried_ = (call); \
        if (tried_) return tried_; \
    } while (0)

static ww_status take(rank *r, uint64_t count, size_t size, void *pointer_to_pointer) {
    void *block = NULL;
    if (r->blocks == BLOCKS) return WW_LIMIT;
    TRY(ww_alloc(r->device, count * size, &block));
    memcpy(pointer_to_pointer, &block, sizeof block);
    r->block[r->blocks++] = block;
    return WW_OK;
}

/* Both ranks have to have it, or neither begins. */
static ww_status both_have(rank *r, ww_status mine) {
    uint32_t lacks = mine != WW_OK, all = 0;
    TRY(ww_group_reduce(r->group, &ww_add, ww_memory(&lacks, 1), ww_array(&all, 1)));
    return all ? WW_MEMORY : WW_OK;
}

/* ---- closed forms: element i of the whole array is i / `of` + `more` ---- */

WW_STRUCT(line, { uint64_t first, of, more; });
WW_MAP(word_at, uint32_t, uint64_t, i, line, l, { return (uint32_t)((i + l->first) / l->of + l->more); });
WW_MAP(byte_at, uint8_t, uint64_t, i, line, l, { return (uint8_t)((i + l->first) / l->of % 251 + l->more); });
WW_MAP2(differ_32, uint64_t, uint32_t, a, uint32_t, b, void, none, { return a != b; });
WW_MAP2(differ_8, uint64_t, uint8_t, a, uint8_t, b, void, none, { return a != b; });

static ww_input words_of(const line *l, uint64_t n) {
    return ww_mapped(ww_with(word_at, l), ww_counting(&ww_type_uint64_t, 0, n));
}
static ww_input bytes_of(const line *l, uint64_t n) {
    return ww_mapped(ww_with(byte_at, l), ww_counting(&ww_type_uint64_t, 0, n));
}

static ww_status compare(rank *r, ww_input differences) {
    uint64_t wrong = UINT64_MAX;
    TRY(ww_reduce(r->device, &ww_add, differences, ww_array(&wrong, 1)));
    TRY(ww_sync(r->device));
    if (wrong) fprintf(stderr, "rank %u: %" PRIu64 " elements are wrong\n", r->me, wrong);
    r->wrong |= wrong != 0;
    return WW_OK;
}
static ww_status words_are(rank *r, const uint32_t *x, uint64_t n, line l) {
    return compare(r, ww_mapped2(&differ_32_ww, ww_memory(x, n), words_of(&l, n)));
}
static ww_status bytes_are(rank *r, const uint8_t *x, uint64_t n, line l) {
    return compare(r, ww_mapped2(&differ_8_ww, ww_memory(x, n), bytes_of(&l, n)));
}

static void is(rank *r, bool right, const char *what) {
    if (!right) fprintf(stderr, "rank %u: %s\n", r->me, what);
    r->wrong |= !right;
}

/* ---- calls on memory ---- */

/* Rank 0's block goes to rank 1, but for three elements; of rank 1's only one. That is short on a CPU, which has other things to keep. */
static ww_status exchange(rank *r) {
    const uint64_t second = on_gpu() || r->n < 1000 ? r->n : 1000, n = r->me ? second : r->n;
    const line l = {r->n * r->me, 7, 0}, theirs = {r->me ? 0 : r->n, 7, 0};
    const uint64_t stays = r->me ? n - 1 : 3, comes = r->me ? r->n - 3 : 1;
    const uint64_t counts[RANKS] = {r->me ? 1 : stays, r->me ? stays : n - stays};
    uint64_t received[RANKS];
    uint8_t *in = NULL, *out = NULL;
    ww_status status = take(r, n, 1, &in);
    if (!status) status = take(r, stays + comes, 1, &out);
    if (!status) status = ww_store(r->device, bytes_of(&l, n), ww_array(in, n));
    TRY(both_have(r, status));
    TRY(ww_group_exchange(r->group, ww_memory(in, n), counts, ww_array(out, stays + comes), received));
    is(r, received[r->me] == stays && received[r->other] == comes, "what came is counted wrong");
    /* in the order of ranks: of rank 1's block the first element goes to rank 0; of rank 0's the first three stay */
    line own = l, came = theirs;
    if (r->me) own.first++;
    if (r->me) came.first += 3;
    const uint8_t *own_at = r->me ? out + comes : out, *came_at = r->me ? out : out + stays;
    TRY(bytes_are(r, own_at, stays, own));
    return bytes_are(r, came_at, comes, came);
}

/* Blocks lie the wrong way round, so that every key goes to the other rank; four of each. */
static ww_status sort(rank *r) {
    const line before = {r->n * r->other, 4, 0}, after = {r->n * r->me, 4, 0};
    uint32_t *keys = NULL;
    ww_status status = take(r, r->n, 4, &keys);
    if (!status) status = ww_store(r->device, words_of(&before, r->n), ww_array(keys, r->n));
    TRY(both_have(r, status));
    TRY(ww_group_sort(r->group, ww_memory(keys, r->n), ww_no_input, ww_array(keys, r->n), ww_none, NULL));
    return words_are(r, keys, r->n, after);
}

/* Bucket 0 has rank 1's block, bucket 1 rank 0's: the halves of the keys. */
static ww_status split(rank *r) {
    const line before = {r->n * r->me, r->n, 0};
    const uint64_t ranges[RANKS + 1] = {0, 1, 2};
    uint64_t came = 0, offsets[3] = {0, 0, 0};
    uint8_t *keys = NULL, *out = NULL;
    static const ww_bits lowest = {0, 1};
    line swapped = before;
    swapped.first = r->n * r->other;
    ww_status status = take(r, r->n, 1, &keys);
    if (!status) status = take(r, r->n, 1, &out);
    if (!status) status = ww_store(r->device, bytes_of(&swapped, r->n), ww_array(keys, r->n));
    TRY(both_have(r, status));
    TRY(ww_group_split(r->group, ww_with(ww_by_bits, &lowest), 2, ranges, ww_memory(keys, r->n), ww_no_input,
                       ww_array(out, r->n), ww_none, ww_array(offsets, 3), NULL, &came));
    is(r, came == r->n && offsets[0] == 0 && offsets[1] == r->n && offsets[2] == 2 * r->n, "offsets of buckets");
    return bytes_are(r, out, r->n, before);
}

static ww_status scan(rank *r) {
    uint32_t *x = NULL, total = 0;
    ww_scan_options options = WW_SCAN_OPTIONS;
    const line ones = {0, UINT64_MAX, 1}, sums = {r->n * r->me + 1, 1, 0};
    options.total = ww_array(&total, 1);
    ww_status status = take(r, r->n, 4, &x);
    if (!status) status = ww_store(r->device, words_of(&ones, r->n), ww_array(x, r->n));
    TRY(both_have(r, status));
    TRY(ww_group_scan(r->group, &ww_add, ww_memory(x, r->n), ww_array(x, r->n), &options));
    TRY(ww_sync(r->device));
    is(r, total == (uint32_t)(2 * r->n), "the total");
    return words_are(r, x, r->n, sums);
}

/* ---- calls on what is computed ---- */

static ww_status numbers(rank *r) {
    static const ww_bits low = {0, 3};
    uint64_t sum = 0, counts[8] = {0};
    const uint64_t wanted = r->n * 2 + 5; /* rank 1 has five more */
    TRY(ww_group_reduce(r->group, &ww_add, ww_constant(ww_value(uint64_t, 3), r->n + 5 * r->me), ww_array(&sum, 1)));
    is(r, sum == 3 * wanted, "a sum");
    TRY(ww_group_histogram(r->group, ww_with(ww_by_bits, &low), ww_constant(ww_value(uint8_t, 6), r->n + 5 * r->me),
                           ww_array(counts, 8), ww_none, NULL));
    for (int k = 0; k < 8; k++) is(r, counts[k] == (k == 6 ? wanted : 0), "counts");
    return WW_OK;
}

/* Positions of 32 bits are refused where they do not reach, before anything is done. */
static ww_status narrow(rank *r) {
    uint32_t index[4];
    const ww_status status = ww_group_sort_index(r->group, ww_counting(&ww_type_uint64_t, 0, r->n), ww_array(index, 4),
                                                 NULL);
    const bool too_many = 2 * r->n > (uint64_t)UINT32_MAX + 1;
    is(r, status == (too_many ? WW_TYPE : WW_INVALID), "an index of u32");
    is(r, strstr(ww_group_error(r->group), too_many ? "index_out is u32, and there are" : "capacity") != NULL,
       "its sentence");
    return WW_OK;
}

/* ---- calls on memory that lies many times in one array ---- */

enum { PERIOD = 2 << 20 };

/* As many bytes, of which each PERIOD is the same memory; it is cut off at the end of the process. */
static uint8_t *repeated(uint64_t bytes) {
    const int file = memfd_create("warpwise-test", 0);
    const uint64_t all = (bytes + PERIOD - 1) / PERIOD * PERIOD;
    if (file < 0 || ftruncate(file, PERIOD)) abort();
    uint8_t *memory = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) abort();
    for (uint64_t at = 0; at < all; at += PERIOD)
        if (mmap(memory + at, PERIOD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) abort();
    close(file);
    return memory;
}

static void forget(uint8_t *memory, uint64_t bytes) { munmap(memory, (bytes + PERIOD - 1) / PERIOD * PERIOD); }

/* All of each block goes to the other rank: lengths that are cut to 32 bits would be short. */
static ww_status exchange_repeated(rank *r) {
    const uint64_t mine = r->n + 6 * r->me, theirs = r->n + 6 * r->other;
    const uint64_t counts[RANKS] = {r->me ? mine : 0, r->me ? 0 : mine};
    uint64_t received[RANKS] = {1, 1};
    uint8_t *in = repeated(mine), *out = repeated(theirs);
    for (size_t i = 0; i < PERIOD; i++) in[i] = (uint8_t)(i % 251 + r->me);
    memset(out, 0xa5, PERIOD);
    const ww_status status = ww_group_exchange(r->group, ww_memory(in, mine), counts, ww_array(out, theirs), received);
    bool right = received[r->other] == theirs && !received[r->me];
    for (size_t i = 0; i < PERIOD && i < theirs; i++) right = right && out[i] == (uint8_t)(i % 251 + r->other);
    is(r, status || right, "what came");
    forget(in, mine);
    forget(out, theirs);
    return status;
}

/* A word every PERIOD characters, and one across the border of blocks. */
static ww_status find_repeated(rank *r) {
    enum { POSITIONS = 4096 };
    static const char word[] = "needle";
    static uint64_t found[RANKS][POSITIONS];
    uint64_t count = 0, all = 0, *positions = found[r->me];
    const uint64_t n = r->n, begins = r->n * r->me;
    uint8_t *text = repeated(n);
    memset(text, '.', PERIOD);
    memcpy(text + 1000, word, 6);
    const uint64_t own = n > 1006 ? (n - 1006) / PERIOD + 1 : 0;
    const ww_status status = ww_group_find(r->group, ww_memory(text, n), word, 6, ww_array(positions, POSITIONS),
                                           ww_array(&count, 1), &all, NULL);
    is(r, status || (count == own && all == 2 * own), "matches");
    for (uint64_t k = 0; !status && k < own && k < POSITIONS; k++)
        is(r, positions[k] == begins + k * PERIOD + 1000, "a position");
    forget(text, n);
    return status;
}

/* ---- running ---- */

typedef ww_status call(rank *r);
typedef struct run {
    rank ranks[RANKS];
    call *call;
    uint64_t n;
    bool nccl;
    ww_nccl_id id;
} run;

static void serve_group(run *w, rank *r, ww_group *group) {
    r->group = group;
    r->device = ww_group_device(group);
    r->other = 1 - r->me;
    r->n = w->n;
    r->status = w->call(r);
    if (r->status)
        snprintf(r->said, sizeof r->said, "%s: %s", ww_status_name(r->status),
                 ww_group_error(group)[0] ? ww_group_error(group) : ww_error(r->device));
    for (size_t k = 0; k < r->blocks; k++) ww_free(r->device, r->block[k]);
}

static ww_status serve(ww_group *group, void *context) {
    run *w = context;
    rank *r = &w->ranks[ww_group_rank(group)];
    r->me = ww_group_rank(group);
    serve_group(w, r, group);
    return WW_OK;
}

static run *now;
static void *serve_nccl(void *argument) {
    rank *r = argument;
    char name[32];
    ww_device *device = NULL;
    ww_group *group = NULL;
    snprintf(name, sizeof name, "cuda:%u", r->me);
    r->status = ww_open(name, &device);
    if (!r->status) r->status = ww_group_open_nccl(device, r->me, RANKS, &now->id, &group);
    if (!r->status)
        serve_group(now, r, group);
    else
        snprintf(r->said, sizeof r->said, "%s", group ? ww_group_error(group) : ww_error(device));
    ww_group_close(group);
    ww_close(device);
    return NULL;
}

static void run_nccl(run *w) {
    char why[WW_ENGINE_WHY];
    now = w;
    expect(ww_nccl_id_draw(&w->id, why) == WW_OK);
    for (uint32_t r = 0; r < RANKS; r++) {
        w->ranks[r].me = r;
        expect(!pthread_create(&w->ranks[r].thread, NULL, serve_nccl, &w->ranks[r]));
    }
    for (uint32_t r = 0; r < RANKS; r++) pthread_join(w->ranks[r].thread, NULL);
}

/* So much takes its time on a CPU that has other work. */
static void run_threads(run *w) {
    const char *devices[RANKS];
    char why[512] = "";
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = 1200000;
    for (uint32_t r = 0; r < RANKS; r++) devices[r] = group_device(r, RANKS);
    const ww_status status = ww_group_run(devices, RANKS, &options, serve, w, why, sizeof why);
    if (status) print_error("%s: %s\n", ww_status_name(status), why);
    expect(status == WW_OK);
}

static void run_case(const char *name, call *c, uint64_t n, bool nccl) {
    static run w;
    CASE("group huge", "%s, n = %" PRIu64 " a rank%s", name, n, nccl ? ", NCCL" : "");
    if (!case_wanted()) return;
    memset(&w, 0, sizeof w);
    w.call = c;
    w.n = n;
    if (nccl)
        run_nccl(&w);
    else
        run_threads(&w);
    for (uint32_t r = 0; r < RANKS; r++) {
        if (w.ranks[r].status == WW_MEMORY) {
            print_message("left out: %s: there is no memory for it\n", name);
            continue;
        }
        if (w.ranks[r].status) print_error("rank %u: %s\n", r, w.ranks[r].said);
        expect(!w.ranks[r].status && !w.ranks[r].wrong);
    }
    print_message("%s, %" PRIu64 " elements a rank%s: right\n", name, n, nccl ? ", over NCCL" : "");
}

static uint64_t length_here(void) {
    const char *asked = getenv("WARPWISE_HUGE");
    if (asked && *asked) return strtoull(asked, NULL, 0);
    return on_gpu() && !on_emulator() && group_gpus() >= RANKS ? huge : 5003;
}

static const struct {
    const char *name;
    call *call;
} calls[] = {
    {"exchange", exchange},     {"sort", sort}, {"split", split}, {"scan", scan}, {"reduce and histogram", numbers},
    {"an index of u32", narrow}};

static void in_memory(void **state) {
    (void)state;
    const uint64_t n = length_here();
    const bool nccl = on_gpu() && !on_emulator() && group_gpus() >= RANKS;
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        run_case(calls[k].name, calls[k].call, n, false);
        if (nccl) run_case(calls[k].name, calls[k].call, n, true);
    }
}

static void without_memory(void **state) {
    (void)state;
    if (on_gpu() || tests_are_short()) return; /* a GPU has the memory; and gigabytes take time under a sanitizer */
    run_case("exchange of repeated memory", exchange_repeated, huge, false);
    run_case("find in repeated memory", find_repeated, huge + 4, false);
    run_case("reduce and histogram", numbers, huge + 2, false);
    run_case("an index of u32", narrow, huge, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_memory), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

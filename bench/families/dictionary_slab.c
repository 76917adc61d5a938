/* The slab hash: bulk insertion, searches that find all and none, and operations of several kinds at once, by memory use (the bytes of
 * pairs by those of slabs; Ashkiani, 2017). A dictionary as it is opened for n pairs has 60 pairs for 100 slots of first slabs; the
 * others have a fixed number of buckets, which share slabs, so that the memory use is what the row says: 0.66, and a high one, 0.9 where slabs
 * have 128 bytes (a GPU) and 0.8 where they have 64. A row whose dictionary has another use fails. */
#include "families/dictionary_slab.h"

#include <math.h>
#include <string.h>

#include "measuring/data.h"
#include "measuring/pages.h"
#include "peers/cuckoo.h"
#include "peers/lists.h"
#include "warpwise/slab_kernel.h"

enum { CHECKED = 1024, AS_OPENED = 500, USE_TOLERANCE = 15, HIGH_WIDE = 900, HIGH_NARROW = 800, WIDE = 128, FIFTH = 5 };

/* Keys number 0, 1, … are odd multiples, so that no two are alike; even ones are not there. */
#define SCATTER 2654435761u
static uint32_t key_number(uint32_t i) { return (2 * i + 1) * SCATTER; }
static uint32_t no_key(uint32_t i) { return 2 * i * SCATTER; }
WW_MAP(slab_key, uint32_t, uint32_t, i, void, none, { return (2 * i + 1) * 2654435761u; });

static bool others_built[GPU_TABLES_MODULES][GPU_TABLE_WAYS];

static struct {
    ww_slab *slab;
    cuckoo_table cuckoo;
    lists_table lists;
    bool built;
    bool filled, turned; /* turned: the mixed batch has been done an odd number of times */
    bool lists_turned;
    bool grows; /* it comes to its memory use batch by batch, so that buckets share no slabs */
} kept;

void slab_end(void) {
    ww_slab_close(kept.slab);
    kept.slab = NULL;
    cuckoo_close(&kept.cuckoo);
    lists_close(&kept.lists);
    gpu_tables_end();
    memset(others_built, 0, sizeof others_built);
    kept.built = kept.filled = kept.turned = kept.lists_turned = kept.grows = false;
}

/* ---- dictionaries of a memory use ---- */

/* Slabs of a list of k pairs. Dense dictionaries share those behind first slabs, of whose slots 2% stay empty. */
static double slabs_of(double k, double pairs, const ww_slab_info *layout) {
    const double slots = (double)layout->slab_slots;
    const bool shares = !kept.grows && pairs >= 0.6 * slots && pairs <= 2 * slots;
    if (shares && k > slots && k <= 2 * slots) return 1 + (k - slots) / (0.98 * slots);
    return k > 0 ? ceil(k / slots) : 1;
}

/* The memory use, in thousandths, where buckets have `pairs` pairs each on average (Poisson) of 8 bytes. */
static double use_of(double pairs, const ww_slab_info *layout) {
    const double most = pairs + 20 * sqrt(pairs) + 50;
    double slabs = 0, chance = exp(-pairs);
    for (double k = 0; k < most; chance *= pairs / ++k) slabs += chance * slabs_of(k, pairs, layout);
    return 1000 * pairs * 8 / (slabs * (double)layout->slab_bytes);
}

/* The two halves of a row's parameter. */
static uint64_t use_of_row(const bench_work *w) { return w->parameter & (((uint64_t)1 << SLAB_PARAMETER_BITS) - 1); }
static uint64_t more_of_row(const bench_work *w) { return w->parameter >> SLAB_PARAMETER_BITS; }

static uint64_t use_wanted(const bench_work *w, const ww_slab_info *layout) {
    if (use_of_row(w) != SLAB_HIGH) return use_of_row(w);
    return layout->slab_bytes == WIDE ? HIGH_WIDE : HIGH_NARROW;
}

static ww_status open_with(bench_work *w, uint64_t buckets) {
    ww_slab_options o = WW_SLAB_OPTIONS;
    o.buckets = buckets;
    o.fixed = buckets != 0;
    return ww_slab_open(w->device, &ww_type_uint32_t, &ww_type_uint32_t, w->n, &kept.slab, &o);
}

/* An empty one for w->n pairs. */
static ww_status open_kept(bench_work *w) {
    ww_slab_info layout = WW_SLAB_INFO;
    if (use_of_row(w) == SLAB_AS_OPENED) return open_with(w, 0);
    ww_status status = open_with(w, 1);
    if (!status) status = ww_slab_info_get(kept.slab, &layout);
    ww_slab_close(kept.slab);
    kept.slab = NULL;
    if (status) return status;
    /* Lists of all lengths end in a slab that is half full. */
    if (use_wanted(w, &layout) > 1000 * 8 * layout.slab_slots / layout.slab_bytes * 98 / 100) {
        w->cannot = "slabs of this size are never used so well";
        return WW_UNSUPPORTED;
    }
    const double wanted = (double)use_wanted(w, &layout), step = 0.0625;
    double pairs = step;
    while (use_of(pairs, &layout) < wanted) pairs += step;
    /* Where buckets begin to share slabs it jumps. */
    if (pairs > step && wanted - use_of(pairs - step, &layout) < use_of(pairs, &layout) - wanted) pairs -= step;
    return open_with(w, (uint64_t)((double)w->n / pairs) + 1);
}

static bool use_is_right(const bench_work *w) {
    ww_slab_info info = WW_SLAB_INFO;
    if (w->base) return true;
    if (ww_slab_info_get(kept.slab, &info) || info.pairs != w->n) return false;
    if (use_of_row(w) == SLAB_AS_OPENED) return true;
    /* Small ones differ from what is expected. */
    const double use = 1000 * info.memory_use, wanted = (double)use_wanted(w, &info);
    return w->n < 1 << 20 || (use > wanted - USE_TOLERANCE && use < wanted + USE_TOLERANCE);
}

static ww_status fill_kept(bench_work *w) {
    const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, w->n);
    if (kept.filled) return WW_OK;
    ww_status status = open_kept(w);
    if (!status) status = ww_slab_insert(kept.slab, ww_mapped(&slab_key_ww, numbers), numbers, ww_none);
    kept.filled = !status;
    return status;
}

/* ---- the cuckoo table, of the memory use that the row's dictionary has ---- */

static ww_status open_cuckoo(bench_work *w) {
    ww_slab_info layout = WW_SLAB_INFO;
    if (kept.cuckoo.device) return WW_OK;
    ww_status status = kept.slab ? WW_OK : open_kept(w);
    if (!status) status = ww_slab_info_get(kept.slab, &layout);
    if (status) return status;
    const uint64_t use = use_of_row(w) == SLAB_AS_OPENED ? AS_OPENED : use_wanted(w, &layout);
    return cuckoo_open(w->device, w->n * 1000 / use + 1, &kept.cuckoo);
}

ww_status slab_base_insert(bench_work *w) {
    const ww_status status = open_cuckoo(w);
    return status ? status : cuckoo_build(&kept.cuckoo, w->in, w->second, w->n);
}

/* All pairs, in memory for a moment. */
typedef struct all_pairs {
    void *keys, *values;
} all_pairs;

static ww_status make_pairs(bench_work *w, all_pairs *all) {
    const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, w->n);
    *all = (all_pairs){NULL, NULL};
    ww_status status = ww_alloc(w->device, w->n * 4, &all->keys);
    if (!status) status = ww_alloc(w->device, w->n * 4, &all->values);
    if (!status) status = ww_map(w->device, &slab_key_ww, numbers, ww_array((uint32_t *)all->keys, w->n));
    return status ? status : ww_store(w->device, numbers, ww_array((uint32_t *)all->values, w->n));
}

static void free_pairs(bench_work *w, all_pairs *all) {
    ww_free(w->device, all->keys);
    ww_free(w->device, all->values);
}

static ww_status fill_cuckoo(bench_work *w) {
    all_pairs all = {NULL, NULL};
    if (kept.built) return WW_OK;
    ww_status status = open_cuckoo(w);
    if (!status) status = make_pairs(w, &all);
    if (!status) status = cuckoo_build(&kept.cuckoo, all.keys, all.values, w->n);
    free_pairs(w, &all);
    kept.built = !status;
    return status;
}

ww_status slab_base_search(bench_work *w) {
    const ww_status status = fill_cuckoo(w);
    return status ? status : cuckoo_search(&kept.cuckoo, w->in, w->out, w->out_second, w->n);
}

/* ---- insertion ---- */

void slab_make_insert(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = 64);
    data_permutation(w->second, w->n, 51);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = key_number(((uint32_t *)w->second)[i]);
}

ww_status slab_run_insert(bench_work *w) {
    ww_status status = kept.slab ? WW_OK : open_kept(w);
    if (!status) status = ww_slab_clear(kept.slab);
    if (status) return status;
    return ww_slab_insert(kept.slab, ww_memory((const uint32_t *)w->in, w->n),
                          ww_memory((const uint32_t *)w->second, w->n), ww_none);
}

/* Some of the keys, asked for on the device. */
static ww_status ask_some(const bench_work *w, uint32_t *keys, uint32_t *values, uint8_t *statuses) {
    ww_status status;
    if (w->base)
        status = cuckoo_search(&kept.cuckoo, keys, values, statuses, CHECKED);
    else
        status = ww_slab_search(kept.slab, ww_memory(keys, CHECKED), ww_array(values, CHECKED),
                                ww_array(statuses, CHECKED));
    return status ? status : ww_sync(w->device);
}

bool slab_right_insert(const bench_work *w) {
    void *room = NULL;
    if (ww_alloc_host(w->device, CHECKED * 9, &room)) return false;
    uint32_t *const keys = room, *const values = keys + CHECKED;
    uint8_t *const statuses = (uint8_t *)(values + CHECKED);
    for (uint32_t k = 0; k < CHECKED; k++) keys[k] = key_number((uint32_t)(w->n * k / CHECKED));
    bool right = !ask_some(w, keys, values, statuses);
    for (uint32_t k = 0; k < CHECKED; k++)
        right &= statuses[k] == WW_SLAB_FOUND && values[k] == (uint32_t)(w->n * k / CHECKED);
    ww_free(w->device, room);
    return right && use_is_right(w);
}

/* ---- searches ---- */

void slab_make_there(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n);
    data_permutation(w->in, w->n, 52);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = key_number(((uint32_t *)w->in)[i]);
}

void slab_make_not_there(bench_work *w) {
    slab_make_there(w);
    data_u31(w->in, w->n, 53);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = no_key(((uint32_t *)w->in)[i]);
}

ww_status slab_run_search(bench_work *w) {
    const ww_status status = fill_kept(w);
    if (status) return status;
    return ww_slab_search(kept.slab, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                          ww_array((uint8_t *)w->out_second, w->n));
}

bool slab_right_there(const bench_work *w) {
    const uint32_t *const keys = w->in, *const values = w->out;
    const uint8_t *const statuses = w->out_second;
    for (size_t i = 0; i < w->n; i++)
        if (statuses[i] != WW_SLAB_FOUND || key_number(values[i]) != keys[i]) return false;
    return use_is_right(w);
}

bool slab_right_not_there(const bench_work *w) {
    const uint8_t *const statuses = w->out_second;
    for (size_t i = 0; i < w->n; i++)
        if (statuses[i] != WW_SLAB_ABSENT) return false;
    return use_is_right(w);
}

/* ---- cuCollections and BGHT: tables of as many slots as the row's memory use says, which for pairs of 8 bytes is their load. They give no
 * statuses, so a search writes values alone, and absent ones are UINT32_MAX ---- */

typedef struct other {
    gpu_tables_of library;
    gpu_table_way way;
} other;

static const gpu_tables *library_of(bench_work *w, const other *o) {
    ww_device_info info = WW_DEVICE_INFO;
    if (ww_device_info_get(w->device, &info) || strcmp(info.backend, "cuda")) {
        w->cannot = "runs on an NVIDIA GPU alone (--device=cuda)";
        return NULL;
    }
    const gpu_tables *const library = gpu_tables_open(o->library, &w->cannot);
    if (library) w->cannot = NULL;
    return library;
}

static ww_status said(bench_work *w, const char *wrong) {
    if (wrong) w->cannot = wrong;
    return wrong ? WW_LOST : WW_OK;
}

static ww_status build_other(bench_work *w, const other *o, const void *keys, const void *values) {
    const gpu_tables *const library = library_of(w, o);
    if (!library) return WW_UNSUPPORTED;
    const uint64_t use = use_of_row(w) == SLAB_HIGH ? HIGH_WIDE : use_of_row(w);
    return said(w, library->build(o->way, w->n * 1000 / use + 1, keys, values, w->n));
}

static ww_status search_other(bench_work *w, const other *o) {
    const gpu_tables *const library = library_of(w, o);
    bool *const built = &others_built[o->library][o->way];
    if (!library) return WW_UNSUPPORTED;
    if (!*built) {
        all_pairs all;
        ww_status status = make_pairs(w, &all);
        if (!status) status = ww_sync(w->device);
        if (!status) status = build_other(w, o, all.keys, all.values);
        if (!status) status = said(w, library->wait());
        free_pairs(w, &all);
        if (status) return status;
        *built = true;
    }
    return said(w, library->find(o->way, w->in, w->out, w->n));
}

static bool right_other(const bench_work *w, const other *o) {
    void *room = NULL;
    const char *why;
    const gpu_tables *const library = gpu_tables_open(o->library, &why);
    if (!library || ww_alloc_host(w->device, CHECKED * 8, &room)) return false;
    uint32_t *const keys = room, *const values = keys + CHECKED;
    for (uint32_t k = 0; k < CHECKED; k++) keys[k] = key_number((uint32_t)(w->n * k / CHECKED));
    bool right = !library->find(o->way, keys, values, CHECKED) && !library->wait();
    for (uint32_t k = 0; k < CHECKED; k++) right &= values[k] == (uint32_t)(w->n * k / CHECKED);
    ww_free(w->device, room);
    return right;
}

static bool right_there_by_values(const bench_work *w) {
    const uint32_t *const keys = w->in, *const values = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (key_number(values[i]) != keys[i]) return false;
    return true;
}

static bool right_not_there_by_values(const bench_work *w) {
    const uint32_t *const values = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (values[i] != UINT32_MAX) return false;
    return true;
}

#define OTHER(name, library, way) \
    static const other name = {library, way}; \
    static ww_status build_##name(bench_work *w) { return build_other(w, &name, w->in, w->second); } \
    static ww_status search_##name(bench_work *w) { return search_other(w, &name); } \
    static bool right_##name(const bench_work *w) { return right_other(w, &name); }
OTHER(cuco_linear, GPU_TABLES_CUCO, GPU_TABLE_FIRST)
OTHER(cuco_double, GPU_TABLES_CUCO, GPU_TABLE_SECOND)
OTHER(bght_8, GPU_TABLES_BGHT, GPU_TABLE_FIRST)
OTHER(bght_16, GPU_TABLES_BGHT, GPU_TABLE_SECOND)

const bench_rival slab_insert_rivals[SLAB_RIVALS] = {
    {"cuco-linear", "static_map, linear probing, cg 1, buckets of 2", build_cuco_linear, right_cuco_linear},
    {"cuco-double", "static_map, double hashing, cg 2, buckets of 2", build_cuco_double, right_cuco_double},
    {"BGHT-8", "bght::bcht8", build_bght_8, right_bght_8},
    {"BGHT-16", "bght::bcht16", build_bght_16, right_bght_16},
};
#define SEARCHES(right) \
    { \
        {"cuco-linear", "static_map, linear probing, cg 1, buckets of 2", search_cuco_linear, right}, \
            {"cuco-double", "static_map, double hashing, cg 2, buckets of 2", search_cuco_double, right}, \
            {"BGHT-8", "bght::bcht8", search_bght_8, right}, {"BGHT-16", "bght::bcht16", search_bght_16, right}, \
    }
const bench_rival slab_there_rivals[SLAB_RIVALS] = SEARCHES(right_there_by_values);
const bench_rival slab_not_there_rivals[SLAB_RIVALS] = SEARCHES(right_not_there_by_values);

/* ---- operations of several kinds at once: of five one inserts a key, one deletes one, and three find one. The keys that one batch
 * deletes the next inserts, and the other way round, so the dictionary stays as large as it is. ---- */

WW_MAP(slab_mix, uint8_t, uint32_t, i, void, none, { return (uint8_t)(i % 5 == 0 ? 2 : i % 5 == 1 ? 4 : 1); });

void slab_make_mixed(bench_work *w) {
    const uint32_t n = (uint32_t)w->n, fifth = n / FIFTH + 1;
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n);
    data_below(w->in, w->n, n - fifth, 54);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t there = i / FIFTH, other = n + i / FIFTH, found = fifth + ((uint32_t *)w->in)[i];
        ((uint32_t *)w->in)[i] = key_number(i % FIFTH == 0 ? other : i % FIFTH == 1 ? there : found);
        ((uint32_t *)w->second)[i] = key_number(i % FIFTH == 0 ? there : i % FIFTH == 1 ? other : found);
    }
}

/* What buckets are tidied up with is compiled by then. */
static ww_status fill_for_changes(bench_work *w) {
    if (kept.filled) return WW_OK;
    const ww_status status = fill_kept(w);
    return status ? status : ww_slab_flush(kept.slab);
}

ww_status slab_run_mixed(bench_work *w) {
    const uint32_t *const keys = kept.turned ? w->second : w->in;
    const ww_status status = fill_for_changes(w);
    const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, w->n);
    if (status) return status;
    kept.turned = !kept.turned;
    return ww_slab_mixed(kept.slab, ww_mapped(&slab_mix_ww, numbers), ww_memory(keys, w->n), numbers,
                         ww_array((uint32_t *)w->out, w->n), ww_array((uint8_t *)w->out_second, w->n));
}

bool slab_right_mixed(const bench_work *w) {
    const uint8_t *const statuses = w->out_second;
    for (size_t i = 0; i < w->n; i++) {
        const uint8_t wanted = i % FIFTH == 0 ? WW_SLAB_INSERTED : i % FIFTH == 1 ? WW_SLAB_DELETED : WW_SLAB_FOUND;
        /* The last key that is deleted may be one more than are inserted, and then is not there the next time. */
        if (statuses[i] != wanted && i + FIFTH < w->n) return false;
    }
    return true;
}

/* ---- batch after batch into a dictionary that has room for all in the end; a cuckoo table is built anew for each ---- */

void slab_make_batches(bench_work *w) {
    kept.grows = true;
    slab_make_insert(w);
}

ww_status slab_run_batches(bench_work *w) {
    const size_t batch = (size_t)more_of_row(w);
    const uint32_t *const keys = w->in, *const values = w->second;
    ww_status status = kept.slab ? WW_OK : open_kept(w);
    if (!status) status = ww_slab_clear(kept.slab);
    for (size_t i = 0; i < w->n && !status; i += batch) {
        const size_t many = w->n - i < batch ? w->n - i : batch;
        status = ww_slab_insert(kept.slab, ww_memory(keys + i, many), ww_memory(values + i, many), ww_none);
    }
    return status;
}

ww_status slab_base_batches(bench_work *w) {
    const size_t batch = (size_t)more_of_row(w);
    ww_status status = open_cuckoo(w);
    const uint64_t slots = kept.cuckoo.slots;
    for (size_t i = 0; i < w->n && !status; i += batch) {
        const size_t many = w->n - i < batch ? w->n - i : batch;
        kept.cuckoo.slots = (i + many) * 1000 / use_of_row(w) + 1;
        status = cuckoo_build(&kept.cuckoo, w->in, w->second, i + many);
    }
    kept.cuckoo.slots = slots;
    return status;
}

/* ---- of ten operations so many insert or delete, in equal parts; of the others half find a key and half none. As above the
 * keys that one batch deletes the next inserts. ---- */

enum { TEN = 10 };
WW_MAP(slab_tenths, uint8_t, uint32_t, i, uint32_t, updates, {
    return (uint8_t)(i % 10 < *updates / 2 ? 2 : i % 10 < *updates ? 4 : 1);
});

/* What operation i does: its number among those of its kind is i / TEN * updates / 2 and how many of its ten are before it. */
static uint32_t number_in_mix(uint32_t i, uint32_t half, bool deletes) {
    return i / TEN * half + i % TEN - (deletes ? half : 0);
}

void slab_make_tenths(bench_work *w) {
    const uint32_t n = (uint32_t)w->n, updates = (uint32_t)more_of_row(w), half = updates / 2;
    const uint32_t changed = (n / TEN + 1) * half;
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n);
    data_below(w->in, w->n, n > changed ? n - changed : 1, 55);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const one = (uint32_t *)w->in + i, *const other = (uint32_t *)w->second + i;
        if (i % TEN < updates) {
            const bool deletes = i % TEN >= half;
            const uint32_t k = number_in_mix(i, half, deletes);
            *one = key_number(deletes ? k : n + k);
            *other = key_number(deletes ? n + k : k);
        } else {
            *one = *other = i % TEN < updates + (TEN - updates) / 2 ? key_number(changed + *one) : no_key(*one);
        }
    }
}

ww_status slab_run_tenths(bench_work *w) {
    static uint32_t updates;
    const uint32_t *const keys = kept.turned ? w->second : w->in;
    const ww_status status = fill_for_changes(w);
    const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, w->n);
    updates = (uint32_t)more_of_row(w);
    if (status) return status;
    kept.turned = !kept.turned;
    return ww_slab_mixed(kept.slab, ww_mapped(ww_with(slab_tenths, &updates), numbers), ww_memory(keys, w->n), numbers,
                         ww_array((uint32_t *)w->out, w->n), ww_array((uint8_t *)w->out_second, w->n));
}

/* The same to lists, of which there are as many as the slab hash has buckets. */
ww_status slab_run_tenths_of_lists(bench_work *w) {
    ww_slab_info info = WW_SLAB_INFO;
    const uint32_t *const keys = kept.lists_turned ? w->second : w->in, updates = (uint32_t)more_of_row(w);
    ww_status status = fill_for_changes(w);
    if (!status && !kept.lists.device) {
        status = ww_slab_info_get(kept.slab, &info);
        if (!status) status = lists_open(w->device, w->n * 2 + TEN, info.buckets, &kept.lists);
        if (!status) status = lists_fill(&kept.lists, w->n);
    }
    if (status) return status;
    kept.lists_turned = !kept.lists_turned;
    return lists_mixed(&kept.lists, keys, updates, w->out_second, w->n);
}

bool slab_right_tenths(const bench_work *w) {
    const uint32_t updates = (uint32_t)more_of_row(w);
    const uint8_t *const statuses = w->out_second;
    for (size_t i = 0; i + TEN < w->n; i++) { /* the last ten may be less than ten: more of them insert than delete */
        const size_t k = i % TEN;
        const uint8_t wanted = k < updates / 2                     ? WW_SLAB_INSERTED
                               : k < updates                       ? WW_SLAB_DELETED
                               : k < updates + (TEN - updates) / 2 ? WW_SLAB_FOUND
                                                                   : WW_SLAB_ABSENT;
        if (statuses[i] != wanted) return false;
    }
    return true;
}

/* ---- slabs alone: each thread takes one, where a hash says, and a second launch gives them back. A fifth of them stay free. ---- */

WW_STRUCT_USES((ww_slab_u32_u32), slab_taking, {
    ww_slab_u32_u32 slab;
    uint32_t *numbers;
});
WW_KERNEL_USES((ww__in_slab_take), slab_take_one, slab_taking, a, i,
               { a->numbers[i] = ww__in_slab_take(&a->slab.view, (i + 1) * 0x9E3779B97F4A7C15u >> 32); });
WW_KERNEL_USES((ww__in_slab_give), slab_give_one, slab_taking, a, i, {
    if (a->numbers[i]) ww__in_slab_give(&a->slab.view, a->numbers[i]);
});

static slab_taking taking;

void slab_make_taken(bench_work *w) { w->out = work_pages(w, w->out_bytes = w->n * 4); }

static ww_status view_kept(bench_work *w) {
    ww_slab_info layout = WW_SLAB_INFO;
    if (kept.slab) return WW_OK;
    ww_status status = open_with(w, 1);
    if (!status) status = ww_slab_info_get(kept.slab, &layout);
    return status ? status : ww_slab_u32_u32_view(kept.slab, (w->n + w->n / 4) * layout.slab_slots, &taking.slab);
}

ww_status slab_run_taken(bench_work *w) {
    ww_status status = view_kept(w);
    taking.numbers = w->out;
    if (!status) status = ww_launch(w->device, ww_with(slab_take_one, &taking), w->n);
    return status ? status : ww_launch(w->device, ww_with(slab_give_one, &taking), w->n);
}

/* Each slab was taken once, and all are free again. */
bool slab_right_taken(const bench_work *w) {
    const uint32_t *const numbers = w->out;
    ww_slab_info info = WW_SLAB_INFO;
    void *room = NULL;
    uint32_t most = 0;
    for (size_t i = 0; i < w->n; i++) most = numbers[i] > most ? numbers[i] : most;
    if (ww_slab_info_get(kept.slab, &info) || info.slabs || ww_alloc_host(w->device, (size_t)most + 1, &room))
        return false;
    uint8_t *const seen = room;
    bool right = true;
    for (size_t k = 0; k <= most; k++) seen[k] = k == 0;
    for (size_t i = 0; i < w->n; i++) right &= !seen[numbers[i]]++;
    ww_free(w->device, room);
    return right;
}

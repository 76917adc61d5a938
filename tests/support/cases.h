/* What property tests share: the settings to run under, the data to run on, outputs with guarded edges, and the line that
 * reruns a failed case.
 *
 *     for (size_t s = 0; s < setting_count(); s++) {
 *         ww_device *device = setting_open(s);
 *         …
 *         CASE("scan", "%s %s n=%zu %s seed=%llu", setting_name(s), type->label, n, shape_name(shape), seed);
 *         if (!case_wanted()) continue;
 *         guarded out = guarded_new(n * type->size);
 *         … expect_status(device, ww_scan(…), WW_OK); expect_bytes(out.data, wanted, n * type->size);
 *         guarded_check(&out); guarded_free(&out);
 *
 * A failing expectation prints the case and a command that runs it alone, then fails the test. */
#ifndef TESTS_CASES_H
#define TESTS_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/report.h"
#include "warpwise.h"

/* ---- settings: device × threads × vector width, or a GPU. Widths that this machine lacks are left out, with a printed line. ---- */
size_t setting_count(void);
const char *setting_name(size_t setting); /* "cpu:threads=2,avx2" */
ww_device *setting_open(size_t setting);  /* fails the test when it cannot be opened */
ww_device *setting_open_with(size_t setting, ww_host_memory host_memory); /* on a GPU; a CPU reaches all memory */
/* Opens the first `settings` of them, DEVICES_MOST at most; returns how many. */
enum { DEVICES_MOST = 64 };
size_t settings_open(ww_device *devices[DEVICES_MOST], size_t settings);
void settings_close(ww_device **devices, size_t settings);
/* Whether the one setting is a GPU: WARPWISE_TEST_DEVICE names it ("cuda", "emu": with two workers and the day for a seed,
 * printed, so that blocks come in another order every day; "emu:threads=2,seed=20261122" repeats one). need and guarded_new then give memory that
 * it reaches; arrays of a test's own stack it does not. */
bool on_gpu(void);
bool on_emulator(void);
void emulator_restart(void); /* each case begins with it */
/* The same, with a printed line that says why the test is left out there. */
bool left_out_on_gpu(const char *why);
/* Whether the device is the emulator itself, so that few elements make as many launches as a GPU takes for many. */
bool tiles_are_small(void);
/* The emulator compiles a program for every type and operator, a fifth of a second each: it takes one in three of a list,
 * those with number % 3 == 1. (That kernels compile for all types is test_kernel_text's; GPUs run all.) */
bool left_to_gpus(size_t number);
/* The first settings of each width only, for slow tests. */
size_t setting_count_short(void);
/* WARPWISE_TEST_SHORT=n: fewer settings and sizes, and of what is left one case in n, for machines where everything is slow
 * (emulated ones, sanitizers). Without it all of them, one in 1. */
bool tests_are_short(void);
unsigned tests_one_in(void);
/* Whether a child of fork can be given threads here: the thread sanitizer cannot follow them, and in qemu's user emulation
 * (7.2) they make the emulator abort. Prints why not. */
bool children_can_have_threads(void);

/* ---- data ---- */
typedef enum shape { UNIFORM, CONSTANT, SORTED, REVERSED, FEW, SKEWED, ADVERSARIAL, SHAPES } shape;
const char *shape_name(shape s);
/* Fills n elements of any type. Floats are numbers without NaN (ADVERSARIAL: NaNs of both signs, infinities, both zeros,
 * subnormals); integers ADVERSARIAL: the type's ends and powers of two. SORTED and REVERSED by value. Records: random. */
void fill(void *data, const ww_type *type, size_t size, size_t n, shape s, uint64_t seed);
/* A 64-bit random number and the next state (splitmix64). */
uint64_t random_next(uint64_t *state);

/* The seed of this run: WARPWISE_SEED, else a fixed number; printed once. */
uint64_t seed_of_run(void);
/* The day of this run as a number, 20261122: WARPWISE_DAY, else today; printed once. It decides what is tried today of that which
 * is too much for every day. */
uint64_t day_of_run(void);

/* Sizes around every boundary: 0, 1, lanes, tiles (ww__tile of the element size), the serial limit, up to a few hundred
 * thousand. sizes_of(element size, &count). The large one (a few million) is size_large(). */
const size_t *sizes_of(size_t element, size_t *count);
size_t size_large(void);

/* ---- outputs ---- */
typedef struct guarded {
    void *data; /* poisoned with 0xA5; 64 guarded bytes on each side */
    size_t bytes;
    void *block;
} guarded;
guarded guarded_new(size_t bytes);
/* The same in the host's own memory, which a GPU may not reach, `off` bytes behind a multiple of 64. */
guarded guarded_in_host(size_t bytes, size_t off);
void guarded_check(const guarded *g); /* fails when a byte around was written */
void guarded_free(guarded *g);

/* ---- cases and expectations ---- */
void case_begin(const char *file, const char *family, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define CASE(family, ...) case_begin(__FILE__, family, __VA_ARGS__)
/* Whether WARPWISE_CASE (a part of the case's text) asks for it; where that is not set, all but what short tests leave out. */
bool case_wanted(void);
/* Cases run so far, and whether any was asked for; a test that ran none fails (support/report.h). */
size_t case_count(void);
bool cases_asked(void);

void expect_status_at(ww_device *device, ww_status got, ww_status wanted, const char *file, int line);
#define expect_status(device, got, wanted) expect_status_at(device, got, wanted, __FILE__, __LINE__)
/* Byte for byte; says the first element that differs. */
void expect_bytes_at(const void *got, const void *wanted, size_t bytes, size_t element, const char *file, int line);
#define expect_bytes(got, wanted, bytes) expect_bytes_at(got, wanted, bytes, 1, __FILE__, __LINE__)
#define expect_elements(got, wanted, n, size) expect_bytes_at(got, wanted, (n) * (size), size, __FILE__, __LINE__)
void expect_at(bool condition, const char *what, const char *file, int line);
#define expect(condition) expect_at(condition, #condition, __FILE__, __LINE__)
/* ww_error(device) contains each of the parts (ended by NULL). */
void expect_sentence_at(ww_device *device, const char *file, int line, ...);
#define expect_sentence(device, ...) expect_sentence_at(device, __FILE__, __LINE__, __VA_ARGS__, (const char *)NULL)

/* Memory that must not be NULL, freed by free(). */
void *need(size_t bytes);

/* Makes an empty folder, TMPDIR/warpwise-NAME-… (/tmp where there is no TMPDIR), for the test to remove. */
bool folder_make(char *path, size_t room, const char *name);
/* Whether the library can trust such a folder (device/trust.h). In a user namespace where root's files are shown as another user's it
 * cannot, with a printed line; where TMPDIR lies in a folder that others may write to, the test fails, after a sentence. */
bool folders_can_be_trusted(void);

/* ---- an allocator that counts, and fails at the k-th request (k = SIZE_MAX: never) ---- */
typedef struct counting_allocator {
    size_t fail_at, requests, live_blocks, live_bytes, peak_bytes;
} counting_allocator;
ww_allocator counting_allocator_use(counting_allocator *counter);

#endif

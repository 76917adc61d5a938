/* The settings that tests run under: every vector width that this machine has, with one thread, two and five. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#include "device/paper.h"
#include "device/zones.h"
#include "support/cases.h"
#include "support/reachable.h"

typedef struct setting {
    const char *device, *vector;
    char name[64];
} setting;

static setting settings[16];
static size_t many, many_short;

static const char *const vectors[] = {"avx512", "avx2", "plain"};
static const char *const devices[] = {"cpu:threads=2", "cpu:threads=1", "cpu:threads=5"};

static bool has_vector(const char *vector) {
    ww_device *device;
    setenv("WARPWISE_VECTOR", vector, 1);
    const ww_status status = ww_open("cpu:threads=1", &device);
    if (status) left_out("%s", ww_error(device));
    ww_close(device);
    unsetenv("WARPWISE_VECTOR");
    return !status;
}

static const char *gpu(void) {
    const char *name = getenv("WARPWISE_TEST_DEVICE");
    return name && *name && strncmp(name, "cpu", 3) ? name : NULL;
}

bool on_gpu(void) { return gpu() != NULL; }

/* WARPWISE_TEST_SMALL=1 asks for the emulator's small arrays on a GPU too: under compute-sanitizer it is as slow. */
bool on_emulator(void) { return on_gpu() && (!strncmp(gpu(), "emu", 3) || getenv("WARPWISE_TEST_SMALL")); }

bool tiles_are_small(void) { return on_gpu() && !strncmp(gpu(), "emu", 3); }

bool left_to_gpus(size_t number) { return on_emulator() && number % 3 != 1; }

bool left_out_on_gpu(const char *why) {
    if (on_gpu()) left_out("on a GPU: %s", why);
    return on_gpu();
}

uint64_t day_of_run(void) {
    static uint64_t number;
    if (number) return number;
    const char *asked = getenv("WARPWISE_DAY");
    const time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    number = asked ? strtoull(asked, NULL, 10)
                   : (uint64_t)(day.tm_year + 1900) * 10000 + (uint64_t)(day.tm_mon + 1) * 100 + (uint64_t)day.tm_mday;
    printf("WARPWISE_DAY=%llu\n", (unsigned long long)number);
    return number;
}

/* The emulator's blocks come in an order that the day decides. */
static void name_gpu(const char *asked, char *name, size_t room) {
    if (strcmp(asked, "emu")) {
        snprintf(name, room, "%s", asked);
        return;
    }
    snprintf(name, room, "emu:threads=2,counters=0,seed=%llu", (unsigned long long)day_of_run());
    printf("blocks in the order of WARPWISE_TEST_DEVICE=%s\n", name);
}

/* From here on launches come in the order that a new handle's would: a case meets it whether it runs alone or among others. */
void emulator_restart(void) {
    static void (*restart)(void);
    static bool looked;
    if (!looked) {
        const char *path = getenv("WARPWISE_EMULATOR");
        void *emulator = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL, *symbol;
        if (!emulator) return; /* not yet, or it is not the one that runs */
        looked = true;
        symbol = dlsym(emulator, "ww__emulator_restart");
        if (symbol) memcpy(&restart, &symbol, sizeof restart);
    }
    if (restart) restart();
}

static void find_gpu(const char *asked) {
    char *name = settings[0].name;
    name_gpu(asked, name, sizeof settings[0].name);
    settings[0].device = name;
    settings[0].vector = "plain";
    many = many_short = 1;
    reachable_begin(name);
}

/* Two threads on every width come first: they are the short list. */
static void find_settings(void) {
    if (gpu()) {
        find_gpu(gpu());
        return;
    }
    const char *const asked = getenv("WARPWISE_VECTOR");
    static char *only; /* has_vector forgets it */
    if (asked) only = strdup(asked);
    bool has[3];
    for (size_t v = 0; v < 3; v++) has[v] = (!only || !strcmp(only, vectors[v])) && has_vector(vectors[v]);
    for (size_t d = 0; d < 3; d++) {
        for (size_t v = 0; v < 3; v++) {
            if (!has[v]) continue;
            setting *s = &settings[many++];
            s->device = devices[d];
            s->vector = vectors[v];
            snprintf(s->name, sizeof s->name, "%s,%s", s->device, s->vector);
        }
        if (!d) many_short = many;
    }
    if (!many) {
        fprintf(stderr, "no setting to test under\n");
        abort();
    }
}

bool tests_are_short(void) {
    const char *asked = getenv("WARPWISE_TEST_SHORT");
    return asked && *asked && strcmp(asked, "0");
}

unsigned tests_one_in(void) {
    const int n = tests_are_short() ? atoi(getenv("WARPWISE_TEST_SHORT")) : 1;
    return n > 1 ? (unsigned)n : 1;
}

bool children_can_have_threads(void) {
#if defined(__SANITIZE_THREAD__)
    left_out("the thread sanitizer cannot follow threads that are started after a fork");
    return false;
#elif defined(TESTS_EMULATED)
    left_out("the emulator aborts when a child of fork starts threads");
    return false;
#else
    return true;
#endif
}

size_t setting_count(void) {
    if (!many) find_settings();
    return tests_are_short() ? many_short : many;
}

size_t setting_count_short(void) {
    if (!many) find_settings();
    return many_short;
}

const char *setting_name(size_t s) { return s < setting_count() ? settings[s].name : "no setting"; }

/* Scratch memory was written behind its end. */
static void overrun(const ww_device *device, size_t bytes) {
    fprintf(stderr, "%s: wrote behind a piece of %zu bytes of scratch memory\n", device->call, bytes);
    expect_at(false, "nothing is written behind a piece of scratch memory", __FILE__, __LINE__);
}

/* A call took more scratch memory than ww_scratch_asked would have said, or was refused where it is asked for alone. */
static void rehearsed(const ww_device *device, const char *wrong, size_t asked, size_t taken) {
    fprintf(stderr, "%s %s: %zu bytes of scratch memory were said, %zu taken: %s\n", device->call, wrong, asked, taken,
            device->error);
    expect_at(false, "a call takes no more than ww_scratch_asked says", __FILE__, __LINE__);
}

ww_device *setting_open_with(size_t s, ww_host_memory host_memory) {
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.host_memory = host_memory;
    if (s >= setting_count()) abort();
    setenv("WARPWISE_VECTOR", settings[s].vector, 1);
    const ww_status status = ww_open_with(settings[s].device, &device, &options);
    if (status) {
        fprintf(stderr, "%s: %s\n", settings[s].name, ww_error(device));
        abort();
    }
    if (!strstr(settings[s].device, "threads=5")) device->light_bytes = 0; /* small arrays go to threads, too */
    ww__zones_watch(device, overrun);
    ww__rehearse_calls(device, rehearsed);
    return device;
}

ww_device *setting_open(size_t s) { return setting_open_with(s, WW_HOST_MEMORY_AUTO); }

size_t settings_open(ww_device *devices[DEVICES_MOST], size_t settings) {
    if (settings > DEVICES_MOST) settings = DEVICES_MOST;
    for (size_t s = 0; s < settings; s++) devices[s] = setting_open(s);
    return settings;
}

void settings_close(ww_device **devices, size_t settings) {
    for (size_t s = 0; s < settings; s++) ww_close(devices[s]);
}

#include "support/plans.h"

#include <stdio.h>

#include "device/gpu/gpu.h"

static ww_device *plans_open(void) {
    char name[128];
    ww_device *device;
    if (!on_gpu() || !tiles_are_small()) return setting_open(0);
    const char *const asked = setting_name(0);
    snprintf(name, sizeof name, "%s%stiles=gpu", asked, strchr(asked, ':') ? "," : ":");
    expect_status(NULL, ww_open(name, &device), WW_OK);
    expect(device->gpu->driver->tiles == WW__TILES_GPU);
    return device;
}

void plans_check_of(const char *file, const plan *plans, size_t count) {
    ww_device *device = plans_open();
    for (size_t p = 0; p < count; p++)
        for (size_t s = 0; s < PLAN_SIZES && plans[p].sizes[s]; s++) {
            case_begin(file, plans[p].name, "%s n=%zu seed=%llu", setting_name(0), plans[p].sizes[s],
                       (unsigned long long)seed_of_run());
            if (case_wanted()) plans[p].check(device, plans[p].sizes[s]);
        }
    ww_close(device);
}

void *plan_numbers(const ww_type *type, size_t n, uint64_t below) {
    unsigned char *x = need(n * type->size);
    uint64_t state = seed_of_run() + n;
    fill(x, type, type->size, n, UNIFORM, seed_of_run() + n);
    for (size_t i = 0; below && i < n; i++) {
        const uint64_t low = random_next(&state) % below;
        memset(x + i * type->size, 0, type->size);
        memcpy(x + i * type->size, &low, type->size < 8 ? type->size : 8); /* little-endian */
    }
    return x;
}

void plan_expect(guarded *out, const void *wanted, size_t n, size_t size) {
    expect_elements(out->data, wanted, n, size);
    guarded_check(out);
    guarded_free(out);
}

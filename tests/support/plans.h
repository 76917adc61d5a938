/* Tests of the plans that GPUs get: their tiles, thread counts and shortcuts, which few elements never meet on the emulator's
 * small tiles. Each plan is a family of cases of its own with a few numbers of elements, around one, two and three tiles of
 * it; what is wanted comes from the oracles.
 *
 *     static const plan plans[] = {{"scan", check_scan, {4097, 65543}}, …};
 *     plans_check(plans, sizeof plans / sizeof *plans); */
#ifndef TESTS_PLANS_H
#define TESTS_PLANS_H

#include "support/cases.h"

enum { PLAN_SIZES = 3 };
typedef struct plan {
    const char *name;
    void (*check)(ww_device *device, size_t n);
    size_t sizes[PLAN_SIZES]; /* 0: fewer of them */
} plan;

/* On the emulator with a GPU's tiles; on other devices as they are. */
void plans_check_of(const char *file, const plan *plans, size_t count);
#define plans_check(plans, count) plans_check_of(__FILE__, plans, count)

/* n elements of a type, of which `below` sets the number of different values (0: any). */
void *plan_numbers(const ww_type *type, size_t n, uint64_t below);
/* The output holds what was wanted, and nothing around it was written; frees it. */
void plan_expect(guarded *out, const void *wanted, size_t n, size_t size);

#endif

/* Random calls on small arrays, one after another on the same handles, beside the serial oracles: what `make fuzz` does for as long
 * as one likes (tests/fuzz/fuzz_calls.c), here with some hundred inputs under every sanitizer and on every machine. */
#include "support/cases.h"
#include "support/random_calls.h"

enum { INPUTS = 400, BYTES = 100 };

static void wrong(void) {
    const bool as_the_oracles_say = false;
    expect(as_the_oracles_say);
}

static void inputs(void **state) {
    (void)state;
    uint64_t random = seed_of_run();
    for (size_t k = 0; k < INPUTS / (tests_are_short() ? 4 : 1); k++) {
        uint8_t bytes[BYTES];
        for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)random_next(&random);
        CASE("random calls", "input %zu", k);
        if (case_wanted()) random_calls(bytes, BYTES, wrong);
    }
    unsetenv("WARPWISE_VECTOR");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inputs)};
    return cmocka_run_group_tests_name("random calls", tests, NULL, NULL);
}

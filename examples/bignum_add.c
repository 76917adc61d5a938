/* Addition of two numbers with a million digits: the carries, each of which may come from far away, by one scan.
 *
 * What a digit place does to the carry that comes into it depends on the sum of its two digits alone: below 9 no carry
 * leaves it, above 9 one does, at 9 the carry passes through. "What two neighbouring places do together" is associative:
 * the upper one decides, unless it passes on what the lower one does. So an exclusive scan says what all places below
 * do to a carry of 0, which is the carry into each place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

WW_CONSTANT(STOPS, uint8_t, 0);  /* a carry of 0 leaves */
WW_CONSTANT(MAKES, uint8_t, 1);  /* a carry of 1 leaves */
WW_CONSTANT(PASSES, uint8_t, 2); /* what comes in leaves */

WW_MAP2(digit_sum, uint8_t, uint8_t, a, uint8_t, b, void, none, { return (uint8_t)(a + b); });

WW_MAP_USES((STOPS, MAKES, PASSES), carry_of, uint8_t, uint8_t, sum, void, none, {
    return sum < 9 ? STOPS : sum > 9 ? MAKES : PASSES;
});

WW_COMBINE_USES((PASSES), upper_decides, uint8_t, lower, upper, WW_ORDERED, WW_IDENTITY(2),
                { return upper == PASSES ? lower : upper; });

WW_MAP2(digit, uint8_t, uint8_t, sum, uint8_t, carry, void, none, { return (uint8_t)((sum + carry) % 10); });

/* sum = a + b, digits with the lowest first; carry = the digit above the highest. */
static ww_status add(ww_device *device, const uint8_t *a, const uint8_t *b, size_t digits, uint8_t *carries,
                     uint8_t *sum, uint8_t *carry) {
    const ww_input sums = ww_mapped2(&digit_sum_ww, ww_memory(a, digits), ww_memory(b, digits));
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.initial = ww_value(uint8_t, STOPS); /* no carry comes into the lowest place */
    options.total = ww_array(carry, 1);
    ww_status s = ww_scan(device, &upper_decides_ww, ww_mapped(&carry_of_ww, sums), ww_array(carries, digits),
                          &options);
    if (s) return s;
    return ww_map2(device, &digit_ww, sums, ww_memory(carries, digits), ww_array(sum, digits));
}

/* The number of places where the sum is not what adding by hand gives. */
static size_t check(const uint8_t *a, const uint8_t *b, size_t digits, const uint8_t *sum, uint8_t carry) {
    size_t wrong = 0;
    int c = 0;
    for (size_t i = 0; i < digits; i++) {
        const int s = a[i] + b[i] + c;
        wrong += sum[i] != s % 10;
        c = s / 10;
    }
    return wrong + (carry != c);
}

int main(void) {
    const size_t n = 1000000;
    uint8_t *a = (uint8_t *)malloc(n), *b = (uint8_t *)malloc(n), *sum = (uint8_t *)malloc(n);
    uint8_t *carries = (uint8_t *)malloc(n), carry = 0;
    if (!a || !b || !sum || !carries) return 1;

    /* Two random numbers, and the hardest case of all: 999…9 + 1, where one carry runs through every place. */
    size_t wrong = 0;
    ww_device *device;
    ww_status s = ww_open(NULL, &device);
    for (int hard = 0; hard < 2 && !s; hard++) {
        uint64_t random = 1;
        for (size_t i = 0; i < n; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            a[i] = hard ? 9 : (uint8_t)((random >> 33) % 10);
            b[i] = hard ? i == 0 : (uint8_t)((random >> 45) % 10);
        }
        s = add(device, a, b, n, carries, sum, &carry);
        if (s) break;
        const size_t bad = check(a, b, n, sum, carry);
        printf("%s, %zu digits each: sum %d%d%d%d…%d%d%d: %s\n", hard ? "999…9 + 1" : "two random numbers", n, carry,
               sum[n - 1], sum[n - 2], sum[n - 3], sum[2], sum[1], sum[0], bad ? "WRONG" : "right");
        wrong += bad;
    }
    if (s) fprintf(stderr, "bignum_add: %s\n", ww_error(device));
    ww_close(device);
    free(a);
    free(b);
    free(sum);
    free(carries);
    return s || wrong;
}

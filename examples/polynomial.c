/* The value of a polynomial with millions of coefficients, c[0] + c[1] x + c[2] x^2 + …, in two ways, modulo a prime so
 * that the check is exact.
 *
 *   powers    a scan of multiplications over the constant x gives 1, x, x^2, …; the products with the coefficients are
 *             summed as they are made
 *   Horner    the coefficient c turns the value v of the terms above it into c + x v; these functions compose, so a
 *             reduction of them is the whole polynomial as one function, in one pass that reads the coefficients only */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_CONSTANT(PRIME, uint64_t, 2147483647); /* 2^31 - 1: a product of two residues fits into 64 bits */

WW_COMBINE_USES((PRIME), times, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(1), { return a * b % PRIME; });
WW_COMBINE_USES((PRIME), plus, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return (a + b) % PRIME; });
WW_MAP2_USES((PRIME), term, uint64_t, uint32_t, coefficient, uint64_t, power, void, none,
             { return coefficient * power % PRIME; });

WW_STRUCT(affine, { uint64_t factor, shift; }); /* v -> shift + factor v */

WW_MAP(horner_step, affine, uint32_t, coefficient, uint64_t, x, {
    affine f = {*x, coefficient};
    return f;
});

/* a stands for lower terms than b: a(b(v)) = a.shift + a.factor (b.shift + b.factor v). */
WW_COMBINE_USES((PRIME), around, affine, a, b, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine f = {a.factor * b.factor % PRIME, (a.shift + a.factor * b.shift) % PRIME};
    return f;
});

int main(void) {
    const size_t n = 2000000;
    const uint64_t x = 123456789;
    uint32_t *coefficients = (uint32_t *)malloc(n * sizeof *coefficients);
    uint64_t *powers = (uint64_t *)malloc(n * sizeof *powers);
    if (!coefficients || !powers) return 1;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        coefficients[i] = (uint32_t)((random >> 32) % PRIME);
    }

    const ww_input c = ww_memory(coefficients, n);
    uint64_t by_powers;
    affine all;
    ww_scan_options exclusive = WW_SCAN_OPTIONS; /* x^i is the product of the i elements before i */
    exclusive.exclusive = true;
    ww_device *device;
    if (ww_open(NULL, &device) ||
        ww_scan(device, &times_ww, ww_constant(ww_value(uint64_t, x), n), ww_array(powers, n), &exclusive) ||
        ww_reduce(device, &plus_ww, ww_mapped2(&term_ww, c, ww_memory(powers, n)), ww_array(&by_powers, 1)) ||
        ww_reduce(device, &around_ww, ww_mapped(ww_with(horner_step, &x), c), ww_array_of(&all, 1, &affine_ww))) {
        fprintf(stderr, "polynomial: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);
    const uint64_t by_horner = all.shift; /* applied to 0: there is nothing above the highest term */

    uint64_t wanted = 0;
    for (size_t i = n; i-- > 0;) wanted = (coefficients[i] + x * wanted) % PRIME;
    const int wrong = by_powers != wanted || by_horner != wanted;
    printf("%zu coefficients, modulo %llu: by powers %llu, by Horner's rule %llu: %s\n", n, (unsigned long long)PRIME,
           (unsigned long long)by_powers, (unsigned long long)by_horner, wrong ? "WRONG" : "right");
    free(coefficients);
    free(powers);
    return wrong;
}

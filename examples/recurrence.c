/* A linear recurrence, in which every value needs the one before it, computed in parallel: an account's balance
 *
 *     balance[i] = factor[i] * balance[i - 1] + payment[i].
 *
 * Step i is the function x -> factor[i] x + payment[i]. Such functions are closed under composition, and composition
 * is associative (though it does not commute), so a scan over the steps gives, at i, the function of all steps so far:
 * applied to the opening balance it is balance[i]. Blelloch, Prefix Sums and Their Applications, section 1.4. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_STRUCT(affine, { double factor, shift; }); /* x -> factor x + shift */

WW_MAP2(step_of, affine, double, factor, double, payment, void, none, {
    affine f = {factor, payment};
    return f;
});

/* First a, then b: b(a(x)) = b.factor (a.factor x + a.shift) + b.shift. */
WW_COMBINE(then, affine, a, b, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine f = {b.factor * a.factor, b.factor * a.shift + b.shift};
    return f;
});

WW_MAP(applied, double, affine, f, double, x, { return f.factor * *x + f.shift; });

int main(void) {
    const size_t n = 2000000;
    const double opening = 1000;
    double *factor = (double *)malloc(n * sizeof *factor), *payment = (double *)malloc(n * sizeof *payment);
    double *balance = (double *)malloc(n * sizeof *balance);
    affine *so_far = (affine *)malloc(n * sizeof *so_far);
    if (!factor || !payment || !balance || !so_far) return 1;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        factor[i] = 0.998 + (double)(random >> 44) * 0x1p-20 * 0.003;
        payment[i] = (double)(random >> 32 & 1023) / 100;
    }

    ww_device *device;
    if (ww_open(NULL, &device) ||
        ww_scan(device, &then_ww, ww_mapped2(&step_of_ww, ww_memory(factor, n), ww_memory(payment, n)),
                ww_array_of(so_far, n, &affine_ww), NULL) ||
        ww_map(device, ww_with(applied, &opening), ww_memory_of(so_far, n, &affine_ww), ww_array(balance, n))) {
        fprintf(stderr, "recurrence: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    /* Everything is positive, so nothing cancels: both ways agree to nearly all digits. */
    double wanted = opening, worst = 0;
    for (size_t i = 0; i < n; i++) {
        wanted = factor[i] * wanted + payment[i];
        worst = fmax(worst, fabs(balance[i] - wanted) / wanted);
    }
    const int wrong = !(worst < 1e-10);
    printf("%zu steps: balance %.2f, step by step %.2f, largest relative difference %.1e: %s\n", n, balance[n - 1],
           wanted, worst, wrong ? "WRONG" : "right");
    free(factor);
    free(payment);
    free(balance);
    free(so_far);
    return wrong;
}

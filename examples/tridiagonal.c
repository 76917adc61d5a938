/* A tridiagonal system of equations, a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i], solved by three scans.
 *
 * Gaussian elimination goes down the rows and back up, and looks as serial as can be (Thomas's algorithm):
 *     down   u[i] = c[i] / (b[i] - a[i] u[i-1])                  a linear fractional function of u[i-1]
 *            v[i] = (d[i] - a[i] v[i-1]) / (b[i] - a[i] u[i-1])  an affine function of v[i-1]
 *     up     x[i] = v[i] - u[i] x[i+1]                           an affine function of x[i+1]
 * Linear fractional functions compose like 2 x 2 matrices, affine ones too, and so each line is one scan. Stone 1973. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_STRUCT(row, { double a, b, c, d; });
WW_STRUCT(fraction, { double p, q, r, s; });  /* u -> (p u + q) / (r u + s); a common factor makes no difference */
WW_STRUCT(affine, { double factor, shift; }); /* v -> factor v + shift */

/* Scaled as all of them are below: r and s make 1 without their signs, as the identity's do, which then changes nothing. */
WW_MAP(u_step, fraction, row, i, void, none, {
    double size = 1 / (fabs(i.a) + fabs(i.b));
    fraction f = {0, i.c * size, -i.a * size, i.b * size};
    return f;
});

/* First f, then g: the product of g's matrix and f's, scaled so that many of them stay within the range of doubles. */
WW_COMBINE(then_fraction, fraction, f, g, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    fraction h = {g.p * f.p + g.q * f.r, g.p * f.q + g.q * f.s, g.r * f.p + g.s * f.r, g.r * f.q + g.s * f.s};
    double size = 1 / (fabs(h.r) + fabs(h.s));
    fraction scaled = {h.p * size, h.q * size, h.r * size, h.s * size};
    return scaled;
});

WW_COMBINE(then_affine, affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine h = {g.factor * f.factor, g.factor * f.shift + g.shift};
    return h;
});

/* `above` is the function of all rows above: u[i-1] is what it makes of 0. */
WW_MAP2(v_step, affine, row, i, fraction, above, void, none, {
    double pivot = i.b - i.a * (above.q / above.s);
    affine f = {-i.a / pivot, i.d / pivot};
    return f;
});

WW_MAP2(u_of, double, row, i, fraction, above, void, none, { return i.c / (i.b - i.a * (above.q / above.s)); });

WW_MAP2(x_step, affine, double, u, affine, v, void, none, {
    affine f = {-u, v.shift};
    return f;
});

WW_MAP(shift_of, double, affine, f, void, none, { return f.shift; });
WW_MAP(from_the_end, uint64_t, uint64_t, i, uint64_t, n, { return *n - 1 - i; });

static ww_status solve(ww_device *device, row *rows, uint64_t n, fraction *fractions, affine *down, affine *up,
                       double *x) {
    const ww_input all_rows = ww_memory_of(rows, n, &row_ww);
    const ww_input above = ww_memory_of(fractions, n, &fraction_ww);
    const ww_input reversed = ww_mapped(ww_with(from_the_end, &n), ww_counting(&ww_type_uint64_t, 0, n));
    const ww_array downs = ww_array_of(down, n, &affine_ww), ups = ww_array_of(up, n, &affine_ww);
    ww_scan_options exclusive = WW_SCAN_OPTIONS;
    exclusive.exclusive = true;

    ww_status s = ww_scan(device, &then_fraction_ww, ww_mapped(&u_step_ww, all_rows),
                          ww_array_of(fractions, n, &fraction_ww), &exclusive);
    if (!s) s = ww_scan(device, &then_affine_ww, ww_mapped2(&v_step_ww, all_rows, above), downs, NULL);
    /* The steps back up, in the order in which they are taken: the last row's first. */
    const ww_input u = ww_mapped2(&u_of_ww, all_rows, above);
    if (!s) s = ww_map2(device, &x_step_ww, u, ww_from(downs), ups);
    if (!s) s = ww_gather(device, ww_from(ups), reversed, downs);
    if (!s) s = ww_scan(device, &then_affine_ww, ww_from(downs), downs, NULL);
    if (!s) s = ww_gather(device, ww_from(downs), reversed, ups);
    if (!s) s = ww_map(device, &shift_of_ww, ww_from(ups), ww_array(x, n));
    return s;
}

int main(void) {
    const size_t n = 200000;
    row *rows = (row *)malloc(n * sizeof *rows);
    fraction *fractions = (fraction *)malloc(n * sizeof *fractions);
    affine *down = (affine *)malloc(n * sizeof *down), *up = (affine *)malloc(n * sizeof *up);
    double *x = (double *)malloc(n * sizeof *x);
    if (!rows || !fractions || !down || !up || !x) return 1;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double r = (double)(random >> 11) * 0x1p-53;
        const row equation = {i == 0 ? 0.0 : -1 - r, 4 + r, i == n - 1 ? 0.0 : -1.0, 10 * r};
        rows[i] = equation;
    }

    ww_device *device;
    if (ww_open(NULL, &device) || solve(device, rows, n, fractions, down, up, x)) {
        fprintf(stderr, "tridiagonal: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    /* Whatever was computed, put into the equations it must give the right-hand sides. */
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double before = i > 0 ? rows[i].a * x[i - 1] : 0, after = i + 1 < n ? rows[i].c * x[i + 1] : 0;
        const double residual = fabs(before + rows[i].b * x[i] + after - rows[i].d);
        if (!(residual <= worst)) worst = residual; /* a NaN stays */
    }
    const int wrong = !(worst < 1e-12);
    printf("%zu equations: x[0] = %.6f, x[n-1] = %.6f, largest residual %.1e: %s\n", n, x[0], x[n - 1], worst,
           wrong ? "WRONG" : "right");
    free(rows);
    free(fractions);
    free(down);
    free(up);
    free(x);
    return wrong;
}

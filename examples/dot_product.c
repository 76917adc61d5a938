/* A map and a reduction in one pass: the dot product of two arrays, and the distance between them.
 *
 * ww_mapped2 describes the products without storing them; ww_reduce computes them as it goes. Each array is read once,
 * and nothing is written but the result. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_MAP2(product, double, float, a, float, b, void, none, { return (double)a * (double)b; });
WW_MAP2(difference, double, float, a, float, b, void, none, { return (double)a - (double)b; });
WW_MAP(square, double, double, x, void, none, { return x * x; });

int main(void) {
    const size_t n = 4000000;
    float *a = (float *)malloc(n * sizeof *a), *b = (float *)malloc(n * sizeof *b);
    if (!a || !b) return 1;
    /* Small whole numbers, so that every sum below is exact in double precision, in any order. */
    for (size_t i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 777);
    }

    double dot, distance2;
    const ww_input x = ww_memory(a, n), y = ww_memory(b, n);
    const ww_input apart = ww_mapped2(&difference_ww, x, y);
    ww_device *device;
    if (ww_open(NULL, &device) || ww_reduce(device, &ww_add, ww_mapped2(&product_ww, x, y), ww_array(&dot, 1)) ||
        ww_reduce(device, &ww_add, ww_mapped(&square_ww, apart), ww_array(&distance2, 1))) {
        fprintf(stderr, "dot_product: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    double dot_wanted = 0, distance2_wanted = 0;
    for (size_t i = 0; i < n; i++) {
        dot_wanted += (double)a[i] * (double)b[i];
        distance2_wanted += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    const int wrong = dot < dot_wanted || dot > dot_wanted || distance2 < distance2_wanted ||
                      distance2 > distance2_wanted;
    printf("%zu elements: dot product %.0f, squared distance %.0f: %s\n", n, dot, distance2, wrong ? "WRONG" : "right");
    free(a);
    free(b);
    return wrong;
}

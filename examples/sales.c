/* Four answers about a list of sales, each in one pass and without an intermediate array: inputs are computed as they are read.
 *
 *   the sum of bytes in 64 bits            ww_cast
 *   prices looked up by product            ww_permuted
 *   columns of three arrays as structs     ww_zip
 *   a column of a table, the last hundred  ww_strided */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_STRUCT(sale, {
    uint32_t price; /* of one */
    uint32_t pieces, discount;
});
WW_MAP(paid, uint64_t, sale, s, void, none, { return (uint64_t)(s.price - s.discount) * s.pieces; });

enum { SALES = 100000, PRODUCTS = 1000, COLUMNS = 5 };

int main(void) {
    ww_device *device;
    void *block[5];
    ww_status status = ww_open(NULL, &device);
    const size_t bytes[5] = {SALES, 4 * SALES, 4 * PRODUCTS, 4 * PRODUCTS * COLUMNS, 64};
    for (int k = 0; k < 5 && !status; k++) status = ww_alloc_host(device, bytes[k], &block[k]);
    if (status) {
        fprintf(stderr, "sales: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    uint8_t *pieces = (uint8_t *)block[0];
    int32_t *product = (int32_t *)block[1];
    uint32_t *price = (uint32_t *)block[2], *stock = (uint32_t *)block[3];
    uint64_t *answer = (uint64_t *)block[4];
    uint64_t wanted[4] = {0, 0, 0, 0};
    for (uint32_t p = 0; p < PRODUCTS; p++) price[p] = 100 + p % 97;
    for (uint32_t i = 0; i < PRODUCTS * COLUMNS; i++) stock[i] = i % 1013;
    for (uint32_t i = 0; i < SALES; i++) {
        pieces[i] = (uint8_t)(1 + i * 7 % 251);
        product[i] = (int32_t)(i * 7919u % PRODUCTS);
        wanted[0] += pieces[i];
        wanted[1] += (uint64_t)(price[product[i]] - 3) * pieces[i];
    }
    for (uint32_t p = 0; p < PRODUCTS; p++) wanted[2] += stock[p * COLUMNS + 2];
    uint64_t most = 0;
    for (uint32_t back = 0; back < 100; back++) {
        const uint32_t i = SALES - 1 - back;
        const uint64_t all = (uint64_t)(price[product[i]] - 3) * pieces[i];
        if (all > most) wanted[3] = back;
        if (all > most) most = all;
    }

    /* Bytes, added without wrapping. */
    status = ww_reduce(device, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(pieces, SALES)), ww_array(answer, 1));
    /* price[product[i]], pieces and discount as the members of a struct. */
    const ww_input prices = ww_permuted(ww_memory(price, PRODUCTS), ww_memory(product, SALES));
    const ww_input sales = ww_zip(&sale_ww, prices, ww_cast(&ww_type_uint32_t, ww_memory(pieces, SALES)),
                                  ww_constant(ww_value(uint32_t, 3), SALES));
    if (!status) status = ww_reduce(device, &ww_add, ww_mapped(&paid_ww, sales), ww_array(answer + 1, 1));
    /* Column 2 of a table with five. */
    const ww_input column = ww_strided(ww_memory(stock, PRODUCTS * COLUMNS), 2, COLUMNS, PRODUCTS);
    if (!status) status = ww_reduce(device, &ww_add, ww_cast(&ww_type_uint64_t, column), ww_array(answer + 2, 1));
    /* The largest of the last hundred sales, from the last one back: position 0 is the last. */
    const ww_input last = ww_strided(sales, SALES - 1, -1, 100);
    if (!status) status = ww_arg_max(device, NULL, ww_mapped(&paid_ww, last), ww_none, ww_array(answer + 3, 1));
    if (!status) status = ww_sync(device);

    int wrong = 0;
    for (int k = 0; k < 4 && !status; k++) wrong |= answer[k] != wanted[k];
    if (status) fprintf(stderr, "sales: %s\n", ww_error(device));
    if (!status)
        printf("%llu pieces for %llu, %llu in stock, the largest sale was %llu before the last: %s\n",
               (unsigned long long)answer[0], (unsigned long long)answer[1], (unsigned long long)answer[2],
               (unsigned long long)answer[3], wrong ? "WRONG" : "right");
    for (int k = 0; k < 5; k++) (void)ww_free(device, block[k]);
    ww_close(device);
    return status || wrong;
}

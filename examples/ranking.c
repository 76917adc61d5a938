/* Ranks players by their scores, which lie in a table: the players' numbers are sorted, and the order looks their scores up. Then
 * the ranking gets a fingerprint modulo a number that is known at run time: ranking modulus.
 *
 * Both functions have an environment. The order's is the table, any number of elements; the operator's is the modulus. Reading
 * the numbers as digits to a base, h = (h * BASE + player) mod m, is one function of h after the other: affine functions, which
 * are composed in any brackets, but in their order. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { PLAYERS = 300000, SHOWN = 3 };

WW_LESS_WITH(better, uint32_t, a, b, uint16_t, score, { return score[a] > score[b]; });

WW_CONSTANT(BASE, uint32_t, 1000003);
WW_STRUCT(affine, { uint32_t factor, shift; });
WW_MAP_USES((BASE), digit, affine, uint32_t, player, uint32_t, m, {
    affine f = {BASE % *m, player % *m};
    return f;
});
WW_COMBINE_WITH(then, affine, f, g, uint32_t, m, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine h = {(uint32_t)((uint64_t)f.factor * g.factor % *m),
                (uint32_t)(((uint64_t)f.shift * g.factor + g.shift) % *m)};
    return h;
});

/* Scores fall, players of one score stand in the order of their numbers; and the same fingerprint, step by step. */
static int is_wrong(const uint32_t *ranking, const uint16_t *score, uint32_t m, uint32_t fingerprint) {
    uint64_t h = 0;
    for (size_t i = 0; i < PLAYERS; i++) {
        const uint32_t before = i ? ranking[i - 1] : 0, player = ranking[i];
        if (i && (score[before] < score[player] || (score[before] == score[player] && before >= player))) return 1;
        h = (h * BASE + player) % m;
    }
    return h != fingerprint;
}

int main(int count, char **arguments) {
    static uint16_t score[PLAYERS];
    static uint32_t ranking[PLAYERS];
    const uint32_t m = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 1000000007;
    affine all;
    if (m < 2) return 1;
    for (uint32_t i = 0; i < PLAYERS; i++) score[i] = (uint16_t)(i * 2654435761u >> 20);

    ww_device *device;
    if (ww_open(NULL, &device) ||
        ww_sort_by(device, ww_with_array(better, score, PLAYERS), ww_counting(&ww_type_uint32_t, 0, PLAYERS),
                   ww_no_input, ww_array(ranking, PLAYERS), ww_none, NULL) ||
        ww_reduce(device, ww_with(then, &m), ww_mapped(ww_with(digit, &m), ww_memory(ranking, PLAYERS)),
                  ww_array_of(&all, 1, &affine_ww))) {
        fprintf(stderr, "ranking: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }
    ww_close(device);

    const int wrong = is_wrong(ranking, score, m, all.shift);
    for (size_t i = 0; i < SHOWN; i++) printf("%zu: player %u, %u points\n", i + 1, ranking[i], score[ranking[i]]);
    printf("%d players ranked, fingerprint %u modulo %u: %s\n", PLAYERS, all.shift, m, wrong ? "WRONG" : "right");
    return wrong;
}

/* The sieve of Eratosthenes by fork: a thread for each prime up to the square root forks into one for each of its multiples,
 * which crosses it out. The prime 2 has half of the numbers for children and the last one a handful, and none waits for
 * another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

WW_CONSTANT(LIMIT, uint32_t, 100000);
enum { ROOT = 316 }; /* the largest number whose square is not above the limit */

/* Multiples of p from p * p up to the limit. */
WW_MAP_USES((LIMIT), multiples, uint32_t, uint32_t, p, void, none, { return LIMIT / p - p + 1; });

WW_STRUCT(crossing, {
    const uint32_t *prime;
    const uint32_t *which;
    uint32_t *composite; /* a bit for each number */
});
WW_KERNEL(cross_out, crossing, c, rank, {
    const uint32_t p = c->prime[rank];
    const uint32_t multiple = p * (p + c->which[rank]);
    ww_atomic_or(&c->composite[multiple / 32], 1u << multiple % 32);
});
WW_MAP(crossed_in, uint64_t, uint32_t, word, void, none, { return (uint64_t)ww_popcount(word); });

/* The primes up to the root, serially; how many. */
static uint32_t small_primes(uint32_t *primes) {
    uint32_t many = 0;
    for (uint32_t n = 2; n <= ROOT; n++) {
        uint32_t d = 2;
        while (d < n && n % d) d++;
        if (d == n) primes[many++] = n;
    }
    return many;
}

/* All numbers, serially: how many are otherwise than they were found. */
static size_t check(const uint32_t *composite) {
    size_t wrong = 0;
    uint8_t *mine = (uint8_t *)calloc(LIMIT + 1, 1);
    if (!mine) return 1;
    for (uint32_t p = 2; p <= ROOT; p++)
        if (!mine[p])
            for (uint32_t k = p * p; k <= LIMIT; k += p) mine[k] = 1;
    for (uint32_t n = 2; n <= LIMIT; n++) wrong += mine[n] != (composite[n / 32] >> n % 32 & 1);
    free(mine);
    return wrong;
}

int main(void) {
    static uint32_t primes[ROOT];
    const uint32_t many = small_primes(primes);
    const size_t words = LIMIT / 32 + 1;
    uint32_t *composite = (uint32_t *)malloc(words * sizeof *composite);
    uint64_t count = 0, threads = 0;
    void *there = NULL;
    ww_device *device;
    ww_team *team = NULL;
    ww_column prime, which;
    ww_team_options ranks = WW_TEAM_OPTIONS;
    if (!composite) return 1;
    ww_status s = ww_open(NULL, &device);
    if (!s) s = ww_alloc(device, words * sizeof *composite, &there);
    const ww_array crossed = ww_array((uint32_t *)there, words);
    if (!s) s = ww_fill(device, crossed, ww_value(uint32_t, 0));
    if (!s) s = ww_team_create(device, many, &team);
    if (!s) s = ww_team_add(team, ww_memory(primes, many), &prime);
    if (!s) s = ww_team_add(team, ww_constant(ww_value(uint32_t, 0), many), &which);
    if (!s) {
        ranks.rank = which;
        s = ww_team_fork(team, ww_mapped(&multiples_ww, ww_from(ww_team_array(team, prime))), &ranks);
        threads = ww_team_size(team);
    }
    if (!s) {
        const crossing c = {(const uint32_t *)ww_team_data(team, prime), (const uint32_t *)ww_team_data(team, which),
                            (uint32_t *)there};
        s = ww_team_step(team, ww_with(cross_out, &c));
    }
    if (!s) s = ww_reduce(device, &ww_add, ww_mapped(&crossed_in_ww, ww_from(crossed)), ww_array(&count, 1));
    if (!s) s = ww_copy(device, ww_from(crossed), ww_array(composite, words));
    if (!s) s = ww_sync(device);
    if (s) fprintf(stderr, "superstep_sieve: %s\n", ww_error(device));
    const size_t wrong = s ? 1 : check(composite);
    if (!s)
        printf("%u primes forked into %llu threads; %llu primes up to %u: %s\n", many, (unsigned long long)threads,
               (unsigned long long)LIMIT - 1 - (unsigned long long)count, LIMIT, wrong ? "WRONG" : "right");
    ww_team_destroy(team);
    ww_free(device, there);
    ww_close(device);
    free(composite);
    return wrong != 0;
}

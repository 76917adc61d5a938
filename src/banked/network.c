/* In a stage words / 2 pairs are compared. Processor p takes pairs p, p + banks, …, and each takes four steps: both words are
 * read and both are written. Neighbouring pairs lie a power of two apart, so that where this is below the number of banks, and
 * the number of banks is a power of two, two of the pairs that are taken at once fall into one bank. */
#include "network.h"

typedef struct stage {
    uint64_t apart; /* pair q's first word is q / apart * 2 apart + q mod apart + shift */
    uint64_t shift, distance;
    uint64_t turn; /* bitonic: falling where the first word's number has this bit; 0: always rising */
} stage;

/* `kept` are two registers of each processor's. */
static void compare(ww__machine *m, const stage *s, uint64_t words, uint64_t *kept) {
    for (uint64_t q = 0; q < words / 2; q += m->banks) {
        const uint64_t end = ww__min_u64(m->banks, words / 2 - q);
        for (int access = 0; access < 4; access++) {
            for (uint32_t p = 0; p < end; p++) {
                const uint64_t a = (q + p) / s->apart * 2 * s->apart + (q + p) % s->apart + s->shift,
                               b = a + s->distance;
                if (b >= words) continue;
                const uint64_t x = access % 2 ? b : a;
                const uint32_t bank = (uint32_t)(x % m->banks);
                if (access < 2) {
                    kept[2 * p + (uint32_t)access % 2] = ww__bank_read(m, p, bank, x / m->banks);
                    continue;
                }
                const bool falls = s->turn && a & s->turn,
                           swap = falls ? kept[2 * p] < kept[2 * p + 1] : kept[2 * p] > kept[2 * p + 1];
                ww__bank_write(m, p, bank, x / m->banks, kept[2 * p + ((uint32_t)access % 2 ^ swap)]);
            }
            ww__step(m);
        }
    }
}

static uint64_t oddeven(ww__machine *m, uint64_t words, uint64_t *kept) {
    uint64_t stages = 0;
    for (uint64_t bit = words / 2; bit; bit /= 2) {
        uint64_t last = words / 2;
        stage s = {bit, 0, bit, 0};
        for (;;) {
            if (m) compare(m, &s, words, kept);
            stages++;
            if (last == bit) break;
            s.distance = last - bit;
            s.shift = bit;
            last /= 2;
        }
    }
    return stages;
}

static uint64_t bitonic(ww__machine *m, uint64_t words, uint64_t *kept) {
    uint64_t stages = 0;
    for (uint64_t turn = 2; turn && turn <= words; turn *= 2)
        for (uint64_t apart = turn / 2; apart; apart /= 2) {
            const stage s = {apart, 0, apart, turn < words ? turn : 0};
            if (m) compare(m, &s, words, kept);
            stages++;
        }
    return stages;
}

void ww__network_sort(ww__machine *machine, ww__network network, uint64_t words, uint64_t *kept) {
    machine->serialize = true;
    if (network == WW__NETWORK_ODDEVEN)
        oddeven(machine, words, kept);
    else
        bitonic(machine, words, kept);
}

uint64_t ww__network_steps(ww__network network, uint64_t words, uint32_t banks) {
    const uint64_t stages = network == WW__NETWORK_ODDEVEN ? oddeven(NULL, words, NULL) : bitonic(NULL, words, NULL);
    return stages * 4 * ((words / 2 + banks - 1) / banks);
}

/* Which characters of a pattern are compared first: those that few starts survive.
 *
 * A sample of the text says how often each byte is met. The pattern's rarest one is taken; then, again and again, the one that
 * leaves the fewest of the sampled starts that have survived so far, so that characters which come together count as one. How
 * many are compared is what costs least: each takes a load for 32 or 64 starts, and a candidate a branch that is
 * mispredicted. */
#include "text/auto/auto_cpu.h"

#include <string.h>

enum { SPOTS = 8, SAMPLE_MOST = 2048, SAMPLE_LEAST = 64, OFFSETS = 32 };

typedef struct sampling {
    const ww__needle *needle;
    const unsigned char *text;
    uint32_t count[256];
    uint32_t starts, alive;
    uint64_t start[SAMPLE_MOST]; /* those alive */
    uint32_t offsets, offset[OFFSETS];
} sampling;

/* Starts at SPOTS places, evenly spread. */
static void sample(sampling *s, uint64_t starts) {
    uint64_t many = starts / 256;
    many = many > SAMPLE_MOST ? SAMPLE_MOST : many < SAMPLE_LEAST ? ww__min_u64(SAMPLE_LEAST, starts) : many;
    const uint64_t a_spot = (many + SPOTS - 1) / SPOTS;
    s->starts = 0;
    for (uint64_t i = 0; i < many; i++) s->start[s->starts++] = (starts - a_spot) / SPOTS * (i / a_spot) + i % a_spot;
    s->alive = s->starts;
    memset(s->count, 0, sizeof s->count);
    for (uint32_t i = 0; i < s->starts; i++) s->count[s->text[s->start[i]]]++;
}

static uint32_t letter_at(const ww__needle *n, uint32_t offset) { return n->letters ? n->letters[offset] : 0; }

static uint32_t times_met(const sampling *s, uint32_t offset) {
    const unsigned char c = s->needle->pattern[offset];
    return s->count[c] + (letter_at(s->needle, offset) ? s->count[c ^ 32] : 0);
}

/* The offsets of the rarest bytes, the rarest first; but `wanted` before them. */
static void list_offsets(sampling *s, uint32_t wanted) {
    s->offsets = 0;
    for (uint32_t o = 0; o < s->needle->m; o++) {
        const uint32_t met = times_met(s, o);
        if (o == wanted || (s->offsets == OFFSETS && times_met(s, s->offset[OFFSETS - 1]) <= met)) continue;
        uint32_t place = s->offsets < OFFSETS ? s->offsets++ : OFFSETS - 1;
        for (; place && times_met(s, s->offset[place - 1]) > met; place--) s->offset[place] = s->offset[place - 1];
        s->offset[place] = o;
    }
    if (wanted >= s->needle->m) return;
    if (s->offsets == OFFSETS) s->offsets--;
    memmove(s->offset + 1, s->offset, s->offsets++ * sizeof *s->offset);
    s->offset[0] = wanted;
}

static bool survives(const sampling *s, uint64_t start, uint32_t offset) {
    return (s->text[start + offset] | letter_at(s->needle, offset)) == s->needle->pattern[offset];
}

static uint32_t survivors(const sampling *s, uint32_t offset) {
    uint32_t many = 0;
    for (uint32_t i = 0; i < s->alive; i++) many += survives(s, s->start[i], offset);
    return many;
}

/* The place in s->offset of the next one; while few are alive, they say nothing, and the rarest is it. */
static uint32_t best_offset(const sampling *s) {
    enum { FEW = 8 };
    uint32_t best = 0, fewest = UINT32_MAX;
    if (s->alive == s->starts || s->alive < FEW) return 0;
    for (uint32_t i = 0; i < s->offsets; i++) {
        const uint32_t many = survivors(s, s->offset[i]);
        if (many >= fewest) continue;
        fewest = many;
        best = i;
    }
    return best;
}

/* Takes one offset from the list; the share of starts that survive it and those before. */
static double take(sampling *s, ww__rare *rare, double share) {
    const uint32_t place = best_offset(s), offset = s->offset[place];
    uint32_t alive = 0;
    for (uint32_t i = place + 1; i < s->offsets; i++) s->offset[i - 1] = s->offset[i];
    s->offsets--;
    for (uint32_t i = 0; i < s->alive; i++)
        if (survives(s, s->start[i], offset)) s->start[alive++] = s->start[i];
    const double met = (times_met(s, offset) + 0.5) / (s->starts + 1.0);
    const double alone = share * (met < 1 ? met : 1), counted = (double)alive / s->starts;
    s->alive = alive;
    rare->at[rare->many] = offset;
    rare->byte[rare->many] = s->needle->pattern[offset];
    rare->letter[rare->many++] = (uint8_t)letter_at(s->needle, offset);
    return counted > alone ? counted : alone;
}

/* Cycles for 64 starts: no less than memory takes, and a little for each load while it is waited for. */
static double cost_of(unsigned many, bool all, double share) {
    const double compared = 2 + 1.4 * many;
    return (compared < 8 ? 8 : compared) + 0.3 * many + 64 * share * (all ? 20 : 50);
}

void ww__rare_choose(const ww__needle *needle, const unsigned char *text, uint64_t starts, uint32_t wanted,
                     ww__rare *rare) {
    sampling s; /* long: it is not set to zeros */
    unsigned best = 0;
    double least = 0, share = 1;
    s.needle = needle;
    s.text = text;
    memset(rare, 0, sizeof *rare);
    sample(&s, starts);
    list_offsets(&s, wanted);
    while (s.offsets && rare->many < WW__RARE_MOST) {
        share = take(&s, rare, share);
        const double cost = cost_of(rare->many, rare->many == needle->m, share);
        /* One alone is not trusted: the sample may not be like the rest. */
        if ((rare->many == 1 && needle->m > 1) || (best && cost >= least)) continue;
        best = rare->many;
        least = cost;
    }
    rare->many = best;
}

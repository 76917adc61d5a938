/* Finding with mismatches on a CPU: the text goes by in pieces, whose starts are marked by counting (near_scan_cpu.c). How
 * many characters differ at a match is counted again for those that are written, by all workers. */
#include "text/near/near_cpu.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/check.h"
#include "function/function.h"

enum {
    SAMPLES = 64, /* stretches of the text in which characters are counted */
    SAMPLE_BYTES = 64,
    RUN = 4096 /* matches that a worker claims */
};

/* ---- the pattern made ready ---- */

static void sample(const unsigned char *text, uint64_t n, bool fold, unsigned many[256]) {
    const uint64_t apart = n <= SAMPLES * SAMPLE_BYTES ? SAMPLE_BYTES : n / SAMPLES;
    memset(many, 0, 256 * sizeof *many);
    for (uint64_t s = 0; s < SAMPLES && s * apart < n; s++)
        for (uint64_t i = s * apart; i < s * apart + SAMPLE_BYTES && i < n; i++)
            many[fold ? ww__folded(text[i]) : text[i]]++;
}

static ww_status make_needle(ww_device *device, const ww__nearing *near, const unsigned char *text,
                             ww__near_needle **needle) {
    const ww__finding *f = &near->find;
    unsigned many[256];
    ww__near_needle *n;
    WW_TRY(ww__scratch(device, sizeof *n, &n));
    *needle = n;
    if (device->on_paper) return WW_OK;
    n->m = (size_t)f->m;
    n->most = (size_t)near->most;
    n->fold = f->fold;
    sample(text, f->n, f->fold, many);
    for (size_t i = 0; i < n->m; i++) {
        n->pattern[i] = f->pattern[i];
        n->case_bits[i] = ww__case_bit(f, i);
        size_t place = i;
        for (; place && many[n->rarest[place - 1].character] > many[n->pattern[i]]; place--)
            n->rarest[place] = n->rarest[place - 1];
        n->rarest[place] = (ww__near_character){(unsigned char)i, n->pattern[i], n->case_bits[i]};
    }
    return WW_OK;
}

/* ---- how many characters differ ---- */

typedef struct differing {
    const ww__near_needle *needle;
    const unsigned char *text;
    ww_array positions, differences;
    uint64_t matches, next;
} differing;

static uint64_t number_at(const ww_array *array, uint64_t i) {
    return array->type == &ww_type_uint32_t ? ((const uint32_t *)array->data)[i] : ((const uint64_t *)array->data)[i];
}

static void put_differences(void *argument, size_t worker) {
    differing *d = argument;
    (void)worker;
    for (uint64_t first; (first = RUN * ww__claim(&d->next)) < d->matches;)
        for (uint64_t i = first; i < first + RUN && i < d->matches; i++) {
            const size_t differ = ww__near_differences(d->needle, d->text + number_at(&d->positions, i), d->needle->m);
            if (d->differences.type == &ww_type_uint8_t)
                ((uint8_t *)d->differences.data)[i] = (uint8_t)differ;
            else
                ((uint32_t *)d->differences.data)[i] = (uint32_t)differ;
        }
}

ww_status ww__find_near_cpu(ww_device *device, const ww__nearing *near) {
    ww__finding f = near->find;
    const void *text;
    ww__near_needle *needle;
    WW_TRY(ww__input_in_memory(device, &f.text, &text));
    f.text = ww_memory_of(text, f.n, &ww_type_uint8_t);
    WW_TRY(make_needle(device, near, text, &needle));
    const ww__scanner scanner = {ww__near_scan(device), needle, false};
    WW_TRY(near->most ? ww__find_pieces(device, &f, text, &scanner) : ww__find(device, &f));
    differing d = {.needle = needle, .text = text, .positions = f.positions, .differences = near->differences};
    if (ww__is_none(&d.differences) || device->on_paper) return WW_OK;
    d.matches = ww__min_u64(number_at(&f.count, 0), f.positions.count);
    ww__parallel(device, ww__workers(device, d.matches * f.m), put_differences, &d);
    return WW_OK;
}

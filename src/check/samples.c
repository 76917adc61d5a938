/* Samples of an input: which elements, and computing them. On the way each map is called twice: all samples from the first on in one
 * batch, then one by one from the last. A function that keeps something between calls, or takes it from elsewhere, gives itself away. */
#include <string.h>

#include "check/checks.h"

enum { TRIED = 64 };

/* ---- which ---- */

/* Ends and neighbours, spread evenly but for a little. `most` is even. */
static size_t spread(uint64_t count, size_t most, uint64_t *position) {
    uint64_t random = 1;
    if (count <= most) {
        for (uint64_t i = 0; i < count; i++) position[i] = i;
        return (size_t)count;
    }
    const size_t pairs = most / 2;
    for (size_t p = 0; p < pairs; p++) {
        const uint64_t from = count / pairs * p, many = count / pairs;
        uint64_t at = from + ww__random(&random) % (many - 1);
        if (p == 0) at = 0;
        if (p == pairs - 1) at = count - 2;
        position[2 * p] = at;
        position[2 * p + 1] = at + 1;
    }
    return 2 * pairs;
}

typedef struct found {
    uint64_t nan, infinity; /* positions; UINT64_MAX: none */
} found;

static void look(const ww__members *m, size_t size, const unsigned char *x, uint64_t first, size_t n, found *f) {
    for (size_t i = 0; i < n; i++) {
        if (ww__members_finite(m, x + i * size)) continue;
        uint64_t *place = ww__members_nan(m, x + i * size) ? &f->nan : &f->infinity;
        if (*place == UINT64_MAX) *place = first + i;
    }
}

/* Goes through all of the input. */
static found find_unusual(ww_device *device, const ww_input *input, const ww__members *m) {
    ww__checks *const c = device->checks;
    const size_t used = c->used;
    size_t tile = ww__tile(input->size);
    found f = {UINT64_MAX, UINT64_MAX};
    while (tile > 1 && ww__input_room(input, tile) > WW__CHECK_ROOM - used) tile /= 2;
    void *const buffer = ww__check_take(c, 1, ww__input_room(input, tile));
    for (uint64_t i = 0; buffer && i < input->count && (f.nan == UINT64_MAX || f.infinity == UINT64_MAX); i += tile) {
        const size_t n = (size_t)ww__min_u64(tile, input->count - i);
        look(m, input->size, ww__input_read(device, input, i, n, buffer), i, n, &f);
    }
    c->used = used;
    return f;
}

/* ---- computing them ---- */

static void gather(unsigned char *to, const ww_step *step, const uint64_t *position, size_t many) {
    for (size_t i = 0; i < many; i++) {
        const uint64_t number = step->first + position[i];
        unsigned char *const at = to + i * step->size;
        if (step->kind == WW_STEP_MEMORY) {
            memcpy(at, (const unsigned char *)step->data + position[i] * step->size, step->size);
        } else if (step->kind == WW_STEP_CONSTANT) {
            memcpy(at, step->data, step->size);
        } else {
            memset(at, 0, step->size);
            memcpy(at, &number, step->size < sizeof number ? step->size : sizeof number);
        }
    }
}

/* A map's arguments for its samples; b is NULL for a WW_MAP. */
typedef struct arguments {
    const unsigned char *a, *b;
    size_t many;
} arguments;

static void apply(const ww_device *device, const ww_step *step, const arguments *x, unsigned char *out) {
    const ww_map_loops *loops = ww__loops(device, step->function);
    loops->map(out, x->a, x->b, step->data, x->many);
}

static void apply_one(const ww_device *device, const ww_step *step, const arguments *x, size_t i, unsigned char *out) {
    const ww_map_loops *loops = ww__loops(device, step->function);
    const unsigned char *const b = x->b ? x->b + i * step->function->second->size : NULL;
    loops->map(out, x->a + i * step->function->first->size, b, step->data, 1);
}

static ww_status impure(ww_device *device, const ww_step *step, const arguments *x, size_t i, const ww__members *m,
                        const void *first, const void *second) {
    const ww_function *f = step->function;
    ww__members arguments;
    char behind[WW__SHOWN + 8] = "";
    ww__members_of(f->first, f->first->size, &arguments);
    const ww__shown a = ww__show(&arguments, f->first->size, x->a + i * f->first->size);
    if (x->b) {
        ww__members_of(f->second, f->second->size, &arguments);
        const ww__shown b = ww__show(&arguments, f->second->size, x->b + i * f->second->size);
        snprintf(behind, sizeof behind, " and %s", b.text);
    }
    return ww__fail(device, WW_INVALID, WW__PLACE " is not pure: of %s%s it made %s, and %s when it was called again",
                    WW__PLACE_OF(f), a.text, behind, ww__show(m, step->size, first).text,
                    ww__show(m, step->size, second).text);
}

/* Calls it again on all samples, whose results are `first`. */
static ww_status call_again(ww_device *device, const ww_step *step, const arguments *x, const unsigned char *first) {
    const ww_function *f = step->function;
    ww__checks *const c = device->checks;
    const size_t used = c->used;
    const uint64_t before = ww__environment_digest(f, step->data);
    unsigned char *const second = ww__check_take(c, 1, step->size);
    ww_status status = WW_OK;
    ww__members m;
    ww__members_of(step->type, step->size, &m);
    for (size_t i = x->many; second && i-- > 0 && !status;) {
        apply_one(device, step, x, i, second);
        if (!ww__members_same(&m, first + i * step->size, second, true))
            status = impure(device, step, x, i, &m, first + i * step->size, second);
    }
    c->used = used;
    WW_TRY(status);
    WW_CHECK(device, before == ww__environment_digest(f, step->data), WW_INVALID,
             WW__PLACE " is not pure: it changes its environment", WW__PLACE_OF(f));
    return WW_OK;
}

/* The elements at some positions; *made is NULL where they do not fit. */
static ww_status compute(ww_device *device, const ww_input *input, const uint64_t *position, size_t many, bool again,
                         const unsigned char **made) {
    unsigned char *of[WW_INPUT_STEPS];
    *made = NULL;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step *step = &input->step[s];
        if (!(of[s] = ww__check_take(device->checks, many, step->size))) return WW_OK;
        if (!step->function) {
            gather(of[s], step, position, many);
            continue;
        }
        arguments x = {of[s - 1], NULL, many};
        if (step->kind == WW_STEP_MAP2) x = (arguments){of[step->first], of[s - 1], many};
        apply(device, step, &x, of[s]);
        if (again) WW_TRY(call_again(device, step, &x, of[s]));
    }
    *made = of[input->steps - 1];
    return WW_OK;
}

/* Fewer, where elements are large. */
static size_t that_fit(const ww_device *device, const ww_input *input, size_t most) {
    size_t bytes = 0;
    for (uint32_t s = 0; s < input->steps; s++) bytes += input->step[s].size;
    const size_t fit = (WW__CHECK_ROOM - device->checks->used) / 4 / bytes;
    return (fit < most ? fit : most) / 2 * 2;
}

ww_status ww__samples_take(ww_device *device, const ww_input *input, size_t most, const ww__members *unusual,
                           ww__samples *s) {
    uint64_t *position;
    most = that_fit(device, input, most);
    *s = (ww__samples){0, input->size, NULL};
    if (!most || !input->count) return WW_OK;
    if (!(position = ww__check_take(device->checks, most + 2, sizeof *position))) return WW_OK;
    s->many = spread(input->count, most, position);
    if (unusual && unusual->floats) {
        const found f = find_unusual(device, input, unusual);
        if (f.nan != UINT64_MAX) position[s->many++] = f.nan;
        if (f.infinity != UINT64_MAX) position[s->many++] = f.infinity;
    }
    const ww_status status = compute(device, input, position, s->many, false, &s->data);
    if (!s->data) s->many = 0;
    return status;
}

static ww_status try_maps(ww_device *device, const ww_input *input) {
    uint64_t position[TRIED];
    const unsigned char *made;
    const size_t most = that_fit(device, input, TRIED);
    return most ? compute(device, input, position, spread(input->count, most, position), true, &made) : WW_OK;
}

ww_status ww__checks_input(ww_device *device, const ww_input *input) {
    bool maps = false;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step *step = &input->step[s];
        if (!step->function) continue;
        if (ww__is_built_in(step->function)) return WW_OK; /* a bucket function, whose numbers are not checked yet */
        WW_TRY(ww__check_text(device, step->function));
        ww__check_pointers(device, step->function, step->data);
        maps = true;
    }
    if (!maps || !input->count) return WW_OK;
    device->checks->used = 0;
    return try_maps(device, input);
}

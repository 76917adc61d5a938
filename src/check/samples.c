/* Samples of an input: which elements, and computing them. On the way each map is called twice: all samples from the first on in one
 * batch, then one by one from the last. A function that keeps something between calls, or takes it from elsewhere, gives itself away. */
#include <string.h>

#include "check/checks.h"
#include "function/computed.h"

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

static void gather(const ww_device *device, unsigned char *to, const ww_input *input, uint32_t s,
                   const uint64_t *position, size_t many) {
    const ww_step *step = &input->step[s];
    const size_t size = ww__step_size(input, s);
    for (size_t i = 0; i < many; i++) {
        const ww__counting_by by = input->kind[s] == WW_STEP_COUNTING_BY ? ww__step_counting_by(step)
                                                                         : (ww__counting_by){step->number, 1};
        const uint64_t number = by.first + position[i] * by.stride;
        unsigned char *const at = to + i * size;
        if (input->kind[s] == WW_STEP_MEMORY) {
            memcpy(at, (const unsigned char *)step->data + position[i] * size, size);
        } else if (input->kind[s] == WW_STEP_STRIDED) {
            ww__read_strided(device, step, size, position[i], 1, at);
        } else if (input->kind[s] == WW_STEP_CONSTANT) {
            memcpy(at, ww__step_constant(step, size), size);
        } else {
            memset(at, 0, size);
            memcpy(at, &number, size < sizeof number ? size : sizeof number);
        }
    }
}

/* The neighbours of each position, one sample's behind the other's. */
static void gather_near(unsigned char *to, const ww_input *input, uint32_t s, const unsigned char *outside,
                        const uint64_t *position, size_t many) {
    const size_t size = ww__step_size(input, s), width = ww__near_more(input, s) + 1;
    for (size_t i = 0; i < many; i++, to += width * size) {
        const unsigned char *centre = ww__read_near(input, s, outside, position[i], 1, to);
        const unsigned char *from = centre - ww__window_before(input->step[s + 1].function) * size;
        if (from != to) memcpy(to, from, width * size);
    }
}

/* The same where they are computed: the samples below them, which have been tried, are of the positions alone. False: they do not fit. */
static bool gather_near_of(ww_device *device, unsigned char *to, const ww_input *input, uint32_t s,
                           const uint64_t *position, size_t many) {
    const size_t size = ww__step_size(input, s), width = ww__near_more(input, s) + 1;
    ww__checks *const c = device->checks;
    const size_t used = c->used;
    void *const room = ww__check_take(c, 1, ww__tree_room(input, s, 1));
    for (size_t i = 0; room && i < many; i++, to += width * size) {
        const unsigned char *centre = ww__read_tree(device, input, s, position[i], 1, room, NULL);
        memcpy(to, centre - ww__window_before(input->step[s + 1].function) * size, width * size);
    }
    c->used = used;
    return room != NULL;
}

/* Elements at indices of a source that is computed, likewise. An index outside is not this room's to report. */
static bool gather_permuted_of(ww_device *device, unsigned char *to, const ww_input *input, uint32_t s,
                               const uint64_t *position, size_t many) {
    const size_t size = ww__step_size(input, s);
    ww__checks *const c = device->checks;
    const ww__bad_index before = device->bad_index;
    const size_t used = c->used;
    void *const room = ww__check_take(c, 1, ww__tree_room(input, s, 1));
    for (size_t i = 0; room && i < many; i++)
        memcpy(to + i * size, ww__read_tree(device, input, s, position[i], 1, room, NULL), size);
    device->bad_index = before;
    c->used = used;
    return room != NULL;
}

/* Positions in a source at indices are others: some that it has. Those of a window's source are as many as the input's, or more. */
static const uint64_t *positions_of(ww_device *device, const ww_input *input, uint32_t s, const uint64_t *position,
                                    size_t many) {
    const uint64_t count = ww__step_count(input, s);
    bool inside = true;
    for (size_t i = 0; i < many; i++) inside = inside && position[i] < count;
    if (inside || !count) return position;
    uint64_t *const own = ww__check_take(device->checks, many, sizeof *own);
    for (size_t i = 0; own && i < many; i++) own[i] = position[i] % count;
    return own;
}

/* Whether a source at indices has no elements, so that all indices are outside. */
static bool has_empty_source(const ww_input *input) {
    for (uint32_t s = 0; s < input->steps; s++)
        if (input->kind[s] == WW_STEP_PERMUTED_OF && !input->step[s].number) return true;
    return false;
}

/* What is neither read nor mapped, of what lies on the stack. An index outside is not this room's to report. */
static void combine(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t many,
                    unsigned char *to) {
    const ww_step *step = &input->step[s];
    const size_t size = ww__step_size(input, s);
    const ww_type *const below = ww__step_type(input, s - 1);
    if (input->kind[s] == WW_STEP_CAST) {
        ww__cast(device, step->type, to, below, on[0], many);
    } else if (input->kind[s] == WW_STEP_ZIP) {
        ww__read_zip(device, input, s, on, many, to);
    } else {
        memset(to, 0, many * size);
        for (size_t i = 0; i < many; i++) {
            const void *from = ww__permuted_at(step, size, below, on[0], i);
            if (from) memcpy(to + i * size, from, size);
        }
    }
}

/* A map's arguments for its samples; b is NULL for a WW_MAP. */
typedef struct arguments {
    const unsigned char *a, *b;
    size_t many;
    size_t before,
        apart; /* of a window: where its element is in a sample's neighbours, and how many these are; else 0, 1 */
} arguments;

static const unsigned char *first_argument(const ww_function *f, const arguments *x, size_t i) {
    return x->a + (i * x->apart + x->before) * f->first->size;
}

/* To `many` samples from sample i on. */
static void apply(const ww_device *device, const ww_step *step, const arguments *x, size_t i, size_t many,
                  unsigned char *out) {
    const ww_function *f = step->function;
    const ww_map_loops *loops = ww__loops(device, f);
    if (x->apart == 1) {
        loops->map(out, first_argument(f, x, i), x->b ? x->b + i * f->second->size : NULL, step->data, many);
        return;
    }
    for (size_t k = 0; k < many; k++)
        loops->map(out + k * f->result->size, first_argument(f, x, i + k), NULL, step->data, 1);
}

static ww_status impure(ww_device *device, const ww_step *step, const arguments *x, size_t i, const ww__members *m,
                        const void *first, const void *second) {
    const ww_function *f = step->function;
    ww__members arguments;
    char behind[WW__SHOWN + 8] = "";
    ww__members_of(f->first, f->first->size, &arguments);
    const ww__shown a = ww__show(&arguments, f->first->size, first_argument(f, x, i));
    if (x->b) {
        ww__members_of(f->second, f->second->size, &arguments);
        const ww__shown b = ww__show(&arguments, f->second->size, x->b + i * f->second->size);
        snprintf(behind, sizeof behind, " and %s", b.text);
    }
    return ww__fail(device, WW_INVALID,
                    WW__PLACE " is not pure: for %s%s it returned %s, and %s when it was called again", WW__PLACE_OF(f),
                    a.text, behind, ww__show(m, f->result->size, first).text,
                    ww__show(m, f->result->size, second).text);
}

/* Calls it again on all samples, whose results are `first`. */
static ww_status call_again(ww_device *device, const ww_step *step, const arguments *x, const unsigned char *first) {
    const ww_function *f = step->function;
    ww__checks *const c = device->checks;
    const size_t used = c->used;
    const size_t size = f->result->size;
    const uint64_t before = ww__environment_digest(f, step->data, step->number);
    unsigned char *const second = ww__check_take(c, 1, size);
    ww_status status = WW_OK;
    ww__members m;
    ww__members_of(f->result, size, &m);
    for (size_t i = x->many; second && i-- > 0 && !status;) {
        apply(device, step, x, i, 1, second);
        if (!ww__members_same(&m, first + i * size, second, true))
            status = impure(device, step, x, i, &m, first + i * size, second);
    }
    c->used = used;
    WW_TRY(status);
    WW_CHECK(device, before == ww__environment_digest(f, step->data, step->number), WW_INVALID,
             WW__PLACE " is not pure: it changes its environment", WW__PLACE_OF(f));
    return WW_OK;
}

/* The elements at some positions; *made is NULL where they do not fit. */
static ww_status compute(ww_device *device, const ww_input *input, const uint64_t *positions, size_t many, bool again,
                         const unsigned char **made) {
    const void *on[WW_INPUT_STEPS]; /* the stack */
    size_t depth = 0;
    *made = NULL;
    if (has_empty_source(input)) return WW_OK;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step *step = &input->step[s];
        unsigned char *const to = ww__check_take(device->checks, many * (ww__near_more(input, s) + 1),
                                                 ww__step_size(input, s));
        const uint64_t *const position = positions_of(device, input, s, positions, many);
        if (!to || !position) return WW_OK;
        depth -= ww__step_takes(input, s);
        if (ww__kind_is_near_of(input->kind[s])) {
            if (!gather_near_of(device, to, input, s, position, many)) return WW_OK;
        } else if (input->kind[s] == WW_STEP_PERMUTED_OF) {
            if (!gather_permuted_of(device, to, input, s, position, many)) return WW_OK;
        } else if (ww__kind_is_near(input->kind[s])) {
            gather_near(to, input, s, ww__step_takes(input, s) ? on[depth] : NULL, position, many);
        } else if (!ww__step_takes(input, s)) {
            gather(device, to, input, s, position, many);
        } else if (!ww__step_function(input, s)) {
            combine(device, input, s, on + depth, many, to);
        } else {
            const bool two = input->kind[s] == WW_STEP_MAP2, window = input->kind[s] == WW_STEP_WINDOW;
            const arguments x = {on[depth], two ? on[depth + 1] : NULL, many,
                                 window ? ww__window_before(step->function) : 0,
                                 window ? ww__near_more(input, s - 1) + 1 : 1};
            apply(device, step, &x, 0, many, to);
            if (again) WW_TRY(call_again(device, step, &x, to));
        }
        on[depth++] = to;
    }
    *made = on[0];
    return WW_OK;
}

/* Fewer, where elements are large. */
static size_t that_fit(const ww_device *device, const ww_input *input, size_t most) {
    size_t bytes = 0;
    for (uint32_t s = 0; s < input->steps; s++) bytes += (ww__near_more(input, s) + 1) * ww__step_size(input, s);
    const size_t fit = (WW__CHECK_ROOM - device->checks->used) / 4 / bytes;
    return (fit < most ? fit : most) / 2 * 2;
}

/* One more, in its place. */
static void insert(uint64_t *position, size_t *many, uint64_t at) {
    size_t to = (*many)++;
    for (; to && position[to - 1] > at; to--) position[to] = position[to - 1];
    position[to] = at;
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
        if (f.nan != UINT64_MAX) insert(position, &s->many, f.nan);
        if (f.infinity != UINT64_MAX) insert(position, &s->many, f.infinity);
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
        const ww_function *f = ww__step_function(input, s);
        if (!f) continue;
        if (ww__is_built_in(f)) return WW_OK; /* a bucket function, whose numbers are not checked yet */
        WW_TRY(ww__check_text(device, f));
        ww__check_pointers(device, f, input->step[s].data, input->step[s].number);
        maps = true;
    }
    if (!maps || !input->count) return WW_OK;
    device->checks->used = 0;
    return try_maps(device, input);
}

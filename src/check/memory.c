/* Memory that a GPU would not reach: all that this handle's ww_alloc has not given out. Arrays in it would be staged, which is slower and
 * no fault; what pointers in structs lead to would not be there. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/checks.h"
#include "device/gpu/environment.h"

void ww__checks_allocated(ww_device *device, const void *block, size_t bytes) {
    ww__checks *const c = device->checks;
    if (c->blocks == WW__CHECK_BLOCKS)
        c->more_blocks = true;
    else
        c->block[c->blocks++] = (ww__reached){(uintptr_t)block, (uintptr_t)block + bytes};
}

void ww__checks_freed(ww_device *device, const void *block) {
    ww__checks *const c = device->checks;
    for (size_t i = 0; i < c->blocks; i++)
        if (c->block[i].start == (uintptr_t)block) {
            c->block[i] = c->block[--c->blocks];
            return;
        }
}

static bool is_reached(const ww__checks *c, const void *pointer) {
    const uintptr_t at = (uintptr_t)pointer;
    for (size_t i = 0; i < c->blocks; i++)
        if (at >= c->block[i].start && at < c->block[i].end) return true;
    return c->more_blocks;
}

/* "&s.keys" is keys. */
static const char *name_of(const ww__given *g) {
    const char *name = g->name;
    for (const char *at = name; *at; at++)
        if (*at == '&' || *at == '.' || *at == '>') name = at + 1;
    return name;
}

typedef struct list {
    char text[512];
} list;

static void put(list *l, const char *name, uint64_t bytes, const char *direction) {
    const size_t length = strlen(l->text);
    snprintf(l->text + length, sizeof l->text - length, "%s%s (%" PRIu64 " bytes %s)", length ? ", " : "", name, bytes,
             direction);
}

static uint64_t input_bytes(const ww__checks *c, const ww_input *input) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww__step_memory m = ww__step_reads(input, s);
        const bool by_pointer = ww__step_is_array(input, s) || ww__step_by_pointer(input, s);
        if (m.bytes && by_pointer && !is_reached(c, m.data)) bytes += m.bytes;
    }
    return bytes;
}

static uint64_t environment_bytes(const ww__checks *c, const ww_function *f) {
    if (!f || !f->bound || !ww__function_by_pointer(f) || is_reached(c, f->bound)) return 0;
    return f->bound_count * f->environment->size;
}

void ww__checks_memory(ww_device *device, const ww__given *given, size_t many) {
    const ww__checks *const c = device->checks;
    list l = {""};
    for (const ww__given *g = given; g < given + many; g++) {
        const uint64_t in = g->input ? input_bytes(c, g->input) : g->function ? environment_bytes(c, *g->function) : 0;
        if (in) put(&l, name_of(g), in, "in");
        /* A result of one element may lie anywhere. */
        if (g->array && g->array->count > 1 && !is_reached(c, g->array->data))
            put(&l, name_of(g), g->array->count * g->array->size, g->use == WW__READS ? "in" : "out");
    }
    if (*l.text) ww__check_note(device, "a GPU would have to stage %s; it reaches memory from ww_alloc", l.text);
}

static void check_pointers(ww_device *device, const ww_function *f, const ww__members *m,
                           const unsigned char *element) {
    for (const ww__member *p = m->member; p < m->member + m->many; p++) {
        for (size_t k = 0; p->pointer && k < p->count; k++) {
            const void *to;
            memcpy(&to, element + p->offset + k * p->size, sizeof to);
            if (to && !is_reached(device->checks, to))
                ww__check_note(device,
                               WW__PLACE " is given %s, a pointer to memory that is not from ww_alloc: a GPU would not "
                                         "reach it",
                               WW__PLACE_OF(f), p->name);
        }
    }
}

enum { LOOKED_AT = 1 << 20 };

/* Elements of an environment that are looked at. */
static size_t some(const ww_function *f, uint64_t count) {
    return (size_t)ww__min_u64(count, LOOKED_AT / f->environment->size + 1);
}

void ww__check_pointers(ww_device *device, const ww_function *f, const void *environment, uint64_t count) {
    ww__members m;
    bool any = false;
    if (!environment || !ww__reads_environment(f)) return;
    ww__members_of(f->environment, f->environment->size, &m);
    for (size_t i = 0; i < m.many; i++) any = any || m.member[i].pointer;
    for (size_t i = 0; any && i < some(f, count); i++)
        check_pointers(device, f, &m, (const unsigned char *)environment + i * f->environment->size);
}

uint64_t ww__environment_digest(const ww_function *f, const void *environment, uint64_t count) {
    uint64_t digest = 0xCBF29CE484222325u;
    const unsigned char *at = environment;
    if (!environment || !ww__reads_environment(f)) return 0;
    for (size_t i = 0; i < some(f, count) * f->environment->size; i++) digest = (digest ^ at[i]) * 0x100000001B3u;
    return digest;
}

ww_status ww__checks_kernel(ww_device *device, const ww_function *kernel) {
    WW_TRY(ww__check_text(device, kernel));
    ww__check_pointers(device, kernel, kernel->bound, kernel->bound_count);
    return WW_OK;
}

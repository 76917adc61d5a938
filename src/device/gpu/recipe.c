/* Building recipes, and the program text that one stands for: the words, the definitions that its functions and types need
 * (each once), what the recipe's names stand for, code that reads each input, and the file itself. */
#include "device/gpu/recipe.h"

#include <stdlib.h>
#include <string.h>

#include "device/gpu/environment.h"
#include "device/gpu/source.h"
#include "device/gpu/text.h"
#include "device/members.h"
#include "device/steps.h"

void ww__recipe_begin(ww__recipe *r, const char *file) {
    r->file = file;
    r->parts = 0;
    r->kept = NULL;
    r->full = r->counted = false;
}

static ww__part *add(ww__recipe *r, ww__part_kind kind, const char *name) {
    if (r->parts == WW__PARTS) {
        r->full = true;
        r->parts--;
    }
    ww__part *part = &r->part[r->parts++];
    memset(part, 0, sizeof *part); /* padding too: recipes are compared as bytes */
    part->kind = (uint16_t)kind;
    part->name = name;
    return part;
}

void ww__recipe_number(ww__recipe *r, const char *name, uint64_t number) {
    add(r, WW__PART_NUMBER, name)->number = number;
}

uint32_t ww__alignment(const ww_type *type, size_t size, const void *at) {
    if (type->kind != WW_KIND_RECORD) return type->alignment;
    const uintptr_t bits = at ? (uintptr_t)at | size | 16 : 1;
    return (uint32_t)(bits & (~bits + 1));
}

static void set_type(ww__part *part, const ww_type *type, size_t size, const void *at) {
    part->type = type;
    part->size = (uint32_t)size;
    part->alignment = ww__alignment(type, size, at);
}

void ww__recipe_type(ww__recipe *r, const char *name, const ww_type *type, size_t size, const void *at) {
    set_type(add(r, WW__PART_TYPE, name), type, size, at);
}

void ww__recipe_function(ww__recipe *r, const char *name, const ww_function *f) {
    const bool kept = ww__block_keeps(f);
    if (kept) {
        r->full |= r->kept != NULL;
        r->kept = f;
        ww__recipe_environment(r, "ww_kept_environment", f);
    }
    ww__part *part = add(r, WW__PART_FUNCTION, name);
    part->function = ww__origin(f);
    part->number = kept;
}

void ww__recipe_environment(ww__recipe *r, const char *name, const ww_function *f) {
    ww__part *part = add(r, WW__PART_ENVIRONMENT, name);
    part->function = ww__origin(f);
    part->by_pointer = ww__function_by_pointer(f);
}

void ww__recipe_input(ww__recipe *r, const char *name, const ww_input *input) {
    ww__part *part = add(r, WW__PART_INPUT, name);
    uint32_t on[WW_INPUT_STEPS], depth = 0; /* the stack: which step made what is there */
    part->number = input->steps;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step_kind kind = (ww_step_kind)input->kind[s];
        const void *at = ww__step_is_array(input, s) ? input->step[s].data : NULL;
        ww__part *p = add(r, WW__PART_STEP, NULL);
        p->step_kind = input->kind[s];
        p->function = ww__step_function(input, s);
        p->by_pointer = ww__step_by_pointer(input, s);
        set_type(p, ww__step_type(input, s), ww__step_size(input, s), at);
        depth -= ww__step_takes(input, s);
        if (kind == WW_STEP_MAP2) p->number = on[depth];
        if (ww__kind_has_source(input->kind[s])) p->number = ww__step_first(input, s - 1);
        /* One byte for each member, 1 more than the step that makes it. */
        for (uint32_t k = 0; kind == WW_STEP_ZIP && k < ww__step_takes(input, s); k++)
            p->number |= (uint64_t)(on[depth + k] + 1) << (8 * k);
        on[depth++] = s;
    }
}

/* Records lie where they like, so they are words only where that is a multiple of their size; NULL where there is none. */
static const ww_type *word_of(const ww__part *p) {
    const ww_type *const words[] = {
#if WW_HAS_U128
        &ww_type_ww_u128,
#endif
        &ww_type_uint8_t,
        &ww_type_uint16_t,
        &ww_type_uint32_t,
        &ww_type_uint64_t
    };
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (words[w]->size == p->size && words[w]->alignment <= p->alignment) return words[w];
    return NULL;
}

static void move(ww__part *p) {
    const ww_kind kind = p->type->kind;
    const ww_type *const word = kind == WW_KIND_SIGNED || kind == WW_KIND_FLOAT || kind == WW_KIND_RECORD ? word_of(p)
                                                                                                          : NULL;
    if (word) set_type(p, word, p->size, NULL);
}

void ww__recipe_moved_type(ww__recipe *r, const char *name, const ww_type *type, size_t size, const void *at) {
    const size_t part = r->parts;
    ww__recipe_type(r, name, type, size, at);
    if (!r->full) move(&r->part[part]);
}

void ww__recipe_moved_input(ww__recipe *r, const char *name, const ww_input *input) {
    const size_t part = r->parts + 1;
    ww__recipe_input(r, name, input);
    if (!r->full && input->steps == 1 && r->part[part].step_kind == WW_STEP_MEMORY) move(&r->part[part]);
}

void ww__recipe_bytes_input(ww__recipe *r, const char *name, const ww_input *input) {
    const size_t part = r->parts + 1;
    ww__recipe_input(r, name, input);
    if (!r->full) set_type(&r->part[part], &ww_type_uint8_t, 1, NULL);
}

void ww__recipe_index(ww__recipe *r, const char *name, const ww_input *index, bool any) {
    const size_t part = r->parts + 1;
    ww__recipe_input(r, name, index);
    if (!any || r->full || index->steps > 1 || r->part[part].step_kind != WW_STEP_MEMORY) return;
    set_type(&r->part[part], &ww_type_uint64_t, sizeof(uint64_t), NULL);
    r->part[part].number = 1;
}

void ww__recipe_exchange(ww__recipe *r, const ww_function *op, const ww_function *twin) {
    const ww_type *const type = op->first;
    if (r->full) return;
    for (size_t k = 0; k < r->parts; k++)
        if (r->part[k].kind == WW__PART_STEP && r->part[k].step_kind != WW_STEP_MEMORY) return;
    for (size_t k = 0; k < r->parts; k++) {
        ww__part *const p = &r->part[k];
        if (p->kind == WW__PART_FUNCTION && p->function == op) p->function = twin;
        if ((p->kind == WW__PART_TYPE || p->kind == WW__PART_STEP) && p->type == type) p->type = twin->first;
    }
}

/* The text that is made, and for each part of the recipe the namespace of its type and that of its function (source.h). */
typedef struct making {
    ww__text *t;
    const ww__recipe *recipe;
    uint32_t type_space[WW__PARTS], function_space[WW__PARTS];
} making;

/* A name of the caller's, or of C's. */
static void put_name(ww__text *t, uint32_t space, const char *name) {
    if (space)
        ww__text_put(t, "ww_caller_%u::%s", space, name);
    else
        ww__text_put(t, "%s", name);
}

static void put_type(const making *m, const ww__part *p) {
    if (p->type->kind == WW_KIND_RECORD)
        ww__text_put(m->t, "ww_record<%u, %u>", p->size, p->alignment);
    else
        put_name(m->t, m->type_space[p - m->recipe->part], p->type->name);
}

static void put_function(const making *m, const ww__part *p) {
    put_name(m->t, m->function_space[p - m->recipe->part], p->function->name);
}

/* A member that is a value, or points to it. */
static void put_beginning(const making *m, const ww__part *p) {
    if (p->by_pointer) ww__text_put(m->t, "const ");
}
static const char *star(const ww__part *p) { return p->by_pointer ? "*" : ""; }

/* The type of a function's environment: a struct stands in the function's namespace; a number is what the function takes, which C may
 * have more than one name for (a pointer to long is none to int64_t). */
static void put_environment_type(const making *m, const ww__part *p) {
    const ww_type *const type = p->function->environment;
    if (type->text) {
        put_name(m->t, m->function_space[p - m->recipe->part], type->name);
        return;
    }
    ww__text_put(m->t, "ww_environment_type<decltype(&");
    put_function(m, p);
    ww__text_put(m->t, ")>::type");
}

/* What a step keeps in the struct that kernels get. */
static void put_member(const making *m, const ww__part *step, unsigned s) {
    ww__text *const t = m->t;
    ww__text_put(t, "    ");
    switch ((ww_step_kind)step->step_kind) {
    case WW_STEP_MEMORY:
        ww__text_put(t, "const ");
        put_type(m, step);
        ww__text_put(t, " *memory%u;\n", s);
        if (step->number) ww__text_put(t, "    uint64_t narrow%u;\n", s);
        break;
    case WW_STEP_COUNTING:
        ww__text_put(t, "uint64_t first%u;\n", s);
        break;
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_NEAR_OF_VALUE:
        ww__text_put(t, "uint64_t length%u;\n", s);
        break;
    case WW_STEP_CONSTANT:
        put_beginning(m, step);
        put_type(m, step);
        ww__text_put(t, " %svalue%u;\n", star(step), s);
        break;
    case WW_STEP_MAP:
    case WW_STEP_MAP2:
    case WW_STEP_WINDOW:
        if (ww__reads_environment(step->function)) {
            put_beginning(m, step);
            put_environment_type(m, step);
            ww__text_put(t, " %senvironment%u;\n", star(step), s);
        } else {
            ww__text_put(t, "/* %s */\n", step->function->name);
        }
        break;
    case WW_STEP_STRIDED:
        ww__text_put(t, "const ");
        put_type(m, step);
        ww__text_put(t, " *memory%u;\n    int64_t stride%u;\n", s, s);
        break;
    case WW_STEP_NEAR_INSIDE:
    case WW_STEP_NEAR_CLAMP:
    case WW_STEP_NEAR_WRAP:
    case WW_STEP_NEAR_VALUE:
        ww__text_put(t, "const ");
        put_type(m, step);
        ww__text_put(t, " *memory%u;\n    uint64_t length%u;\n", s, s);
        break;
    case WW_STEP_COUNTING_BY:
        ww__text_put(t, "uint64_t first%u, stride%u;\n", s, s);
        break;
    case WW_STEP_PERMUTED:
        ww__text_put(t, "ww_permuted_source<");
        put_type(m, step);
        ww__text_put(t, "> source%u;\n", s);
        break;
    case WW_STEP_PERMUTED_OF:
        ww__text_put(t, "ww_permuted_places places%u;\n", s);
        break;
    case WW_STEP_CAST:
    case WW_STEP_ZIP:
        ww__text_put(t, "/* %s */\n", step->type->name);
        break;
    case WW_STEP_MISFIT:
        break; /* has been refused */
    }
}

/* What the texts of an input's steps stand on. */
static void put_headers(const making *m, const ww__part *step, unsigned steps) {
    for (unsigned s = 0; s < steps; s++) {
        if (step[s].step_kind == WW_STEP_CAST) ww__text_put(m->t, "#include \"device/kernel/cast.cuh\"\n");
        if (step[s].step_kind == WW_STEP_WINDOW) ww__text_put(m->t, "#include \"device/kernel/window.cuh\"\n");
        if (step[s].step_kind == WW_STEP_PERMUTED || step[s].step_kind == WW_STEP_PERMUTED_OF)
            ww__text_put(m->t, "#include \"device/kernel/permuted.cuh\"\n");
    }
}

/* What a function takes behind its elements. */
static void put_environment_of(const making *m, const ww__part *step, unsigned s) {
    if (ww__reads_environment(step->function))
        ww__text_put(m->t, "%sin.environment%u)", step->by_pointer ? "" : "&", s);
    else
        ww__text_put(m->t, "nullptr)");
}

/* The neighbours are step s - 1, and what stands for those outside, if there is a value, the one before that, or before the source's. */
static void put_window(const making *m, const char *name, const ww__part *step, unsigned s) {
    const ww__part *const near = step - 1;
    const bool is_array = ww__kind_is_near_array(near->step_kind);
    const ww_border border = ww__kind_border(near->step_kind);
    ww__text_put(m->t, "ww_window_of%s<%d, %u, %u, ", is_array ? "" : "_source", (int)border - (int)WW_BORDER_INSIDE,
                 (unsigned)ww__window_before(step->function), (unsigned)ww__window_after(step->function));
    put_type(m, near);
    if (is_array)
        ww__text_put(m->t, ">(in.memory%u, ", s - 1);
    else
        ww__text_put(m->t, ">([&](uint64_t at) { return %s_at_of%u(in, at); }, ", name, s - 1);
    ww__text_put(m->t, "in.length%u, i, ", s - 1);
    if (border == WW_BORDER_VALUE)
        ww__text_put(m->t, "&x%u[0]", is_array ? s - 2 : (unsigned)near->number - 1);
    else
        ww__text_put(m->t, "nullptr");
    ww__text_put(m->t, ", [&](const ");
    put_type(m, near);
    ww__text_put(m->t, " *w) { return ");
    put_function(m, step);
    ww__text_put(m->t, "(w, ");
    put_environment_of(m, step, s);
    ww__text_put(m->t, "; }, x%u);\n", s);
}

/* x3[k].a = x0[k], and so on. */
static void put_zip(const making *m, const ww__part *step, unsigned s) {
    const ww_type *part[WW_ZIP_MOST] = {NULL};
    ww__zipped z[WW_ZIP_MOST];
    size_t many = 0;
    for (uint64_t from = step->number; from; from >>= 8)
        part[many++] = step[(ptrdiff_t)(from & 255) - 1 - (ptrdiff_t)s].type;
    if (!ww__zip_members(step->type, part, many, z)) return; /* has been refused */
    ww__text_put(m->t, "for (int k = 0; k < N; k++) {\n");
    for (size_t k = 0; k < many; k++)
        ww__text_put(m->t, "        x%u[k].%s = x%u[k];\n", s, z[k].name,
                     (unsigned)(step->number >> (8 * k) & 255) - 1);
    ww__text_put(m->t, "    }\n");
}

/* The value that step s leaves, for element k of a batch: `i` is the batch's first position. */
static void put_value(const making *m, const char *name, const ww__part *step, unsigned s) {
    ww__text *const t = m->t;
    switch ((ww_step_kind)step->step_kind) {
    case WW_STEP_MEMORY:
        if (step->number)
            ww__text_put(t, "ww_fetch_index(in.memory%u, in.narrow%u, i, x%u);\n", s, s, s);
        else
            ww__text_put(t, "ww_fetch(in.memory%u + i, x%u);\n", s, s);
        return;
    case WW_STEP_COUNTING:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = (%s)(in.first%u + i + k);\n", s, step->type->name, s);
        return;
    case WW_STEP_CONSTANT:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = %sin.value%u;\n", s, star(step), s);
        return;
    case WW_STEP_MAP:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = ", s);
        put_function(m, step);
        ww__text_put(t, "(x%u[k], ", s - 1);
        break;
    case WW_STEP_MAP2:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = ", s);
        put_function(m, step);
        ww__text_put(t, "(x%u[k], x%u[k], ", (unsigned)step->number, s - 1);
        break;
    case WW_STEP_STRIDED:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = in.memory%u[int64_t(i + k) * in.stride%u];\n", s, s, s);
        return;
    case WW_STEP_COUNTING_BY:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = (%s)(in.first%u + (i + k) * in.stride%u);\n", s,
                     step->type->name, s, s);
        return;
    case WW_STEP_CAST:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = ww_cast_to<%s>(x%u[k]);\n", s, step->type->name, s - 1);
        return;
    case WW_STEP_PERMUTED:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = ww_permuted_by(in.source%u, i + k, x%u[k]);\n", s, s,
                     s - 1);
        return;
    case WW_STEP_PERMUTED_OF:
        ww__text_put(t, "for (int k = 0; k < N; k++) x%u[k] = ww_permuted_of<", s);
        put_type(m, step);
        ww__text_put(t, ">(in.places%u, i + k, x%u[k], [&](uint64_t at) { return %s_at_of%u(in, at); });\n", s,
                     (unsigned)step->number - 1, name, s);
        return;
    case WW_STEP_ZIP:
        put_zip(m, step, s);
        return;
    case WW_STEP_WINDOW:
        put_window(m, name, step, s);
        return;
    case WW_STEP_NEAR_INSIDE: /* are the window's */
    case WW_STEP_NEAR_CLAMP:
    case WW_STEP_NEAR_WRAP:
    case WW_STEP_NEAR_VALUE:
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_NEAR_OF_VALUE:
        return;
    case WW_STEP_MISFIT:
        return; /* has been refused */
    }
    put_environment_of(m, step, s);
    ww__text_put(t, ";\n");
}

/* The body of a function that computes N elements from position i on, `x`, by steps first … end - 1, but for those that compute the
 * source of another among them. */
static void put_steps(const making *m, const char *name, const ww__part *step, unsigned first, unsigned end) {
    ww__text *const t = m->t;
    bool is_own[WW_INPUT_STEPS];
    for (unsigned s = first; s < end; s++) is_own[s] = true;
    for (unsigned s = first; s < end; s++)
        for (unsigned k = 0; ww__kind_has_source(step[s].step_kind) && k < s; k++)
            if (k >= step[s].number) is_own[k] = false;
    for (unsigned s = first; s < end; s++) {
        if (!is_own[s] || ww__kind_is_near(step[s].step_kind)) continue;
        ww__text_put(t, "    ");
        put_type(m, &step[s]);
        ww__text_put(t, " x%u[N];\n    ", s);
        put_value(m, name, &step[s], s);
    }
    ww__text_put(t, "    for (int k = 0; k < N; k++) x[k] = x%u[k];\n}\n", end - 1);
}

/* NAME_at_ofS computes one element of the source that step S has. */
static void put_sources(const making *m, const char *name, const ww__part *step, unsigned steps) {
    for (unsigned s = 0; s < steps; s++) {
        if (!ww__kind_has_source(step[s].step_kind)) continue;
        ww__text_put(m->t, "template <int N> WW_DEVICE void %s_read_of%u(const %s_input &in, uint64_t i, ", name, s,
                     name);
        put_type(m, &step[s]);
        ww__text_put(m->t, " (&x)[N]) {\n");
        put_steps(m, name, step, (unsigned)step[s].number, s);
        ww__text_put(m->t, "WW_DEVICE ");
        put_type(m, &step[s]);
        ww__text_put(m->t, " %s_at_of%u(const %s_input &in, uint64_t i) {\n    ", name, s, name);
        put_type(m, &step[s]);
        ww__text_put(m->t, " x[1];\n    %s_read_of%u<1>(in, i, x);\n    return x[0];\n}\n", name, s);
    }
}

/* struct NAME_input, and NAME_read, which computes N neighbouring elements; NAME_at computes one. */
static void put_input(const making *m, const ww__part *input) {
    ww__text *const t = m->t;
    const ww__part *step = input + 1;
    const unsigned steps = (unsigned)input->number;
    put_headers(m, step, steps);
    ww__text_put(t, "struct alignas(16) %s_input {\n", input->name);
    for (unsigned s = 0; s < steps; s++) put_member(m, &step[s], s);
    ww__text_put(t, "};\ntypedef ");
    put_type(m, &step[steps - 1]);
    ww__text_put(t, " %s_item;\n", input->name);
    put_sources(m, input->name, step, steps);
    ww__text_put(t, "template <int N> WW_DEVICE void %s_read(const %s_input &in, uint64_t i, %s_item (&x)[N]) {\n",
                 input->name, input->name, input->name);
    put_steps(m, input->name, step, 0, steps);
    ww__text_put(
        t,
        "WW_DEVICE %s_item %s_at(const %s_input &in, uint64_t i) {\n    %s_item x[1];\n    %s_read<1>(in, i, x);\n"
        "    return x[0];\n}\n",
        input->name, input->name, input->name, input->name, input->name);
}

/* struct NAME, as environment.h says. */
static void put_environment(const making *m, const ww__part *p) {
    ww__text *const t = m->t;
    if (!ww__reads_environment(p->function)) {
        ww__text_put(t,
                     "struct alignas(16) %s {\n    WW_DEVICE_MEMBER const void *at() const { return nullptr; }\n};\n",
                     p->name);
        return;
    }
    ww__text_put(t, "struct alignas(16) %s {\n    ", p->name);
    put_beginning(m, p);
    put_environment_type(m, p);
    ww__text_put(t, " %svalue;\n    WW_DEVICE_MEMBER const ", star(p));
    put_environment_type(m, p);
    ww__text_put(t, " *at() const { return %svalue; }\n};\n", p->by_pointer ? "" : "&");
}

/* A name of C's, or of the caller's, which a function's namespace has of each of its types. */
static void put_type_of_function(const making *m, const ww__part *p, const ww_type *type) {
    put_name(m->t, type->text ? m->function_space[p - m->recipe->part] : 0, type->name);
}

/* An operator or order with the environment that the block keeps. */
static void put_bound_function(const making *m, const ww__part *p) {
    ww__text *const t = m->t;
    ww__text_put(t, "#include \"device/kernel/environment.cuh\"\nWW_DEVICE ");
    put_type_of_function(m, p, p->function->result);
    ww__text_put(t, " %s(const ", p->name);
    put_type_of_function(m, p, p->function->first);
    ww__text_put(t, " &x, const ");
    put_type_of_function(m, p, p->function->first);
    ww__text_put(t, " &y) {\n    return ");
    put_function(m, p);
    ww__text_put(t, "(x, y, ww_environment_of_block().at());\n}\n");
}

static void put_part(const making *m, const ww__part *part) {
    ww__text *const t = m->t;
    switch ((ww__part_kind)part->kind) {
    case WW__PART_NUMBER:
        ww__text_put(t, "#define %s %lluu\n", part->name, (unsigned long long)part->number);
        break;
    case WW__PART_TYPE:
        ww__text_put(t, "typedef ");
        put_type(m, part);
        ww__text_put(t, " %s;\n", part->name);
        break;
    case WW__PART_FUNCTION:
        if (part->number) {
            put_bound_function(m, part);
            break;
        }
        ww__text_put(t, "#define %s ", part->name);
        put_function(m, part);
        ww__text_put(t, "\n");
        break;
    case WW__PART_INPUT:
        put_input(m, part);
        break;
    case WW__PART_ENVIRONMENT:
        put_environment(m, part);
        break;
    case WW__PART_STEP:
        break; /* with its input */
    }
}

/* The definitions that functions and types of the recipe need, to be freed by free(), and where they stand; NULL where there is no
 * memory. */
static char *definitions(making *m) {
    const ww__recipe *r = m->recipe;
    const ww_function *functions[WW__PARTS];
    const ww_type *types[WW__PARTS];
    uint32_t function_space[WW__PARTS], type_space[WW__PARTS];
    ww__definitions of = {functions, types, 0, 0, function_space, type_space};
    for (size_t p = 0; p < r->parts; p++) {
        if (r->part[p].function) functions[of.many_functions++] = r->part[p].function;
        if (r->part[p].type) types[of.many_types++] = r->part[p].type;
    }
    const size_t bytes = ww__functions_source(&of, NULL, 0);
    char *source = bytes ? malloc(bytes) : NULL;
    if (source && !ww__functions_source(&of, source, bytes)) {
        free(source);
        return NULL;
    }
    for (size_t p = 0, f = 0, t = 0; source && p < r->parts; p++) {
        m->function_space[p] = r->part[p].function ? function_space[f++] : 0;
        m->type_space[p] = r->part[p].type ? type_space[t++] : 0;
    }
    return source;
}

/* What put_environment_type asks; programs without it stay as they are. */
static void put_environment_types(const making *m) {
    for (size_t p = 0; p < m->recipe->parts; p++) {
        const ww_function *const f = m->recipe->part[p].function;
        if (!f || !ww__reads_environment(f) || f->environment->text) continue;
        ww__text_put(
            m->t, "template <class F> struct ww_environment_type;\n"
                  "template <class R, class T, class E> struct ww_environment_type<R (*)(T, const E *)> {\n"
                  "    typedef E type;\n};\n"
                  "template <class R, class T, class U, class E> struct ww_environment_type<R (*)(T, U, const E *)> {\n"
                  "    typedef E type;\n};\n");
        return;
    }
}

char *ww__recipe_text(const ww__recipe *r) {
    ww__text t = {0};
    making m = {.t = &t, .recipe = r};
    char *source = definitions(&m);
    if (!source) return NULL;
    ww__text_put(&t, "#include \"device/kernel/words.cuh\"\n%s#line 1 \"warpwise\"\n", source);
    free(source);
    /* Numbers come first: the text that reads inputs knows some of them. */
    for (size_t p = 0; p < r->parts; p++)
        if (r->part[p].kind == WW__PART_NUMBER) put_part(&m, &r->part[p]);
    ww__text_put(&t, "#include \"device/kernel/types.cuh\"\n");
    put_environment_types(&m);
    for (size_t p = 0; p < r->parts; p++)
        if (r->part[p].kind != WW__PART_NUMBER) put_part(&m, &r->part[p]);
    ww__text_put(&t, "#include \"%s\"\n", r->file);
    return ww__text_take(&t);
}

/* Members of elements: compared, looked at, changed a little, and shown. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "check/checks.h"
#include "warpwise/function.h"

double ww__member_float(const ww__member *m, const void *element, size_t k) {
    const unsigned char *at = (const unsigned char *)element + m->offset + k * m->size;
    float narrow;
    double wide;
    uint16_t half;
    if (m->size == sizeof half) {
        memcpy(&half, at, sizeof half);
        return (double)(m->is_bf16 ? ww_float_of_bf16((ww_bf16){half}) : ww_float_of_f16((ww_f16){half}));
    }
    memcpy(&wide, at, m->size == sizeof wide ? sizeof wide : 0);
    if (m->size == sizeof wide) return wide;
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

static bool same_float(const ww__member *m, const void *a, const void *b, size_t k, bool bits) {
    const double x = ww__member_float(m, a, k), y = ww__member_float(m, b, k);
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    return x == y && (!bits || signbit(x) == signbit(y));
}

bool ww__members_same(const ww__members *m, const void *a, const void *b, bool bits) {
    for (const ww__member *n = m->member; n < m->member + m->many; n++) {
        const unsigned char *x = (const unsigned char *)a + n->offset, *y = (const unsigned char *)b + n->offset;
        if (n->kind != WW_KIND_FLOAT && memcmp(x, y, n->count * n->size)) return false;
        for (size_t k = 0; n->kind == WW_KIND_FLOAT && k < n->count; k++)
            if (!same_float(n, a, b, k, bits)) return false;
    }
    return true;
}

static bool has(const ww__members *m, const void *element, bool nan_only) {
    for (const ww__member *n = m->member; n < m->member + m->many; n++)
        for (size_t k = 0; n->kind == WW_KIND_FLOAT && k < n->count; k++) {
            const double x = ww__member_float(n, element, k);
            if (nan_only ? isnan(x) : !isfinite(x)) return true;
        }
    return false;
}

bool ww__members_finite(const ww__members *m, const void *element) { return !has(m, element, false); }
bool ww__members_nan(const ww__members *m, const void *element) { return has(m, element, true); }

void ww__members_nudge(const ww__members *m, void *element, uint64_t *random) {
    for (const ww__member *n = m->member; n < m->member + m->many; n++)
        for (size_t k = 0; n->kind == WW_KIND_FLOAT && k < n->count; k++) {
            const double x = ww__member_float(n, element, k);
            const uint64_t by = ww__random(random) & 1 ? 1 : UINT64_MAX;
            uint64_t bits = 0;
            unsigned char *at = (unsigned char *)element + n->offset + k * n->size;
            if (x == 0 || !isfinite(x)) continue;
            memcpy(&bits, at, n->size);
            bits += by;
            memcpy(at, &bits, n->size);
        }
}

/* ---- as text ---- */

static void put(ww__shown *s, const char *text) {
    const size_t length = strlen(s->text);
    snprintf(s->text + length, sizeof s->text - length, "%s", text);
}

static uint64_t low_bits(const unsigned char *at, size_t size) {
    uint64_t bits = 0;
    memcpy(&bits, at, size < sizeof bits ? size : sizeof bits);
    return bits;
}

static void put_number(ww__shown *s, const ww__member *m, const void *element, size_t k) {
    const unsigned char *at = (const unsigned char *)element + m->offset + k * m->size;
    char text[64];
    const uint64_t bits = low_bits(at, m->size);
    if (m->kind == WW_KIND_FLOAT)
        snprintf(text, sizeof text, m->size == 8 ? "%.17g" : "%.9g", ww__member_float(m, element, k));
    else if (m->size == 16)
        snprintf(text, sizeof text, "0x%016" PRIx64 "%016" PRIx64, low_bits(at + 8, 8), bits);
    else if (m->pointer)
        snprintf(text, sizeof text, "0x%" PRIx64, bits);
    else if (m->kind == WW_KIND_SIGNED)
        snprintf(text, sizeof text, "%" PRId64, (int64_t)(bits << (64 - 8 * m->size)) >> (64 - 8 * m->size));
    else
        snprintf(text, sizeof text, "%" PRIu64, bits);
    put(s, text);
}

static void put_member(ww__shown *s, const ww__member *m, const void *element) {
    if (*m->name) {
        put(s, m->name);
        put(s, " = ");
    }
    if (m->count > 1) put(s, "{");
    for (size_t k = 0; k < m->count && strlen(s->text) < sizeof s->text - 1; k++) {
        if (k) put(s, ", ");
        put_number(s, m, element, k);
    }
    if (m->count > 1) put(s, "}");
}

ww__shown ww__show(const ww__members *m, size_t size, const void *element) {
    ww__shown s = {""};
    const bool several = m->many != 1 || *m->member[0].name;
    if (!m->known) {
        snprintf(s.text, sizeof s.text, "an element of %zu bytes", size);
        return s;
    }
    if (several) put(&s, "{");
    for (size_t i = 0; i < m->many; i++) {
        if (i) put(&s, ", ");
        put_member(&s, &m->member[i], element);
    }
    if (several) put(&s, "}");
    if (strlen(s.text) == sizeof s.text - 1) memcpy(s.text + sizeof s.text - 4, "...", 3);
    return s;
}

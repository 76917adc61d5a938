/* Between row-major and column-major order.
 *
 * Of a matrix of r rows and w columns, word k in row-major order stands in row k / w and column k mod w; in column-major order
 * in row k mod r and column k / r. Were row i to send its columns 0, 1, 2, … in this order, rows i and i + r / c would send
 * to one row, c being gcd(r, w), as i w and (i + r / c) w are equal modulo r. So row i begins with column i / (r / c), and goes
 * around: in each step the rows i = a (r / c) + b send to (b w + a + t) mod r, which are all different; those that have come
 * around send to ((b - 1) w + a + t) mod r, the same set for all b. Catanzaro, Keller and Garland, A decomposition for
 * in-place matrix transposition (2014), rotate by the same amounts. */
#include "matrix.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* For each processor the column that it begins with, and where the word there belongs in column-major order. */
static void begin(ww__run *run, const ww__rows *rows) {
    const uint64_t r = rows->rows, w = rows->width, alike = r / gcd(r, w);
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        const uint64_t k = rows->place[p] * w + rows->place[p] / alike;
        run->item[p] = rows->place[p] / alike;
        run->row[p] = (uint32_t)(k % r);
        run->column[p] = k / r;
    }
}

static inline void advance(ww__run *run, const ww__rows *rows, uint32_t p) {
    if (++run->item[p] == rows->width) {
        const uint64_t k = rows->place[p] * rows->width;
        run->item[p] = 0;
        run->row[p] = (uint32_t)(k % rows->rows);
        run->column[p] = k / rows->rows;
    } else if (++run->row[p] == rows->rows) {
        run->row[p] = 0;
        run->column[p]++;
    }
}

/* Every processor sends the word in its column item[p] to row[p], there to `to`, or takes it from there. */
static void send(ww__run *run, const ww__rows *rows, bool in_place) {
    ww__machine *m = &run->machine;
    for (uint32_t p = 0; p < m->banks; p++)
        if (rows->place[p] != WW__IDLE) run->word[p] = ww__bank_read(m, p, p, run->at + run->item[p]);
    ww__step(m);
    for (uint32_t p = 0; p < m->banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        ww__bank_write(m, p, ww__bank(rows, p, run->row[p]),
                       in_place ? run->at + run->item[p] : run->other + run->column[p], run->word[p]);
    }
    ww__step(m);
}

static void take(ww__run *run, const ww__rows *rows, bool in_place) {
    ww__machine *m = &run->machine;
    for (uint32_t p = 0; p < m->banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        run->word[p] = ww__bank_read(m, p, ww__bank(rows, p, run->row[p]),
                                     run->at + (in_place ? run->item[p] : run->column[p]));
    }
    ww__step(m);
    for (uint32_t p = 0; p < m->banks; p++)
        if (rows->place[p] != WW__IDLE)
            ww__bank_write(m, p, p, (in_place ? run->at : run->other) + run->item[p], run->word[p]);
    ww__step(m);
}

void ww__convert(ww__run *run, const ww__rows *rows, bool to_columns) {
    begin(run, rows);
    for (uint64_t t = 0; t < rows->width; t++) {
        if (to_columns)
            send(run, rows, false);
        else
            take(run, rows, false);
        for (uint32_t p = 0; p < run->machine.banks; p++)
            if (rows->place[p] != WW__IDLE) advance(run, rows, p);
    }
    ww__turn_areas(run);
}

/* ---- in place ---- */

/* Where in its row what arrives with step t belongs: the column of k, the word whose row is `place` in column-major order and
 * which its own row i = a (r / c) + b sends in this step. a is known modulo c from place - t, then i from place - j and an
 * inverse. */
typedef struct arrivals {
    uint64_t rows, width, common, alike, inverse;
} arrivals;

static arrivals arrivals_of(const ww__rows *rows) {
    arrivals a = {.rows = rows->rows, .width = rows->width, .common = gcd(rows->rows, rows->width)};
    a.alike = a.rows / a.common;
    const uint64_t factor = a.width / a.common % a.alike;
    while (a.inverse < a.alike && factor * a.inverse % a.alike != 1 % a.alike) a.inverse++;
    return a;
}

static uint64_t arrives_at(const arrivals *s, uint64_t place, uint64_t t) {
    const uint64_t a = (place + s->common - t % s->common) % s->common;
    const uint64_t j = t + a < s->width ? t + a : t + a - s->width;
    const uint64_t rest = (place + s->rows - j % s->rows) % s->rows;
    const uint64_t i = a * s->alike + rest / s->common % s->alike * s->inverse % s->alike;
    return (i * s->width + j) / s->rows;
}

typedef struct shuffle { /* of the row that is being put into order */
    ww__own own;
    const ww__run *run;
    const arrivals *arrivals;
    uint64_t place;
} shuffle;

static bool done(shuffle *s, uint64_t column) {
    return ww__own_read(&s->own, s->run->counters + column / 64) >> column % 64 & 1;
}
static void set_done(shuffle *s, uint64_t column) {
    const uint64_t at = s->run->counters + column / 64;
    ww__own_write(&s->own, at, ww__own_read(&s->own, at) | (uint64_t)1 << column % 64);
}

/* What stands in column t goes to arrives_at(t), around a cycle. */
static void forth(shuffle *s, uint64_t start) {
    uint64_t t = start, carried = ww__own_read(&s->own, s->run->at + start);
    do {
        t = arrives_at(s->arrivals, s->place, t);
        const uint64_t next = ww__own_read(&s->own, s->run->at + t);
        ww__own_write(&s->own, s->run->at + t, carried);
        set_done(s, t);
        carried = next;
    } while (t != start);
}

static void back(shuffle *s, uint64_t start) {
    const uint64_t kept = ww__own_read(&s->own, s->run->at + start);
    for (uint64_t t = start;;) {
        const uint64_t from = arrives_at(s->arrivals, s->place, t);
        ww__own_write(&s->own, s->run->at + t, from == start ? kept : ww__own_read(&s->own, s->run->at + from));
        set_done(s, t);
        if (from == start) return;
        t = from;
    }
}

static void shuffle_rows(ww__run *run, const ww__rows *rows, const arrivals *a, bool to_columns) {
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        shuffle s = {ww__own_begin(&run->machine, p), run, a, rows->place[p]};
        for (uint64_t c = 0; c < rows->width; c += 64) ww__own_write(&s.own, run->counters + c / 64, 0);
        for (uint64_t t = 0; t < rows->width; t++) {
            if (done(&s, t)) continue;
            if (to_columns)
                forth(&s, t);
            else
                back(&s, t);
        }
        ww__own_end(&s.own);
    }
    ww__alone_end(&run->machine);
}

static void reverse(ww__own *own, uint64_t from, uint64_t to) {
    while (from + 1 < to) {
        const uint64_t x = ww__own_read(own, from), y = ww__own_read(own, --to);
        ww__own_write(own, from++, y);
        ww__own_write(own, to, x);
    }
}

/* Row i turned to the left by i / (r / c), or back: two parts reversed, then all. */
static void rotate_rows(ww__run *run, const ww__rows *rows, const arrivals *a, bool left) {
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        const uint64_t by = rows->place[p] / a->alike, cut = run->at + (left || !by ? by : rows->width - by);
        ww__own own = ww__own_begin(&run->machine, p);
        if (by) {
            reverse(&own, run->at, cut);
            reverse(&own, cut, run->at + rows->width);
            reverse(&own, run->at, run->at + rows->width);
        }
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
}

/* Column t of the rotated matrix: what each row sends, or has sent, in step t. */
static void exchange(ww__run *run, const ww__rows *rows, bool to_columns) {
    begin(run, rows);
    for (uint64_t t = 0; t < rows->width; t++) {
        for (uint32_t p = 0; p < run->machine.banks; p++) {
            if (rows->place[p] == WW__IDLE) continue;
            run->column[p] = run->item[p]; /* kept: what moves lies in column t */
            run->item[p] = t;
        }
        if (to_columns)
            send(run, rows, true);
        else
            take(run, rows, true);
        for (uint32_t p = 0; p < run->machine.banks; p++) {
            if (rows->place[p] == WW__IDLE) continue;
            run->item[p] = run->column[p];
            advance(run, rows, p);
        }
    }
}

void ww__convert_in_place(ww__run *run, const ww__rows *rows, bool to_columns) {
    const arrivals a = arrivals_of(rows);
    if (to_columns) {
        rotate_rows(run, rows, &a, true);
        exchange(run, rows, true);
        shuffle_rows(run, rows, &a, true);
    } else {
        shuffle_rows(run, rows, &a, false);
        exchange(run, rows, false);
        rotate_rows(run, rows, &a, false);
    }
}

/* Permuting by a colouring that is known before the first step (Nakano 2012, who has the same for GPUs).
 *
 * Labels are edges from the row where they stand to the row where they go: a bipartite multigraph in which every row has
 * `width` edges. With edges of one colour sent in one step no bank is touched twice if no row has two of a colour. Walking
 * along edges without going over one twice, and giving those that are walked from left to right to one half, the others to the
 * other half, leaves each row half of its edges, rounded up; so after log2 width halvings, rounded up, each part is a colour.
 * That takes n log2 width time on the host, which counts for nothing here, and gives the least power of two of colours that is
 * not below width. */
#include "permute.h"

#include <string.h>

uint64_t ww__colours_of(uint64_t width) {
    uint64_t colours = 1;
    while (colours < width) colours *= 2;
    return colours;
}

typedef struct colouring {
    uint32_t banks;
    uint64_t width, colours;
    uint32_t *to;            /* for each label, by where it stands: the row where it goes */
    uint32_t *edge, *halved; /* labels by colour; the same while a part is halved */
    uint32_t *left, *right;  /* a part's edges by the row where they stand, and by the row where they go … */
    uint64_t *begin[2];      /* … where a row's begin in it … */
    uint64_t *next[2];       /* … and where it goes on */
    unsigned char *walked;   /* for each label: 1 from left to right, 2 from right to left */
    uint32_t *column;        /* for each colour and row: the column of its label, or UINT32_MAX */
} colouring;

static ww_status colouring_new(ww__permutation *p, colouring *c) {
    ww_device *device = p->run->device;
    const uint64_t banks = p->run->machine.banks, n = banks * p->width;
    c->banks = p->run->machine.banks;
    c->width = p->width;
    c->colours = ww__colours_of(p->width);
    WW_TRY(ww__scratch_array(device, n, sizeof *c->to, &c->to));
    WW_TRY(ww__scratch_array(device, n, sizeof *c->edge, &c->edge));
    WW_TRY(ww__scratch_array(device, n, sizeof *c->halved, &c->halved));
    WW_TRY(ww__scratch_array(device, n, sizeof *c->left, &c->left));
    WW_TRY(ww__scratch_array(device, n, sizeof *c->right, &c->right));
    for (int side = 0; side < 2; side++) {
        WW_TRY(ww__scratch_array(device, banks + 1, sizeof *c->begin[0], &c->begin[side]));
        WW_TRY(ww__scratch_array(device, banks, sizeof *c->next[0], &c->next[side]));
    }
    WW_TRY(ww__scratch_array(device, n, 1, &c->walked));
    WW_TRY(ww__scratch_array(device, c->colours * banks, sizeof *c->column, &c->column));
    memset(c->column, 0xff, (size_t)(c->colours * banks) * sizeof *c->column);
    for (uint32_t q = 0; q < c->banks; q++)
        for (uint64_t k = 0; k < c->width; k++) {
            const uint64_t label = ww__label(*ww__machine_word(&p->run->machine, q, p->run->at + k));
            c->to[q * c->width + k] = (uint32_t)(label / c->width);
            c->edge[q * c->width + k] = (uint32_t)(q * c->width + k);
        }
    return WW_OK;
}

static uint32_t end_of(const colouring *c, uint32_t edge, int side) {
    return side ? c->to[edge] : (uint32_t)(edge / c->width);
}

static void list_edges(colouring *c, uint64_t from, uint64_t to, int side) {
    uint32_t *list = side ? c->right : c->left;
    uint64_t *begin = c->begin[side], *next = c->next[side];
    memset(begin, 0, ((size_t)c->banks + 1) * sizeof *begin);
    for (uint64_t k = from; k < to; k++) begin[end_of(c, c->edge[k], side) + 1]++;
    for (uint32_t q = 0; q < c->banks; q++) {
        begin[q + 1] += begin[q];
        next[q] = begin[q];
    }
    for (uint64_t k = from; k < to; k++) list[next[end_of(c, c->edge[k], side)]++] = c->edge[k];
    for (uint32_t q = 0; q < c->banks; q++) next[q] = begin[q];
}

/* Walks from a row of one side until all edges of the row that is met are used. */
static void walk(colouring *c, int side, uint32_t row) {
    for (;;) {
        const uint32_t *list = side ? c->right : c->left;
        uint64_t *next = &c->next[side][row];
        while (*next < c->begin[side][row + 1] && c->walked[list[*next]]) ++*next;
        if (*next == c->begin[side][row + 1]) return;
        const uint32_t edge = list[*next];
        c->walked[edge] = side ? 2 : 1;
        row = end_of(c, edge, !side);
        side = !side;
    }
}

/* Halves the edges from `from` to `to`; returns where the second half begins. */
static uint64_t halve(colouring *c, uint64_t from, uint64_t to) {
    uint64_t middle = from, end = 0;
    for (int side = 0; side < 2; side++) list_edges(c, from, to, side);
    for (uint64_t k = from; k < to; k++) c->walked[c->edge[k]] = 0;
    /* First from rows of odd degree, where walks end too; what is left goes around. */
    for (int odd = 1; odd >= 0; odd--)
        for (int side = 0; side < 2; side++)
            for (uint32_t q = 0; q < c->banks; q++) {
                const uint64_t degree = c->begin[side][q + 1] - c->begin[side][q];
                if (!odd || degree % 2) walk(c, side, q);
            }
    for (uint64_t k = from; k < to; k++) {
        if (c->walked[c->edge[k]] == 1)
            c->edge[middle++] = c->edge[k];
        else
            c->halved[end++] = c->edge[k];
    }
    memcpy(c->edge + middle, c->halved, (size_t)end * sizeof *c->edge);
    return middle;
}

static void colour_edges(colouring *c, uint64_t from, uint64_t to, uint64_t first, uint64_t colours) {
    if (colours > 1) {
        const uint64_t middle = halve(c, from, to);
        colour_edges(c, from, middle, first, colours / 2);
        colour_edges(c, middle, to, first + colours / 2, colours / 2);
        return;
    }
    for (uint64_t k = from; k < to; k++)
        c->column[first * c->banks + c->edge[k] / c->width] = (uint32_t)(c->edge[k] % c->width);
}

ww_status ww__permute_offline(ww__permutation *p) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    colouring c;
    WW_TRY(colouring_new(p, &c));
    colour_edges(&c, 0, c.banks * c.width, 0, c.colours);
    for (uint64_t colour = 0; colour < c.colours; colour++) {
        const uint32_t *column = &c.column[colour * c.banks];
        for (uint32_t q = 0; q < m->banks; q++)
            if (column[q] != UINT32_MAX) run->word[q] = ww__bank_read(m, q, q, run->at + column[q]);
        ww__step(m);
        for (uint32_t q = 0; q < m->banks; q++) {
            if (column[q] == UINT32_MAX) continue;
            const uint64_t label = ww__label(run->word[q]);
            ww__bank_write(m, q, (uint32_t)(label / p->width), p->arrived + label % p->width, run->word[q]);
        }
        ww__step(m);
    }
    return WW_OK;
}

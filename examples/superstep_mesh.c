/* Which triangles of a mesh share an edge: a thread for each edge of each triangle; sort_by the edge, and the two threads of
 * one edge stand side by side.
 *
 * The mesh is a torus of squares, each cut into two triangles, so that every edge has exactly two. Threads know their edge as a
 * number (the smaller corner, the larger one) and their triangle's side; neighbours in the order tell each other their
 * triangles. (Hou, Zhou and Guo, BSGP, 2008, find the triangles around vertices in this way.) */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

WW_CONSTANT(ACROSS, uint32_t, 100); /* squares of the torus, in each direction */

/* Corner `corner` of triangle t. Square (x, y) has the corners (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1). */
WW_FUNCTION(
    corner_of, uint32_t, (uint32_t t, uint32_t corner),
    {
        const uint32_t square = t / 2;
        const uint32_t x = square % ACROSS + (t % 2 ? corner > 1 : corner > 0);
        const uint32_t y = square / ACROSS + (t % 2 ? corner > 0 : corner > 1);
        return y % ACROSS * ACROSS + x % ACROSS;
    },
    ACROSS);

/* A thread's edge, side 3 t + k being from corner k of triangle t to the next. */
WW_MAP_USES((corner_of), edge_of, uint64_t, uint32_t, side, void, none, {
    const uint64_t a = corner_of(side / 3, side % 3);
    const uint64_t b = corner_of(side / 3, (side + 1) % 3);
    return a < b ? a << 32 | b : b << 32 | a;
});

WW_STRUCT(edges, {
    const uint64_t *edge;
    const uint32_t *side;
    uint32_t *across; /* for each side the triangle beyond it */
    uint64_t threads;
});

/* The first of two threads of one edge tells both. */
WW_KERNEL(meet, edges, e, rank, {
    if (rank % 2 == 0 && rank + 1 < e->threads && e->edge[rank] == e->edge[rank + 1]) {
        const uint32_t mine = e->side[rank];
        const uint32_t other = e->side[rank + 1];
        e->across[mine] = other / 3;
        e->across[other] = mine / 3;
    }
});

/* Whether triangle u has the corners a and b. */
static int has_edge(uint32_t u, uint32_t a, uint32_t b) {
    int found = 0;
    for (uint32_t k = 0; k < 3; k++) found += corner_of(u, k) == a || corner_of(u, k) == b;
    return found == 2;
}

int main(void) {
    const uint32_t triangles = 2 * ACROSS * ACROSS, sides = 3 * triangles;
    uint32_t *across = (uint32_t *)malloc(sides * sizeof *across);
    void *there = NULL;
    ww_device *device;
    ww_team *team = NULL;
    ww_column side, edge;
    if (!across) return 1;
    const ww_input all = ww_counting(&ww_type_uint32_t, 0, sides);
    ww_status s = ww_open(NULL, &device);
    if (!s) s = ww_alloc(device, sides * sizeof *across, &there);
    if (!s) s = ww_fill(device, ww_array((uint32_t *)there, sides), ww_value(uint32_t, UINT32_MAX));
    if (!s) s = ww_team_create(device, sides, &team);
    if (!s) s = ww_team_add(team, all, &side);
    if (!s) s = ww_team_add(team, ww_mapped(&edge_of_ww, all), &edge);
    if (!s) s = ww_team_sort_by(team, NULL, ww_from(ww_team_array(team, edge)), NULL);
    if (!s) {
        const edges e = {(const uint64_t *)ww_team_data(team, edge), (const uint32_t *)ww_team_data(team, side),
                         (uint32_t *)there, sides};
        s = ww_team_step(team, ww_with(meet, &e));
    }
    if (!s) s = ww_copy(device, ww_memory((const uint32_t *)there, sides), ww_array(across, sides));
    if (!s) s = ww_sync(device);
    if (s) fprintf(stderr, "superstep_mesh: %s\n", ww_error(device));

    /* The triangle beyond a side is another one, and has both of the side's corners. */
    size_t wrong = 0;
    for (uint32_t i = 0; i < sides && !s; i++) {
        const uint32_t t = i / 3, u = across[i];
        wrong += u >= triangles || u == t || !has_edge(u, corner_of(t, i % 3), corner_of(t, (i + 1) % 3));
    }
    if (!s) printf("%u triangles, %u sides: all neighbours found: %s\n", triangles, sides, wrong ? "WRONG" : "right");
    ww_team_destroy(team);
    ww_free(device, there);
    ww_close(device);
    free(across);
    return s || wrong;
}

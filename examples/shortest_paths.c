/* The quickest way through a city of streets in a grid, some of them closed: distances from one corner, and the way back from the
 * opposite one by predecessors, whose arcs have to add up to its length. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { SIDE = 300, CORNERS = SIDE * SIDE, MOST = 2 * CORNERS };

static uint32_t from[MOST], to[MOST], seconds[MOST], distance[CORNERS], before[CORNERS];

static uint32_t next_random(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

/* Streets to the right and down, of 10 to 99 seconds; one in four is closed. */
static uint32_t build(void) {
    uint32_t state = 7, m = 0;
    for (uint32_t corner = 0; corner < CORNERS; corner++)
        for (uint32_t way = 0; way < 2; way++) {
            if (way ? corner + SIDE >= CORNERS : corner % SIDE == SIDE - 1) continue;
            if (next_random(&state) % 4 == 0) continue;
            from[m] = corner;
            to[m] = corner + (way ? SIDE : 1);
            seconds[m++] = 10 + next_random(&state) % 90;
        }
    return m;
}

/* The time between two neighbours; 0 where there is no street. */
static uint32_t street(uint32_t m, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < m; i++)
        if ((from[i] == a && to[i] == b) || (from[i] == b && to[i] == a)) return seconds[i];
    return 0;
}

/* Along the way back; false where it has what is no street, or another length. */
static bool check(uint32_t m, uint32_t goal, uint32_t *turns) {
    uint64_t sum = 0;
    for (uint32_t at = goal; before[at] != WW_NO_VERTEX; at = before[at], ++*turns) {
        const uint32_t time = street(m, before[at], at);
        if (!time || distance[before[at]] + time != distance[at]) return false;
        sum += time;
    }
    return sum == distance[goal];
}

int main(void) {
    const uint32_t m = build(), start = 0, goal = CORNERS - 1;
    ww_graph_options both_ways = WW_GRAPH_OPTIONS;
    ww_sssp_report report = WW_SSSP_REPORT;
    ww_graph *graph = NULL;
    ww_device *device;
    uint32_t turns = 0;
    both_ways.both_ways = true;
    ww_status status = ww_open(NULL, &device);
    if (!status)
        status = ww_graph_create(device, CORNERS, ww_memory(from, m), ww_memory(to, m), ww_memory(seconds, m),
                                 &both_ways, &graph);
    if (!status)
        status = ww_sssp(graph, ww_memory(&start, 1), ww_array(distance, CORNERS), ww_array(before, CORNERS), NULL,
                         &report);
    if (status) fprintf(stderr, "%s\n", ww_error(device));
    const bool right = !status && check(m, goal, &turns);
    if (!status)
        printf("%u streets: %u seconds over %u of them, found in %llu rounds: %s\n", m, distance[goal], turns,
               (unsigned long long)report.rounds, right ? "right" : "wrong");
    ww_graph_destroy(graph);
    ww_close(device);
    return right ? 0 : 1;
}

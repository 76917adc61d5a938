/* Breadth-first search of a graph, on whichever device: how far each vertex is from the first. The frontier is an array whose count
 * only the device knows, and the rounds are a loop that the device runs (docs/counts.md). A round expands the frontier to its edges,
 * marks the ends that nobody has reached, and packs them to the next frontier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

enum { SIDE = 60, VERTICES = SIDE * SIDE, EDGES = 4 * VERTICES, NOWHERE = -1 };

/* The edges of vertex v are to[first[v]] … to[first[v + 1] - 1]. */
WW_STRUCT(search, {
    const uint32_t *first;
    const uint32_t *to;
    const uint32_t *from; /* of each edge to look at: its vertex's position in the frontier, */
    const uint32_t *rank; /* and which of that vertex's edges it is */
    uint32_t *frontier;
    uint32_t *degree;
    uint32_t *end;   /* where the edge leads */
    uint32_t *claim; /* of each vertex: an edge that reaches it first, + 1 */
    uint8_t *is_new;
    int32_t *distance;
    uint64_t *left;  /* vertices of the frontier, */
    uint64_t *edges; /* their edges, */
    uint64_t *found; /* and the vertices at their ends that are new */
    int32_t *round;
});

WW_KERNEL(count_edges, search, s, rank, {
    const uint32_t v = s->frontier[rank];
    s->degree[rank] = s->first[v + 1] - s->first[v];
});

WW_KERNEL(follow, search, s, rank, {
    const uint32_t v = s->frontier[s->from[rank]];
    const uint32_t to = s->to[s->first[v] + s->rank[rank]];
    s->end[rank] = to;
    if (s->distance[to] < 0) ww_atomic_max(&s->claim[to], (uint32_t)rank + 1);
});

/* Of edges with one end the last is the one that counts: the same whatever order threads come in. */
WW_KERNEL(judge, search, s, rank, {
    const uint32_t to = s->end[rank];
    s->is_new[rank] = s->distance[to] < 0 && s->claim[to] == (uint32_t)rank + 1;
});

WW_KERNEL(arrive, search, s, rank, { s->distance[s->frontier[rank]] = *s->round + 1; });

WW_KERNEL(next_round, search, s, rank, {
    s->left[rank] = s->found[rank];
    s->round[rank]++;
});

#define TRY(call) \
    do { \
        const ww_status status_of_call = (call); \
        if (status_of_call) return status_of_call; \
    } while (0)

static ww_status one_round(ww_device *device, void *context) {
    const search *s = (const search *)context;
    TRY(ww_launch_counted(device, ww_with(count_edges, s), VERTICES, s->left));
    TRY(ww_expand(device, ww_no_input, ww_counted(ww_memory(s->degree, VERTICES), s->left), ww_none,
                  ww_array((uint32_t *)s->from, EDGES), ww_array((uint32_t *)s->rank, EDGES), ww_array(s->edges, 1)));
    TRY(ww_launch_counted(device, ww_with(follow, s), EDGES, s->edges));
    TRY(ww_launch_counted(device, ww_with(judge, s), EDGES, s->edges));
    TRY(ww_pack(device, ww_counted(ww_memory(s->end, EDGES), s->edges),
                ww_counted(ww_memory(s->is_new, EDGES), s->edges), ww_array(s->frontier, VERTICES),
                ww_array(s->found, 1), NULL));
    TRY(ww_launch_counted(device, ww_with(arrive, s), VERTICES, s->found));
    return ww_launch(device, ww_with(next_round, s), 1);
}

/* A maze on a grid: neighbours are joined where a number that is made of both says so. */
static int is_open(uint32_t a, uint32_t b) {
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return ((low * 2654435761u ^ high * 40503u) >> 7) % 10 < 7;
}

static void make_graph(uint32_t *first, uint32_t *to) {
    uint32_t edges = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t x = v % SIDE, y = v / SIDE;
        first[v] = edges;
        if (x && is_open(v, v - 1)) to[edges++] = v - 1;
        if (x + 1 < SIDE && is_open(v, v + 1)) to[edges++] = v + 1;
        if (y && is_open(v, v - SIDE)) to[edges++] = v - SIDE;
        if (y + 1 < SIDE && is_open(v, v + SIDE)) to[edges++] = v + SIDE;
    }
    first[VERTICES] = edges;
}

/* The same with a queue. */
static void search_by_queue(const uint32_t *first, const uint32_t *to, int32_t *distance) {
    static uint32_t queue[VERTICES];
    uint32_t begin = 0, end = 1;
    for (uint32_t v = 0; v < VERTICES; v++) distance[v] = NOWHERE;
    queue[0] = 0;
    distance[0] = 0;
    for (; begin < end; begin++)
        for (uint32_t e = first[queue[begin]]; e < first[queue[begin] + 1]; e++)
            if (distance[to[e]] < 0) {
                distance[to[e]] = distance[queue[begin]] + 1;
                queue[end++] = to[e];
            }
}

static uint32_t first[VERTICES + 1], to[EDGES];
static int32_t distance[VERTICES], wanted[VERTICES];

/* All arrays, in one piece of the device's memory. */
static ww_status run(ww_device *device, void *memory, uint64_t *rounds) {
    uint64_t *numbers = (uint64_t *)memory;
    uint32_t *words = (uint32_t *)(numbers + 4);
    const uint64_t one = 1;
    const uint32_t start = 0;
    const int32_t zero = 0;
    search s;
    s.left = numbers, s.edges = numbers + 1, s.found = numbers + 2, s.round = (int32_t *)(numbers + 3);
    s.first = words, s.to = words + VERTICES + 1;
    s.from = s.to + EDGES, s.rank = s.from + EDGES;
    s.end = (uint32_t *)s.rank + EDGES, s.claim = s.end + EDGES;
    s.frontier = s.claim + VERTICES, s.degree = s.frontier + VERTICES;
    s.distance = (int32_t *)(s.degree + VERTICES);
    s.is_new = (uint8_t *)(s.distance + VERTICES);
    TRY(ww_copy(device, ww_memory(first, VERTICES + 1), ww_array((uint32_t *)s.first, VERTICES + 1)));
    TRY(ww_copy(device, ww_memory(to, EDGES), ww_array((uint32_t *)s.to, EDGES)));
    TRY(ww_fill(device, ww_array(s.distance, VERTICES), ww_value(int32_t, NOWHERE)));
    TRY(ww_fill(device, ww_array(s.claim, VERTICES), ww_value(uint32_t, 0)));
    TRY(ww_copy(device, ww_memory(&zero, 1), ww_array(s.distance, 1)));
    TRY(ww_copy(device, ww_memory(&zero, 1), ww_array(s.round, 1)));
    TRY(ww_copy(device, ww_memory(&start, 1), ww_array(s.frontier, 1)));
    TRY(ww_copy(device, ww_memory(&one, 1), ww_array(s.left, 1)));
    TRY(ww_repeat(device, s.left, VERTICES, one_round, &s, rounds));
    return ww_copy(device, ww_memory(s.distance, VERTICES), ww_array(distance, VERTICES));
}

int main(void) {
    ww_device *device;
    void *memory = NULL;
    uint64_t rounds = 0, reached = 0;
    const uint64_t bytes = 4 * sizeof(uint64_t) + sizeof(uint32_t) * (VERTICES * 5 + 1 + EDGES * 4) + EDGES;
    make_graph(first, to);
    search_by_queue(first, to, wanted);
    if (ww_open(NULL, &device) || ww_alloc(device, bytes, &memory) || run(device, memory, &rounds)) {
        fprintf(stderr, "frontier: %s\n", ww_error(device));
        ww_free(device, memory);
        ww_close(device);
        return 1;
    }
    ww_free(device, memory);
    ww_close(device);
    for (uint32_t v = 0; v < VERTICES; v++) reached += distance[v] >= 0;
    printf("%llu of %d vertices reached, in %llu rounds\n", (unsigned long long)reached, (int)VERTICES,
           (unsigned long long)rounds);
    return memcmp(distance, wanted, sizeof wanted) != 0;
}

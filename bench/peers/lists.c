#include "peers/lists.h"

enum { TEN = 10 };

/* A link is 0 at the end of a list, else twice the number of a node and 2 more; and 1 more where the node that it is in was deleted. */
WW_STRUCT(lists_view, {
    uint32_t *node;
    uint64_t nodes;
    uint64_t buckets;
});

WW_STRUCT_USES((lists_view), lists_batch, {
    lists_view t;
    const uint32_t *keys; /* null: key number i */
    uint8_t *statuses;    /* null: not wanted */
    uint32_t inserts;     /* of ten operations the first insert, those up to `updates` delete */
    uint32_t updates;
});

WW_KERNEL(lists_begin, lists_view, a, i, {
    a->node[2 * i] = i < a->nodes ? (uint32_t)(2 * i + 1) * 2654435761u : 0;
    a->node[2 * i + 1] = 0;
});

/* Each walks along its list to the first key that is not below its own, and takes deleted nodes out on the way; where another was there in
 * between it begins anew. A node that was marked as deleted is out of its list when who marked it has done so, or walked there again. The
 * inverse of the keys' factor says which node a key has. Statuses are numbers of ww_slab_status: 1 found, 2 deleted, 3 inserted, 4
 * it was there. */
WW_KERNEL(lists_mix, lists_batch, a, i, {
    uint32_t *const node = a->t.node;
    const uint32_t key = a->keys ? a->keys[i] : (uint32_t)(2 * i + 1) * 2654435761u;
    const bool inserts = i % 10 < a->inserts;
    const bool deletes = !inserts && i % 10 < a->updates;
    const uint64_t own = (key * 244002641u - 1) / 2;
    uint64_t x = key * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    const uint64_t head = a->t.nodes + ((x >> 32) * a->t.buckets >> 32);
    uint64_t before = head;
    uint32_t link = ww_atomic_load(node + 2 * head + 1);
    uint32_t status = 0;
    for (;;) {
        const uint64_t here = link ? link / 2 - 1 : 0;
        const uint32_t next = link ? ww_atomic_load(node + 2 * here + 1) : 0;
        bool again = false;
        if (link && next & 1) {
            again = ww_atomic_cas(node + 2 * before + 1, link, next - 1) != link;
            link = next - 1;
        } else if (link && node[2 * here] < key) {
            before = here;
            link = next;
        } else if (status == 2) {
            break;
        } else if (inserts) {
            status = link && node[2 * here] == key ? 4 : 3;
            if (status == 4) break;
            ww_atomic_store(node + 2 * own + 1, link);
            /* Who comes to the node sees this link, not that of its last life, which was marked. Readers get there by the link
             * that is published, and loads wait for the address that they need: they have no fence. */
            ww_fence();
            again = ww_atomic_cas(node + 2 * before + 1, link, (uint32_t)(2 * own + 2)) != link;
            if (!again) break;
        } else if (!link || node[2 * here] != key) {
            break;
        } else if (deletes) {
            again = ww_atomic_cas(node + 2 * here + 1, next, next | 1) != next;
            if (!again) status = 2;
        } else {
            status = 1;
            break;
        }
        if (again) {
            before = head;
            link = ww_atomic_load(node + 2 * head + 1);
        }
    }
    if (a->statuses) a->statuses[i] = (uint8_t)status;
});

static lists_view view_of(const lists_table *t) { return (lists_view){t->node, t->nodes, t->buckets}; }

ww_status lists_open(ww_device *device, uint64_t nodes, uint64_t buckets, lists_table *t) {
    void *node = NULL;
    *t = (lists_table){.device = device, .nodes = nodes, .buckets = buckets};
    if (nodes + buckets >= (uint64_t)1 << 31) return WW_LIMIT;
    const ww_status status = ww_alloc(device, (nodes + buckets) * 2 * sizeof *t->node, &node);
    t->node = node;
    return status;
}

ww_status lists_fill(lists_table *t, size_t n) {
    const lists_view v = view_of(t);
    const ww_status status = ww_launch(t->device, ww_with(lists_begin, &v), t->nodes + t->buckets);
    const lists_batch b = {v, NULL, NULL, TEN, TEN};
    return status ? status : ww_launch(t->device, ww_with(lists_mix, &b), n);
}

void lists_close(lists_table *t) {
    if (t->device) ww_free(t->device, t->node);
    *t = (lists_table){.device = NULL};
}

ww_status lists_mixed(const lists_table *t, const uint32_t *keys, uint32_t updates, uint8_t *statuses, size_t n) {
    const lists_batch b = {view_of(t), keys, statuses, updates / 2, updates};
    return ww_launch(t->device, ww_with(lists_mix, &b), n);
}

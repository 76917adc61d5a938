/* Least significant first, eight bytes at a time: from the key's end to its beginning, each piece of all elements in the
 * order so far is read as a big-endian number and sorted, stably, with the positions as values. */
#include "sort_by_bytes.h"

WW_STRUCT(piece, {
    const unsigned char *elements;
    const uint64_t *order;
    uint64_t *keys;
    uint64_t size, offset, length;
});

WW_KERNEL(read_piece, piece, p, rank, {
    const unsigned char *from = p->elements + p->order[rank] * p->size + p->offset;
    uint64_t key = 0;
    for (uint64_t b = 0; b < p->length; b++) key = key << 8 | from[b];
    p->keys[rank] = key;
});

int sort_by_bytes(job *j, ww_array in, size_t offset, size_t length, bool descending, ww_array order) {
    ww_array keys;
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = descending;
    if (job_room_inside(j, order, in.count, &keys)) return FAILED;
    int status = job_check(j, ww_store(j->device, ww_counting(&ww_type_uint64_t, 0, in.count), order));
    for (size_t end = length; end > 0 && !status;) {
        const size_t begin = end > 8 ? end - 8 : 0;
        const piece p = {in.data, order.data, keys.data, in.size, offset + begin, end - begin};
        status = job_check(j, ww_launch(j->device, &ww_read_piece, &p, in.count));
        if (!status) status = job_check(j, ww_sort(j->device, ww_from(keys), ww_from(order), keys, order, &options));
        end = begin;
    }
    ww_free(j->device, keys.data);
    return status;
}

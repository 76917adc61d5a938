/* The sorting networks, as phases of comparators of which no two touch one position. Kernels and the host read this text.
 *
 * Every comparator puts what goes first at its lower end, so that positions behind the last element, which would hold
 * what goes behind everything, never take part: a network for 2^k elements sorts any number up to it.
 *     bitonic     Batcher 1968, with all comparators one way round: runs of 2^wide are merged two by two, the first
 *                 phase compares them from their outer ends inwards (mirrored), the others at half the distance each
 *     merge       Batcher's odd-even merge sort (Knuth, volume 3, 5.2.2, algorithm M): runs of 2^wide are merged by
 *                 comparing at distance 2^wide, and then at half the distance each what stands between
 *     odd-even    transposition: neighbours, from an even place on and from an odd one in turn, n phases
 * Phases are numbered (wide, narrow): for the first two narrow goes down from wide to 0, then wide goes up by one, while
 * 2^wide is below n; for the third wide counts the phases. */
#ifndef WW_NETWORK_CUH
#define WW_NETWORK_CUH

#ifndef WW_DEVICE
#define WW_DEVICE static inline
#endif

enum { NETWORK_BITONIC, NETWORK_MERGE, NETWORK_ODDEVEN };

typedef struct ww_phase {
    uint64_t step;  /* from a lower end to the upper one; a power of two */
    uint64_t first; /* the first lower end: 0 or step */
    uint64_t block; /* no comparator crosses a multiple of this power of two; 0: any may */
    uint32_t mirrored;
} ww_phase;

WW_DEVICE ww_phase network_phase(uint32_t network, uint32_t wide, uint32_t narrow) {
    ww_phase p;
    p.step = network == NETWORK_ODDEVEN ? 1 : (uint64_t)1 << narrow;
    p.first = network == NETWORK_ODDEVEN ? wide & 1 : network == NETWORK_MERGE && narrow < wide ? p.step : 0;
    p.block = network == NETWORK_MERGE ? (uint64_t)2 << wide : 0;
    p.mirrored = network == NETWORK_BITONIC && narrow == wide;
    return p;
}

/* From one phase's numbers to the next one's. */
WW_DEVICE void network_next(uint32_t network, uint32_t *wide, uint32_t *narrow) {
    if (network != NETWORK_ODDEVEN && *narrow) {
        --*narrow;
    } else {
        ++*wide;
        *narrow = network == NETWORK_ODDEVEN ? 0 : *wide;
    }
}

/* The lower end of comparator c, and its upper end. */
WW_DEVICE uint64_t comparator_low(const ww_phase *p, uint64_t c) {
    const uint64_t inside = c & (p->step - 1);
    return (c - inside) * 2 + inside + p->first;
}
WW_DEVICE uint64_t comparator_high(const ww_phase *p, uint64_t low) {
    return p->mirrored ? low ^ (2 * p->step - 1) : low + p->step;
}
/* Whether it is one of the network's, whose elements stand at 0 ... n - 1. */
WW_DEVICE int comparator_counts(const ww_phase *p, uint64_t low, uint64_t high, uint64_t n) {
    return low < n && high < n && (!p->block || (low ^ high) < p->block);
}

#endif

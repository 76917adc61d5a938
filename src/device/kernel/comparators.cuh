/* Comparators between items in registers, for networks that sort: between two of a thread's, and between a thread's and another
 * thread's. `before(x, y)`, whether x goes first, is declared before this text is included. */
#ifndef WW_COMPARATORS_CUH
#define WW_COMPARATORS_CUH

template <class ITEM> WW_DEVICE void put_in_order(ITEM &x, ITEM &y) {
    const bool swaps = before(y, x);
    const ITEM low = swaps ? y : x, high = swaps ? x : y;
    x = low;
    y = high;
}

/* What a thread keeps of a pair that it shares with another one. The shorter form takes for granted that one of two items that are
 * not the same goes first: of two that tie both threads would keep one, and the other would be lost. With WW_TIES both threads ask
 * the same of the pair, and keep it whole by any function. */
template <class ITEM> WW_DEVICE ITEM kept(const ITEM &mine, const ITEM &other, bool lower) {
#if defined(WW_TIES) && WW_TIES
    const ITEM low = lower ? mine : other, high = lower ? other : mine;
    return before(high, low) ? other : mine;
#else
    return before(other, mine) == lower ? other : mine;
#endif
}

/* The comparators of a bitonic merge along the bits of a register's number, from `stride`, a constant, down. */
template <class ITEM, int ITEMS> WW_DEVICE void merge_within(ITEM (&x)[ITEMS], int stride) {
#pragma unroll
    for (; stride; stride /= 2)
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (!(i & stride)) put_in_order(x[i], x[i | stride]);
}

#endif

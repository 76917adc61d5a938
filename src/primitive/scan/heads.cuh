/* Where segments begin, one element at a time, for the kernels of the teaching scans. WW_SEGMENTS: 0 there are none but the
 * whole, 1 by head flags, 2 by changes of keys; the kernel's struct has a by_input `by` for them. Element 0 always begins one. */
#ifndef WW_SCAN_HEADS_CUH
#define WW_SCAN_HEADS_CUH

template <class Arguments> WW_DEVICE bool begins_segment(const Arguments &a, uint64_t k) {
    if (k == 0) return true;
#if WW_SEGMENTS == 1
    return by_at(a.by, k) != 0;
#elif WW_SEGMENTS == 2
    return !ww_same(by_at(a.by, k - 1), by_at(a.by, k));
#else
    (void)a;
    return false;
#endif
}

#endif

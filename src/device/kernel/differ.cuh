/* Whether an element differs from the one before it: in its bytes, or (WW_EQUAL) as the caller's ww_equal says, whose environment the
 * kernel's arguments have. */
#ifndef WW_DIFFER_CUH
#define WW_DIFFER_CUH

template <class A, class T> WW_DEVICE bool ww_differ(const A &a, const T &before, const T &x) {
#if WW_EQUAL
    return ww_equal(before, x, a.environment.at()) == 0;
#else
    (void)a;
    return !ww_same(before, x);
#endif
}

#endif
